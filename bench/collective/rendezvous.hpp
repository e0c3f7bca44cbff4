// Where ranks in processes of their own meet: memory that they share, which has no name that could be left behind and
// no port that could be taken.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "bench/collective/meeting.hpp"

namespace cupel::bench::collective {

inline constexpr int kMostProcesses = 64;
inline constexpr std::size_t kMostSamples = 2048;

/// Why a rank cannot go on.
struct RankFailure {
  int rank = 0;
  std::string why;
  bool cannot_run = false;  ///< nothing is wrong, but it cannot run here
};

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

  /// Says why this rank cannot go on, cut where it is long, and whether it cannot run here at all (host::CannotRun):
  /// for those that wait for it and for whoever started it.
  void fail(int rank, const std::exception& error);
  /// The failure that a rank told before all others; nothing where none has. One that only waited for another is none.
  std::optional<RankFailure> failure() const;

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
