// Training steps, one of which has a kernel in its midst that writes to address 0: the device is lost to its process.
#include <cuda_runtime.h>

#include <cstddef>

#include "bench/step/measure.hpp"
#include "bench/step/watch.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/timing/test_kernels.hpp"

namespace cupel::bench::step {
namespace {

constexpr std::size_t kFaulting = 12;  // an operation of the forward pass

Recipe toy() {
  Recipe recipe{.net = "toy_images", .loading = Loading::resident};
  recipe.options.batch = 16;
  return recipe;
}

class Fault : public Watcher {
 public:
  explicit Fault(cudaStream_t stream) : stream_(stream) {}
  void begins(Part part, std::size_t operation) override {
    if (part == Part::operation && operation == kFaulting) timing::test::launch_fault(stream_);
  }

 private:
  cudaStream_t stream_;
};

void whole(benchmark::State& state) { sample_recipe(state, toy()); }

void faulting(benchmark::State& state) {
  Training training(toy());
  Fault fault(training.stream());
  training.watch(&fault);
  sample_steps(state, {}, training, 1);
}

}  // namespace
}  // namespace cupel::bench::step

void register_benchmarks() {
  using namespace cupel;
  harness::add("faulting_step/a_step", bench::step::whole);
  harness::add("faulting_step/fault", bench::step::faulting);
  harness::add("faulting_step/z_step", bench::step::whole);
}
