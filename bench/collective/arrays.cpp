#include "bench/collective/arrays.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "bench/collective/clique.hpp"
#include "cupel/harness/run.hpp"
#include "kernels/collective/check.hpp"

namespace cupel::bench::collective {
namespace {

using kernels::collective::Findings;
using kernels::collective::Values;

// Memory of NCCL's, known to the communicator of one rank.
class Registered {
 public:
  Registered(ncclComm_t comm, std::size_t bytes) : comm_(comm) {
    vendor::check(vendor::nccl::allocate(&data_, bytes));
    try {
      vendor::check(vendor::nccl::enrol(comm, data_, bytes, &handle_));
    } catch (...) {
      vendor::nccl::free(data_);
      throw;
    }
  }
  ~Registered() {
    vendor::nccl::withdraw(comm_, handle_);
    vendor::nccl::free(data_);
  }
  Registered(const Registered&) = delete;
  Registered& operator=(const Registered&) = delete;
  float* data() const { return static_cast<float*>(data_); }

 private:
  ncclComm_t comm_;
  void* data_ = nullptr;
  void* handle_ = nullptr;
};

struct Memory {
  std::vector<cuda::DeviceBuffer<float>> plain;
  std::vector<std::unique_ptr<Registered>> registered;
  Arrays arrays;
};

float* allocated(Memory& memory, Buffer buffer, int rank, std::int64_t bytes) {
  if (buffer == Buffer::plain) {
    return memory.plain.emplace_back(static_cast<std::size_t>((bytes + 3) / 4)).data();
  }
  const auto size = static_cast<std::size_t>(bytes);
  return memory.registered.emplace_back(std::make_unique<Registered>(clique().of(rank), size))->data();
}

}  // namespace

Buffer registered_for(Operation operation) {
  return operation == Operation::all_to_all ? Buffer::registered_to_send : Buffer::registered;
}

const Arrays& arrays(Buffer buffer, std::int64_t bytes) {
  static auto& kept = *new std::map<Buffer, Memory>;
  Memory& memory = kept[buffer];
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
  ranks.wait();
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
