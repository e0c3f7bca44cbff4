#include "cupel/record/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "cupel/record/json.hpp"
#include "cupel/record/text.hpp"

namespace cupel::record::detail {
namespace {

std::string system_reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void cannot_read(const std::filesystem::path& path, const std::string& why) {
  throw ReadError(printable(path.string() + ": cannot be read: " + why));
}

[[noreturn]] void cannot_write(const std::filesystem::path& path, int error) {
  throw WriteError(printable(path.string() + ": cannot be written: " + system_reason(error)));
}

// The new text beside the target; removed unless it was renamed.
class Replacement {
 public:
  explicit Replacement(const std::filesystem::path& target)
      : target_(target), name_(target.string() + ".XXXXXX"), descriptor_(::mkostemp(name_.data(), O_CLOEXEC)) {
    if (!descriptor_.is_open()) cannot_write(target_, errno);
    ::fchmod(descriptor_.get(), mode());
  }
  ~Replacement() {
    if (!name_.empty()) ::unlink(name_.c_str());
  }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  void fill(std::string_view text) {
    const bool is_written =
        write_all(descriptor_.get(), text) && ::fsync(descriptor_.get()) == 0 && descriptor_.close();
    if (!is_written) cannot_write(target_, errno);
  }

  void take_place() {
    if (::rename(name_.c_str(), target_.c_str()) != 0) cannot_write(target_, errno);
    name_.clear();
  }

 private:
  // Of the file that is replaced, else what a new file gets. umask can only be read by setting it, which another thread
  // would notice; the usual one is assumed.
  mode_t mode() const {
    struct stat old {};
    return ::stat(target_.c_str(), &old) == 0 ? old.st_mode & 0777 : 0644;
  }

  std::filesystem::path target_;
  std::string name_;
  Descriptor descriptor_;
};

// So that the rename survives a power cut. Some file systems cannot sync a folder: the file is whole all the same.
void sync_folder(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.is_open()) ::fsync(descriptor.get());
}

// A link stays a link: what it points to is replaced.
std::filesystem::path resolved(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return error ? path : real;
}

}  // namespace

// Without O_NONBLOCK, opening a FIFO that nobody writes to would wait for ever.
FileReader::FileReader(const std::filesystem::path& path)
    : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  struct stat status {};
  if (!descriptor_.is_open() || ::fstat(descriptor_.get(), &status) != 0) cannot_read(path, system_reason(errno));
  if (!S_ISREG(status.st_mode)) cannot_read(path, "not a file");
  if (status.st_size > kLargestFile) cannot_read(path, "larger than 1 GiB");
  size_ = static_cast<std::size_t>(status.st_size);
}

std::size_t FileReader::read(char* into, std::size_t room) {
  std::size_t filled = 0;
  while (filled < room) {
    const ssize_t count = ::read(descriptor_.get(), into + filled, room - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) cannot_read(path_, system_reason(errno));
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  return filled;
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void replace_file(const std::filesystem::path& path, std::string_view text) {
  const std::filesystem::path target = resolved(path);
  Replacement replacement(target);
  replacement.fill(text);
  replacement.take_place();
  sync_folder(target);
}

}  // namespace cupel::record::detail

namespace cupel::record {

std::string read_file(const std::filesystem::path& path) {
  detail::FileReader file(path);
  std::string text(file.size(), '\0');
  text.resize(file.read(text.data(), text.size()));
  return text;
}

}  // namespace cupel::record
