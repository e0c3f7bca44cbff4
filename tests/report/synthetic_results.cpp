#include "tests/report/synthetic_results.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "cupel/figures/synthetic_advice.hpp"
#include "cupel/stats/random.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::report::synthetic {
namespace {

using record::AdviceTag;
using record::Limit;
using record::Mode;
using record::Role;
using record::Row;
using record::Workload;

constexpr std::int64_t kKiB = 1024, kMiB = 1024 * kKiB;

struct Spec {
  std::string name;
  double time_s = 1e-6;
  Mode mode = Mode::cold;
  Workload workload = {};
  std::optional<Limit> limit = {};
  std::vector<AdviceTag> advice = {};
  std::vector<std::pair<std::string, record::Counter>> counters = {};
  double noise = 0.004;  ///< relative, between processes; a third of it inside one
};

class Builder {
 public:
  explicit Builder(const Machine& machine) : machine_(machine), random_(machine.seed) { fill_context(); }

  void add(const Spec& spec) {
    for (int process = 0; process < machine_.processes; ++process) results_.rows.push_back(row_of(spec, process));
  }

  void add_without_time(const std::string& name, record::Status status, const std::string& reason) {
    for (int process = 0; process < machine_.processes; ++process) {
      Row row = named(name, process);
      row.status = status;
      row.reason = reason;
      results_.rows.push_back(row);
    }
  }

  record::ResultSet& results() { return results_; }

 private:
  Row named(const std::string& name, int process) {
    Row row;
    row.name = name;
    row.family = name.substr(0, name.find('/'));
    row.params = units::parameters_of(name);
    row.process = process;
    return row;
  }

  Row row_of(const Spec& spec, int process) {
    Row row = named(spec.name, process);
    row.workload = spec.workload;
    row.limit = spec.limit;
    row.advice = spec.advice;
    for (const auto& [name, counter] : spec.counters) row.counters[name] = counter;
    record::Series series;
    series.mode = spec.mode;
    const double location_s = spec.time_s * std::exp(spec.noise * random_.normal());
    for (int i = 0; i < machine_.samples; ++i) {
      series.samples_s.push_back(location_s * std::exp(spec.noise / 3 * random_.normal()));
    }
    series.round_sizes = {machine_.samples};
    row.series.push_back(series);
    row.wall_s = row.timed_s = location_s * machine_.samples;
    row.telemetry = telemetry();
    return row;
  }

  record::Telemetry telemetry() {
    record::Telemetry telemetry;
    telemetry.sm_clock_hz = 1.7e9 + 1e7 * static_cast<double>(random_.below(5));
    telemetry.memory_clock_hz = 2.6e9;
    telemetry.power_w = 300 + static_cast<double>(random_.below(100));
    telemetry.temperature_c = 50 + static_cast<double>(random_.below(10));
    return telemetry;
  }

  void fill_context() {
    record::Context& context = results_.context = figures::synthetic::context(machine_.processes, machine_.name);
    context.run.rounds = 3;
    context.run.timer = "events";
    context.run.notes["synthetic"] = "made up for tests; nothing here was measured";
    context.device->sm_count = machine_.sm_count;
    context.device->memory_peak_bytes_per_s = machine_.memory_bytes_per_s;
    context.device->pcie_generation = context.device->pcie_width = 5;
    context.device->ecc = true;
    context.calibration.emplace().flush = "read";
    context.libraries = {{"cublas", "13.0", "13.0"}, {"cudnn", "9.0", ""}};
  }

