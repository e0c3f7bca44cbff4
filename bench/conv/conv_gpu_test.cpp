// Convolutions of small and awkward sizes by every engine that cuDNN has for them, against the definition.
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/conv/graph.hpp"
#include "bench/conv/layers.hpp"
#include "bench/conv/legacy_algorithms.hpp"
#include "bench/conv/numbers.hpp"
#include "bench/conv/problem.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/device/device_info.hpp"
#include "cupel/record/machine.hpp"
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
  explicit Memory(const Problem& of) : problem(of) { numbers.prepare(problem, 0); }

  std::size_t result_bytes() const {
    return static_cast<std::size_t>(size_bytes(result_element(problem.precision), problem.result_count()));
  }
  void* result() {
    const Tensors tensors = numbers.tensors();
    if (problem.pass == Pass::forward) return tensors.output;
    return problem.pass == Pass::backward_data ? tensors.input : tensors.filter;
  }
  std::vector<char> bits() {
    std::vector<char> seen(result_bytes());
    cuda::check(cudaMemcpy(seen.data(), result(), seen.size(), cudaMemcpyDeviceToHost));
    return seen;
  }
  Finding examine(const Notes& notes, const Again& again) {
    return numbers.examine(notes, problem.result_count(), 0, again);
  }

  Problem problem;
  Numbers numbers;
  kernels::dot::NumberBuffer workspace;
};

bool device_has(Precision precision) {
  return device::lacking(to_string(precision), arithmetic(precision), device::read_device_info(0, nullptr)).empty();
}

std::string described(const Problem& problem) {
  const Convolution& shape = problem.shape;
  std::string text = std::string(kernels::dot::to_string(problem.pass)) + ' ' + to_string(problem.precision) + ' ' +
                     to_string(problem.layout);
  for (const std::int64_t size : {shape.batch, shape.in_channels, shape.out_channels, shape.groups}) {
    text += ' ' + std::to_string(size);
  }
  for (const auto* space : {&shape.in, &shape.filter, &shape.padding, &shape.stride, &shape.dilation}) {
    text += ' ' + std::to_string((*space)[0]) + 'x' + std::to_string((*space)[1]) + 'x' + std::to_string((*space)[2]);
  }
  return text;
}

// Into a poisoned result, with the workspace full of this byte.
void run(const Graph& graph, const Candidate& candidate, Memory& memory, int workspace_byte, cudaStream_t stream) {
  const std::int64_t bytes = graph.workspace_bytes(candidate);
  void* workspace = bytes == 0 ? nullptr : memory.workspace.reserve(bytes);
  if (bytes > 0) cuda::check(cudaMemset(workspace, workspace_byte, static_cast<std::size_t>(bytes)));
  memory.numbers.poison();
  cuda::check(cudaDeviceSynchronize());
  graph.execute(candidate, memory.numbers.tensors(), workspace, stream);
}

Again always(const Graph& graph, const Candidate& candidate, Memory& memory) {
  return [&](cudaStream_t stream) { run(graph, candidate, memory, 0xFF, stream); };
}

// The bits of a result.
std::vector<char> run_with(int workspace_byte, const Graph& graph, const Candidate& candidate, Memory& memory) {
  const cuda::Stream stream;
  run(graph, candidate, memory, workspace_byte, stream);
  stream.synchronize();
  return memory.bits();
}

