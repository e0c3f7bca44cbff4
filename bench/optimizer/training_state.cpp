#include "bench/optimizer/training_state.hpp"

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "cupel/harness/run.hpp"
#include "kernels/common/convert.hpp"
#include "kernels/common/fill.hpp"
#include "kernels/optimizer/reference.hpp"

namespace cupel::bench::optimizer {
namespace {

using kernels::DType;
using kernels::size_of;
using kernels::optimizer::Adam;
using kernels::optimizer::Sgd;
using kernels::optimizer::Tensor;
using kernels::optimizer::TensorList;

constexpr std::int64_t kAlign = 64;  // elements: 256 bytes, as allocators give

// Value ranges. Second moments are as large as the gradients make them, so that a step is of ordinary size.
struct Range {
  std::uint64_t seed;
  float low, high;
};
constexpr Range kParameters{1, -1, 1}, kGradients{2, -1, 1}, kFirstMoments{3, -0.1f, 0.1f},
    kSecondMoments{4, 0.01f, 0.1f};

std::uint64_t seed_of(const Range& range) { return harness::options().seed * 16 + range.seed; }

double value_at(const Range& range, std::int64_t i, DType type) {
  return kernels::with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const float value = kernels::uniform_at(i, seed_of(range), range.low, range.high);
    return static_cast<double>(kernels::to_float(kernels::from_float<T>(value)));
  });
}

std::int64_t padded(std::int64_t count) { return (count + kAlign - 1) / kAlign * kAlign; }

std::int64_t padded_elements(const Sizes& sizes) {
  std::int64_t total = 0;
  for (const std::int64_t size : sizes) total += padded(size);
  return total;
}

std::vector<std::int64_t> first_elements(const Sizes& sizes) {
  std::vector<std::int64_t> firsts;
  std::int64_t first = 0;
  for (const std::int64_t size : sizes) {
    firsts.push_back(first);
    first += padded(size);
  }
  return firsts;
}

}  // namespace

TrainingState::TrainingState(const Sizes& sizes, DType gradient_type)
    : sizes_(sizes),
      type_(gradient_type),
      firsts_(first_elements(sizes)),
      elements_(padded_elements(sizes)),
      parameter_(4 * elements_),
      gradient_(size_of(type_) * elements_),
      m_(4 * elements_),
      v_(4 * elements_),
      scratch_(4 * elements_),
      copy_(type_ == DType::fp32 ? 0 : size_of(type_) * elements_),
      tensors_(list()) {}

TensorList TrainingState::list() {
  std::vector<Tensor> tensors;
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    const auto floats = [&](Arena& arena) { return reinterpret_cast<float*>(arena.buffer.data()) + firsts_[i]; };
    Tensor tensor{floats(parameter_), gradient_.buffer.data() + size_of(type_) * firsts_[i], floats(m_), floats(v_),
                  floats(scratch_)};
    if (type_ != DType::fp32) tensor.copy = copy_.buffer.data() + size_of(type_) * firsts_[i];
    tensor.count = sizes_[i];
    tensors.push_back(tensor);
  }
  return TensorList(type_, std::move(tensors));
}

void TrainingState::reset() {
  const cuda::Stream stream;
  const auto fill = [&](DType type, Arena& arena, const Range& range) {
    kernels::fill_uniform(type, arena.buffer.data(), elements_, seed_of(range), range.low, range.high, stream);
  };
  fill(DType::fp32, parameter_, kParameters);
  fill(type_, gradient_, kGradients);
  fill(DType::fp32, m_, kFirstMoments);
  fill(DType::fp32, v_, kSecondMoments);
  stream.synchronize();
}

void TrainingState::require_step(const std::function<void(cudaStream_t)>& step, const Adam* adam, const Sgd* sgd,
                                 double inverse_scale, const std::string& what) {
  reset();
  const cuda::Stream stream;
  step(stream);
  stream.synchronize();
  for (std::size_t i = 0; i < sizes_.size(); ++i) require_tensor(i, adam, sgd, inverse_scale, what);
}

void TrainingState::require_tensor(std::size_t tensor, const Adam* adam, const Sgd* sgd, double inverse_scale,
                                   const std::string& what) const {
  const std::int64_t size = sizes_[tensor];
  for (const std::int64_t at : {std::int64_t{0}, size / 2, size - 1}) {
    const std::int64_t i = firsts_[tensor] + at;
    double parameter = value_at(kParameters, i, DType::fp32), m = value_at(kFirstMoments, i, DType::fp32),
           v = value_at(kSecondMoments, i, DType::fp32);
    const double gradient = value_at(kGradients, i, type_) * inverse_scale;
    const kernels::optimizer::reference::Tensor one{{&parameter, 1}, {&gradient, 1}, {&m, 1}, {&v, 1}};
    if (adam != nullptr) kernels::optimizer::reference::adam(*adam, kStep, one);
    if (sgd != nullptr) kernels::optimizer::reference::sgd(*sgd, one);

    float seen = 0;
    cuda::check(cudaMemcpy(&seen, reinterpret_cast<const float*>(parameter_.buffer.data()) + i, sizeof(seen),
                           cudaMemcpyDeviceToHost));
    // A dozen roundings in fp32 of values of at most 2.
    const bool right = std::fabs(static_cast<double>(seen) - parameter) <= 12 * 2 * 0x1p-24;
    harness::require(right, what + ": parameter " + std::to_string(at) + " of tensor " + std::to_string(tensor) +
                                " is " + std::to_string(seen) + ", not " + std::to_string(parameter));
  }
}

std::int64_t bytes_of(const Sizes& sizes, DType gradient_type) {
  const std::int64_t each = 4 * 4 + size_of(gradient_type) * (gradient_type == DType::fp32 ? 1 : 2);
  return each * padded_elements(sizes);
}

}  // namespace cupel::bench::optimizer
