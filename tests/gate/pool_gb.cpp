// A Google Benchmark program whose threads say themselves how long they took: a millisecond each, by one thread and by four. Built by
// two releases it shows what each makes of the threads.
#include <benchmark/benchmark.h>

namespace {

void pool(benchmark::State& state) {
  for (auto _ : state) state.SetIterationTime(1e-3);
}

BENCHMARK(pool)->Threads(1)->Threads(4)->UseManualTime()->Iterations(20);

}  // namespace

BENCHMARK_MAIN();
