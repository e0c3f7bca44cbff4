#include "cupel/record/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "cupel/record/text.hpp"
#include "cupel/units/format.hpp"

namespace cupel::record::detail {
namespace {

std::string system_reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void cannot_read(const std::filesystem::path& path, const std::string& why) {
  throw ReadError(printable(path.string() + ": cannot be read: " + why));
}

}  // namespace

// Without O_NONBLOCK, opening a FIFO that nobody writes to would wait for ever.
FileReader::FileReader(const std::filesystem::path& path, std::int64_t largest)
    : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  struct stat status {};
  if (!descriptor_.is_open() || ::fstat(descriptor_.get(), &status) != 0) cannot_read(path, system_reason(errno));
  if (!S_ISREG(status.st_mode)) cannot_read(path, "not a file");
  if (status.st_size > largest) cannot_read(path, "larger than " + units::format_size(largest));
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
  taken_ += static_cast<std::int64_t>(filled);
  return filled;
}

}  // namespace cupel::record::detail

namespace cupel::record {

std::string read_file(const std::filesystem::path& path, std::int64_t largest) {
  detail::FileReader file(path, largest);
  std::string text(file.size(), '\0');
  text.resize(file.read(text.data(), text.size()));
  return text;
}

}  // namespace cupel::record
