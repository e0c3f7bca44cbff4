// A rank in a process of its own, as frameworks have them: measures all-reduces by the host's clock, from a meeting of
// all ranks until its stream is done.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/collective/meeting.hpp"
#include "bench/collective/rank_protocol.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/cuda/graph.hpp"
#include "cupel/vendor/nccl.hpp"
#include "kernels/collective/check.hpp"

namespace cupel::bench::collective {

class ProcessRank {
 public:
  /// Joins the others on the current device. The meeting must outlive it. Throws NotMet, NcclError, CudaError.
  ProcessRank(Meeting& meeting, std::uint64_t seed);

  /// Seconds of a call of an all-reduce of so many bytes of fp32, a multiple of 4, in samples of calls_of(bytes) calls.
  /// All ranks call it alike. Checks a first sum and the last one. Throws CollectiveFailed, NotMet, NcclError,
  /// CudaError.
  std::vector<double> measure(std::int64_t bytes, int samples, Launch launch = Launch::eager);

 private:
  void enqueue(int calls);
  cuda::GraphExec captured(int calls);
  void wait();
  void require_right(std::int64_t bytes, const kernels::collective::Values& values);

  Meeting& meeting_;
  std::uint64_t seed_;
  cuda::Stream stream_;
  cuda::DeviceBuffer<float> send_, receive_;
  cuda::DeviceBuffer<kernels::collective::Findings> findings_{1};
  vendor::Communicator comm_;
};

}  // namespace cupel::bench::collective
