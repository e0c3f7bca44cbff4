// Matrix products of a transformer's MLP with bias and activation, or their gradients, behind them: each operation a
// kernel, against one product of cuBLASLt with an epilogue. Both sides take the algorithm that cuBLASLt's heuristics
// put first for what is asked of them.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "bench/fusion/epilogue_problem.hpp"
#include "bench/fusion/topics.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/sample_device.hpp"
#include "cupel/vendor/cublas.hpp"

namespace cupel::bench::fusion {
namespace {

using benchmark::State;
using harness::add;
using harness::Definition;
using harness::Profile;
using kernels::DType;
using record::Role;

// As the family gemm has it: above this the state of the cache is less than a hundredth of the time.
constexpr std::int64_t kLongProduct = std::int64_t{4096} * 4096 * 4096;

// How large an MLP: of one where the product takes most of the time, and of one where launches do.
struct Size {
  std::int64_t hidden;
  harness::Sweep tokens;
  bool host_too;  // the time until all has run as the host sees it, which has the launches in it
};
const Size kLarge{4096, {.quick = {2048}, .standard = {8192}}, false};
const Size kLargeOnce{4096, {.quick = {2048}, .full = {8192}}, false};
const Size kSmall{512, {.quick = {128}}, true};

void measure(State& state, Operation operation, DType type, const Size& size, Way way, bool keeps) {
  vendor::require_cublas();
  const EpilogueProblem problem(operation, type, size.hidden, state.range(0));
  const Work work = problem.work(way, keeps);
  problem.set_roof_limit();
  timing::DeviceSampling how{.host_too = size.host_too, .launches = work.launches};
  how.hot = problem.shape().m * problem.shape().n * problem.shape().k <= kLongProduct;

  timing::sample_device(state, problem.workload(), work.enqueue, how);

  problem.require_right(way, keeps);
  harness::set_note("cuBLASLt " + work.algorithm);
}

// name: complete but for hidden size and tokens.
Definition& define(const std::string& name, Operation operation, DType type, const Size& size, Way way,
                   bool keeps = false) {
  const auto body = [=](State& state) { measure(state, operation, type, size, way, keeps); };
  return add(name + "/hidden:" + std::to_string(size.hidden), body)
      .sweep("tokens", size.tokens)
      .memory([=](const auto& tokens) { return memory_of(operation, type, size.hidden, tokens[0]); });
}

std::string scenario(const std::string& name, DType type, const Size& size) {
  return "epilogue/op:" + name + "/type:" + kernels::to_string(type) + "/hidden:" + std::to_string(size.hidden);
}

// Names are put together here: "fusion/epilogue/op:<operation>/type:<type>/impl:<way>/hidden:<size>/tokens:<number>".
void register_pair(const std::string& name, Operation operation, DType type, const Size& size, Profile smallest) {
  const std::string where = scenario(name, type, size);
  const std::string start = "fusion/epilogue/op:" + name + "/type:" + kernels::to_string(type);
  define(start + "/impl:unfused", operation, type, size, Way::separate)
      .from(smallest)
      .advice("fuse-epilogue", Role::before, where);
  define(start + "/impl:fused", operation, type, size, Way::fused)
      .from(smallest)
      .advice("fuse-epilogue", Role::after, where, "fused");
}

// With what the backward pass wants written too, as training has it.
void register_aux(const std::string& name, Operation operation, DType type, const Size& size, Profile smallest) {
  const std::string start = "fusion/epilogue/op:" + name + "/type:" + kernels::to_string(type);
  define(start + "/impl:fused_aux", operation, type, size, Way::fused, true)
      .from(smallest)
      .advice("fuse-epilogue", Role::after, scenario(name, type, size), "fused_aux");
}

}  // namespace

void register_epilogue() {
  register_pair("bias_gelu", Operation::bias_gelu, DType::fp16, kLarge, Profile::quick);
  register_aux("bias_gelu", Operation::bias_gelu, DType::fp16, kLarge, Profile::standard);
  register_pair("bias_gelu", Operation::bias_gelu, DType::fp16, kSmall, Profile::standard);
  register_aux("bias_gelu", Operation::bias_gelu, DType::fp16, kSmall, Profile::full);
  register_pair("bias_gelu", Operation::bias_gelu, DType::bf16, kLargeOnce, Profile::full);
  register_aux("bias_gelu", Operation::bias_gelu, DType::bf16, kLargeOnce, Profile::full);

  register_pair("bias_relu", Operation::bias_relu, DType::fp16, kLargeOnce, Profile::standard);
  register_aux("bias_relu", Operation::bias_relu, DType::fp16, kLargeOnce, Profile::standard);
  register_pair("bias_relu", Operation::bias_relu, DType::fp16, kSmall, Profile::full);
  register_pair("bias", Operation::bias, DType::fp16, kLargeOnce, Profile::full);
  register_pair("bias", Operation::bias, DType::fp16, kSmall, Profile::full);

  register_pair("gelu_gradient", Operation::gelu_gradient, DType::fp16, kLargeOnce, Profile::standard);
  register_pair("gelu_gradient", Operation::gelu_gradient, DType::fp16, kSmall, Profile::full);
  register_pair("gelu_gradient", Operation::gelu_gradient, DType::bf16, kLargeOnce, Profile::full);
  register_pair("relu_gradient", Operation::relu_gradient, DType::fp16, kLargeOnce, Profile::full);
  register_pair("relu_gradient", Operation::relu_gradient, DType::fp16, kSmall, Profile::full);
  register_pair("bias_gradient", Operation::bias_gradient, DType::fp16, kLargeOnce, Profile::standard);
  register_pair("bias_gradient", Operation::bias_gradient, DType::fp16, kSmall, Profile::full);
}

}  // namespace cupel::bench::fusion
