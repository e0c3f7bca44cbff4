// Files whose errors say which file, where in it, and what was expected there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "cupel/files/descriptor.hpp"

namespace cupel::bench::pipeline {

using files::Descriptor;

/// A file to read from. Everything throws std::runtime_error: "FILE: at byte N: ...".
class InputFile {
 public:
  /// expected: bytes that the caller wants of it, for the message if it is not there.
  explicit InputFile(std::filesystem::path path, std::int64_t expected_bytes = 0);

  /// Fills `out` with what lies from `offset` on. Throws where the file ends before.
  void read(std::int64_t offset, std::span<std::byte> out) const;

  std::int64_t size() const;

  /// Throws where the file is shorter, as after a copy that broke off. A page behind the end of a mapped file ends the
  /// process when it is read (SIGBUS): asked before one is mapped.
  void require_size(std::int64_t bytes) const;
  int fd() const { return fd_.get(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  Descriptor fd_;
};

/// A file that is written from front to back.
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);
  /// Throws std::runtime_error with file, offset and what the system says, as on a full disk.
  void write(std::span<const std::byte> bytes);
  std::int64_t size() const { return size_; }

 private:
  std::filesystem::path path_;
  Descriptor fd_;
  std::int64_t size_ = 0;
};

}  // namespace cupel::bench::pipeline
