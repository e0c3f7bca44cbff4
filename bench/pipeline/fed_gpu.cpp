#include "bench/pipeline/fed_gpu.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

#include "cupel/harness/run.hpp"
#include "cupel/harness/sample_host.hpp"

namespace cupel::bench::pipeline {

FedGpu sample_fed_gpu(benchmark::State& state, const Feeding& feeding) {
  const Setup& setup = feeding.setup;
  const Recipe recipe = recipe_of(setup);
  const auto batch_bytes = static_cast<std::size_t>(setup.batch * sample_bytes(recipe));
  Loader loader(recipe, options_of(setup));
  GpuConsumer consumer(feeding.memory, feeding.copy, batch_bytes, std::llround(setup.consume_s * 1e9));
  FedGpu fed;
  std::vector<std::byte> last, last_but_one;

  std::int64_t epoch = 0;
  const auto run_epoch = [&](const auto& see) {  // what it waited for batches
    const Waited before = loader.waited();
    for (loader.start_epoch(epoch++); loader.has_next();) {
      const Batch batch = loader.next();
      if (feeding.launch) feeding.launch();
      consumer.take(batch.bytes);
      see(batch);
    }
    consumer.finish();
    return loader.waited() - before;
  };
  run_epoch([&](const Batch& batch) {
    last_but_one.swap(last);
    last.assign(batch.bytes.begin(), batch.bytes.end());
  });
  harness::require(consumer.last_is(last) && (last_but_one.empty() || consumer.last_but_one_is(last_but_one)),
                   "the last two batches on the device differ from what was loaded");

  const double worked_s = static_cast<double>(batches_of_epoch(recipe)) * setup.consume_s;
  const auto account_epoch = [&] {
    fed.costs.account(
        setup.samples, [&] { return &loader; }, [&] { return run_epoch([](const Batch&) {}); });
  };
  harness::sample_host(state, {.items = setup.samples}, [&] { fed.waits.account(worked_s, account_epoch); },
                       {.calls = 1, .warm_up = 0});

  fed.waits.tell();
  fed.costs.tell();
  tell_pinned(consumer.pinned_bytes());
  return fed;
}

}  // namespace cupel::bench::pipeline
