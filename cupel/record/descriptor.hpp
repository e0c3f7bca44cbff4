// A file descriptor with one owner.
#pragma once

#include <unistd.h>

#include <utility>

namespace cupel::record {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  /// Negative: none, as open() gives where it fails.
  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }

  /// False where the file did not take all that was written, and errno says why.
  bool close() { return !is_open() || ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_ = -1;
};

}  // namespace cupel::record
