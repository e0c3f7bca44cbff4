#include "bench/pipeline/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace cupel::bench::pipeline {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  throw std::runtime_error(path.string() + ": " + what);
}

}  // namespace

InputFile::InputFile(std::filesystem::path path, std::int64_t expected_bytes) : path_(std::move(path)) {
  fd_ = Descriptor(open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd_.is_open()) return;
  const std::string why = std::strerror(errno);
  fail(path_, why + (expected_bytes > 0 ? "; " + std::to_string(expected_bytes) + " bytes were expected" : ""));
}

void InputFile::read(std::int64_t offset, std::span<std::byte> out) const {
  for (std::size_t done = 0; done < out.size();) {
    const std::int64_t here = offset + static_cast<std::int64_t>(done);
    const ssize_t got = pread(fd_.get(), out.data() + done, out.size() - done, here);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path_, "at byte " + std::to_string(here) + ": " + std::strerror(errno));
    if (got == 0) {
      fail(path_, "ends at byte " + std::to_string(here) + ", " +
                      std::to_string(offset + static_cast<std::int64_t>(out.size())) + " were expected");
    }
    done += static_cast<std::size_t>(got);
  }
}

std::int64_t InputFile::size() const {
  struct stat status {};
  if (fstat(fd_.get(), &status) != 0) fail(path_, std::strerror(errno));
  return status.st_size;
}

void InputFile::require_size(std::int64_t bytes) const {
  if (size() >= bytes) return;
  fail(path_, "ends at byte " + std::to_string(size()) + ", " + std::to_string(bytes) + " were expected");
}

OutputFile::OutputFile(std::filesystem::path path) : path_(std::move(path)) {
  fd_ = Descriptor(open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!fd_.is_open()) fail(path_, std::strerror(errno));
}

void OutputFile::write(std::span<const std::byte> bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t put = ::write(fd_.get(), bytes.data() + done, bytes.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) {
      fail(path_, "at byte " + std::to_string(size_) + ", " + std::to_string(bytes.size() - done) +
                      " more were to be written: " + std::strerror(errno));
    }
    done += static_cast<std::size_t>(put);
    size_ += put;
  }
}

}  // namespace cupel::bench::pipeline
