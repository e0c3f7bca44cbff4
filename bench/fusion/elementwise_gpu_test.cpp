#include <gtest/gtest.h>

#include <vector>

#include "bench/fusion/elementwise_check.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/run.hpp"
#include "kernels/pointwise/gradients.hpp"
#include "kernels/pointwise/pointwise.hpp"

namespace cupel::bench::fusion {
namespace {

using kernels::DType;
using kernels::pointwise::Activation;
namespace pointwise = kernels::pointwise;

constexpr std::int64_t kCount = 3'000'017;  // more than a round of the check's blocks
constexpr Tolerance kClose{1e-3, 1e-2};

struct Arrays {
  const void* in = input(Slot::input, DType::fp16, kCount);
  const void* other = input(Slot::other, DType::fp16, kCount);
  void* out = result(DType::fp16, kCount);
  cuda::Stream stream;
};

void wipe(void* out, std::int64_t place) {
  cuda::check(cudaDeviceSynchronize());
  cuda::check(cudaMemset(static_cast<char*>(out) + 2 * place, 0xFF, 2));
}

TEST(RequireAll, TakesWhatIsRightAndRefusesOneElementThatIsNot) {
  Arrays a;
  for (const Activation activation : {Activation::relu, Activation::tanh, Activation::gelu_erf, Activation::silu}) {
    const Elementwise forward{.activation = activation, .in = a.in};
    pointwise::activate(DType::fp16, activation, a.in, a.out, kCount, a.stream);
    EXPECT_NO_THROW(require_all(forward, DType::fp16, a.out, kCount, kClose, "forward"));
    wipe(a.out, kCount - 1);
    EXPECT_THROW(require_all(forward, DType::fp16, a.out, kCount, kClose, "forward"), harness::CheckFailed);

    const Elementwise backward{
        .kind = Elementwise::Kind::activation_gradient, .activation = activation, .in = a.in, .other = a.other};
    pointwise::activation_gradient(DType::fp16, activation, a.in, a.other, a.out, kCount, a.stream);
    EXPECT_NO_THROW(require_all(backward, DType::fp16, a.out, kCount, kClose, "backward"));
    wipe(a.out, 1'234'567);
    EXPECT_THROW(require_all(backward, DType::fp16, a.out, kCount, kClose, "backward"), harness::CheckFailed);
  }
}

TEST(RequireAll, RefusesAnOperationThatIsLeftOut) {
  Arrays a;
  pointwise::chain_fused(DType::fp16, a.in, a.other, 4, a.out, kCount, a.stream);
  const auto chain = [&](int operations) {
    return Elementwise{.kind = Elementwise::Kind::chain, .operations = operations, .in = a.in, .other = a.other};
  };

  EXPECT_NO_THROW(require_all(chain(4), DType::fp16, a.out, kCount, kClose, "chain"));
  EXPECT_THROW(require_all(chain(5), DType::fp16, a.out, kCount, kClose, "chain"), harness::CheckFailed);
  EXPECT_THROW(require_all(chain(9), DType::fp16, a.out, kCount, kClose, "chain"), std::invalid_argument);
}

}  // namespace
}  // namespace cupel::bench::fusion
