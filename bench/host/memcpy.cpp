// Copies in host memory by one thread and by several: what a pageable transfer does on its way through the driver's
// staging buffer, and what a loader does with every batch.
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "bench/host/thread_pool.hpp"
#include "bench/host/topics.hpp"
#include "cupel/harness/cpus.hpp"
#include "cupel/harness/sample_host.hpp"
#include "cupel/verify/generator.hpp"

namespace cupel::bench::host {
namespace {

using harness::operator""_KiB;
using harness::operator""_MiB;

// Memory at the start of a page, as a batch has it.
class Pages {
 public:
  explicit Pages(std::size_t bytes) : bytes_(bytes), data_(static_cast<char*>(::operator new(bytes, kAlignment))) {}
  char* data() const { return data_.get(); }
  std::span<std::uint64_t> words() const {
    return {reinterpret_cast<std::uint64_t*>(data_.get()), bytes_ / sizeof(std::uint64_t)};
  }

 private:
  static constexpr std::align_val_t kAlignment{4096};
  struct Free {
    void operator()(char* data) const noexcept { ::operator delete(data, kAlignment); }
  };
  std::size_t bytes_;
  std::unique_ptr<char, Free> data_;
};

// The pool of the last benchmark stays while the next one wants as many threads.
ThreadPool& pool_of(int threads) {
  static std::unique_ptr<ThreadPool> pool;
  if (pool == nullptr || pool->size() != threads) {
    pool.reset();
    pool = std::make_unique<ThreadPool>(threads);
  }
  return *pool;
}

// Where the share of thread `index` begins: a multiple of a cache line, so that no two threads write to one.
std::size_t share_begin(std::size_t bytes, int index, int threads) {
  constexpr std::size_t kLine = 64;
  const std::size_t lines = bytes / kLine;
  return index == threads ? bytes : lines * static_cast<std::size_t>(index) / static_cast<std::size_t>(threads) * kLine;
}

// Both buffers were touched by the caller before, so that no page is missing; they lie in caches as far as they fit.
void copy(benchmark::State& state) {
  const auto threads = static_cast<int>(state.range(0));
  const auto bytes = static_cast<std::size_t>(state.range(1));
  const Pages from(bytes), to(bytes);
  verify::fill_bits(from.words(), harness::input_seed());
  std::memset(to.data(), 0, bytes);
  ThreadPool& pool = pool_of(threads);

  const std::function<void(int)> share = [&](int index) {
    const std::size_t begin = share_begin(bytes, index, threads);
    const std::size_t end = share_begin(bytes, index + 1, threads);
    std::memcpy(to.data() + begin, from.data() + begin, end - begin);
  };
  const auto n = static_cast<std::int64_t>(bytes);
  harness::sample_host(state, {.bytes_read = n, .bytes_written = n}, [&] { pool.run(share); });

  harness::require(std::memcmp(to.data(), from.data(), bytes) == 0, "the copy differs from its source");
}

}  // namespace

void register_memcpy() {
  const std::vector<std::int64_t> threads = harness::thread_counts(harness::usable_cpu_count());
  harness::add("host/memcpy", copy)
      .host_only()
      .sweep("threads", {.quick = {threads.front(), threads.back()}, .standard = threads})
      .sweep("bytes", {.quick = {4_KiB, 1_MiB, 64_MiB}, .standard = harness::powers(4_KiB, 256_MiB, 8)})
      .memory([](const std::vector<std::int64_t>& args) { return harness::Memory{.host_bytes = 2 * args[1]}; });
}

}  // namespace cupel::bench::host
