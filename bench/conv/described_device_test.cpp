// What cuDNN says of the convolutions that are measured, asked for an H200 that need not be there. That a graph has no
// engine would otherwise be seen on the device alone, as rows that are skipped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "bench/conv/graph.hpp"
#include "bench/conv/layers.hpp"
#include "cupel/vendor/described_device.hpp"

namespace cupel::bench::conv {
namespace {

constexpr Pass kPasses[] = {Pass::forward, Pass::backward_data, Pass::backward_filter};
constexpr Layout kLayouts[] = {Layout::channels_first, Layout::channels_last};

class OnAnH200 : public testing::Test {
 protected:
  void SetUp() override {
    static const std::string missing = vendor::prepare_described_device();
    if (!missing.empty()) GTEST_SKIP() << missing;
  }
};

// Every layer in every pass, precision and layout that passes.cpp registers, at the batch of the standard profile.
template <class Look>
void for_each_problem(const std::vector<Layer>& layers, const std::vector<Precision>& precisions, const Look& look) {
  for (const Layer& layer : layers) {
    for (const Pass pass : kPasses) {
      for (const Precision precision : precisions) {
        for (const Layout layout : kLayouts) {
          const bool forward_only = precision == Precision::bf16 || precision == Precision::fp8_e4m3;
          if (forward_only && pass != Pass::forward) continue;
          if (precision == Precision::fp8_e4m3 && layout == Layout::channels_first) continue;
          look(std::string(layer.name) + ' ' + kernels::dot::to_string(pass) + ' ' + to_string(precision) + ' ' +
                   to_string(layout),
               Problem{shape_of(layer, 64), pass, precision, layout});
        }
      }
    }
  }
}

// That cuDNN lists what is compiled at run time as supported has to do: compiling takes seconds.
bool has_plan(const Problem& problem) {
  Graph graph(problem);
  for (const Heuristic heuristic : {Heuristic::mode_a, Heuristic::fallback}) {
    for (const Candidate& candidate : graph.ask(heuristic)) {
      if (candidate.notes.compiled_at_run_time || graph.build(candidate)) return true;
    }
  }
  return false;
}

TEST_F(OnAnH200, CudnnHasAnEngineForEveryConvolutionThatIsMeasured) {
  std::vector<Layer> layers = resnet50();
  layers.insert(layers.end(), others().begin(), others().end());
  std::set<std::string> without;
  for_each_problem(layers, {Precision::fp32, Precision::tf32, Precision::fp16, Precision::bf16, Precision::fp8_e4m3},
                   [&](const std::string& name, const Problem& problem) {
                     if (!has_plan(problem)) without.insert(name);
                   });

  EXPECT_THAT(without, testing::IsSubsetOf({"depthwise_3x3 forward fp8_e4m3 nhwc"}));
}

TEST_F(OnAnH200, TheHeuristicTakesTensorCoresForHalfFormatsInResNet50) {
  for_each_problem(resnet50(), {Precision::fp16, Precision::bf16}, [](const std::string& name, const Problem& problem) {
    Graph graph(problem);
    const std::vector<Candidate> proposed = graph.ask(Heuristic::mode_a);
    ASSERT_FALSE(proposed.empty()) << name;
    EXPECT_TRUE(proposed.front().notes.tensor_cores) << name << ": " << proposed.front().name;
  });
}

// Layouts reach cuDNN as they are meant: its kernels for tensor cores want NHWC, and copy what is not into their
// workspace, of which these then want as much as input and output have bytes.
TEST_F(OnAnH200, HalfFormatsAreConvertedOnlyFromChannelsFirst) {
  const auto workspace = [](Layout layout) {
    const Problem problem{shape_of(layer("res2_3x3"), 64), Pass::forward, Precision::fp16, layout};
    Graph graph(problem);
    return graph.workspace_bytes(build_first(graph, Heuristic::mode_a));
  };
  const std::int64_t tensor_bytes = std::int64_t{2} * 64 * 64 * 56 * 56;

  EXPECT_LT(workspace(Layout::channels_last), tensor_bytes);
  EXPECT_GE(workspace(Layout::channels_first), 2 * tensor_bytes);
}

}  // namespace
}  // namespace cupel::bench::conv
