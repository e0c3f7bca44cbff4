// Samples from storage, in each way of reading, in sequence and shuffled, from the page cache and from below it.
#include <memory>
#include <optional>
#include <vector>

#include "bench/pipeline/epoch_costs.hpp"
#include "bench/pipeline/page_cache.hpp"
#include "bench/pipeline/runs.hpp"
#include "bench/pipeline/setup.hpp"
#include "bench/pipeline/topics.hpp"
#include "cupel/harness/sample_host.hpp"

namespace cupel::bench::pipeline {
namespace {

using record::Role;

constexpr std::size_t kSamples = 64;  // of one call

// All of it came from storage, or the benchmark is skipped: some file systems take O_DIRECT and read from memory.
void require_from_storage(const std::string& path, std::int64_t before, std::int64_t bytes) {
  const std::int64_t from_storage = bytes_from_storage() - before;
  if (from_storage < bytes) {
    harness::skip(path + " is not read past the page cache: " + std::to_string(from_storage) + " of " +
                  std::to_string(bytes) + " bytes came from storage");
  }
}

void require_intact(const DataSet& data, std::span<const std::int64_t> indices, std::span<std::byte> bytes) {
  for (const std::int64_t index : indices) {
    pipeline::require_intact(data.sample(index), take_front(bytes, data.sample(index).bytes));
  }
}

void read(benchmark::State& state, ReadBy by, Order order, bool cold) {
  const DataSet& data = data_of(Format::jpeg);
  const std::vector<std::int64_t> all = order_of(order, data.size(), shuffled_block(by), harness::input_seed(), 0);
  const auto indices = std::span(all).first(std::min(kSamples, all.size()));
  std::vector<std::byte> out(static_cast<std::size_t>(bytes_of(data, indices)));
  std::unique_ptr<Reader> reader = open_reader(by, data);
  const auto drop = [&] {
    reader.reset();  // what is mapped stays in memory
    make_cold_or_skip(files_read(by, data, indices));
    reader = open_reader(by, data);
  };

  const record::Workload work = {.bytes_read = static_cast<std::int64_t>(out.size()),
                                 .items = static_cast<std::int64_t>(indices.size())};
  harness::HostSampling how;
  std::int64_t before = 0;
  if (by == ReadBy::direct) {
    how.before = [&] { before = bytes_from_storage(); };
    how.after = [&] { require_from_storage(data.packed(), before, work.bytes_read); };
    how.calls = 1;
  } else if (cold) {
    how.before = drop;
    how.calls = 1;
  }
  HostCpu cpu;
  const auto call = [&] {
    reader->read(indices, out);
    cpu.took(work.items);
  };
  harness::sample_host(state, work, call, cpu.counting(how));

  require_intact(data, indices, out);
  cpu.tell();
}

void add_read(ReadBy by, Order order, bool cold) {
  const std::string where = std::string("order:") + (order == Order::sequential ? "sequential" : "shuffled") +
                            "/cache:" + (cold ? "cold" : "warm");
  const Role role = by == ReadBy::file ? Role::before : by == ReadBy::packed_read ? Role::after : Role::variant;
  harness::Definition& added =
      harness::add(std::string("pipeline/read/by:") + to_string(by) + "/" + where,
                   [=](benchmark::State& state) { read(state, by, order, cold); })
          .host_only()
          .advice("faster-reader", role, where, role == Role::variant ? to_string(by) : "")
          .memory([](const auto&) { return harness::Memory{.host_bytes = kSamples * (std::int64_t{100} << 10)}; });
  const bool slow_to_open = cold && (by == ReadBy::mmap || by == ReadBy::lmdb);
  if (order == Order::sequential) {
    added.from(cold && role != Role::variant ? harness::Profile::standard : harness::Profile::full);
  } else if (slow_to_open) {
    added.from(harness::Profile::standard);
  }
}

}  // namespace

void register_read() {
  for (const bool cold : {true, false}) {
    for (const Order order : {Order::sequential, Order::shuffled}) {
      for (const ReadBy by : kCachedReaders) add_read(by, order, cold);
      if (cold) add_read(ReadBy::direct, order, cold);
    }
  }
}

}  // namespace cupel::bench::pipeline
