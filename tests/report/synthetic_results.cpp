#include "tests/report/synthetic_results.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "cupel/stats/random.hpp"

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

std::vector<std::pair<std::string, std::string>> params_of(const std::string& name) {
  std::vector<std::pair<std::string, std::string>> params;
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t end = std::min(name.find('/', from), name.size());
    const std::string part = name.substr(from, end - from);
    if (const std::size_t colon = part.find(':'); colon != std::string::npos) {
      params.emplace_back(part.substr(0, colon), part.substr(colon + 1));
    }
    from = end + 1;
  }
  return params;
}

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
    row.params = params_of(name);
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
    record::Context& context = results_.context;
    context.build.version = "0.0.0";
    context.build.type = "Release";
    context.build.cxx_compiler = "test compiler";
    context.build.benchmark_version = "1.9.1";
    context.run.started = "2000-01-01T00:00:00Z";
    context.run.finished = "2000-01-01T00:10:00Z";
    context.run.profile = "standard";
    context.run.processes = machine_.processes;
    context.run.rounds = 3;
    context.run.timer = "events";
    context.run.seed = machine_.seed;
    context.run.notes["synthetic"] = "made up for tests; nothing here was measured";
    context.host.cpu = "Test CPU";
    context.host.logical_cpus = 32;
    context.host.numa_nodes = 2;
    context.host.memory_bytes = std::int64_t{256} << 30;
    context.host.os = "Test OS 1";
    context.host.kernel = "6.0.0-test";
    context.host.governor = "performance";
    record::DeviceInfo device;
    device.name = machine_.name;
    device.uuid = "GPU-00000000-0000-0000-0000-000000000000";
    device.pci_id = "00000000:00:01.0";
    device.compute_major = 9;
    device.sm_count = machine_.sm_count;
    device.sm_clock_max_hz = 1.8e9;
    device.memory_clock_max_hz = 2.6e9;
    device.memory_bytes = std::int64_t{80} << 30;
    device.memory_bus_bits = 5120;
    device.memory_peak_bytes_per_s = machine_.memory_bytes_per_s;
    device.l2_bytes = 50 * kMiB;
    device.copy_engines = 3;
    device.pcie_generation = device.pcie_generation_max = 5;
    device.pcie_width = device.pcie_width_max = 16;
    device.power_limit_w = 700;
    device.ecc = true;
    device.persistence = true;
    device.driver_version = "0.0";
    device.driver_cuda = 13000;
    context.device = device;
    context.calibration = record::Calibration{.event_floor_kernel_s = 2e-6,
                                              .event_floor_copy_s = 1.3e-6,
                                              .shortest_kernel_s = 0.5e-6,
                                              .shortest_copy_s = 1.5e-6,
                                              .shortest_source = "CUPTI in this run",
                                              .event_pairs = {{0, 0, 2.5e-6, 2.8e-6}},
                                              .event_resolution_s = 3.2e-8,
                                              .flush = "read",
                                              .flush_bytes = 100 * kMiB,
                                              .launch_spacing_s = 2.5e-6,
                                              .slowest_launch_spacing_s = 2.6e-6};
    context.libraries = {{"cudart", "13.0", "13.0"}, {"cublas", "13.0", "13.0"}, {"cudnn", "9.0", ""}};
  }

  Machine machine_;
  stats::Random random_;
  record::ResultSet results_;
};

Workload moved(std::int64_t bytes) { return {.bytes_moved = bytes}; }
Workload in_place(std::int64_t read, std::int64_t written) { return {.bytes_read = read, .bytes_written = written}; }

std::string text(std::int64_t value) { return std::to_string(value); }

