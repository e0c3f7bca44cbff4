#include "cupel/files/output_file.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "cupel/files/descriptor.hpp"
#include "cupel/files/errors.hpp"
#include "cupel/units/printable.hpp"

namespace cupel::files {

using units::printable;

namespace {

namespace fs = std::filesystem;

// Short, so that a name of any length has room for them beside it, and alike, so that left ones are found.
constexpr std::string_view kOurs = ".cupel-", kTemporary = ".tmp", kLock = ".lock";

// A sweep holds what it looks at for an instant; a writer for longer.
constexpr int kTries = 20;
constexpr std::chrono::milliseconds kPause(5);

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : "."; }

std::string hexadecimal(std::uint64_t number) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
  return {digits.data(), end};
}

std::string unguessable() {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != sizeof number) number = static_cast<std::uint64_t>(::time(nullptr));
  return hexadecimal(number);
}

// Where a link points to, also where nothing is there yet.
fs::path target_of(fs::path path) {
  constexpr int kMostLinks = 40;
  std::error_code none;
  for (int i = 0; i < kMostLinks; ++i) {
    const fs::path to = fs::read_symlink(path, none);
    if (none) return path;
    path = to.is_absolute() ? to : folder_of(path) / to;
  }
  cannot_write(path, ELOOP);
}

// "/dev/stdout" and its kin: a descriptor of this process, which others may have written to before.
std::optional<int> descriptor_of(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = -1;
    const char* end = path.data() + path.size();
    if (std::from_chars(path.data() + folder.size(), end, number).ptr == end) return number;
  }
  return std::nullopt;
}

void write_through(const fs::path& path, int descriptor, std::string_view text) {
  if (!write_all(descriptor, text)) cannot_write(path, errno);
}

// To what is there and is no plain file. Opening a pipe that nobody reads would wait for ever without O_NONBLOCK.
void write_into(const fs::path& path, std::string_view text) {
  Descriptor descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!descriptor.is_open() && errno == ENXIO) cannot_write(path, "nobody reads from it");
  if (!descriptor.is_open()) cannot_write(path, errno);
  ::fcntl(descriptor.get(), F_SETFL, O_WRONLY);
  write_through(path, descriptor.get(), text);
}

bool is_ours(const std::string& name) {
  if (!name.starts_with(kOurs)) return false;
  const std::size_t dot = std::min(name.find_first_not_of("0123456789abcdef", kOurs.size()), name.size());
  const std::string_view ending = std::string_view(name).substr(dot);
  return ending == kTemporary || ending == kLock;
}

// Removes files that nobody holds: a writer that was killed left them.
void sweep(const fs::path& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const fs::path& path = entry.path();
    if (!is_ours(path.filename().string()) || !fs::is_regular_file(entry.symlink_status(error))) continue;
    const Descriptor descriptor(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!descriptor.is_open() || lock(descriptor.get()) != Lock::ours) continue;
    if (leads_to(path, descriptor.get())) ::unlink(path.c_str());
  }
}

// The new text beside its target; gone unless it took the place.
class Replacement {
 public:
  explicit Replacement(const fs::path& target) : target_(target) {
    struct stat old {};
    const bool is_there = ::stat(target.c_str(), &old) == 0;
    if (!is_there && errno != ENOENT) cannot_write(target, errno);
    if (is_there && ::access(target.c_str(), W_OK) != 0) cannot_write(target, errno);
    sweep(folder_of(target));
    // Before it is held, another's sweep may take it for left.
    for (int tries = 0; tries < kTries && !is_held(); ++tries) {
      name_ = folder_of(target) / (std::string(kOurs) + unguessable() + std::string(kTemporary));
      descriptor_ = Descriptor(::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666));
      if (!descriptor_.is_open()) cannot_write(target, errno);
    }
    if (is_there) ::fchmod(descriptor_.get(), old.st_mode & 0777);
  }
  ~Replacement() { ::unlink(name_.c_str()); }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  void fill(std::string_view text) {
    if (!write_all(descriptor_.get(), text) || ::fsync(descriptor_.get()) != 0) cannot_write(target_, errno);
  }

  void take_place() {
    if (::rename(name_.c_str(), target_.c_str()) != 0) cannot_write(target_, errno);
    sync_folder();
  }

  bool take_free_place() {
    if (::link(name_.c_str(), target_.c_str()) == 0) {
      sync_folder();
      return true;
    }
    if (errno == EEXIST) return false;
    // A file system without links: the name is taken by an empty file first.
    if (errno != EPERM && errno != EOPNOTSUPP) cannot_write(target_, errno);
    const Descriptor taken(::open(target_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!taken.is_open() && errno == EEXIST) return false;
    take_place();
    return true;
  }

 private:
  // So that the name survives a power cut. Some file systems cannot sync a folder: the file is whole all the same.
  void sync_folder() const {
    const Descriptor folder(::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.is_open()) ::fsync(folder.get());
  }

  bool is_held() const {
    return descriptor_.is_open() && lock(descriptor_.get()) != Lock::anothers && leads_to(name_, descriptor_.get());
  }

  fs::path target_, name_;
  Descriptor descriptor_;
};

