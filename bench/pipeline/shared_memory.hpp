// Memory that two processes see.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "bench/pipeline/file.hpp"

namespace cupel::bench::pipeline {

/// Mapped memory, unmapped at the end.
class Mapping {
 public:
  Mapping() = default;
  /// Shared with the processes that are forked from here on; zero. Throws std::runtime_error.
  static Mapping anonymous(std::size_t bytes);
  /// Maps a descriptor that has `bytes`.
  static Mapping of(const Descriptor& fd, std::size_t bytes, const std::string& what);

  Mapping(Mapping&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  Mapping& operator=(Mapping&& other) noexcept;
  ~Mapping();
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::span<std::byte> bytes() const { return bytes_; }

 private:
  explicit Mapping(std::span<std::byte> bytes) : bytes_(bytes) {}
  std::span<std::byte> bytes_;
};

/// POSIX shared memory of that size; its room in /dev/shm is taken at once, as a page that it lacks later would end the
/// process. Throws std::runtime_error that says how much was wanted. name: "/cupel.1.2.3".
Descriptor make_shared_memory(const std::string& name, std::size_t bytes);
Descriptor open_shared_memory(const std::string& name);

/// Removes the name; nothing where there is none.
void unlink_shared_memory(const std::string& name) noexcept;

/// How this process's names begin: "cupel.NAMESPACE.NUMBER.". A process's number means something within its PID
/// namespace alone, and containers may share /dev/shm.
std::string shared_memory_prefix();

/// Has a process of its own remove this process's names once it and all that were forked from it are gone, however they
/// ended; once a process.
void sweep_shared_memory_in_the_end();

/// Removes what processes of this PID namespace that are gone have left.
void sweep_shared_memory();

}  // namespace cupel::bench::pipeline
