// Convolutions of small and awkward sizes by every engine that cuDNN has for them, against the definition.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/conv/graph.hpp"
#include "bench/conv/layers.hpp"
#include "bench/conv/legacy_algorithms.hpp"
#include "bench/conv/problem.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/device/device_info.hpp"
#include "kernels/dot/check.hpp"
#include "kernels/dot/number_buffer.hpp"

namespace cupel::bench::conv {
namespace {

constexpr Pass kPasses[] = {Pass::forward, Pass::backward_data, Pass::backward_filter};
constexpr Precision kPrecisions[] = {Precision::fp32, Precision::tf32, Precision::fp16, Precision::bf16};

std::vector<Convolution> awkward_shapes() {
  return {
      {.batch = 3,
       .in_channels = 8,
       .out_channels = 16,
       .in = {{1, 13, 17}},
       .filter = {{1, 3, 3}},
       .padding = {{0, 1, 1}}},
      {.batch = 2,
       .in_channels = 24,
       .out_channels = 40,
       .in = {{1, 19, 11}},
       .filter = {{1, 5, 3}},
       .padding = {{0, 2, 0}},
       .stride = {{1, 2, 3}}},
      {.batch = 2,
       .in_channels = 32,
       .out_channels = 32,
       .groups = 4,
       .in = {{1, 9, 9}},
       .filter = {{1, 3, 3}},
       .padding = {{0, 2, 2}},
       .dilation = {{1, 2, 2}}},
      {.batch = 1, .in_channels = 16, .out_channels = 16, .groups = 16, .in = {{1, 12, 10}}, .filter = {{1, 3, 3}}},
      {.batch = 2,
       .in_channels = 8,
       .out_channels = 8,
       .in = {{5, 7, 6}},
       .filter = {{3, 3, 3}},
       .padding = {{1, 1, 1}}},
  };
}

struct Memory {
  explicit Memory(const Problem& of) : problem(of) {
    const auto element = operand_element(problem.precision);
    left.normal(element, problem.left_count(), 1, 1);
    right.normal(element, problem.right_count(), 2, 1);
    poison();
  }
  void poison() { result.poison(size_bytes(result_element(problem.precision), problem.result_count())); }
  Tensors tensors() {
    if (problem.pass == Pass::forward) return {left.data(), right.data(), result.data()};
    if (problem.pass == Pass::backward_data) return {result.data(), right.data(), left.data()};
    return {right.data(), result.data(), left.data()};
  }
  kernels::dot::DotErrors errors(const verify::DotBound& held_against) {
    const auto element = operand_element(problem.precision);
    return checker.convolution(problem.shape, problem.pass, layouts_of(problem.layout, problem.shape),
                               {left.data(), element, 1}, {right.data(), element, 1},
                               {result.data(), result_element(problem.precision), 1},
                               {held_against, problem.result_count(), 0}, nullptr);
  }
  kernels::dot::DotErrors errors(const Notes& notes) { return errors(bound(problem, notes)); }
  bool rounds_parts(const Notes& notes) {
    const auto wide = bound_of_rounded_parts(problem, notes);
    return wide && errors(*wide).passed();
  }
  std::vector<char> bits() {
    std::vector<char> seen(
        static_cast<std::size_t>(size_bytes(result_element(problem.precision), problem.result_count())));
    cuda::check(cudaMemcpy(seen.data(), result.data(), seen.size(), cudaMemcpyDeviceToHost));
    return seen;
  }

