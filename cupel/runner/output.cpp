#include "cupel/runner/output.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>
#include <system_error>

#include "cupel/files/descriptor.hpp"
#include "cupel/files/output_file.hpp"
#include "cupel/record/json.hpp"
#include "cupel/units/format.hpp"

namespace cupel::runner {
namespace {

namespace fs = std::filesystem;

std::tm utc_now() { return fmt::gmtime(std::time(nullptr)); }

void check_space(const fs::path& folder, std::int64_t wanted_bytes) {
  struct statvfs space {};
  if (statvfs(folder.c_str(), &space) != 0) return;
  const double free_bytes = static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize);
  if (free_bytes >= static_cast<double>(wanted_bytes)) return;
  throw OutputError(fmt::format(
      "the disk of {} has {} free, the result may take {}; free some or choose another "
      "place with --output",
      folder.string(), units::format_size(static_cast<std::int64_t>(free_bytes)), units::format_size(wanted_bytes)));
}

// With such a umask what a family writes could not be read here, nor what is written once be replaced.
void refuse_umask() {
  const mode_t mask = ::umask(0077);
  ::umask(mask);
  if ((mask & 0700) == 0) return;
  throw OutputError(
      fmt::format("the umask, {:04o}, leaves the owner no rights on what is written: set another, as umask 022", mask));
}

void check_place(const fs::path& file, std::int64_t wanted_bytes) {
  refuse_umask();
  const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
  // Permissions alone do not tell (read-only mounts, quotas, root): only writing does.
  try {
    files::make_folders(folder);
    files::try_to_write(file);
  } catch (const files::WriteError& problem) {
    throw OutputError(fmt::format("{}; choose another place with --output", problem.what()));
  }
  check_space(folder, wanted_bytes);
}

constexpr std::string_view kScratch = "cupel-scratch-";
constexpr int kTries = 20;

files::Descriptor open_folder(const fs::path& folder) {
  return files::Descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

bool is_held(const fs::path& folder, const files::Descriptor& open) {
  return open.is_open() && files::lock(open.get()) != files::Lock::anothers && files::leads_to(folder, open.get());
}

// A folder of ours that nobody holds was left by a run that was killed.
void sweep(const fs::path& parent) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, error)) {
    if (!entry.path().filename().string().starts_with(kScratch)) continue;
    const files::Descriptor folder = open_folder(entry.path());
    struct stat status {};
    const bool is_ours = folder.is_open() && ::fstat(folder.get(), &status) == 0 && status.st_uid == ::geteuid();
    if (!is_ours || files::lock(folder.get()) != files::Lock::ours) continue;
    if (files::leads_to(entry.path(), folder.get())) fs::remove_all(entry.path(), error);
  }
}

}  // namespace

std::string utc_compact() { return fmt::format("{:%Y%m%dT%H%M%SZ}", utc_now()); }
std::string utc_iso() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", utc_now()); }

std::string machine_slug(const record::Context& context) {
  const std::string name = context.device ? units::slug(context.device->name) : "host";
  return name.empty() ? "gpu" : name;
}

fs::path write_under_free_name(const record::ResultSet& results, const fs::path& folder, const std::string& time) {
  const std::string stem = time + "-" + machine_slug(results.context), text = record::to_json(results);
  for (int number = 1;; ++number) {
    const fs::path path = folder / (number == 1 ? stem + ".json" : fmt::format("{}-{}.json", stem, number));
    if (files::write_new_file(path, text)) return path;
  }
}

void check_folder(const fs::path& folder, std::int64_t wanted_bytes) { check_place(folder / "any.json", wanted_bytes); }

void check_output(const fs::path& path, bool force, std::int64_t wanted_bytes) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    throw OutputError(fmt::format("{} is a folder; give a file to --output", path.string()));
  }
  if (fs::exists(path, error) && !fs::is_regular_file(path, error)) {
    throw OutputError(fmt::format("{} is no ordinary file, which a result that grows must be; give another to --output",
                                  path.string()));
  }
  if (!force && fs::exists(fs::symlink_status(path, error))) {
    throw OutputError(fmt::format(
        "{} exists; choose another file, continue it with --resume, or replace it with --force", path.string()));
  }
  check_place(path, wanted_bytes);
}

ScratchFolder::ScratchFolder() {
  const char* variable = std::getenv("TMPDIR");
  const fs::path parent = variable != nullptr && *variable != '\0' ? variable : "/tmp";
  sweep(parent);
  refuse_umask();
  // Before it is held, another's sweep may take it for left.
  for (int tries = 0; tries < kTries && !is_held(path_, held_); ++tries) {
    std::string folder = (parent / (std::string(kScratch) + "XXXXXX")).string();
    if (mkdtemp(folder.data()) == nullptr) {
      throw OutputError(fmt::format("cannot make a folder in {}: {}; set TMPDIR to a folder that can be written",
                                    parent.string(), std::strerror(errno)));
    }
    path_ = folder;
    held_ = open_folder(path_);
  }
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace cupel::runner
