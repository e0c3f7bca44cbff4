#include "bench/collective/arrays.hpp"

#include <algorithm>
#include <optional>

#include "bench/collective/clique.hpp"
#include "cupel/harness/run.hpp"
#include "kernels/collective/check.hpp"

namespace cupel::bench::collective {
namespace {

using kernels::collective::Findings;
using kernels::collective::Values;

// Of NCCL's memory, known to the rank's communicator, and never given back: where it was withdrawn to make room for
// more, the next call did not come to its end in 3 of 6 processes (two H200, NCCL 2.28.9).
float* registered(int rank, std::size_t bytes) {
  ncclComm_t comm = clique().of(rank);
  void *data = nullptr, *handle = nullptr;
  vendor::check(vendor::nccl::allocate(&data, bytes));
  try {
    vendor::check(vendor::nccl::enrol(comm, data, bytes, &handle));
  } catch (...) {
    vendor::nccl::free(data);
    throw;
  }
  return static_cast<float*>(data);
}

struct Memory {
  std::vector<cuda::DeviceBuffer<float>> plain;
  Arrays arrays;
};

float* allocated(Memory& memory, Buffer buffer, int rank, std::int64_t bytes) {
  if (buffer == Buffer::registered) return registered(rank, static_cast<std::size_t>(bytes));
  return memory.plain.emplace_back(static_cast<std::size_t>((bytes + 3) / 4)).data();
}

}  // namespace

const Arrays& arrays(Buffer buffer, std::int64_t bytes) {
  static auto& plain = *new Memory;
  static auto& enrolled = *new Memory;
  Memory& memory = buffer == Buffer::plain ? plain : enrolled;
  if (memory.arrays.bytes >= bytes) return memory.arrays;
  Ranks::get().wait();
  memory = {};
  Arrays made;
  Ranks::get().each([&](int rank) {
    made.send.push_back(allocated(memory, buffer, rank, bytes));
    made.receive.push_back(allocated(memory, buffer, rank, bytes));
  });
  made.bytes = bytes;
  memory.arrays = std::move(made);
  return memory.arrays;
}

void fill(const Arrays& arrays, std::int64_t count, const Values& values) {
  Ranks& ranks = Ranks::get();
  ranks.each([&](int rank) {
    const auto place = static_cast<std::size_t>(rank);
    kernels::collective::fill_values(arrays.send[place], count, values, rank, 0, ranks[rank].stream);
    const auto bytes = static_cast<std::size_t>(count) * sizeof(float);
    cuda::check(cudaMemsetAsync(arrays.receive[place], 0xff, bytes, ranks[rank].stream));
  });
}

void require_right(const std::string& what, bool alike, const std::function<void(int, Findings*, cudaStream_t)>& look) {
  Ranks& ranks = Ranks::get();
  ranks.each([&](int rank) {
    Rank& r = ranks[rank];
    cuda::check(cudaMemsetAsync(r.findings.data(), 0, sizeof(Findings), r.stream));
    look(rank, r.findings.data(), r.stream);
  });
  ranks.wait();
  std::optional<unsigned long long> first;
  ranks.each([&](int rank) {
    const Findings found = ranks[rank].findings.to_host().front();
    harness::require(found.wrong == 0, what + ": " + std::to_string(found.wrong) + " elements are wrong on rank " +
                                           std::to_string(rank) + " of " + std::to_string(ranks.size()));
    if (!first) first = found.digest;
    harness::require(!alike || found.digest == *first,
                     what + ": rank " + std::to_string(rank) + " has other bits than rank 0");
  });
}

void require_right(Operation operation, const Arrays& arrays, std::int64_t bytes, const Values& values) {
  const int ranks = Ranks::get().size();
  const std::int64_t count = bytes / 4, part = part_count(bytes, ranks);
  const bool alike = operation != Operation::reduce_scatter && operation != Operation::all_to_all;
  using kernels::collective::check_sum;
  using kernels::collective::check_values;
  require_right(name_of(operation), alike, [&](int rank, Findings* findings, cudaStream_t stream) {
    const float* result = arrays.receive[static_cast<std::size_t>(rank)];
    switch (operation) {
      case Operation::all_reduce:
        return check_sum(result, count, values, ranks, 0, findings, stream);
      case Operation::reduce_scatter:
        return check_sum(result, part, values, ranks, rank * part, findings, stream);
      case Operation::broadcast:
        return check_values(result, count, values, 0, 0, findings, stream);
      case Operation::all_gather:
        for (int q = 0; q < ranks; ++q) check_values(result + q * part, part, values, q, 0, findings, stream);
        return;
      case Operation::all_to_all:
        for (int q = 0; q < ranks; ++q) check_values(result + q * part, part, values, q, rank * part, findings, stream);
        return;
    }
  });
}

}  // namespace cupel::bench::collective