// A result may not depend on what a caller leaves in a workspace: an engine that reads what it has not written is at
// fault itself. cuDNN 9.19 has such ones in NCHW (70, 72, 78), for images of an odd number of elements.
bool reads_what_it_did_not_write(const Graph& graph, const Candidate& candidate, Memory& memory) {
  return run_with(0, graph, candidate, memory) != run_with(0xFF, graph, candidate, memory);
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
    run_with(0xFF, graph, candidate, memory);
    const Finding found = memory.examine(candidate.notes, always(graph, candidate, memory));
    if (found.passed()) {
      ++(found.rounds_parts ? ran.rounding_parts : ran.right);
    } else if (i >= proposed && reads_what_it_did_not_write(graph, candidate, memory)) {
      std::printf("%s, %s: reads memory that it has not written\n", candidate.name.c_str(), described(problem).c_str());
      ++ran.at_fault;
    } else {
      ADD_FAILURE() << candidate.name << ", " << described(problem) << ": " << found.message();
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

TEST(Heuristics, GiveFp16TensorCoresInResNet50) {
  for (const Layer& layer : resnet50()) {
    for (const Pass pass : kPasses) {
      Graph graph({shape_of(layer, 64), pass, Precision::fp16, Layout::channels_last});
      const std::vector<Candidate> proposed = graph.ask(Heuristic::mode_a);
      ASSERT_FALSE(proposed.empty()) << layer.name;
      EXPECT_TRUE(proposed.front().notes.tensor_cores) << layer.name << ": " << proposed.front().name;
    }
  }
}

// Layouts reach cuDNN as they are meant: its kernels for tensor cores want NHWC, and copy what is not into their
// workspace, of which these then want as much as input and output have bytes.
TEST(Heuristics, ConvertFp16OnlyFromChannelsFirst) {
  const auto workspace = [](Layout layout) {
    Graph graph({shape_of(bench::conv::layer("res2_3x3"), 64), Pass::forward, Precision::fp16, layout});
    return graph.workspace_bytes(build_first(graph, Heuristic::mode_a));
  };
  const std::int64_t tensor_bytes = std::int64_t{2} * 64 * 64 * 56 * 56;

  EXPECT_LT(workspace(Layout::channels_last), tensor_bytes);
  EXPECT_GE(workspace(Layout::channels_first), 2 * tensor_bytes);
}

TEST(Heuristics, GiveFp32NoTensorCores) {
  const Problem problem{shape_of(layer("res3_3x3"), 4), Pass::forward, Precision::fp32, Layout::channels_last};
  Memory memory(problem);
  Graph graph(problem);
  const Candidate candidate = build_first(graph, Heuristic::mode_a);

  run_with(0xFF, graph, candidate, memory);

  // With TF32 it would be above 1e-4.
  EXPECT_LT(memory.examine(candidate.notes, always(graph, candidate, memory)).errors.relative_frobenius, 1e-5);
}

// The heuristics' first plans for these on an H200 split the sum and round the parts to bf16.
TEST(RoundedParts, OfTwoLayersInBf16AreAllThatIsWrongWithThem) {
  if (!device_has(Precision::bf16)) return;
  for (const char* name : {"res5_1x1_expand", "res4_1x1_reduce"}) {
    const Problem problem{shape_of(layer(name), 1), Pass::forward, Precision::bf16, Layout::channels_first};
    Memory memory(problem);
    Graph graph(problem);
    const Candidate candidate = build_first(graph, Heuristic::mode_a);
    run_with(0xFF, graph, candidate, memory);
    const Finding found = memory.examine(candidate.notes, always(graph, candidate, memory));

    EXPECT_TRUE(found.passed()) << candidate.name << ", " << name << ": " << found.message();
    std::printf("%s, %s: %s partial sums, error %.3g\n", name, candidate.name.c_str(),
                found.rounds_parts ? "rounds" : "does not round", found.errors.relative_frobenius);
  }
}

// An engine of our own, and how it computes a convolution of 1 x 1 in bf16 and NHWC, on the host.
struct Made {
  int parts = 1;         ///< of each sum, of neighbouring channels, rounded to bf16 one by one
  int lost = 0;          ///< products of each sum that are left out
  float error = 0;       ///< of each result, relative
  int operand_bits = 8;  ///< that are looked at
};

class MadeEngine : public testing::Test {
 protected:
  static constexpr std::int64_t kIn = 256, kOut = 32, kSize = 12;
  static Problem problem() {
    return {{.batch = 1, .in_channels = kIn, .out_channels = kOut, .in = {{1, kSize, kSize}}},
            Pass::forward,
            Precision::bf16,
            Layout::channels_last};
  }

  static std::vector<float> read(const void* from, std::int64_t count, int bits) {
    std::vector<__nv_bfloat16> stored(static_cast<std::size_t>(count));
    cuda::check(cudaMemcpy(stored.data(), from, stored.size() * sizeof(__nv_bfloat16), cudaMemcpyDeviceToHost));
    std::vector<float> numbers;
    for (const __nv_bfloat16 number : stored) {
      int exponent = 0;
      const float fraction = std::frexp(__bfloat162float(number), &exponent);
      numbers.push_back(std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits));
    }
    return numbers;
  }

  static float rounded(float number) { return __bfloat162float(__float2bfloat16(number)); }

  Finding examined(const Made& made) {
    const Again again = [&](cudaStream_t) {
      const Tensors tensors = memory_.numbers.tensors();
      const std::vector<float> x = read(tensors.input, kSize * kSize * kIn, made.operand_bits),
                               w = read(tensors.filter, kOut * kIn, made.operand_bits);
      std::vector<__nv_bfloat16> y;
      for (std::int64_t p = 0; p < kSize * kSize; ++p) {
        for (std::int64_t k = 0; k < kOut; ++k) {
          std::vector<float> parts(static_cast<std::size_t>(made.parts));
          for (std::int64_t c = 0; c < kIn - made.lost; ++c) {
            parts[static_cast<std::size_t>(c * made.parts / kIn)] +=
                x[static_cast<std::size_t>(p * kIn + c)] * w[static_cast<std::size_t>(k * kIn + c)];
          }
          float sum = 0;
          for (const float part : parts) sum += made.parts > 1 ? rounded(part) : part;
          y.push_back(__float2bfloat16(sum * (1 + made.error)));
        }
      }
      cuda::check(cudaMemcpy(tensors.output, y.data(), y.size() * sizeof(y.front()), cudaMemcpyHostToDevice));
    };
    again(nullptr);
    return memory_.examine({}, again);
  }

  Memory memory_{problem()};
};

TEST_F(MadeEngine, WithSumsInFp32IsRight) {
  const Finding found = examined({});

  EXPECT_TRUE(found.passed()) << found.message();
  EXPECT_FALSE(found.rounds_parts);
}

TEST_F(MadeEngine, ThatRoundsPartsIsFoundToDoSo) {
  for (const int parts : {2, 4, 8}) {
    const Finding found = examined({.parts = parts});

    EXPECT_TRUE(found.passed()) << found.message();
    EXPECT_TRUE(found.rounds_parts) << parts;
  }
}

TEST_F(MadeEngine, ThatLosesAProductIsWrong) {
  EXPECT_FALSE(examined({.lost = 1}).passed());
  EXPECT_FALSE(examined({.parts = 4, .lost = 1}).passed());
}

TEST_F(MadeEngine, ThatIsOffByALastPlaceEverywhereIsWrong) {
  EXPECT_FALSE(examined({.error = 0x1p-7f}).passed());
  EXPECT_FALSE(examined({.parts = 4, .error = 0x1p-7f}).passed());
}

TEST_F(MadeEngine, ThatRoundsItsOperandsIsWrong) {
  for (const int bits : {7, 6, 4}) EXPECT_FALSE(examined({.operand_bits = bits}).passed()) << bits;
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
    for (const Algorithm& algorithm : convolution.find(memory.numbers.tensors(), workspace, kWorkspace)) {
      const Again again = [&](cudaStream_t on) {
        convolution.execute(algorithm, memory.numbers.tensors(), workspace, on);
      };
      memory.numbers.poison();
      again(stream);
      stream.synchronize();
      const Finding found = memory.examine(algorithm.notes, again);
      EXPECT_TRUE(found.passed()) << algorithm.name << ", " << described(problem) << ": " << found.message();
    }
    EXPECT_FALSE(convolution.guess().empty());
  }
}

}  // namespace
}  // namespace cupel::bench::conv
