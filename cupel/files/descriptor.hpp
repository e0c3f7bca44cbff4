// A file descriptor with one owner, and files and folders that are a process's own for as long as it lives: the kernel
// lets go of them however it ends, so that what is named as ours and nobody holds was left by a process that was
// killed.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <utility>

namespace cupel::files {

/// Owns a file descriptor and closes it; -1: none. Can be moved, not copied.
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

/// Who holds the lock of a file or folder.
enum class Lock {
  ours,      ///< until the descriptor is closed
  anothers,  ///< another process has it, or another descriptor of this one
  unknown    ///< this file system cannot say
};

/// How it is held.
enum class Hold {
  alone,
  shared  ///< with others that share it
};

/// Asks for the open file or folder at once.
Lock lock(int descriptor, Hold how = Hold::alone);

/// Whether the name still leads to what is open: whoever held it before may have removed it.
bool leads_to(const std::filesystem::path&, int descriptor);

}  // namespace cupel::files
