// Whole files in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cupel/files/descriptor.hpp"
#include "cupel/files/errors.hpp"

namespace cupel::files {

/// Greatest file read, 1 GiB: larger is refused before anything is parsed.
inline constexpr std::int64_t kLargestFile = std::int64_t{1} << 30;

/// The path that names standard input, which may be read any number of times. A file of that name is "./-".
inline constexpr const char* kStandardInput = "-";

/// The path as messages name it.
std::string shown_path(const std::filesystem::path&);

/// The file's text, unpacked where gzip packed it. Throws ReadError: not there, not a regular file, damaged, or larger
/// than `largest` bytes, packed or unpacked.
std::string read_file(const std::filesystem::path&, std::int64_t largest = kLargestFile);

/// The same, but what gzip packed as it is stored.
std::string read_stored(const std::filesystem::path&, std::int64_t largest = kLargestFile);

/// Sixteen digits by which a change of one of the files shows: of their bytes, one file after the other, whatever their
/// names and times. Nobody is kept from making others that have the same (FNV-1a, 64 bits). Throws ReadError as
/// read_file() does.
std::string content_mark(const std::vector<std::filesystem::path>&);

/// The .json and .json.gz files in a folder, by name. Throws ReadError where it cannot be read.
std::vector<std::string> json_files_in(const std::filesystem::path& folder);

/// Its first bytes, at most `count`; none where it cannot be read.
std::string begin_of_file(const std::filesystem::path&, std::size_t count);

}  // namespace cupel::files

// The rest is for the sources of cupel/files and cupel/record.
namespace cupel::files {

/// A file, read a piece at a time.
class FileReader {
 public:
  enum class Packed { unpacked, as_it_is };  ///< what is read of a file that gzip packed

  /// Throws ReadError as read_file() does.
  explicit FileReader(const std::filesystem::path&, std::int64_t largest = kLargestFile, Packed = Packed::unpacked);
  ~FileReader();
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;

  std::size_t stored_size() const { return stored_size_; }  ///< what it takes on the disk: none of some of /proc
  std::int64_t taken() const { return taken_; }             ///< bytes read so far

  /// The next bytes, as many as there are up to `room`; 0 at the end. Throws ReadError.
  std::size_t read(char* into, std::size_t room);

 private:
  class Unpacking;

  bool is_packed() const;
  std::size_t read_stored(char* into, std::size_t room);

  std::filesystem::path path_;
  Descriptor descriptor_;
  std::int64_t largest_;
  std::size_t stored_size_ = 0;
  std::unique_ptr<Unpacking> unpacking_;  ///< null where the file is read as it is
  std::int64_t taken_ = 0;
};

}  // namespace cupel::files
