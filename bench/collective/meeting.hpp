// The meeting of ranks in processes of their own, whoever started them.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>

namespace cupel::bench::collective {

inline constexpr std::size_t kIdBytes = 128;  ///< NCCL_UNIQUE_ID_BYTES

/// A rank did not come, or said that it failed.
class NotMet : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// It said that it failed: who waited for it tells nothing new.
class AnotherFailed : public NotMet {
 public:
  AnotherFailed() : NotMet("another rank failed") {}
};

class Meeting {
 public:
  virtual ~Meeting() = default;
  virtual int ranks() const = 0;
  virtual int rank() const = 0;

  /// Comes back when all ranks have called it as often as this one. Throws NotMet after limit_s, or once a rank is
  /// known to have failed.
  virtual void meet(double limit_s) = 0;

  /// Gives all ranks what rank 0 has there. Each calls it once. Throws as meet().
  virtual void share(std::span<std::byte, kIdBytes> id, double limit_s) = 0;
};

}  // namespace cupel::bench::collective
