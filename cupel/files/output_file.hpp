// Every file that cupel leaves for others is written here. A plain file is replaced at once or left as it was; a link
// is followed; a device, a pipe or a terminal is written to and never replaced.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "cupel/files/descriptor.hpp"

namespace cupel::files {

/// Throws WriteError, whose text names the file and the reason: a folder, a pipe that nobody reads, no space, no right.
/// What was there before is then whole. A new file has the rights that the umask leaves; one that is replaced keeps its
/// own.
void write_file(const std::filesystem::path&, std::string_view text);

/// The same, for a name that is free: false, with nothing changed, where something is there already. Of several
/// processes that ask for one name at a time one gets it.
bool write_new_file(const std::filesystem::path&, std::string_view text);

/// Throws WriteError where write_file() would for lack of rights, of space for a byte or of a name that is short
/// enough. Removes what killed writers left in the folder.
void try_to_write(const std::filesystem::path&);

/// Makes the folder and those above it that are not there. Throws WriteError where one cannot be made, and where the
/// umask leaves the owner no rights on it; those that were made before are then gone again.
void make_folders(const std::filesystem::path&);

/// Keeps others from writing a file for as long as it lives, by whatever links they name it. It stands beside the file
/// that the links lead to and is gone with its process, however that ends.
class FileLock {
 public:
  /// Throws WriteError: somebody holds it (the text says which process on which host), or it cannot be made.
  explicit FileLock(const std::filesystem::path& file);
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;

 private:
  [[noreturn]] void refuse(const std::filesystem::path& file);

  std::filesystem::path path_;
  Descriptor descriptor_;
};

}  // namespace cupel::files

// The rest is for the sources of cupel/files and cupel/record.
namespace cupel::files {

/// Writes all of it to the descriptor; false with errno on failure.
bool write_all(int descriptor, std::string_view text);

/// Throws WriteError: "FILE: cannot be written: No space left on device".
[[noreturn]] void cannot_write(const std::filesystem::path&, int error);
[[noreturn]] void cannot_write(const std::filesystem::path&, const std::string& why);

}  // namespace cupel::files
