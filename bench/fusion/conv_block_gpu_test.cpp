// Convolutions with what stands behind them in every way, at small sizes against the definition.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>

#include "bench/fusion/arrays.hpp"
#include "bench/fusion/conv_block_problem.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/vendor/cudnn_plan.hpp"

namespace cupel::bench::fusion {
namespace {

using kernels::dot::Convolution;

constexpr Convolution kShapes[] = {
    {.batch = 2,
     .in_channels = 32,
     .out_channels = 64,
     .in = {{1, 9, 7}},
     .filter = {{1, 3, 3}},
     .padding = {{0, 1, 1}}},
    {.batch = 3, .in_channels = 64, .out_channels = 128, .in = {{1, 5, 5}}, .filter = {{1, 1, 1}}},
    {.batch = 1,
     .in_channels = 64,
     .out_channels = 32,
     .in = {{1, 14, 14}},
     .filter = {{1, 3, 3}},
     .padding = {{0, 1, 1}},
     .stride = {{1, 2, 2}}},
};

// False where cuDNN has nothing for it.
bool runs_right(Block block, ConvWay way, const Convolution& shape) {
  const cuda::Stream stream;
  try {
    ConvBlockProblem problem(block, way, shape);
    problem.work()(stream);
    stream.synchronize();
    EXPECT_NO_THROW(problem.require_right());
  } catch (const vendor::NotSupported& reason) {
    std::printf("%s\n", reason.what());
    return false;
  }
  return true;
}

TEST(ConvBlock, IsRightAsSeparateKernels) {
  for (const Convolution& shape : kShapes) {
    EXPECT_TRUE(runs_right(Block::bias_relu, ConvWay::unfused, shape));
    EXPECT_TRUE(runs_right(Block::norm_relu, ConvWay::unfused, shape));
    EXPECT_TRUE(runs_right(Block::norm_relu, ConvWay::folded, shape));
  }
}

TEST(ConvBlock, IsRightAsOneGraph) {
  int ran = 0;
  for (const Convolution& shape : kShapes) {
    ran += runs_right(Block::bias_relu, ConvWay::fused, shape) ? 1 : 0;
    ran += runs_right(Block::norm_relu, ConvWay::fused, shape) ? 1 : 0;
    ran += runs_right(Block::norm_relu, ConvWay::folded_fused, shape) ? 1 : 0;
  }
  EXPECT_GT(ran, 0) << "cuDNN fuses pointwise operations behind convolutions on every device with tensor cores";
}

TEST(ConvBlock, SaysHowManyKernelsItIs) {
  EXPECT_EQ(ConvBlockProblem(Block::norm_relu, ConvWay::unfused, kShapes[0]).launches(), 3);
  EXPECT_EQ(ConvBlockProblem(Block::norm_relu, ConvWay::folded, kShapes[0]).launches(), 2);
  EXPECT_EQ(ConvBlockProblem(Block::norm_relu, ConvWay::fused, kShapes[0]).launches(), 1);
}

// One element, beside the pixels that are computed on the host.
TEST(ConvBlockProblem, FindsAnyElementThatIsWrong) {
  const cuda::Stream stream;
  ConvBlockProblem problem(Block::norm_relu, ConvWay::unfused, kShapes[0]);
  problem.work()(stream);
  stream.synchronize();
  ASSERT_NO_THROW(problem.require_right());
  auto* const out = static_cast<std::uint16_t*>(device_memory(Slot::out, 0));

  const std::uint16_t of_another = 0x5640;  // 100, which none is
  cuda::check(cudaMemcpy(out + kShapes[0].out_channels * 70 + 3, &of_another, 2, cudaMemcpyHostToDevice));

  EXPECT_THROW(problem.require_right(), harness::CheckFailed);
}

TEST(ConvBlockProblem, FindsThatNothingWasComputed) {
  const ConvBlockProblem problem(Block::bias_relu, ConvWay::unfused, kShapes[0]);

  EXPECT_THROW(problem.require_right(), harness::CheckFailed);
}

}  // namespace
}  // namespace cupel::bench::fusion