  Machine machine_;
  stats::Random random_;
  record::ResultSet results_;
};

Workload moved(std::int64_t bytes) { return {.bytes_moved = bytes}; }
Workload in_place(std::int64_t read, std::int64_t written) { return {.bytes_read = read, .bytes_written = written}; }

Limit memory_of(const Machine& machine) {
  return {"device memory", "bytes", machine.memory_bytes_per_s, "invented for tests"};
}

std::vector<AdviceTag> advice(const char* id, bool is_after, const std::string& scenario) {
  return {{id, is_after ? Role::after : Role::before, scenario, ""}};
}

// Each factor times as large as the one before.
std::vector<std::int64_t> sizes(std::int64_t from, std::int64_t to, int factor) {
  std::vector<std::int64_t> all;
  for (std::int64_t bytes = from; bytes <= to; bytes *= factor) all.push_back(bytes);
  return all;
}

void add_transfer(Builder& builder, const Machine& machine) {
  struct Kind {
    std::string name;
    double call_s, share;
    Role role;
  };
  const Kind kinds[] = {{"pageable", 6e-6, 0.28, Role::before},
                        {"pinned", 2.2e-6, 0.89, Role::after},
                        {"write_combined", 2.2e-6, 0.9, Role::variant}};
  for (const std::string direction : {"h2d", "d2h"}) {
    for (const auto& [kind, call_s, share, role] : kinds) {
      for (const std::int64_t bytes : sizes(4 * kKiB, 1024 * kMiB, 4)) {
        const std::string scenario = fmt::format("{}/bytes:{}", direction, bytes);
        const std::string variant = role == Role::variant ? kind : "";
        builder.add({.name = fmt::format("transfer/{}/memory:{}/bytes:{}", direction, kind, bytes),
                     .time_s = call_s + static_cast<double>(bytes) / (machine.link_bytes_per_s * share),
                     .mode = Mode::host,
                     .workload = moved(bytes),
                     .limit = Limit{"PCIe 5.0 x16", "bytes", machine.link_bytes_per_s, "invented for tests"},
                     .advice = {{"pin-memory", role, scenario, variant}, {"bandwidth", Role::variant, scenario, ""}},
                     .noise = role == Role::before ? 0.03 : 0.004});
      }
    }
  }
  builder.add_without_time("transfer/h2d/memory:pinned/node:far/bytes:67108864", record::Status::skipped,
                           "the NUMA node of the device is not told");
}

void add_sync(Builder& builder, const Machine& machine) {
  for (const bool is_graph : {false, true}) {
    for (const int kernels : {1, 10, 100, 1000}) {
      const std::string scenario = fmt::format("bytes:4096/kernels:{}", kernels);
      builder.add({.name = fmt::format("sync/graph/complete/impl:{}/{}", is_graph ? "graph" : "launches", scenario),
                   .time_s = 5e-6 + (is_graph ? 1.1e-6 : machine.launch_s) * kernels,
                   .mode = Mode::host,
                   .advice = advice("graphs", is_graph, "complete/" + scenario),
                   .noise = 0.008});
    }
  }
  for (const char* mode : {"spin", "yield", "blocking"}) {
    builder.add({.name = fmt::format("sync/wait/stream/mode:{}/kernel_us:0", mode),
                 .time_s = 9e-6,
                 .mode = Mode::host,
                 .counters = {{"host_processor", {8e-6, "s", record::Better::lower, false}}}});
  }
  for (const bool has_range : {false, true}) {
    builder.add({.name = fmt::format("sync/nvtx/range:{}", has_range ? "push_pop" : "none"),
                 .time_s = machine.launch_s + (has_range ? 2e-8 : 0),
                 .mode = Mode::host,
                 .advice = advice("nvtx-cost", has_range, "launch"),
                 .noise = 0.002});
  }
  builder.add({.name = "sync/idle/call:stream", .time_s = 4e-7, .mode = Mode::host});
}

void add_gemm(Builder& builder, const Machine& machine) {
  const std::pair<const char*, double> precisions[] = {// and their share of the fp16 peak
                                                       {"fp32", 1.0 / 16},
                                                       {"tf32", 0.5},
                                                       {"fp16", 1},
                                                       {"bf16", 1},
                                                       {"fp8_e4m3", 2}};
  for (const auto& [precision, share] : precisions) {
    const double peak = machine.fp16_flops_per_s * share;
    const bool is_after = share > 0.1;
    for (const std::int64_t n : sizes(256, 16384, 2)) {
      const std::string size = fmt::format("n:{}", n);
      builder.add({.name = fmt::format("gemm/square/precision:{}/{}", precision, size),
                   .time_s = 3.5e-6 + 2.0 * std::pow(n, 3) / (0.78 * peak),
                   .workload = {.flops = 2 * n * n * n},
                   .limit = Limit{fmt::format("{} at 1800 MHz", precision), "flops", peak, "invented for tests"},
                   .advice = {{"mixed-precision", is_after ? Role::after : Role::before, "square/" + size,
                               is_after ? precision : ""}}});
    }
  }
  builder.add_without_time("gemm/square/precision:fp4/n:4096", record::Status::skipped,
                           "this architecture has no fp4 tensor cores");
}

void add_conv(Builder& builder) {
  for (const std::string layer : {"res2_3x3", "res5_3x3"}) {
    for (int engine = 0; engine < 9; ++engine) {
      builder.add(
          {.name = fmt::format("conv/engines/layer:{}/precision:fp16/layout:nhwc/engine:{}", layer, engine),
           .time_s = 41e-6 * (1 + 0.35 * ((engine * 5) % 9) + (engine > 6 ? 6 : 0)),
           .workload = {.flops = 7'400'000'000},
           .counters = {{"workspace", {static_cast<double>(engine * 8 * kMiB), "bytes", record::Better::none, true}}}});
    }
    for (const bool is_tuned : {false, true}) {
      builder.add({.name = fmt::format("conv/choice/layer:{}/by:{}", layer, is_tuned ? "measurement" : "heuristic"),
                   .time_s = is_tuned ? 41e-6 : 52e-6,
                   .workload = {.flops = 7'400'000'000},
                   .advice = advice("cudnn-autotune", is_tuned, "layer:" + layer)});
    }
  }
}

void add_fusion(Builder& builder, const Machine& machine) {
  for (const int ops : {2, 4, 8}) {
    for (const bool is_fused : {false, true}) {
      for (const std::int64_t bytes : sizes(kMiB, 1024 * kMiB, 4)) {
        const std::string scenario = fmt::format("ops:{}/bytes:{}", ops, bytes);
        const double pass_s = 2e-6 + 2.0 * static_cast<double>(bytes) / (0.92 * machine.memory_bytes_per_s);
        builder.add({.name = fmt::format("fusion/pointwise/impl:{}/{}", is_fused ? "fused" : "unfused", scenario),
                     .time_s = (is_fused ? 1 : ops) * pass_s,
                     .workload = in_place(bytes, bytes),
                     .limit = memory_of(machine),
                     .advice = advice("fuse-pointwise", is_fused, scenario)});
      }
    }
  }
}

void add_memory(Builder& builder, const Machine& machine) {
  for (const char* operation : {"read", "copy", "triad"}) {
    for (const std::int64_t bytes : sizes(64 * kKiB, 4096 * kMiB, 8)) {
      builder.add({.name = fmt::format("memory/bandwidth/op:{}/bytes:{}", operation, bytes),
                   .time_s = 1.6e-6 + static_cast<double>(bytes) / (0.9 * machine.memory_bytes_per_s),
                   .workload = in_place(bytes, 0),
                   .limit = memory_of(machine)});
    }
  }
  for (const std::int64_t bytes : sizes(4 * kKiB, 1024 * kMiB, 2)) {
    builder.add({.name = fmt::format("memory/latency/bytes:{}", bytes),
                 .time_s = 4096 * (bytes <= 128 * kKiB  ? 22e-9
                                   : bytes <= 32 * kMiB ? 150e-9
                                                        : 480e-9),
                 .mode = Mode::hot,
                 .workload = {.items = 4096},
                 .noise = 0.001});
  }
  for (const bool is_pool : {false, true}) {
    for (const std::int64_t bytes : sizes(4 * kKiB, 1024 * kMiB, 16)) {
      builder.add({.name = fmt::format("memory/alloc/allocator:{}/bytes:{}", is_pool ? "pool" : "malloc", bytes),
                   .time_s = is_pool ? 9e-7 : 4e-6 + 1e-13 * static_cast<double>(bytes),
                   .mode = Mode::host,
                   .advice = advice("reuse-buffers", is_pool, fmt::format("alloc/bytes:{}", bytes)),
                   .noise = 0.02});
    }
  }
  builder.add_without_time("memory/limit/bytes:1099511627776", record::Status::failed,
                           "out of memory: 1 TiB wanted, 79 GiB free");
}

void add_host(Builder& builder) {
  for (const int threads : {1, 8, 32}) {
    for (const std::int64_t bytes : sizes(4 * kKiB, 1024 * kMiB, 64)) {
      builder.add({.name = fmt::format("host/memcpy/threads:{}/bytes:{}", threads, bytes),
                   .time_s = 1e-7 * threads + static_cast<double>(bytes) / (12e9 * std::sqrt(threads)),
                   .mode = Mode::host,
                   .workload = in_place(bytes, bytes),
                   .noise = 0.02});
    }
  }
}

void add_unknown(Builder& builder) {
  for (const char* reader : {"read", "mmap", "direct"}) {
    for (const bool is_warm : {false, true}) {
      builder.add({.name = fmt::format("storage/reader/how:{}/page_cache:{}", reader, is_warm ? "warm" : "cold"),
                   .time_s = is_warm ? 8e-3 : 25e-3,
                   .mode = Mode::host,
                   .workload = moved(64'000'000),
                   .noise = 0.05});
    }
  }
  builder.add({.name = "storage/open", .time_s = 3e-6, .mode = Mode::host});
}

}  // namespace

Machine second_machine() {
  return {.name = "Test GPU B",
          .link_bytes_per_s = 31.5e9,
          .memory_bytes_per_s = 0.9e12,
          .fp16_flops_per_s = 160e12,
          .launch_s = 3.1e-6,
          .sm_count = 60,
          .seed = 2};
}

record::ResultSet results(const Machine& machine) {
  Builder builder(machine);
  add_transfer(builder, machine);
  add_sync(builder, machine);
  add_gemm(builder, machine);
  add_conv(builder);
  add_fusion(builder, machine);
  add_memory(builder, machine);
  add_host(builder);
  add_unknown(builder);
  record::Row& hot = builder.results().rows.front();
  hot.disturbed = true;
  hot.telemetry->throttle_reasons = {"hw_thermal"};
  return builder.results();
}

}  // namespace cupel::report::synthetic
