// A loop of Google Benchmark for tests, with what they run inside it.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <vector>

namespace cupel::harness {

/// Runs `body` once, as the only iteration of the only benchmark.
inline void inside_a_benchmark(const std::function<void(benchmark::State&)>& body) {
  benchmark::ClearRegisteredBenchmarks();
  benchmark::RegisterBenchmark("test", [&](benchmark::State& state) {
    for (auto _ : state) body(state);
  })->Iterations(1);
  struct Silent : benchmark::BenchmarkReporter {
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>&) override {}
  } silent;
  benchmark::RunSpecifiedBenchmarks(&silent, nullptr, "all");
  benchmark::ClearRegisteredBenchmarks();
}

}  // namespace cupel::harness
