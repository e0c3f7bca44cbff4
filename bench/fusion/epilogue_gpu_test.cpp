// Products with what stands behind them, by separate kernels and by cuBLASLt's epilogues, at small and awkward sizes
// against the definition.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "bench/fusion/arrays.hpp"
#include "bench/fusion/epilogue_problem.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/run.hpp"

namespace cupel::bench::fusion {
namespace {

using kernels::DType;

constexpr Operation kForward[] = {Operation::bias, Operation::bias_relu, Operation::bias_gelu};
constexpr Operation kBackward[] = {Operation::relu_gradient, Operation::gelu_gradient, Operation::bias_gradient};

// False where cuBLASLt has nothing for it.
bool runs_right(const EpilogueProblem& problem, Way way, bool keeps) {
  const cuda::Stream stream;
  try {
    const Work work = problem.work(way, keeps);
    work.enqueue(stream);
    stream.synchronize();
    EXPECT_NO_THROW(problem.require_right(way, keeps));
  } catch (const harness::Skip& reason) {
    std::printf("%s\n", reason.what());
    return false;
  }
  return true;
}

TEST(Epilogues, AreRightForward) {
  for (const DType type : {DType::fp16, DType::bf16}) {
    for (const std::int64_t hidden : {64, 200}) {
      for (const std::int64_t tokens : {1, 40, 513}) {
        for (const Operation operation : kForward) {
          SCOPED_TRACE(std::string(kernels::to_string(type)) + ", operation " +
                       std::to_string(static_cast<int>(operation)) + ", hidden " + std::to_string(hidden) +
                       ", tokens " + std::to_string(tokens));
          const EpilogueProblem problem(operation, type, hidden, tokens);
          EXPECT_TRUE(runs_right(problem, Way::separate, true));
          EXPECT_TRUE(runs_right(problem, Way::fused, false));
          if (operation != Operation::bias) {
            EXPECT_TRUE(runs_right(problem, Way::fused, true));
          }
        }
      }
    }
  }
}

// One element, wherever it is: beside the blocks that are computed again on the host, too.
TEST(Epilogues, AreWrongWhereAnyElementIs) {
  constexpr std::int64_t kHidden = 64, kTokens = 513;
  const EpilogueProblem problem(Operation::bias_gelu, DType::fp16, kHidden, kTokens);
  const cuda::Stream stream;
  const Work work = problem.work(Way::separate, true);
  work.enqueue(stream);
  stream.synchronize();
  ASSERT_NO_THROW(problem.require_right(Way::separate, true));
  auto* const out = static_cast<std::uint16_t*>(device_memory(Slot::out, 0));
  const std::int64_t place = problem.shape().m * 100 + 50;

  const std::uint16_t of_another = 0x4d00;  // 20, which none is
  cuda::check(cudaMemcpy(out + place, &of_another, sizeof of_another, cudaMemcpyHostToDevice));

  EXPECT_THROW(problem.require_right(Way::separate, true), harness::CheckFailed);
}

// Tokens are the inner length of the weights' gradient, whose rows cuBLASLt wants at multiples of 16 bytes.
TEST(Epilogues, AreRightBackward) {
  int fused = 0;
  for (const DType type : {DType::fp16, DType::bf16}) {
    for (const std::int64_t hidden : {64, 256}) {
      for (const std::int64_t tokens : {64, 520}) {
        for (const Operation operation : kBackward) {
          SCOPED_TRACE(std::string(kernels::to_string(type)) + ", operation " +
                       std::to_string(static_cast<int>(operation)) + ", hidden " + std::to_string(hidden) +
                       ", tokens " + std::to_string(tokens));
          const EpilogueProblem problem(operation, type, hidden, tokens);
          EXPECT_TRUE(runs_right(problem, Way::separate, false));
          fused += runs_right(problem, Way::fused, false) ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(fused, 12) << "of 24: cuBLASLt has most of them on every device with tensor cores";
}

TEST(EpilogueProblem, FindsThatNothingWasComputed) {
  for (const Operation operation : {Operation::bias_gelu, Operation::gelu_gradient, Operation::bias_gradient}) {
    const EpilogueProblem problem(operation, DType::fp16, 64, 64);

    const Work work = problem.work(Way::separate, true);  // poisons the results

    EXPECT_EQ(work.launches, operation == Operation::gelu_gradient ? 4 : 3);
    EXPECT_EQ(work.algorithm.find("algorithm -1"), std::string::npos) << work.algorithm;
    EXPECT_THROW(problem.require_right(Way::separate, true), harness::CheckFailed);
  }
}

TEST(EpilogueProblem, FindsWhatAnotherEpilogueComputed) {
  const cuda::Stream stream;
  const EpilogueProblem with_gelu(Operation::bias_gelu, DType::fp16, 64, 64);
  with_gelu.work(Way::fused, false).enqueue(stream);
  stream.synchronize();

  const EpilogueProblem without(Operation::bias, DType::fp16, 64, 64);  // the same memory

  EXPECT_THROW(without.require_right(Way::fused, false), harness::CheckFailed);
}

}  // namespace
}  // namespace cupel::bench::fusion
