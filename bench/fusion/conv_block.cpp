// Convolutions of ResNet-50 with bias and ReLU, or batch norm and ReLU, behind them: each operation a kernel, the norm
// folded into the filter, or all in one graph of cuDNN. Every side takes the first plan of cuDNN's heuristics that can
// be built.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "bench/fusion/conv_block_problem.hpp"
#include "bench/fusion/topics.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/limits.hpp"
#include "cupel/timing/sample_device.hpp"
#include "cupel/vendor/cudnn.hpp"

namespace cupel::bench::fusion {
namespace {

using benchmark::State;
using harness::add;
using harness::Definition;
using harness::Profile;
using kernels::dot::Convolution;
using record::Role;

// A convolution of square planes with the padding that keeps their size. Named as in the family conv. Source: He et al.
// (2016), "Deep Residual Learning for Image Recognition", table 1.
struct Layer {
  const char* name;
  std::int64_t in_channels, out_channels, size, filter;
  Profile smallest;
};
constexpr Layer kLayers[] = {
    {"res2_3x3", 64, 64, 56, 3, Profile::quick},
    {"res2_1x1_expand", 64, 256, 56, 1, Profile::standard},
    {"res4_3x3", 256, 256, 14, 3, Profile::standard},
    {"res5_1x1_expand", 512, 2048, 7, 1, Profile::full},
};

Convolution shape_of(const Layer& layer, std::int64_t batch) {
  const std::int64_t padding = layer.filter / 2;
  return {.batch = batch,
          .in_channels = layer.in_channels,
          .out_channels = layer.out_channels,
          .in = {{1, layer.size, layer.size}},
          .filter = {{1, layer.filter, layer.filter}},
          .padding = {{0, padding, padding}}};
}

void measure(State& state, Block block, ConvWay way, const Layer& layer) {
  vendor::require_cudnn();
  timing::require_arithmetic("fp16", device::Arithmetic::fp16);
  ConvBlockProblem problem(block, way, shape_of(layer, state.range(0)));
  const auto work = problem.work();
  problem.set_roof_limit();

  timing::sample_device(state, problem.workload(), work, {.launches = problem.launches()});

  problem.require_right();
  harness::set_counter("workspace", {.value = static_cast<double>(problem.workspace_bytes()), .unit = "bytes"});
  harness::set_note("engine " + problem.engine());
}

// Names are put together here: "fusion/conv_block/op:<operation>/layer:<layer>/impl:<way>/batch:<batch>".
Definition& define(const std::string& operation, Block block, const Layer& layer, const std::string& impl,
                   ConvWay way) {
  return add("fusion/conv_block/op:" + operation + "/layer:" + layer.name + "/impl:" + impl,
             [=](State& state) { measure(state, block, way, layer); })
      .sweep("batch", {.quick = {64}, .full = {1, 256}})
      .memory([=](const auto& batch) { return memory_of(shape_of(layer, batch[0]), way); });
}

void register_bias_relu(const Layer& layer, Profile smallest) {
  const std::string where = std::string("conv_block/layer:") + layer.name;
  define("bias_relu", Block::bias_relu, layer, "unfused", ConvWay::unfused)
      .from(smallest)
      .advice("fuse-epilogue", Role::before, where);
  define("bias_relu", Block::bias_relu, layer, "fused", ConvWay::fused)
      .from(smallest)
      .advice("fuse-epilogue", Role::after, where, "fused");
}

void register_norm_relu(const Layer& layer) {
  const std::string where = std::string("conv_block/layer:") + layer.name;
  const Profile more = layer.smallest == Profile::quick ? Profile::standard : layer.smallest;
  define("norm_relu", Block::norm_relu, layer, "unfused", ConvWay::unfused)
      .from(layer.smallest)
      .advice("fuse-conv-bn", Role::before, where);
  define("norm_relu", Block::norm_relu, layer, "fused", ConvWay::fused)
      .from(layer.smallest)
      .advice("fuse-conv-bn", Role::after, where, "fused");
  define("norm_relu", Block::norm_relu, layer, "folded", ConvWay::folded)
      .from(more)
      .advice("fuse-conv-bn", Role::after, where, "folded");
  define("norm_relu", Block::norm_relu, layer, "folded_fused", ConvWay::folded_fused)
      .from(more)
      .advice("fuse-conv-bn", Role::after, where, "folded_fused");
}

}  // namespace

void register_conv_block() {
  for (const Layer& layer : kLayers) {
    register_norm_relu(layer);
    register_bias_relu(layer, layer.smallest == Profile::quick ? Profile::standard : Profile::full);
  }
}

}  // namespace cupel::bench::fusion