void add_transfer(Builder& builder, const Machine& machine) {
  const Limit link{"PCIe 5.0 x16", "bytes", machine.link_bytes_per_s, "invented for tests"};
  const Limit memory{"device memory", "bytes", machine.memory_bytes_per_s, "invented for tests"};
  for (const char* direction : {"h2d", "d2h"}) {
    for (const char* kind : {"pageable", "pinned", "write_combined"}) {
      for (std::int64_t bytes = 4 * kKiB; bytes <= 1024 * kMiB; bytes *= 4) {
        const bool is_pageable = kind == std::string("pageable");
        const double rate = machine.link_bytes_per_s * (is_pageable                     ? 0.28
                                                        : kind == std::string("pinned") ? 0.89
                                                                                        : 0.9);
        const double time_s = (is_pageable ? 6e-6 : 2.2e-6) + static_cast<double>(bytes) / rate;
        const Role role = is_pageable ? Role::before : kind == std::string("pinned") ? Role::after : Role::variant;
        const std::string scenario = std::string(direction) + "/bytes:" + text(bytes);
        const std::string variant = role == Role::variant ? kind : "";
        builder.add({.name = "transfer/" + std::string(direction) + "/memory:" + kind + "/bytes:" + text(bytes),
                     .time_s = time_s,
                     .mode = Mode::host,
                     .workload = moved(bytes),
                     .limit = link,
                     .advice = {{"pin-memory", role, scenario, variant}, {"bandwidth", Role::variant, scenario, ""}},
                     .noise = is_pageable ? 0.03 : 0.004});
      }
    }
  }
  for (std::int64_t bytes = 4 * kKiB; bytes <= 1024 * kMiB; bytes *= 4) {
    builder.add({.name = "transfer/d2d/bytes:" + text(bytes),
                 .time_s = 1.8e-6 + 2.0 * static_cast<double>(bytes) / (0.9 * machine.memory_bytes_per_s),
                 .workload = in_place(bytes, bytes),
                 .limit = memory});
  }
  builder.add_without_time("transfer/h2d/memory:pinned/node:far/bytes:67108864", record::Status::skipped,
                           "the NUMA node of the device is not told");
}

void add_sync(Builder& builder, const Machine& machine) {
  for (const int bytes : {0, 64, 256, 1024, 4096}) {
    builder.add({.name = "sync/launch/argument_bytes:" + text(bytes),
                 .time_s = machine.launch_s * (1 + bytes / 20000.0),
                 .mode = Mode::host});
  }
  for (const char* impl : {"launches", "graph"}) {
    for (const int kernels : {1, 10, 100, 1000}) {
      const bool is_graph = impl == std::string("graph");
      const double time_s = is_graph ? 7e-6 + 1.1e-6 * kernels : 5e-6 + machine.launch_s * kernels;
      builder.add({.name = std::string("sync/graph/complete/impl:") + impl + "/bytes:4096/kernels:" + text(kernels),
                   .time_s = time_s,
                   .mode = Mode::host,
                   .advice = {{"graphs", is_graph ? Role::after : Role::before,
                               "complete/bytes:4096/kernels:" + text(kernels), ""}},
                   .noise = 0.008});
    }
  }
  for (const char* call : {"device", "stream", "event"}) {
    for (const char* mode : {"spin", "yield", "blocking"}) {
      const double wait_s = mode == std::string("blocking") ? 24e-6 : mode == std::string("yield") ? 9e-6 : 7.5e-6;
      builder.add({.name = std::string("sync/wait/") + call + "/mode:" + mode + "/kernel_us:0",
                   .time_s = wait_s,
                   .mode = Mode::host,
                   .counters = {{"host_processor", {wait_s * 0.9, "s", record::Better::lower, false}}}});
    }
  }
  for (const bool has_range : {false, true}) {
    builder.add({.name = std::string("sync/nvtx/range:") + (has_range ? "push_pop" : "none"),
                 .time_s = machine.launch_s + (has_range ? 2e-8 : 0),
                 .mode = Mode::host,
                 .advice = {{"nvtx-cost", has_range ? Role::after : Role::before, "launch", ""}},
                 .noise = 0.002});
  }
  builder.add({.name = "sync/idle/call:stream", .time_s = 4e-7, .mode = Mode::host});
}

