// Whole files in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "cupel/record/descriptor.hpp"
#include "cupel/record/json.hpp"

namespace cupel::record {

/// The file's text. Throws ReadError: not there, not a regular file, larger than `largest` bytes.
std::string read_file(const std::filesystem::path&, std::int64_t largest = kLargestFile);

}  // namespace cupel::record

// What follows is internal to cupel/record.
namespace cupel::record::detail {

/// A file, read a piece at a time.
class FileReader {
 public:
  /// Throws ReadError as read_file() does.
  explicit FileReader(const std::filesystem::path&, std::int64_t largest = kLargestFile);

  std::size_t size() const { return size_; }
  std::int64_t taken() const { return taken_; }  ///< bytes read so far

  /// The next bytes, as many as there are up to `room`; 0 at the end. Throws ReadError.
  std::size_t read(char* into, std::size_t room);

 private:
  std::filesystem::path path_;
  Descriptor descriptor_;
  std::size_t size_ = 0;
  std::int64_t taken_ = 0;
};

}  // namespace cupel::record::detail