bool is_plain_or_absent(const fs::path& target) {
  struct stat status {};
  return ::stat(target.c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

[[noreturn]] void cannot_make(const fs::path& folder, const std::string& why) {
  throw WriteError(printable("cannot make the folder " + folder.string() + ": " + why));
}

// Adds each that it makes to `made`, the outermost first.
void make_missing(const fs::path& folder, std::vector<fs::path>& made) {
  std::error_code none;
  if (folder.empty() || fs::is_directory(folder, none)) return;
  if (folder.parent_path() != folder) make_missing(folder.parent_path(), made);
  if (::mkdir(folder.c_str(), 0777) != 0) {
    const int error = errno == EEXIST ? ENOTDIR : errno;
    if (error == ENOTDIR && fs::is_directory(folder, none)) return;  // another process was faster
    cannot_make(folder, std::generic_category().message(error));
  }
  made.push_back(folder);
  struct stat status {};
  const bool is_for_its_owner = ::stat(folder.c_str(), &status) == 0 && (status.st_mode & 0700) == 0700;
  if (!is_for_its_owner) cannot_make(folder, "the umask leaves its owner no rights on it");
}

fs::path lock_beside(const fs::path& target) {
  const std::size_t name = std::hash<std::string>{}(target.filename().string());
  return folder_of(target) / (std::string(kOurs) + hexadecimal(name) + std::string(kLock));
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "this host";
}

}  // namespace

void write_file(const fs::path& path, std::string_view text) {
  if (const std::optional<int> descriptor = descriptor_of(path.string())) {
    std::fflush(nullptr);
    return write_through(path, *descriptor, text);
  }
  const fs::path target = target_of(path);
  std::error_code error;
  if (fs::is_directory(target, error)) cannot_write(path, "it is a folder");
  if (!is_plain_or_absent(target)) return write_into(target, text);
  Replacement replacement(target);
  replacement.fill(text);
  replacement.take_place();
}

bool write_new_file(const fs::path& path, std::string_view text) {
  Replacement replacement(path);
  replacement.fill(text);
  return replacement.take_free_place();
}

void make_folders(const fs::path& folder) {
  std::vector<fs::path> made;
  try {
    make_missing(folder, made);
  } catch (const WriteError&) {
    while (!made.empty()) {
      ::rmdir(made.back().c_str());
      made.pop_back();
    }
    throw;
  }
}

void try_to_write(const fs::path& path) {
  if (descriptor_of(path.string())) return;
  const fs::path target = target_of(path);
  std::error_code error;
  if (fs::is_directory(target, error)) cannot_write(path, "it is a folder");
  if (is_plain_or_absent(target)) Replacement(target).fill("\n");
}

FileLock::FileLock(const fs::path& file) : path_(lock_beside(target_of(file))) {
  for (int tries = 0;; ++tries) {
    descriptor_ = Descriptor(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (!descriptor_.is_open()) cannot_write(file, errno);
    const bool held_by_another = lock(descriptor_.get()) == Lock::anothers;
    if (!held_by_another && (tries >= kTries || leads_to(path_, descriptor_.get()))) break;
    if (tries >= kTries) refuse(file);
    if (held_by_another) std::this_thread::sleep_for(kPause);
  }
  const std::string me = "process " + std::to_string(::getpid()) + " on " + host_name();
  if (::ftruncate(descriptor_.get(), 0) == 0) write_all(descriptor_.get(), me);
}

void FileLock::refuse(const fs::path& file) {
  std::array<char, 300> who{};
  const ssize_t length = ::pread(descriptor_.get(), who.data(), who.size(), 0);
  descriptor_.close();
  cannot_write(file, length > 0 ? std::string(who.data(), static_cast<std::size_t>(length)) + " is writing it"
                                : "another process is writing it");
}

FileLock::FileLock(FileLock&& other) noexcept
    : path_(std::exchange(other.path_, {})), descriptor_(std::move(other.descriptor_)) {}

FileLock::~FileLock() {
  if (descriptor_.is_open()) ::unlink(path_.c_str());
}

}  // namespace cupel::files

namespace cupel::files {

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void cannot_write(const std::filesystem::path& path, const std::string& why) {
  throw WriteError(printable(path.string() + ": cannot be written: " + why));
}

void cannot_write(const std::filesystem::path& path, int error) {
  cannot_write(path, std::generic_category().message(error));
}

}  // namespace cupel::files