void add_gemm(Builder& builder, const Machine& machine) {
  struct Precision {
    const char* name;
    double share;  ///< of the fp16 peak
    Role role;
  };
  for (const Precision& precision :
       {Precision{"fp32", 1.0 / 16, Role::before}, Precision{"tf32", 0.5, Role::after},
        Precision{"fp16", 1, Role::after}, Precision{"bf16", 1, Role::after}, Precision{"fp8_e4m3", 2, Role::after}}) {
    const double peak = machine.fp16_flops_per_s * precision.share;
    const Limit roof{std::string(precision.name) + " at 1800 MHz", "flops", peak, "invented for tests"};
    for (const std::int64_t n : {256, 512, 1024, 2048, 4096, 8192, 16384}) {
      const double flops = 2.0 * std::pow(static_cast<double>(n), 3);
      const double time_s = 3.5e-6 + flops / (0.78 * peak);
      const std::string size = "n:" + text(n);
      builder.add({.name = "gemm/square/precision:" + std::string(precision.name) + "/" + size,
                   .time_s = time_s,
                   .workload = {.flops = static_cast<std::int64_t>(flops)},
                   .limit = roof,
                   .advice = {{"mixed-precision", precision.role, "square/" + size,
                               precision.role == Role::before ? "" : precision.name}}});
    }
  }
  for (const std::int64_t n : {4088, 4095, 4096, 4097, 4100, 4104}) {
    const double flops = 2.0 * std::pow(static_cast<double>(n), 3);
    const double penalty = n % 8 == 0 ? 1 : n % 4 == 0 ? 2.8 : 4.4;
    builder.add({.name = "gemm/align/precision:fp16/n:" + text(n),
                 .time_s = penalty * flops / (0.7 * machine.fp16_flops_per_s),
                 .workload = {.flops = static_cast<std::int64_t>(flops)},
                 .limit = Limit{"fp16 at 1800 MHz", "flops", machine.fp16_flops_per_s, "invented for tests"}});
  }
  builder.add_without_time("gemm/square/precision:fp4/n:4096", record::Status::skipped,
                           "this architecture has no fp4 tensor cores");
}

