#include "bench/collective/gradients.hpp"

#include <numeric>

#include "bench/collective/clique.hpp"
#include "kernels/training/models.hpp"

namespace cupel::bench::collective {

std::vector<std::int64_t> tensors_of(const std::string& model) {
  return kernels::training::sizes_of(model == "transformer" ? "gpt2_small" : model);
}

std::int64_t parameters_of(const std::string& model) {
  const std::vector<std::int64_t> tensors = tensors_of(model);
  return std::accumulate(tensors.begin(), tensors.end(), std::int64_t{0});
}

Gradients::Gradients(const std::string& model, const kernels::collective::Values& values)
    : count_(parameters_of(model)), memory_(arrays(Buffer::plain, 4 * count_)), values_(values) {
  refill();
}

void Gradients::refill() const { fill(memory_, count_, values_); }

void Gradients::reduce(const Bucket& bucket) const {
  const auto count = static_cast<std::size_t>(bucket.count);
  clique().together([&](ncclComm_t comm, int rank, cudaStream_t stream) {
    const void* send = memory_.send[static_cast<std::size_t>(rank)] + bucket.begin;
    void* receive = memory_.receive[static_cast<std::size_t>(rank)] + bucket.begin;
    vendor::check(vendor::nccl::all_reduce(send, receive, count, ncclFloat, ncclSum, comm, stream));
  });
}

void Gradients::require_reduced() const { require_right(Operation::all_reduce, memory_, bytes(), values_); }

}  // namespace cupel::bench::collective