  Problem problem;
  kernels::dot::NumberBuffer left, right, result, workspace;
  kernels::dot::DotChecker checker;
};

bool device_has(Precision precision) { return lacking(precision, device::read_device_info(0, nullptr)).empty(); }

std::string described(const Problem& problem) {
  return std::string(kernels::dot::to_string(problem.pass)) + ' ' + to_string(problem.precision) + ' ' +
         to_string(problem.layout) + ' ' + problem.key();
}

void run(const Graph& graph, const Candidate& candidate, Memory& memory, int workspace_byte) {
  const cuda::Stream stream;
  const std::int64_t bytes = graph.workspace_bytes(candidate);
  void* workspace = bytes == 0 ? nullptr : memory.workspace.reserve(bytes);
  if (bytes > 0) cuda::check(cudaMemset(workspace, workspace_byte, static_cast<std::size_t>(bytes)));
  memory.poison();
  cuda::check(cudaDeviceSynchronize());
  graph.execute(candidate, memory.tensors(), workspace, stream);
  stream.synchronize();
}

// What a caller leaves in a workspace is nothing that a result may depend on: an engine that reads what it has not
// written is at fault itself. cuDNN 9.19 has such ones in NCHW (70, 72, 78), for images of an odd number of elements.
bool reads_what_it_did_not_write(const Graph& graph, const Candidate& candidate, Memory& memory) {
  run(graph, candidate, memory, 0);
  const std::vector<char> with_zeros = memory.bits();
  run(graph, candidate, memory, 0xFF);
  return memory.bits() != with_zeros;
}

struct Ran {
  int right = 0, rounding_parts = 0, at_fault = 0;
};

// Runs every candidate. Those that a heuristic proposes have to be right; so have the others, unless they read memory
// that they have not written.
void run_all(const Problem& problem, Ran& ran) {
  Memory memory(problem);
  Graph graph(problem);
  std::vector<Candidate> candidates = graph.ask(Heuristic::mode_a);
  const std::size_t proposed = candidates.size();
  for (const Candidate& other : graph.other_engines(candidates)) candidates.push_back(other);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Candidate& candidate = candidates[i];
    if (!graph.build(candidate)) continue;
    run(graph, candidate, memory, 0xFF);
    const auto errors = memory.errors(candidate.notes);
    if (errors.passed()) {
      ++ran.right;
    } else if (memory.rounds_parts(candidate.notes)) {
      ++ran.rounding_parts;
    } else if (i >= proposed && reads_what_it_did_not_write(graph, candidate, memory)) {
      std::printf("%s, %s: reads memory that it has not written\n", candidate.name.c_str(), described(problem).c_str());
      ++ran.at_fault;
    } else {
      ADD_FAILURE() << candidate.name << ", " << described(problem) << ": " << errors.message();
    }
  }
}

class Engines : public testing::TestWithParam<Precision> {};

TEST_P(Engines, AreRightAtEveryShapePassAndLayout) {
  if (!device_has(GetParam())) return;  // that it says so is tested in conv_test.cpp
  Ran ran;
  for (const Convolution& shape : awkward_shapes()) {
    for (const Pass pass : kPasses) {
      for (const Layout layout : {Layout::channels_first, Layout::channels_last}) {
        try {
          run_all({shape, pass, GetParam(), layout}, ran);
        } catch (const NotSupported&) {
          continue;
        }
      }
    }
  }
  std::printf("%d plans are right, %d more round partial sums, %d are at fault\n", ran.right, ran.rounding_parts,
              ran.at_fault);
  EXPECT_GT(ran.right, 30);
}

INSTANTIATE_TEST_SUITE_P(Precisions, Engines, testing::ValuesIn(kPrecisions));

TEST(Heuristics, HaveAPlanForTheLayersOfResNet50) {
  for (const Layer& layer : resnet50()) {
    for (const Heuristic heuristic : {Heuristic::mode_a, Heuristic::mode_b}) {
      Graph graph({shape_of(layer, 4), Pass::forward, Precision::fp16, Layout::channels_last});
      EXPECT_NO_THROW(build_first(graph, heuristic)) << layer.name;
    }
  }
}

TEST(Heuristics, GiveFp32NoTensorCores) {
  const Problem problem{shape_of(layer("res3_3x3"), 4), Pass::forward, Precision::fp32, Layout::channels_last};
  Memory memory(problem);
  Graph graph(problem);
  const Candidate candidate = build_first(graph, Heuristic::mode_a);
  const std::int64_t bytes = graph.workspace_bytes(candidate);
  const cuda::Stream stream;

  graph.execute(candidate, memory.tensors(), bytes == 0 ? nullptr : memory.workspace.reserve(bytes), stream);
  stream.synchronize();

  EXPECT_LT(memory.errors(candidate.notes).relative_frobenius, 1e-5);  // with TF32 it would be above 1e-4
}

TEST(Legacy, AlgorithmsAreRightInEveryPass) {
  const Convolution shape = awkward_shapes().front();
  const cuda::Stream stream;
  for (const Pass pass : kPasses) {
    const Problem problem{shape, pass, Precision::fp32, Layout::channels_first};
    Memory memory(problem);
    const LegacyConvolution convolution(problem);
    constexpr std::int64_t kWorkspace = std::int64_t{64} << 20;
    void* workspace = memory.workspace.reserve(kWorkspace);
    for (const Algorithm& algorithm : convolution.find(memory.tensors(), workspace, kWorkspace)) {
      memory.poison();
      convolution.execute(algorithm, memory.tensors(), workspace, stream);
      stream.synchronize();
      const auto errors = memory.errors(algorithm.notes);
      EXPECT_TRUE(errors.passed()) << algorithm.name << ", " << described(problem) << ": " << errors.message();
    }
    EXPECT_FALSE(convolution.guess().empty());
  }
}

}  // namespace
}  // namespace cupel::bench::conv
