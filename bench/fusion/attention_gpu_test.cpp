// Attention and its gradients both ways against the formula in double: all rows of small shapes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/fusion/attention_check.hpp"
#include "bench/fusion/attention_graph.hpp"
#include "bench/fusion/attention_unfused.hpp"
#include "cupel/cuda/cuda.hpp"
#include "kernels/dot/number_buffer.hpp"

namespace cupel::bench::fusion {
namespace {

using kernels::DType;
using kernels::dot::NumberBuffer;

struct Data {
  explicit Data(const AttentionShape& of) : shape(of) {
    const auto element = shape.type == DType::bf16 ? kernels::dot::Element::bf16 : kernels::dot::Element::fp16;
    const auto bytes = static_cast<std::int64_t>(shape.bytes());
    tensors = {.q = q.normal(element, shape.elements(), 1, 1),
               .k = k.normal(element, shape.elements(), 2, 1),
               .v = v.normal(element, shape.elements(), 3, 1),
               .out = out.poison(bytes),
               .stats = stats.poison(shape.stats_bytes()),
               .d_out = d_out.normal(element, shape.elements(), 4, 1),
               .d_q = d_q.poison(bytes),
               .d_k = d_k.poison(bytes),
               .d_v = d_v.poison(bytes)};
  }

  AttentionShape shape;
  NumberBuffer q, k, v, out, stats, d_out, d_q, d_k, d_v, shares, slopes, workspace;
  AttentionTensors tensors;
};

void run_unfused(Data& data) {
  const cuda::Stream stream;
  void* shares = data.shares.poison(data.shape.scores_bytes());
  attention_unfused(data.shape, data.tensors, shares, stream);
  attention_backward_unfused(data.shape, data.tensors, shares, data.slopes.poison(data.shape.scores_bytes()), stream);
  stream.synchronize();
}

void run_fused(Data& data, AttentionPass pass) {
  const vendor::CudnnPlan plan = attention_plan(data.shape, pass);
  const std::int64_t bytes = plan.workspace_bytes();
  const cuda::Stream stream;
  plan.execute(plan_tensors(data.tensors, pass), bytes == 0 ? nullptr : data.workspace.poison(bytes), stream);
  stream.synchronize();
}

void expect_right(const Data& data, AttentionWay way) {
  EXPECT_EQ(wrong_query(data.shape, data.tensors, way), "");
  EXPECT_EQ(wrong_gradient(data.shape, data.tensors, way), "");
  for (std::int64_t matrix = 0; matrix < data.shape.matrices(); ++matrix) {
    SCOPED_TRACE(matrix);
    AttentionCheck forward(data.shape, data.tensors, way, matrix), queries = forward, keys = forward, values = forward;
    for (std::int64_t i = 0; i < data.shape.sequence; ++i) {
      forward.out(i);
      queries.d_query(i);
      keys.d_key(i);
      values.d_value(i);
    }
    EXPECT_TRUE(forward.passed()) << forward.message();
    EXPECT_TRUE(queries.passed()) << queries.message();
    EXPECT_TRUE(keys.passed()) << keys.message();
    EXPECT_TRUE(values.passed()) << values.message();
    // As a whole it is far better than its worst element may be.
    const double unit = kernels::unit_roundoff(data.shape.type);
    EXPECT_LT(forward.relative_error(), 4 * unit);
    EXPECT_LT(keys.relative_error(), 8 * unit);
  }
}

class Attention : public testing::TestWithParam<AttentionShape> {};

std::string name_of(const testing::TestParamInfo<AttentionShape>& info) {
  const AttentionShape& shape = info.param;
  return std::string(to_string(shape.type)) + "_" + std::to_string(shape.batch) + "x" + std::to_string(shape.heads) +
         "x" + std::to_string(shape.sequence) + "x" + std::to_string(shape.size) + (shape.causal ? "_causal" : "_full");
}

TEST_P(Attention, BySeparateOperationsIsRightForwardAndBackward) {
  Data data(GetParam());

  run_unfused(data);

  expect_right(data, AttentionWay::unfused);
}

TEST_P(Attention, ByOneOperationOfCudnnIsRightForwardAndBackward) {
  Data data(GetParam());

  run_fused(data, AttentionPass::forward);
  run_fused(data, AttentionPass::backward);

  expect_right(data, AttentionWay::fused);
}

std::vector<AttentionShape> shapes() {
  std::vector<AttentionShape> all;
  for (const DType type : {DType::fp16, DType::bf16}) {
    for (const bool causal : {false, true}) {
      all.push_back({type, 1, 2, 128, 64, causal});
      all.push_back({type, 2, 1, 320, 128, causal});
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Shapes, Attention, testing::ValuesIn(shapes()), name_of);

// Where the mask begins and ends, in one key: query 0 sees only itself.
TEST(CausalAttention, BeginsWithTheFirstValueBothWays) {
  for (const AttentionWay way : {AttentionWay::unfused, AttentionWay::fused}) {
    Data data({DType::fp16, 1, 1, 128, 64, true});
    if (way == AttentionWay::unfused) {
      run_unfused(data);
    } else {
      run_fused(data, AttentionPass::forward);
    }
    std::uint16_t first_value[64], first_result[64];
    cuda::check(cudaMemcpy(first_value, data.tensors.v, sizeof first_value, cudaMemcpyDeviceToHost));
    cuda::check(cudaMemcpy(first_result, data.tensors.out, sizeof first_result, cudaMemcpyDeviceToHost));
    for (int c = 0; c < 64; ++c) EXPECT_EQ(first_result[c], first_value[c]) << c;
  }
}

// One query of one head, and a head that is another's.
TEST(WrongQuery, IsNamedWhereverItIs) {
  for (const DType type : {DType::fp16, DType::bf16}) {
    Data data({type, 2, 3, 256, 64, true});
    run_unfused(data);
    ASSERT_EQ(wrong_query(data.shape, data.tensors, AttentionWay::unfused), "");
    const std::size_t row_bytes = 2 * 64, head_bytes = 256 * row_bytes;
    char* const out = static_cast<char*>(data.tensors.out);

    cuda::check(cudaMemset(out + 4 * head_bytes + 17 * row_bytes, 0xFF, row_bytes));
    EXPECT_THAT(wrong_query(data.shape, data.tensors, AttentionWay::unfused),
                testing::StartsWith("query 17 of matrix 4: "));

    run_unfused(data);
    cuda::check(cudaMemcpy(out + 2 * head_bytes, out + 3 * head_bytes, head_bytes, cudaMemcpyDeviceToDevice));
    EXPECT_THAT(wrong_query(data.shape, data.tensors, AttentionWay::unfused), testing::HasSubstr(" of matrix 2: "));
  }
}

constexpr std::size_t kSize = 64, kRowBytes = 2 * kSize;

// One element, a block of rows that nobody wrote, and a block that is another's.
TEST(WrongGradient, IsNamedWhereverItIs) {
  for (const DType type : {DType::fp16, DType::bf16}) {
    Data data({type, 2, 3, 256, kSize, true});
    const auto wrong = [&] { return wrong_gradient(data.shape, data.tensors, AttentionWay::unfused); };
    const std::size_t head_bytes = 256 * kRowBytes;
    for (void* const gradient : {data.tensors.d_q, data.tensors.d_k, data.tensors.d_v}) {
      run_unfused(data);
      ASSERT_EQ(wrong(), "");
      char* const rows = static_cast<char*>(gradient);

      const std::uint16_t of_another = 0x4d00;  // 20 in fp16, 134217728 in bf16
      cuda::check(cudaMemcpy(rows + 5 * head_bytes + 200 * kRowBytes + 66, &of_another, 2, cudaMemcpyHostToDevice));
      EXPECT_THAT(wrong(), testing::StartsWith("1 of 98304 elements of d_"));
      EXPECT_THAT(wrong(), testing::EndsWith("the first in row 200, column 33 of matrix 5"));

      run_unfused(data);
      cuda::check(cudaMemset(rows + 2 * head_bytes + 64 * kRowBytes, 0xFF, 64 * kRowBytes));
      EXPECT_THAT(wrong(), testing::StartsWith("4096 of 98304 elements of d_"));

      run_unfused(data);
      cuda::check(cudaMemcpy(rows + 3 * head_bytes, rows + 4 * head_bytes, 64 * kRowBytes, cudaMemcpyDeviceToDevice));
      EXPECT_THAT(wrong(), testing::HasSubstr(" of matrix 3"));
    }
  }
}

// More queries than are held at a time.
TEST(WrongGradient, IsNamedInLongSequences) {
  for (const bool causal : {false, true}) {
    Data data({DType::fp16, 1, 1, 6000, kSize, causal});
    run_unfused(data);
    ASSERT_EQ(wrong_gradient(data.shape, data.tensors, AttentionWay::unfused), "");

    for (void* const gradient : {data.tensors.d_q, data.tensors.d_k, data.tensors.d_v}) {
      run_unfused(data);
      cuda::check(cudaMemset(static_cast<char*>(gradient) + 5990 * kRowBytes, 0xFF, kRowBytes));
      EXPECT_THAT(wrong_gradient(data.shape, data.tensors, AttentionWay::unfused),
                  testing::EndsWith("the first in row 5990, column 0 of matrix 0"));
    }
  }
}

// The oracle of this test must see a fault: the rows of a full attention are not those of a causal one.
TEST(AttentionCheck, FindsAMaskThatIsNotThere) {
  Data data({DType::fp16, 1, 1, 128, 64, false});
  run_unfused(data);
  AttentionShape causal = data.shape;
  causal.causal = true;

  AttentionCheck check(causal, data.tensors, AttentionWay::unfused, 0);
  check.out(0);
  check.d_query(64);
  check.d_key(64);

  EXPECT_FALSE(check.passed());
  EXPECT_NE(check.message().find("out of row 0"), std::string::npos) << check.message();
}

}  // namespace
}  // namespace cupel::bench::fusion
