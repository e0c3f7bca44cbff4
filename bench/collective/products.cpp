#include "bench/collective/products.hpp"

#include <cuda_bf16.h>

#include <memory>
#include <vector>

#include "bench/collective/ranks.hpp"
#include "cupel/timing/limits.hpp"
#include "cupel/vendor/cublas.hpp"
#include "kernels/common/fill.hpp"

namespace cupel::bench::collective {
namespace {

constexpr std::int64_t kSide = 4096;
constexpr std::int64_t kCount = kSide * kSide;

class Product {
 public:
  explicit Product(cudaStream_t stream) {
    handle_.set_stream(stream);
    kernels::fill_uniform(kernels::DType::bf16, a_.data(), kCount, 1, -1, 1, stream);
    kernels::fill_uniform(kernels::DType::bf16, b_.data(), kCount, 2, -1, 1, stream);
  }

  void enqueue() {
    const float one = 1, zero = 0;
    const void *alpha = &one, *beta = &zero, *a = a_.data(), *b = b_.data();
    void* c = c_.data();
    vendor::check(vendor::cublas::gemm_ex(handle_.get(), CUBLAS_OP_N, CUBLAS_OP_N, kSide, kSide, kSide, alpha, a,
                                          CUDA_R_16BF, kSide, b, CUDA_R_16BF, kSide, beta, c, CUDA_R_16BF, kSide,
                                          CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  }

 private:
  vendor::CublasHandle handle_;
  cuda::DeviceBuffer<__nv_bfloat16> a_{kCount}, b_{kCount}, c_{kCount};
};

// Made once a process and never destroyed: the driver may be gone before statics are.
std::vector<std::unique_ptr<Product>>& products() {
  static auto& made = *new std::vector<std::unique_ptr<Product>>;
  if (made.empty()) {
    vendor::require_cublas();
    timing::require_arithmetic("bf16", device::Arithmetic::bf16);
    std::vector<std::unique_ptr<Product>> all;
    Ranks::get().each([&](int rank) { all.push_back(std::make_unique<Product>(Ranks::get()[rank].beside)); });
    made = std::move(all);
  }
  return made;
}

}  // namespace

void multiply(int count) {
  std::vector<std::unique_ptr<Product>>& all = products();
  Ranks::get().each([&](int rank) {
    for (int i = 0; i < count; ++i) all[static_cast<std::size_t>(rank)]->enqueue();
  });
}

void multiply_on(int rank, int count) {
  std::vector<std::unique_ptr<Product>>& all = products();
  const OnDevice on(Ranks::get()[rank].device);
  for (int i = 0; i < count; ++i) all[static_cast<std::size_t>(rank)]->enqueue();
}

}  // namespace cupel::bench::collective
