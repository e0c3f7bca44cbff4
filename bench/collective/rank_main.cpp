// One rank in a process of its own; started by cupel_bench_collective.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <span>

#include "bench/collective/process_rank.hpp"
#include "bench/collective/rank_protocol.hpp"
#include "bench/collective/rendezvous.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/vendor/nccl.hpp"

namespace cupel::bench::collective {
namespace {

struct Task {
  int rank = 0;
  int device = 0;
  std::uint64_t seed = 0;
  int samples = 0;
  std::size_t launches = 1;
};

// In the memory that the ranks share.
class Together : public Meeting {
 public:
  Together(Rendezvous& rendezvous, int rank) : rendezvous_(rendezvous), rank_(rank) {}

  int ranks() const override { return rendezvous_.ranks(); }
  int rank() const override { return rank_; }
  void meet(double limit_s) override { rendezvous_.meet(rank_, limit_s); }
  void share(std::span<std::byte, kIdBytes> id, double limit_s) override {
    if (rank_ == 0) std::memcpy(rendezvous_.id().data(), id.data(), kIdBytes);
    meet(limit_s);
    std::memcpy(id.data(), rendezvous_.id().data(), kIdBytes);
  }

 private:
  Rendezvous& rendezvous_;
  int rank_;
};

void measure(ProcessRank& rank, Rendezvous& rendezvous, const Task& task) {
  for (const std::int64_t bytes : kTransportBytes) {
    for (const Launch launch : std::span(kLaunches).first(task.launches)) {
      for (const double sample_s : rank.measure(bytes, task.samples, launch)) {
        rendezvous.add_sample(task.rank, sample_s);
      }
    }
  }
  rendezvous.meet(task.rank, kMeeting_s);  // nobody leaves the communicator while another one still uses it
}

int run(Rendezvous& rendezvous, const Task& task) {
  try {
    cuda::check(cudaSetDevice(task.device));
    Together together(rendezvous, task.rank);
    ProcessRank rank(together, task.seed);
    try {
      measure(rank, rendezvous, task);
    } catch (const std::exception& error) {
      rendezvous.fail(task.rank, error);
      std::_Exit(1);  // NCCL, which other ranks may have left in the lurch, is not asked to tidy up
    }
    return 0;
  } catch (const std::exception& error) {
    rendezvous.fail(task.rank, error);
    return 1;
  }
}

}  // namespace
}  // namespace cupel::bench::collective

int main(int argc, char** argv) {
  using namespace cupel::bench::collective;
  if (argc != 8) {
    std::fprintf(stderr, "%s is started by cupel_bench_collective\n", kRankProgram);
    return 2;
  }
  if (std::atoi(argv[6]) != 0) cupel::vendor::allow_multicast();
  Rendezvous rendezvous = Rendezvous::open(std::atoi(argv[1]));
  return run(rendezvous, {.rank = std::atoi(argv[2]),
                          .device = std::atoi(argv[3]),
                          .seed = std::strtoull(argv[4], nullptr, 10),
                          .samples = std::atoi(argv[5]),
                          .launches = std::strtoull(argv[7], nullptr, 10)});
}