void add_conv(Builder& builder, const Machine& machine) {
  const double slower = 600e12 / machine.fp16_flops_per_s;
  for (const char* layer : {"res2_3x3", "res5_3x3"}) {
    for (int engine = 0; engine < 9; ++engine) {
      const double time_s = slower * 41e-6 * (1 + 0.35 * ((engine * 5) % 9) + (engine > 6 ? 6 : 0));
      builder.add(
          {.name = "conv/engines/layer:" + std::string(layer) + "/precision:fp16/layout:nhwc/engine:" + text(engine),
           .time_s = time_s,
           .workload = {.flops = 7'400'000'000},
           .counters = {{"workspace", {static_cast<double>(engine * 8 * kMiB), "bytes", record::Better::none, true}}}});
    }
    for (const bool is_tuned : {false, true}) {
      builder.add(
          {.name = "conv/choice/layer:" + std::string(layer) + "/by:" + (is_tuned ? "measurement" : "heuristic"),
           .time_s = slower * (is_tuned                           ? 41e-6
                               : layer == std::string("res2_3x3") ? 41.2e-6
                                                                  : 52e-6),
           .workload = {.flops = 7'400'000'000},
           .advice = {{"cudnn-autotune", is_tuned ? Role::after : Role::before, "layer:" + std::string(layer), ""}}});
    }
  }
}

void add_fusion(Builder& builder, const Machine& machine) {
  for (const int ops : {2, 4, 8}) {
    for (const char* impl : {"unfused", "fused"}) {
      for (std::int64_t bytes = kMiB; bytes <= 1024 * kMiB; bytes *= 4) {
        const bool is_fused = impl == std::string("fused");
        const int passes = is_fused ? 1 : ops;
        const double time_s = passes * (2e-6 + 2.0 * static_cast<double>(bytes) / (0.92 * machine.memory_bytes_per_s));
        builder.add(
            {.name = "fusion/pointwise/impl:" + std::string(impl) + "/ops:" + text(ops) + "/bytes:" + text(bytes),
             .time_s = time_s,
             .workload = in_place(bytes, bytes),
             .limit = Limit{"device memory", "bytes", machine.memory_bytes_per_s, "invented for tests"},
             .advice = {{"fuse-pointwise", is_fused ? Role::after : Role::before,
                         "ops:" + text(ops) + "/bytes:" + text(bytes), ""}}});
      }
    }
  }
}

void add_memory(Builder& builder, const Machine& machine) {
  const Limit memory{"device memory", "bytes", machine.memory_bytes_per_s, "invented for tests"};
  for (const char* operation : {"read", "copy", "triad"}) {
    for (std::int64_t bytes = 64 * kKiB; bytes <= 4096 * kMiB; bytes *= 8) {
      const double rate = machine.memory_bytes_per_s * (operation == std::string("read") ? 0.94 : 0.9);
      builder.add({.name = "memory/bandwidth/op:" + std::string(operation) + "/bytes:" + text(bytes),
                   .time_s = 1.6e-6 + static_cast<double>(bytes) / rate,
                   .workload = in_place(bytes, 0),
                   .limit = memory});
    }
  }
  for (std::int64_t bytes = 4 * kKiB; bytes <= 1024 * kMiB; bytes *= 2) {
    const double latency_s = bytes <= 128 * kKiB  ? 22e-9
                             : bytes <= 32 * kMiB ? 150e-9
                             : bytes <= 64 * kMiB ? 300e-9
                                                  : 480e-9;
    builder.add({.name = "memory/latency/bytes:" + text(bytes),
                 .time_s = latency_s * 4096,
                 .mode = Mode::hot,
                 .workload = {.items = 4096},
                 .noise = 0.001});
  }
  for (const char* allocator : {"malloc", "pool"}) {
    for (std::int64_t bytes = 4 * kKiB; bytes <= 1024 * kMiB; bytes *= 16) {
      const bool is_pool = allocator == std::string("pool");
      const double time_s = is_pool ? 9e-7 : 4e-6 + 1e-13 * static_cast<double>(bytes);
      builder.add(
          {.name = "memory/alloc/allocator:" + std::string(allocator) + "/bytes:" + text(bytes),
           .time_s = time_s,
           .mode = Mode::host,
           .advice = {{"reuse-buffers", is_pool ? Role::after : Role::before, "alloc/bytes:" + text(bytes), ""}},
           .noise = 0.02});
    }
  }
  builder.add_without_time("memory/limit/bytes:1099511627776", record::Status::failed,
                           "out of memory: 1 TiB wanted, 79 GiB free");
}

void add_host(Builder& builder) {
  for (const int threads : {1, 8, 32}) {
    for (const std::int64_t bytes : {4 * kKiB, kMiB, 64 * kMiB, 1024 * kMiB}) {
      builder.add({.name = "host/memcpy/threads:" + text(threads) + "/bytes:" + text(bytes),
                   .time_s = 1e-7 * threads + static_cast<double>(bytes) / (12e9 * std::sqrt(threads)),
                   .mode = Mode::host,
                   .workload = in_place(bytes, bytes),
                   .noise = 0.02});
    }
  }
  for (const char* pages : {"base", "huge", "resident"}) {
    builder.add({.name = std::string("host/page_touch/pages:") + pages + "/bytes:16777216",
                 .time_s = pages == std::string("base")   ? 4e-3
                           : pages == std::string("huge") ? 6e-4
                                                          : 9e-5,
                 .mode = Mode::host});
  }
}

void add_unknown(Builder& builder) {
  for (const char* reader : {"read", "mmap", "direct"}) {
    for (const char* cache : {"warm", "cold"}) {
      const double rate = cache == std::string("warm") ? 8e9 : 2.5e9;
      builder.add({.name = std::string("storage/reader/how:") + reader + "/page_cache:" + cache,
                   .time_s = 64e6 / rate * (reader == std::string("mmap") ? 1.1 : 1),
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
  add_conv(builder, machine);
  add_fusion(builder, machine);
  add_memory(builder, machine);
  add_host(builder);
  add_unknown(builder);
  record::Row& hot = builder.results().rows.front();
  hot.disturbed = true;
  hot.telemetry->throttle_reasons = {"hw_thermal"};
  return builder.results();
}

record::ResultSet many(const Machine& machine, int benchmarks) {
  Builder builder(machine);
  for (int i = 0; i < benchmarks; ++i) {
    const std::int64_t bytes = std::int64_t{4096} << (i % 10);
    const bool is_after = i / 10 % 2 == 1;
    const std::string scenario = "case:" + text(i / 20) + "/bytes:" + text(bytes);
    builder.add({.name = "many/operation_" + text(i / 40) + "/variant:" + (is_after ? "new" : "old") + "/" + scenario,
                 .time_s = 1e-6 * (i + 1) * (is_after ? 0.8 : 1),
                 .workload = moved(bytes),
                 .limit = Limit{"link", "bytes", machine.link_bytes_per_s, "invented for tests"},
                 .advice = {{"pin-memory", is_after ? Role::after : Role::before, scenario, ""}}});
  }
  return builder.results();
}

}  // namespace cupel::report::synthetic
