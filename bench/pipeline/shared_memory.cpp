#include "bench/pipeline/shared_memory.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

namespace cupel::bench::pipeline {
namespace {

std::span<std::byte> map(int fd, std::size_t bytes, int flags, const std::string& what) {
  void* start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | flags, fd, 0);
  if (start == MAP_FAILED) {
    throw std::runtime_error(what + ": mmap of " + std::to_string(bytes) + " bytes: " + std::strerror(errno));
  }
  return {static_cast<std::byte*>(start), bytes};
}

}  // namespace

Mapping Mapping::anonymous(std::size_t bytes) { return Mapping(map(-1, bytes, MAP_ANONYMOUS, "shared memory")); }

Mapping Mapping::of(const Descriptor& fd, std::size_t bytes, const std::string& what) {
  return Mapping(map(fd.get(), bytes, 0, what));
}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

Mapping::~Mapping() {
  if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
}

Descriptor make_shared_memory(const std::string& name, std::size_t bytes) {
  Descriptor fd(shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600));
  if (fd.get() < 0) throw std::runtime_error("/dev/shm" + name + ": " + std::strerror(errno));
  if (const int error = posix_fallocate(fd.get(), 0, static_cast<off_t>(bytes)); error != 0) {
    shm_unlink(name.c_str());
    throw std::runtime_error("/dev/shm" + name + ": " + std::to_string(bytes) +
                             " bytes were wanted: " + std::strerror(error));
  }
  return fd;
}

Descriptor open_shared_memory(const std::string& name) {
  Descriptor fd(shm_open(name.c_str(), O_RDWR, 0));
  if (fd.get() < 0) throw std::runtime_error("/dev/shm" + name + ": " + std::strerror(errno));
  return fd;
}

void unlink_shared_memory(const std::string& name) noexcept { shm_unlink(name.c_str()); }

namespace {

std::string prefix_of_namespace() {
  struct stat status {};
  stat("/proc/self/ns/pid", &status);  // 0 where there is no /proc
  return "cupel." + std::to_string(status.st_ino) + ".";
}

}  // namespace

std::string shared_memory_prefix() { return prefix_of_namespace() + std::to_string(getpid()) + "."; }

void sweep_shared_memory() {
  const std::string prefix = prefix_of_namespace();
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/dev/shm", ignored)) {
    const std::string name = entry.path().filename().string();
    pid_t pid = 0;
    if (!name.starts_with(prefix)) continue;
    std::from_chars(name.data() + prefix.size(), name.data() + name.size(), pid);
    if (pid > 0 && kill(pid, 0) != 0 && errno == ESRCH) unlink_shared_memory("/" + name);
  }
}

namespace {

void unlink_all_that_begin_with(const std::string& prefix) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/dev/shm", ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix)) unlink_shared_memory("/" + name);
  }
}

// In a session of its own, so that no signal to the group reaches it, and without any file of its parent's, but for the
// pipe, whose other end is closed once the last of the processes is gone.
[[noreturn]] void sweep_after(int pipe_end, const std::string& prefix) {
  dup2(pipe_end, 0);
  close_range(1, ~0U, 0);
  char nothing = 0;
  while (read(0, &nothing, 1) < 0 && errno == EINTR) {
  }
  unlink_all_that_begin_with(prefix);
  _exit(0);
}

}  // namespace

// Not a child of this process, which waits for its children.
void sweep_shared_memory_in_the_end() {
  static pid_t has_one = 0;
  if (std::exchange(has_one, getpid()) == getpid()) return;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  const std::string prefix = shared_memory_prefix();
  const pid_t between = fork();
  if (between == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    sweep_after(ends[0], prefix);
  }
  close(ends[0]);  // the other end stays open for as long as this process lives
  while (between > 0 && waitpid(between, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace cupel::bench::pipeline
