// The first touch of fresh memory: the kernel finds a page, zeroes it and maps it. A pageable buffer that is allocated
// in every step pays this before the first byte is copied, and nothing in the program shows it.
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "bench/host/topics.hpp"
#include "cupel/harness/sample_host.hpp"

namespace cupel::bench::host {
namespace {

using harness::operator""_MiB;

// Anonymous memory of which no page exists yet.
class FreshPages {
 public:
  FreshPages(std::size_t bytes, int advice) : bytes_(bytes) {
    void* start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) {
      harness::skip("mmap of " + std::to_string(bytes) + " bytes: " + std::strerror(errno));
    }
    start_ = static_cast<volatile char*>(start);
    if (madvise(start, bytes, advice) != 0) {
      const std::string reason = std::strerror(errno);
      munmap(start, bytes);
      harness::skip("this kernel does not take the advice on huge pages: " + reason);
    }
  }
  ~FreshPages() { munmap(const_cast<char*>(start_), bytes_); }
  FreshPages(const FreshPages&) = delete;
  FreshPages& operator=(const FreshPages&) = delete;

  /// One byte of each page.
  void touch(std::size_t page) {
    for (std::size_t i = 0; i < bytes_; i += page) start_[i] = kMark;
  }

  /// Each page has its byte, and the kernel gave zeros around it.
  bool touched(std::size_t page) const {
    for (std::size_t i = 0; i < bytes_; i += page) {
      if (start_[i] != kMark || start_[i + 1] != 0) return false;
    }
    return true;
  }

 private:
  static constexpr char kMark = 1;
  std::size_t bytes_;
  volatile char* start_;
};

std::int64_t page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt + usage.ru_majflt;
}

void skip_without_huge_pages() {
  const char* path = "/sys/kernel/mm/transparent_hugepage/enabled";
  std::string modes;
  std::ifstream file(path);
  if (!std::getline(file, modes))
    harness::skip(std::string("this kernel has no transparent huge pages (") + path + ")");
  if (modes.find("[never]") != std::string::npos) {
    harness::skip(std::string("transparent huge pages are switched off (") + path + ")");
  }
}

void touch(benchmark::State& state, int advice) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::optional<FreshPages> memory;
  std::int64_t faults = 0;
  std::int64_t times = 0;
  bool right = true;

  const auto before = [&] {
    memory.emplace(bytes, advice);
    faults -= page_faults();
  };
  const auto call = [&] { memory->touch(page); };
  const auto after = [&] {
    faults += page_faults();
    ++times;
    right = right && memory->touched(page);
    memory.reset();
  };
  const auto pages = static_cast<std::int64_t>(bytes / page);
  harness::sample_host(state, {.items = pages}, call, {.before = before, .after = after, .calls = 1});

  harness::require(right, "a page did not hold what was written to it, or was not zero elsewhere");
  harness::set_counter("page_faults", {.value = static_cast<double>(faults) / static_cast<double>(times),
                                       .unit = "count",
                                       .better = record::Better::lower});
}

void touch_base_pages(benchmark::State& state) { touch(state, MADV_NOHUGEPAGE); }

void touch_huge_pages(benchmark::State& state) {
  skip_without_huge_pages();
  touch(state, MADV_HUGEPAGE);
}

// The same pass over the same memory when its pages are there: what is left without the faults.
void touch_again(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  FreshPages memory(bytes, MADV_NOHUGEPAGE);
  memory.touch(page);

  const auto pages = static_cast<std::int64_t>(bytes / page);
  harness::sample_host(state, {.items = pages}, [&] { memory.touch(page); });

  harness::require(memory.touched(page), "a page did not hold what was written to it, or was not zero elsewhere");
}

harness::Definition& with_sizes(harness::Definition& definition) {
  return definition.host_only()
      .sweep("bytes", {.quick = {16_MiB}, .standard = {1_MiB, 256_MiB}})
      .memory([](const std::vector<std::int64_t>& args) { return harness::Memory{.host_bytes = args[0]}; });
}

}  // namespace

void register_page_touch() {
  with_sizes(harness::add("host/page_touch/pages:base", touch_base_pages));
  with_sizes(harness::add("host/page_touch/pages:huge", touch_huge_pages));
  with_sizes(harness::add("host/page_touch/pages:resident", touch_again));
}

}  // namespace cupel::bench::host
