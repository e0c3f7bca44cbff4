#include "cupel/harness/context.hpp"

#include <benchmark/benchmark.h>

#include <ctime>
#include <sstream>

#include "cupel/harness/session.hpp"
#include "cupel/host/host_info.hpp"
#include "cupel/host/scheduler.hpp"
#include "cupel/record/context.hpp"

namespace cupel::harness {
namespace {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

// Google Benchmark knows its own version from 1.8.1 on, and how it was built only inside the library.
std::string google_benchmark_version() {
#ifdef CUPEL_BENCHMARK_VERSION
  return CUPEL_BENCHMARK_VERSION;
#else
  return "";
#endif
}

// The library says so only in the text that it prints above its table.
bool google_benchmark_is_debug() {
  std::ostringstream text;
  benchmark::BenchmarkReporter::PrintBasicContext(&text, benchmark::BenchmarkReporter::Context());
  return text.str().find("Library was built as DEBUG") != std::string::npos;
}

record::Build build() {
  record::Build build = host::this_build();
  build.benchmark_version = google_benchmark_version();
  build.benchmark_debug = google_benchmark_is_debug();
  return build;
}

}  // namespace

record::Context host_context(const std::string& family, const Options& options) {
  record::Context context;
  context.build = build();
  context.host = host::read_host_info();
  context.run.started = utc_now();
  host::read_scheduler(context.run);
  context.run.profile = to_string(options.profile);
  context.run.seed = options.seed;
  context.run.rounds = options.rounds;
  context.run.timer = options.timer;
  context.run.families = {family};
  if (registered_unoptimised()) context.run.unoptimised = {family};
  if (options.zeros) context.run.notes["--zeros"] = "true";
  return context;
}

void close_context(record::Context& context) { context.run.finished = utc_now(); }

}  // namespace cupel::harness
