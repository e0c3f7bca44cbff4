#include "bench/optimizer/training_state.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "bench/optimizer/all_elements.hpp"
#include "bench/optimizer/right_step.hpp"
#include "cupel/harness/run.hpp"
#include "kernels/common/fill.hpp"
#include "kernels/optimizer/reference.hpp"

namespace cupel::bench::optimizer {
namespace {

using kernels::DType;
using kernels::optimizer::Adam;
using kernels::optimizer::Sgd;
using kernels::optimizer::Tensor;
using kernels::optimizer::TensorList;

constexpr std::int64_t kAlign = 64;  // elements: 256 bytes, as allocators give

// Value ranges. Second moments are as large as the gradients make them, so that a step is of ordinary size.
constexpr Start kParameters{1, -1, 1}, kGradients{2, -1, 1}, kFirstMoments{3, -0.1f, 0.1f},
    kSecondMoments{4, 0.01f, 0.1f};

std::uint64_t seed_of(const Start& range) { return harness::options().seed * 16 + range.seed; }

double value_at(const Start& range, std::int64_t i) {
  return static_cast<double>(kernels::uniform_at(i, seed_of(range), range.low, range.high));
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

TrainingState::TrainingState(const Sizes& sizes)
    : sizes_(sizes),
      firsts_(first_elements(sizes)),
      elements_(padded_elements(sizes)),
      parameter_(4 * elements_),
      gradient_(4 * elements_),
      m_(4 * elements_),
      v_(4 * elements_),
      scratch_(4 * elements_),
      tensors_(list()) {}

TensorList TrainingState::list() {
  std::vector<Tensor> tensors;
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    const auto floats = [&](Arena& arena) { return reinterpret_cast<float*>(arena.buffer.data()) + firsts_[i]; };
    Tensor tensor{floats(parameter_), floats(gradient_), floats(m_), floats(v_), floats(scratch_)};
    tensor.count = sizes_[i];
    tensors.push_back(tensor);
  }
  return TensorList(DType::fp32, std::move(tensors));
}

void TrainingState::reset() {
  const cuda::Stream stream;
  const auto fill = [&](Arena& arena, const Start& range) {
    kernels::fill_uniform(DType::fp32, arena.buffer.data(), elements_, seed_of(range), range.low, range.high, stream);
  };
  fill(parameter_, kParameters);
  fill(gradient_, kGradients);
  fill(m_, kFirstMoments);
  fill(v_, kSecondMoments);
  stream.synchronize();
}

void TrainingState::require_step(const std::function<void(cudaStream_t)>& step, const Adam* adam, const Sgd* sgd,
                                 double inverse_scale, const std::string& what) {
  reset();
  const cuda::Stream stream;
  step(stream);
  stream.synchronize();
  for (std::size_t i = 0; i < sizes_.size(); ++i) require_tensor(i, adam, sgd, inverse_scale, what);
  require_all_elements(adam, sgd, inverse_scale, what);
}

void TrainingState::require_all_elements(const Adam* adam, const Sgd* sgd, double inverse_scale,
                                         const std::string& what) const {
  const auto start = [](const Start& range) { return Start{seed_of(range), range.low, range.high}; };
  const auto floats = [](const Arena& arena) { return reinterpret_cast<const float*>(arena.buffer.data()); };
  const CheckedStep step{
      start(kParameters), start(kGradients), start(kFirstMoments), start(kSecondMoments), adam, kStep, sgd,
      inverse_scale,      kAllowed};
  const std::vector<unsigned long long> none = {0, std::numeric_limits<unsigned long long>::max()};
  cuda::DeviceBuffer<unsigned long long> found{std::span<const unsigned long long>(none)};
  const cuda::Stream stream;
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    find_wrong(step, {floats(parameter_), floats(m_), adam == nullptr ? nullptr : floats(v_), firsts_[i], sizes_[i]},
               found.data(), stream);
  }
  const std::vector<unsigned long long> seen = found.to_host();
  harness::require(seen[0] == 0, what + ": " + std::to_string(seen[0]) + " elements are wrong, the first at place " +
                                     std::to_string(seen[1]));
}

void TrainingState::require_tensor(std::size_t tensor, const Adam* adam, const Sgd* sgd, double inverse_scale,
                                   const std::string& what) const {
  const std::int64_t size = sizes_[tensor];
  for (const std::int64_t at : {std::int64_t{0}, size / 2, size - 1}) {
    const std::int64_t i = firsts_[tensor] + at;
    double parameter = value_at(kParameters, i), m = value_at(kFirstMoments, i), v = value_at(kSecondMoments, i);
    const double gradient = value_at(kGradients, i) * inverse_scale;
    const kernels::optimizer::reference::Tensor one{{&parameter, 1}, {&gradient, 1}, {&m, 1}, {&v, 1}};
    if (adam != nullptr) kernels::optimizer::reference::adam(*adam, kStep, one);
    if (sgd != nullptr) kernels::optimizer::reference::sgd(*sgd, one);

    const auto require_right = [&](const char* array, const Arena& arena, double expected) {
      float seen = 0;
      cuda::check(cudaMemcpy(&seen, reinterpret_cast<const float*>(arena.buffer.data()) + i, sizeof(seen),
                             cudaMemcpyDeviceToHost));
      const bool right = std::fabs(static_cast<double>(seen) - expected) <= kAllowed;
      harness::require(right, what + ": " + array + " " + std::to_string(at) + " of tensor " + std::to_string(tensor) +
                                  " is " + std::to_string(seen) + ", not " + std::to_string(expected));
    };
    require_right("parameter", parameter_, parameter);
    require_right("first moment", m_, m);
    if (adam != nullptr) require_right("second moment", v_, v);
  }
}

std::int64_t bytes_of(const Sizes& sizes) {
  constexpr std::int64_t kArrays = 5;
  return kArrays * 4 * padded_elements(sizes);
}

}  // namespace cupel::bench::optimizer
