// Every layer in all passes, precisions and layouts, with the plan that a program gets which asks cuDNN's heuristic and
// does not measure.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/conv/layers.hpp"
#include "bench/conv/operations.hpp"
#include "bench/conv/sample_plan.hpp"
#include "bench/conv/search.hpp"
#include "cupel/harness/registry.hpp"

namespace cupel::bench::conv {
namespace {

using benchmark::State;
using harness::add;
using harness::Definition;
using harness::Profile;
using record::Role;

// Names are put together here, "conv/<pass>/layer:<layer>/precision:<precision>/layout:<layout>/batch:<batch>": 27
// layers times 3 passes times 8 combinations would bury what they have in common.
constexpr Pass kPasses[] = {Pass::forward, Pass::backward_data, Pass::backward_filter};
constexpr Precision kPrecisions[] = {Precision::fp32, Precision::tf32, Precision::fp16, Precision::bf16};
constexpr Layout kLayouts[] = {Layout::channels_first, Layout::channels_last};

bool is_one_of(const Layer& layer, std::initializer_list<const char*> names) {
  return std::ranges::any_of(names, [&](const std::string name) { return name == layer.name; });
}

// A framework computes fp32 tensors in TF32, and mixed precision is held against that. Quick: what half precision and
// layout give at the large and at the small end of ResNet-50, and to filters of few channels, which go by kernels of
// their own. Standard: a layer of each kind, and both backward passes of the two. Full: everything.
Profile smallest(const Layer& layer, Pass pass, Precision precision) {
  const bool ends = is_one_of(layer, {"res2_3x3", "res5_3x3"});
  const bool of_groups = layer.groups > 1;
  const bool kinds =
      is_one_of(layer, {"stem_7x7", "res3_1x1_expand", "res4_1x1_reduce", "dilated_3x3", "volume_3x3x3"});
  const bool tf32_or_fp16 = precision == Precision::tf32 || precision == Precision::fp16;
  if (of_groups && pass == Pass::forward) return tf32_or_fp16 ? Profile::quick : Profile::full;
  if (ends && pass == Pass::forward) return tf32_or_fp16 ? Profile::quick : Profile::standard;
  if ((ends || (kinds && pass == Pass::forward)) && tf32_or_fp16) return Profile::standard;
  return Profile::full;
}

Definition& define(const Layer& layer, Pass pass, Precision precision, Layout layout) {
  const auto problem = [&layer, pass, precision, layout](std::int64_t batch) {
    return Problem{shape_of(layer, batch), pass, precision, layout};
  };
  const bool of_network = &layer >= &resnet50().front() && &layer <= &resnet50().back();
  const std::string name = std::string("conv/") + kernels::dot::to_string(pass) + "/layer:" + layer.name +
                           "/precision:" + to_string(precision) + "/layout:" + to_string(layout);
  const auto body = [problem](State& state) {
    const Data data(problem(state.range(0)));
    const Plan& plan = first_plan(data.problem(), Heuristic::mode_a);
    sample_plan(state, data, plan.graph, plan.candidate);
  };
  return add(name, body)
      .from(smallest(layer, pass, precision))
      .sweep("batch", of_network ? harness::Sweep{.quick = {64}, .full = {1, 32, 256}} : harness::Sweep{.quick = {64}})
      .memory(
          [problem](const auto& batch) { return harness::Memory{.device_bytes = problem(batch[0]).memory_bytes()}; });
}

// PyTorch and TensorFlow let convolutions of fp32 tensors use TF32, so that is before. Without tensor cores is a
// variant.
void advise_precision(Definition& definition, const std::string& where, Precision precision, Layout layout) {
  const std::string scenario = where + "/layout:" + to_string(layout);
  if (precision == Precision::tf32) {
    definition.advice("mixed-precision", Role::before, scenario);
  } else if (precision == Precision::fp32) {
    definition.advice("mixed-precision", Role::variant, scenario, "fp32_without_tensor_cores");
  } else {
    definition.advice("mixed-precision", Role::after, scenario, to_string(precision));
  }
}

void register_layer(const Layer& layer) {
  for (const Pass pass : kPasses) {
    const std::string where = std::string(kernels::dot::to_string(pass)) + "/layer:" + layer.name;
    for (const Precision precision : kPrecisions) {
      for (const Layout layout : kLayouts) {
        Definition& definition = define(layer, pass, precision, layout);
        advise_precision(definition, where, precision, layout);
        const Role last = precision == Precision::fp32 ? Role::variant : Role::after;  // fp32 is nobody's default
        definition.advice("channels-last", layout == Layout::channels_first ? Role::before : last,
                          where + "/precision:" + to_string(precision));
      }
    }
  }
  // cuDNN has fp8 for the forward pass in NHWC.
  Definition& fp8 = define(layer, Pass::forward, Precision::fp8_e4m3, Layout::channels_last);
  advise_precision(fp8, std::string("forward/layer:") + layer.name, Precision::fp8_e4m3, Layout::channels_last);
}

}  // namespace

void register_passes() {
  for (const Layer& layer : resnet50()) register_layer(layer);
  for (const Layer& layer : others()) register_layer(layer);
}

}  // namespace cupel::bench::conv
