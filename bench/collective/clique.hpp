// NCCL's communicators of all ranks of this process, made when first used.
#pragma once

#include <cuda_runtime.h>

#include <optional>
#include <string>
#include <vector>

#include "bench/collective/ranks.hpp"
#include "cupel/vendor/nccl.hpp"

namespace cupel::bench::collective {

class Clique {
 public:
  explicit Clique(const vendor::NcclChoice& choice);

  /// One operation: part(comm, rank, stream) makes the call of NCCL for its rank, on the stream it is given: the rank's
  /// own. The host's part of an eager call is in its time, so there is nothing around the calls but the loop.
  template <class Part>
  void together(const Part& part) const {
    Ranks& ranks = Ranks::get();
    vendor::NcclGroup group;
    for (int rank = 0; rank < ranks.size(); ++rank) part(of(rank), rank, ranks[rank].stream);
    group.close();
  }

  ncclComm_t of(int rank) const { return comms_[static_cast<std::size_t>(rank)].get(); }
  std::optional<std::string> async_error() const;
  void abort() noexcept;

 private:
  std::vector<vendor::Communicator> comms_;
};

/// One for each number of CTAs, 0 for NCCL's own choice; kept for the life of the process. Throws Skip, NcclError,
/// Unavailable, and CollectiveFailed where cliques were aborted before: NCCL is not asked again in such a process.
const Clique& clique(int ctas = 0);

/// The error of any that was made so far.
std::optional<std::string> error_of_cliques();
void abort_cliques() noexcept;

}  // namespace cupel::bench::collective
