// A Google Benchmark program of known slowness: BM_slowed does as many more steps as the executable's name says,
// BM_steady never does. A step is a multiplication and an addition that wait for the step before, so that the time is
// the number of steps over the clock of the CPU. Timed by the CPU time of the thread: what other processes take of the
// machine's time does not count.
#include <benchmark/benchmark.h>
#include <time.h>

#include "tests/gate/slowness.hpp"

namespace {

constexpr std::int64_t kSteps = 40'000;
constexpr int kIterations = 100;
constexpr int kRepetitions = 9;

double thread_cpu_s() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void chain(benchmark::State& state, std::int64_t steps) {
  for (auto _ : state) {
    const double begin_s = thread_cpu_s();
    std::uint64_t value = 1;
    for (std::int64_t step = 0; step < steps; ++step) {
      value = value * 6364136223846793005u + 1442695040888963407u;
      benchmark::DoNotOptimize(value);
    }
    state.SetIterationTime(thread_cpu_s() - begin_s);
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const auto& [name, steps] : {std::pair("BM_slowed", cupel::test::slowed(kSteps)), {"BM_steady", kSteps}}) {
    benchmark::RegisterBenchmark(name, [steps = steps](benchmark::State& state) { chain(state, steps); })
        ->UseManualTime()
        ->Iterations(kIterations)
        ->Repetitions(kRepetitions);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
