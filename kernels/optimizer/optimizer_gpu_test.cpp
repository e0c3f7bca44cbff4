#include "kernels/optimizer/optimizer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cupel/cuda/graph.hpp"
#include "kernels/common/test_arrays.hpp"
#include "kernels/optimizer/reference.hpp"

namespace cupel::kernels::optimizer {
namespace {

using test::Array;
using test::expect_close;
using test::Values;

// Either side of a vector, a block, a tile (2048) and a chunk (4096); 0, 1 and primes; every alignment among them.
const std::vector<std::int64_t> kCounts = {0, 1, 3, 4, 5, 255, 257, 1023, 2047, 2048, 2049, 4095, 4096, 4097, 104'729};

// Tensors on the device and their twins on the host.
class Tensors {
 public:
  Tensors(DType type, std::int64_t offset_step, std::uint64_t seed) : type_(type) {
    for (std::size_t i = 0; i < kCounts.size(); ++i) {
      const std::int64_t count = kCounts[i], offset = static_cast<std::int64_t>(i) % 5 * offset_step;
      const std::uint64_t own = seed + 10 * i;
      twins_.push_back({test::random_values(DType::fp32, count, own), test::random_values(type, count, own + 1),
                        test::random_values(DType::fp32, count, own + 2, -0.1, 0.1),
                        test::random_values(DType::fp32, count, own + 3, 0.0, 0.01)});
      const Twin& twin = twins_.back();
      arrays_.push_back({Array(DType::fp32, twin.parameter, offset), Array(type, twin.gradient, offset),
                         Array(DType::fp32, twin.m, offset), Array(DType::fp32, twin.v, offset),
                         Array(DType::fp32, count, offset), Array(type, count, offset)});
    }
  }

  TensorList list() {
    std::vector<Tensor> tensors;
    for (Arrays& a : arrays_) {
      tensors.push_back({a.parameter.floats(), a.gradient.data(), a.m.floats(), a.v.floats(), a.scratch.floats(),
                         type_ == DType::fp32 ? nullptr : a.copy.data(), a.parameter.count()});
    }
    return TensorList(type_, std::move(tensors));
  }

  template <class Update>
  void on_host(const Update& update) {
    for (Twin& t : twins_) update(reference::Tensor{t.parameter, t.gradient, t.m, t.v});
  }

  // Each of a step's operations rounds once in fp32: at most 12 of them, of values below 4 in magnitude. A parameter
  // moves by at most learning rate * |m| / (sqrt v + epsilon), which magnifies the error of v where v is small; the
  // inputs keep it so that the move is below 4.
  void expect_equal_to_host(bool copies) const {
    const verify::Tolerance tolerance{.absolute = 16 * 4 * unit_roundoff(DType::fp32), .relative = 1e-6};
    for (std::size_t i = 0; i < twins_.size(); ++i) {
      SCOPED_TRACE("tensor " + std::to_string(i) + " of " + std::to_string(kCounts[i]));
      expect_close(twins_[i].m, arrays_[i].m.get(), tolerance);
      expect_close(twins_[i].v, arrays_[i].v.get(), tolerance);
      expect_close(twins_[i].parameter, arrays_[i].parameter.get(), tolerance);
      if (copies) expect_close(test::rounded(type_, arrays_[i].parameter.get()), arrays_[i].copy.get());
    }
  }

  Values parameter(std::size_t tensor) const { return arrays_[tensor].parameter.get(); }
  Values gradient(std::size_t tensor) const { return arrays_[tensor].gradient.get(); }
  Values& host_gradient(std::size_t tensor) { return twins_[tensor].gradient; }
  void upload_gradients() {
    for (std::size_t i = 0; i < twins_.size(); ++i) arrays_[i].gradient.set(twins_[i].gradient);
  }

 private:
  struct Twin {
    Values parameter, gradient, m, v;
  };
  struct Arrays {
    Array parameter, gradient, m, v, scratch, copy;
  };
  DType type_;
  std::vector<Twin> twins_;
  std::deque<Arrays> arrays_;
};

class Step : public testing::TestWithParam<std::tuple<Way, DType, std::int64_t>> {
 protected:
  Way way() const { return std::get<0>(GetParam()); }
  DType type() const { return std::get<1>(GetParam()); }
  Tensors tensors() const { return Tensors(type(), std::get<2>(GetParam()), 1); }
  bool copies() const { return way() == Way::fused && type() != DType::fp32; }

  cuda::Stream stream_;
};

TEST_P(Step, OfAdamwAgreesWithTheReference) {
  const Adam adamw{.learning_rate = 1e-2, .weight_decay = 0.1, .decoupled = true};
  Tensors tensors = this->tensors();
  const TensorList list = tensors.list();
  for (std::int64_t k = 1; k <= 3; ++k) {
    tensors.on_host([&](const reference::Tensor& t) { reference::adam(adamw, k, t); });
    step(way(), adamw, k, list, {}, stream_);
  }

  tensors.expect_equal_to_host(copies());
}

TEST_P(Step, OfAdamwThatCountsOnTheDeviceAgreesWithTheReferenceAsItIsReplayed) {
  const Adam adamw{.learning_rate = 1e-2, .weight_decay = 0.1, .decoupled = true};
  Tensors tensors = this->tensors();
  const TensorList list = tensors.list();
  cuda::DeviceBuffer<AdamCount> count(1);
  cuda::check(cudaMemset(count.data(), 0, count.size_bytes()));
  counted_step(way(), adamw, count.data(), list, {}, stream_);
  stream_.synchronize();
  const auto graph = cuda::captured([&](cudaStream_t s) { counted_step(way(), adamw, count.data(), list, {}, s); });
  for (int replay = 0; replay < 2; ++replay) graph(stream_);
  stream_.synchronize();

  for (std::int64_t k = 1; k <= 3; ++k) {
    tensors.on_host([&](const reference::Tensor& t) { reference::adam(adamw, k, t); });
  }
  tensors.expect_equal_to_host(copies());
}

// One step: loop and foreach leave the decay in the gradient.
TEST_P(Step, OfAdamWithDecayInTheGradientAgreesWithTheReference) {
  if (way() != Way::fused && type() != DType::fp32) return;  // their decayed gradient is rounded to 16 bits
  const Adam adam{.learning_rate = 1e-2, .weight_decay = 0.1};
  Tensors tensors = this->tensors();
  tensors.on_host([&](const reference::Tensor& t) { reference::adam(adam, 5, t); });

  step(way(), adam, 5, tensors.list(), {}, stream_);

  tensors.expect_equal_to_host(copies());
}

TEST_P(Step, OfSgdAgreesWithTheReference) {
  const Sgd sgd{.learning_rate = 0.1, .momentum = 0.9};
  Tensors tensors = this->tensors();
  const TensorList list = tensors.list();
  for (int k = 0; k < 2; ++k) {
    tensors.on_host([&](const reference::Tensor& t) { reference::sgd(sgd, t); });
    step(way(), sgd, list, {}, stream_);
  }

  tensors.expect_equal_to_host(copies());
}

// One step: loop and foreach leave the decay in the gradient.
TEST_P(Step, OfSgdWithDecayAgreesWithTheReference) {
  if (way() != Way::fused && type() != DType::fp32) return;  // their decayed gradient is rounded to 16 bits
  const Sgd sgd{.learning_rate = 0.1, .momentum = 0.9, .weight_decay = 0.1};
  Tensors tensors = this->tensors();
  tensors.on_host([&](const reference::Tensor& t) { reference::sgd(sgd, t); });

  step(way(), sgd, tensors.list(), {}, stream_);

  tensors.expect_equal_to_host(copies());
}

INSTANTIATE_TEST_SUITE_P(WaysTypesAndOffsets, Step,
                         testing::Combine(testing::Values(Way::loop, Way::foreach, Way::fused),
                                          testing::Values(DType::fp32, DType::fp16, DType::bf16),
                                          testing::Values(0, 1)));

Array number(float value) { return Array(DType::fp32, Values{value}); }

TEST(LossScaling, UnscalesEveryGradientAndFindsNothingInFiniteOnes) {
  const cuda::Stream stream;
  for (const DType type : {DType::fp32, DType::fp16, DType::bf16}) {
    Tensors tensors(type, 1, 2);
    Array inverse = number(0.25f), found = number(0);

    unscale(tensors.list(), inverse.floats(), found.floats(), stream);

    for (std::size_t i = 0; i < kCounts.size(); ++i) {
      Values expected = tensors.host_gradient(i);
      EXPECT_FALSE(reference::unscale(0.25, expected));
      expect_close(expected, tensors.gradient(i), test::stored_as(type, 0, 0));
    }
    EXPECT_EQ(found.get()[0], 0);
  }
}

TEST(LossScaling, FindsAnInfinityInTheLastElementOfAnyTensor) {
  const cuda::Stream stream;
  for (std::size_t i = 1; i < kCounts.size(); ++i) {
    Tensors tensors(DType::fp16, 1, 3);
    tensors.host_gradient(i).back() = std::numeric_limits<double>::infinity();
    tensors.upload_gradients();
    Array inverse = number(0.25f), found = number(0);

    unscale(tensors.list(), inverse.floats(), found.floats(), stream);

    EXPECT_EQ(found.get()[0], 1) << "tensor of " << kCounts[i];
  }
}

TEST(LossScaling, SkipsTheStepWhereAnInfinityWasFound) {
  const cuda::Stream stream;
  for (const Way way : {Way::loop, Way::foreach, Way::fused}) {
    Tensors tensors(DType::fp32, 0, 4);
    const Values before = tensors.parameter(9);
    Array found = number(1);

    step(way, Adam{}, 1, tensors.list(), {nullptr, found.floats()}, stream);
    EXPECT_EQ(tensors.parameter(9), before) << to_string(way);

    found.set({0});
    step(way, Adam{}, 1, tensors.list(), {nullptr, found.floats()}, stream);
    EXPECT_NE(tensors.parameter(9), before) << to_string(way);
  }
}

TEST(LossScaling, CountsNoStepThatIsSkipped) {
  const cuda::Stream stream;
  Tensors tensors(DType::fp32, 0, 4);
  const TensorList list = tensors.list();
  Array found = number(1);
  cuda::DeviceBuffer<AdamCount> count(1);
  cuda::check(cudaMemset(count.data(), 0, count.size_bytes()));
  const auto counted = [&] {
    stream.synchronize();
    std::int64_t steps = 0;
    cuda::check(cudaMemcpy(&steps, count.data(), sizeof(steps), cudaMemcpyDeviceToHost));
    return steps;
  };

  counted_step(Way::fused, Adam{}, count.data(), list, {nullptr, found.floats()}, stream);
  EXPECT_EQ(counted(), 0);

  found.set({0});
  counted_step(Way::fused, Adam{}, count.data(), list, {nullptr, found.floats()}, stream);
  EXPECT_EQ(counted(), 1);
}

TEST(LossScaling, InAFusedStepIsTheStepWithScaledGradients) {
  const cuda::Stream stream;
  Tensors tensors(DType::fp16, 1, 5);
  Array inverse = number(0.5f), found = number(0);
  const Adam adam{.learning_rate = 1e-2};
  for (std::size_t i = 0; i < kCounts.size(); ++i) reference::unscale(0.5, tensors.host_gradient(i));
  tensors.on_host([&](const reference::Tensor& t) { reference::adam(adam, 1, t); });

  step(Way::fused, adam, 1, tensors.list(), {inverse.floats(), found.floats()}, stream);

  tensors.expect_equal_to_host(true);
}

TEST(OptimizerArguments, AreRefusedByName) {
  Array a(DType::fp32, 4);
  const cuda::Stream stream;
  const Tensor good{a.floats(), a.data(), a.floats(), a.floats(), a.floats(), nullptr, 4};
  const auto with = [&](auto change) {
    Tensor tensor = good;
    change(tensor);
    return tensor;
  };
  const auto list = [](DType type, const Tensor& tensor) { return TensorList(type, {tensor}); };

  EXPECT_EQ(test::refusal([&] { list(DType::fp32, with([](Tensor& t) { t.gradient = nullptr; })); }),
            "TensorList: tensor 0: gradient must be an array, not null");
  EXPECT_EQ(test::refusal([&] { list(DType::fp32, with([](Tensor& t) { t.count = -1; })); }),
            "TensorList: count must be 0 or more");
  EXPECT_EQ(test::refusal([&] { list(DType::fp32, with([&](Tensor& t) { t.copy = a.data(); })); }),
            "TensorList: tensor 0: copy must be null where gradients are fp32");
  EXPECT_EQ(test::refusal([&] { step(Way::fused, Adam{}, 0, list(DType::fp32, good), {}, stream); }),
            "step: step must be 1 or more");
  EXPECT_EQ(test::refusal([&] {
              step(Way::loop, Adam{}, 1, list(DType::fp32, with([](Tensor& t) { t.scratch = nullptr; })), {}, stream);
            }),
            "step: tensors: scratch must be there in every tensor");
  EXPECT_EQ(test::refusal([&] {
              step(Way::foreach, Sgd{}, list(DType::fp32, good), {a.floats(), nullptr}, stream);
            }),
            "step: scale.inverse must be null unless fused");
}

TEST(TensorList, MayBeEmpty) {
  const TensorList none(DType::fp32, {});
  const cuda::Stream stream;

  step(Way::fused, Adam{}, 1, none, {}, stream);

  EXPECT_EQ(none.chunks(), 0);
  stream.synchronize();
}

// More than 2^31 parameters in one tensor: SGD, whose arrays are parameter (also its own gradient) and velocity. All
// zeros but the last element.
TEST(SgdStep, ReachesTheLastOfMoreThanTwoToThe31Parameters) {
  constexpr std::int64_t kCount = (std::int64_t{1} << 31) + 9;
  auto parameter = test::large_array(4 * kCount);
  auto velocity = parameter ? test::large_array(4 * kCount) : std::nullopt;
  if (!velocity) return;
  const cuda::Stream stream;
  auto* p = reinterpret_cast<float*>(parameter->data());
  const float four = 4;
  float last = 0;
  cuda::check(cudaMemsetAsync(p, 0, parameter->size_bytes(), stream));
  cuda::check(cudaMemsetAsync(velocity->data(), 0, velocity->size_bytes(), stream));
  cuda::check(cudaMemcpyAsync(p + kCount - 1, &four, 4, cudaMemcpyHostToDevice, stream));
  Tensor tensor{p, p, reinterpret_cast<float*>(velocity->data())};
  tensor.count = kCount;

  step(Way::fused, Sgd{.learning_rate = 0.5}, TensorList(DType::fp32, {tensor}), {}, stream);

  cuda::check(cudaMemcpyAsync(&last, p + kCount - 1, 4, cudaMemcpyDeviceToHost, stream));
  stream.synchronize();
  EXPECT_EQ(last, 2);
}

}  // namespace
}  // namespace cupel::kernels::optimizer
