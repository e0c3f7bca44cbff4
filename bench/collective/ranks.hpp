// All GPUs that this process sees, as ranks: streams, holds and events of each, and what lets them all go together.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <memory>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/timing/hold.hpp"
#include "cupel/timing/sm_clock.hpp"
#include "kernels/collective/check.hpp"

namespace cupel::bench::collective {

/// The current device, for as long as this lives.
class OnDevice {
 public:
  explicit OnDevice(int device);
  ~OnDevice();
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_;
};

/// One GPU; made with it as the current device.
struct Rank {
  explicit Rank(int device_number);

  int device;
  cuda::Stream stream;  ///< collectives and copies are on this one
  cuda::Stream beside;  ///< what computes meanwhile
  cuda::Event start, stop, start_beside, stop_beside;
  timing::Hold hold;
  timing::SmClock clock;
  cuda::DeviceBuffer<kernels::collective::Findings> findings{1};
};

class Ranks {
 public:
  /// Made at the first call: rank 0 is the device that the process measures, the others follow by their numbers.
  /// Throws Skip where there are fewer than two GPUs, CudaError.
  static Ranks& get();

  int size() const { return static_cast<int>(ranks_.size()); }
  Rank& operator[](int rank) { return *ranks_[static_cast<std::size_t>(rank)]; }
  std::vector<int> devices() const;

  /// For each rank, its device the current one.
  void each(const std::function<void(int rank)>& act);

  /// Waits until all streams are done, or a clique has met an error, or limit_s have passed. In the last two cases
  /// aborts the cliques and throws harness::DeviceLost: what is left of NCCL is
  /// not to be used, and the run goes on in a fresh process. 30 s are far longer than the longest work here and the
  /// half second of a hold.
  void wait(double limit_s = 30);

  /// Waits until the clock of each GPU has recovered from what was before, 400 ms each at most; false
  /// when the time of one ran out. All streams are done.
  bool settle();

  /// Whether each of the two may access the other's memory.
  bool peers(int a, int b);
  /// Lets the two access each other's memory, or all ranks; throws Skip where two of them may not.
  void require_peers(int a, int b);
  void require_peers();

 private:
  Ranks();
  std::vector<std::unique_ptr<Rank>> ranks_;
};

/// Adds a benchmark that is skipped, with the reason, where there are fewer than two GPUs, or no NCCL that will do.
harness::Definition& add_with_ranks(std::string name, harness::Body body);

}  // namespace cupel::bench::collective
