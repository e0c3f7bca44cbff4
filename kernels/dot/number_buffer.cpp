#include "kernels/dot/number_buffer.hpp"

namespace cupel::kernels::dot {

void* NumberBuffer::reserve(std::int64_t bytes) {
  if (size_bytes() < bytes) {
    data_ = {};  // given back first: both may not fit
    data_ = cuda::DeviceBuffer<char>(static_cast<std::size_t>(bytes));
  }
  contents_ = {};
  return data_.data();
}

void* NumberBuffer::hold(const Contents& wanted) {
  if (contents_ == wanted) return data_.data();
  void* data = reserve(dot::size_bytes(wanted.element, wanted.count));
  if (wanted.step > 0) {
    fill_normal(data, wanted.element, wanted.count, wanted.seed, wanted.step, cudaStreamLegacy);
  } else {
    fill_sparse(data, wanted.element, wanted.count, wanted.seed, wanted.sparse, cudaStreamLegacy);
  }
  cuda::check(cudaDeviceSynchronize());
  contents_ = wanted;
  return data;
}

void* NumberBuffer::normal(Element element, std::int64_t count, std::uint64_t seed, double step) {
  return hold({.element = element, .count = count, .seed = seed, .step = step});
}

void* NumberBuffer::sparse(Element element, std::int64_t count, std::uint64_t seed, const Sparse& sparse) {
  return hold({.element = element, .count = count, .seed = seed, .sparse = sparse});
}

void* NumberBuffer::set(std::int64_t bytes, int value) {
  void* data = reserve(bytes);
  cuda::check(cudaMemset(data, value, static_cast<std::size_t>(bytes)));
  cuda::check(cudaDeviceSynchronize());
  return data;
}

void* NumberBuffer::zeros(Element element, std::int64_t count) { return set(dot::size_bytes(element, count), 0); }

void* NumberBuffer::poison(std::int64_t bytes) { return set(bytes, 0xff); }

}  // namespace cupel::kernels::dot
