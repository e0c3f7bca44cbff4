// Where a result goes, and whether it can go there: found out before anything is measured.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include "cupel/files/descriptor.hpp"
#include "cupel/record/forward.hpp"

namespace cupel::runner {

/// The result cannot go where it was asked to. what() is one line: where, why, and what to do.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// UTC now, as in a file's name ("20261120T063500Z") and in a record ("2026-11-20T06:35:00Z").
std::string utc_compact();
std::string utc_iso();

/// "nvidia-h200" from the context's device, "host" without one.
std::string machine_slug(const record::Context& context);

/// Writes folder/<time>-<machine>.json, or folder/<time>-<machine>-2.json and so on where that is taken, also by
/// another process at the same moment. Returns its name. Throws files::WriteError.
std::filesystem::path write_under_free_name(const record::ResultSet& results, const std::filesystem::path& folder,
                                            const std::string& time);

/// Makes the folder if it is not there. Throws OutputError when that fails, when nothing can be written in it, or when
/// there is less free space than `wanted_bytes`.
void check_folder(const std::filesystem::path& folder, std::int64_t wanted_bytes);

/// The same of this very file, and of one that is no plain file, or exists while `force` is false.
void check_output(const std::filesystem::path& path, bool force, std::int64_t wanted_bytes);

/// A folder for the journals of one run, removed with everything in it at the end of its life, or, where that was cut
/// short, at the beginning of the next one's.
class ScratchFolder {
 public:
  /// In $TMPDIR or /tmp. Throws OutputError.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  files::Descriptor held_;
};

}  // namespace cupel::runner
