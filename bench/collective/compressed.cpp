#include "bench/collective/compressed.hpp"

#include "bench/collective/clique.hpp"
#include "kernels/collective/check.hpp"
#include "kernels/pointwise/pointwise.hpp"

namespace cupel::bench::collective {

using kernels::DType;

Compressed::Compressed(const Arrays& memory, std::int64_t count) : memory_(memory), count_(count) {
  Ranks::get().each([&](int) { halves_.emplace_back(static_cast<std::size_t>(count)); });
}

void Compressed::reduce(const Bucket& bucket) {
  Ranks& ranks = Ranks::get();
  const auto half_of = [&](int rank) { return halves_[static_cast<std::size_t>(rank)].data() + bucket.begin; };
  ranks.each([&](int rank) {
    const float* send = memory_.send[static_cast<std::size_t>(rank)] + bucket.begin;
    kernels::pointwise::cast(DType::fp32, send, DType::bf16, half_of(rank), bucket.count, ranks[rank].stream);
  });
  clique().together([&](ncclComm_t comm, int rank, cudaStream_t stream) {
    void* half = half_of(rank);
    const void* source = half;
    const auto count = static_cast<std::size_t>(bucket.count);
    vendor::check(vendor::nccl::all_reduce(source, half, count, ncclBfloat16, ncclSum, comm, stream));
  });
  ranks.each([&](int rank) {
    float* receive = memory_.receive[static_cast<std::size_t>(rank)] + bucket.begin;
    kernels::pointwise::cast(DType::bf16, half_of(rank), DType::fp32, receive, bucket.count, ranks[rank].stream);
  });
}

void Compressed::require_reduced(const kernels::collective::Values& values) const {
  require_right("all-reduce in bf16", true, [&](int rank, auto* findings, cudaStream_t stream) {
    kernels::collective::check_bf16_sum(memory_.receive[static_cast<std::size_t>(rank)], count_, values,
                                        Ranks::get().size(), 0, findings, stream);
  });
}

}  // namespace cupel::bench::collective
