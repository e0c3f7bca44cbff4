// Result files of any size with realistic noise, for tests and for measuring the reader:
//   make_results FILE [--benchmarks N] [--processes N] [--samples N] [--seed N] [--slower RATIO] [--name TEXT]
//                     [--device NAME]
// The location of each process and each sample is log-normal (0.3 % and 1 %). Benchmark i of seed s is the same
// whatever else is asked for; --slower multiplies the time of every tenth benchmark.
#include <fmt/core.h>

#include <cmath>
#include <string>

#include "cupel/record/json.hpp"
#include "cupel/stats/random.hpp"

namespace {

using namespace cupel;

struct Wanted {
  std::string file, device = "NVIDIA H200", name = "family/operation";
  int benchmarks = 10, processes = 5, samples = 150;
  std::uint64_t seed = 1;
  double slower = 1;
};

Wanted parse(int argc, char** argv) {
  Wanted wanted;
  wanted.file = argc > 1 ? argv[1] : "";
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string flag = argv[i], value = argv[i + 1];
    if (flag == "--benchmarks") wanted.benchmarks = std::stoi(value);
    if (flag == "--processes") wanted.processes = std::stoi(value);
    if (flag == "--samples") wanted.samples = std::stoi(value);
    if (flag == "--seed") wanted.seed = std::stoull(value);
    if (flag == "--slower") wanted.slower = std::stod(value);
    if (flag == "--name") wanted.name = value;
    if (flag == "--device") wanted.device = value;
  }
  return wanted;
}

record::Context context_of(const Wanted& wanted) {
  record::Context context;
  context.build.version = "0.1.0";
  context.build.type = "Release";
  context.build.cxx_compiler = "GNU 12.2.0";
  context.build.cuda_compiler = "NVIDIA 13.0";
  context.run.started = "2026-11-20T07:00:00Z";
  context.run.finished = "2026-11-20T07:30:00Z";
  context.run.profile = "standard";
  context.run.processes = wanted.processes;
  context.host.cpu = "Intel(R) Xeon(R) Platinum 8468";
  context.host.logical_cpus = 16;
  record::DeviceInfo device;
  device.name = wanted.device;
  device.sm_count = 132;
  device.memory_bytes = std::int64_t{141} << 30;
  device.driver_version = "580.159.04";
  context.device = device;
  return context;
}

record::Row row_of(const Wanted& wanted, int benchmark, int process) {
  // The noise differs between files and processes, the true time does not.
  stats::Random truth(static_cast<std::uint64_t>(benchmark) + 1);
  stats::Random noise(wanted.seed * 1'000'003 + static_cast<std::uint64_t>(benchmark) * 101 +
                      static_cast<std::uint64_t>(process));
  record::Row row;
  row.name = fmt::format("{}/size:{}", wanted.name, benchmark);
  row.family = fmt::format("family{}", benchmark % 4);
  row.params = {{"size", std::to_string(benchmark)}};
  row.process = process;
  row.workload.bytes_read = 1 << 20;
  row.limit = record::Limit{"device memory", "bytes", 4.8e12, "data sheet"};
  const double location = 1e-5 * std::exp(3 * truth.uniform()) * (benchmark % 10 == 0 ? wanted.slower : 1) *
                          std::exp(0.003 * noise.normal());
  record::Series series;
  series.mode = record::Mode::cold;
  for (int i = 0; i < wanted.samples; ++i) series.samples_s.push_back(location * std::exp(0.01 * noise.normal()));
  row.series = {series};
  row.telemetry = record::Telemetry{};
  row.telemetry->sm_clock_hz = 1.98e9;
  return row;
}

}  // namespace

int main(int argc, char** argv) {
  const Wanted wanted = parse(argc, argv);
  if (wanted.file.empty()) {
    fmt::print(stderr,
               "make_results FILE [--benchmarks N] [--processes N] [--samples N] [--seed N] [--slower RATIO]\n");
    return 2;
  }
  record::ResultSet results;
  results.context = context_of(wanted);
  for (int process = 0; process < wanted.processes; ++process) {
    for (int benchmark = 0; benchmark < wanted.benchmarks; ++benchmark) {
      results.rows.push_back(row_of(wanted, benchmark, process));
    }
  }
  record::write(results, wanted.file);
  return 0;
}
