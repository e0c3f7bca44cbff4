// Where ranks in processes of their own meet: memory that they share, which has no name that could be left behind and
// no port that could be taken.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>

#include "bench/collective/meeting.hpp"

namespace cupel::bench::collective {

inline constexpr int kMostProcesses = 64;
inline constexpr std::size_t kMostSamples = 2048;

/// The words of a rank that waited for one that failed.
inline constexpr const char* kAnotherFailed = "another rank failed";

/// Shared by the process that makes it and those that it hands descriptor() to.
class Rendezvous {
 public:
  /// Throws std::runtime_error that says what could not be had, std::invalid_argument on too many ranks.
  static Rendezvous make(int ranks);
  /// In a rank: the descriptor as it was inherited.
  static Rendezvous open(int descriptor);
  Rendezvous(Rendezvous&& other) noexcept;
  ~Rendezvous();
  Rendezvous(const Rendezvous&) = delete;
  Rendezvous& operator=(const Rendezvous&) = delete;

  int descriptor() const { return descriptor_; }
  int ranks() const;

  /// The bytes that rank 0 hands to all, before the first meeting.
  std::span<std::byte, kIdBytes> id();

  /// Comes back when all ranks have called it as often as this one, which is `rank`. Throws NotMet after limit_s, which
  /// says who has not come, or once a rank says that it failed.
  void meet(int rank, double limit_s);

  /// Why this rank cannot go on, cut where it is long: for those that wait for it and for whoever started it.
  void fail(int rank, const std::string& why);
  /// Empty: it has not failed.
  std::string failure(int rank) const;

  /// Samples of a rank, in order; all sizes one after the other. Throws std::length_error beyond kMostSamples.
  void add_sample(int rank, double seconds);
  std::span<const double> samples(int rank) const;

 private:
  struct Shared;
  Rendezvous(int descriptor, Shared* shared) : descriptor_(descriptor), shared_(shared) {}
  std::string absent(unsigned meeting) const;

  int descriptor_ = -1;
  Shared* shared_ = nullptr;
  unsigned meetings_ = 0;
};

}  // namespace cupel::bench::collective
