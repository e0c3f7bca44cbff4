#include "bench/pipeline/page_cache.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "cupel/harness/run.hpp"

namespace cupel::bench::pipeline {

double share_in_memory(const InputFile& file) {
  const auto bytes = static_cast<std::size_t>(file.size());
  if (bytes == 0) return 0;
  void* start = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file.fd(), 0);
  if (start == MAP_FAILED) throw std::runtime_error(file.path().string() + ": mmap: " + std::strerror(errno));
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> there((bytes + page - 1) / page);
  const int result = mincore(start, bytes, there.data());
  const std::string why = std::strerror(errno);
  munmap(start, bytes);
  if (result != 0) throw std::runtime_error(file.path().string() + ": mincore: " + why);
  const auto count = std::ranges::count_if(there, [](unsigned char flags) { return (flags & 1) != 0; });
  return static_cast<double>(count) / static_cast<double>(there.size());
}

// At once, as a rule. Pages that are not yet on the disk stay, and so do those that somebody has in hand for a moment.
double drop_from_memory(const InputFile& file) {
  constexpr int kTries = 5;
  constexpr auto kPause = std::chrono::milliseconds(10);
  double share = 0;
  for (int tries = 0; tries < kTries; ++tries) {
    if (tries > 0) fdatasync(file.fd());
    if (tries > 1) std::this_thread::sleep_for(kPause);
    posix_fadvise(file.fd(), 0, 0, POSIX_FADV_DONTNEED);
    share = share_in_memory(file);
    if (share == 0) break;
  }
  return share;
}

void make_cold_or_skip(const std::vector<std::filesystem::path>& files) {
  for (const std::filesystem::path& path : files) {
    const double share = drop_from_memory(InputFile(path));
    if (share > 0) {
      harness::skip(path.string() + " cannot be made cold: " + std::to_string(std::lround(100 * share)) +
                    " % of its pages stay in memory");
    }
  }
}

std::int64_t bytes_from_storage() {
  std::ifstream io("/proc/self/io");
  for (std::string name; io >> name;) {
    std::int64_t value = 0;
    if (name == "read_bytes:" && io >> value) return value;
  }
  throw std::runtime_error("/proc/self/io: no read_bytes, which say what came from storage");
}

}  // namespace cupel::bench::pipeline
