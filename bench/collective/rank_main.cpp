// One rank in a process of its own, as frameworks have them; started by cupel_bench_collective. Measures all-reduces of
// each size by the host's clock, from a meeting of all ranks until its stream is done.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "bench/collective/is_done.hpp"
#include "bench/collective/patience.hpp"
#include "bench/collective/rank_protocol.hpp"
#include "bench/collective/rendezvous.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/vendor/nccl.hpp"
#include "kernels/collective/check.hpp"

namespace cupel::bench::collective {
namespace {

using Clock = std::chrono::steady_clock;
using kernels::collective::Findings;
using kernels::collective::Kind;
using kernels::collective::Values;

struct Task {
  int rank = 0;
  int device = 0;
  std::uint64_t seed = 0;
  int samples = 0;
};

vendor::Communicator joined(Rendezvous& rendezvous, int rank) {
  static_assert(kIdBytes == sizeof(ncclUniqueId));
  ncclUniqueId id{};
  if (rank == 0) {
    vendor::check(vendor::nccl::unique_id(&id));
    std::memcpy(rendezvous.id().data(), &id, sizeof id);
  }
  rendezvous.meet(kMeeting_s);
  std::memcpy(&id, rendezvous.id().data(), sizeof id);
  return vendor::join(id, rendezvous.ranks(), rank);
}

class Rank {
 public:
  Rank(Rendezvous& rendezvous, const Task& task)
      : rendezvous_(rendezvous), task_(task), comm_(joined(rendezvous, task.rank)) {}

  void measure(std::int64_t bytes) {
    const auto count = static_cast<std::size_t>(bytes / 4);
    send_ = cuda::DeviceBuffer<float>(count);
    receive_ = cuda::DeviceBuffer<float>(count);
    const Values values{task_.seed, Kind::whole};
    kernels::collective::fill_values(send_.data(), bytes / 4, values, task_.rank, 0, stream_);
    reduce(1);  // connects
    for (int sample = 0; sample < task_.samples; ++sample) {
      rendezvous_.meet(kMeeting_s);
      const Clock::time_point start = Clock::now();
      reduce(calls_of(bytes));
      rendezvous_.add_sample(task_.rank, std::chrono::duration<double>(Clock::now() - start).count() / calls_of(bytes));
    }
    require_right(bytes, values);
  }

 private:
  void reduce(int calls) {
    const void* send = send_.data();
    void* receive = receive_.data();
    for (int i = 0; i < calls; ++i) {
      vendor::check(
          vendor::nccl::all_reduce(send, receive, send_.size(), ncclFloat, ncclSum, comm_.get(), stream_.get()));
    }
    wait();
  }

  void wait() {
    const auto look = [&]() -> Look { return {is_done(stream_), comm_.async_error()}; };
    wait_or_abort(
        look, [&] { comm_.abort(); }, kMeeting_s);
  }

  void require_right(std::int64_t bytes, const Values& values) {
    const Findings none;
    cuda::check(cudaMemcpy(findings_.data(), &none, sizeof none, cudaMemcpyHostToDevice));
    kernels::collective::check_sum(receive_.data(), bytes / 4, values, rendezvous_.ranks(), 0, findings_.data(),
                                   stream_);
    const Findings found = findings_.to_host().front();
    if (found.wrong == 0) return;
    throw CollectiveFailed("all_reduce of " + std::to_string(bytes) + " bytes: " + std::to_string(found.wrong) +
                           " elements are wrong");
  }

  Rendezvous& rendezvous_;
  const Task& task_;
  cuda::Stream stream_;
  cuda::DeviceBuffer<float> send_, receive_;
  cuda::DeviceBuffer<Findings> findings_{1};
  vendor::Communicator comm_;
};

int run(Rendezvous& rendezvous, const Task& task) {
  try {
    cuda::check(cudaSetDevice(task.device));
    Rank rank(rendezvous, task);
    for (const std::int64_t bytes : kTransportBytes) rank.measure(bytes);
    rendezvous.meet(kMeeting_s);  // nobody leaves the communicator while another one still uses it
    return 0;
  } catch (const std::exception& error) {
    rendezvous.fail(task.rank, error.what());
    return 1;
  }
}

}  // namespace
}  // namespace cupel::bench::collective

int main(int argc, char** argv) {
  using namespace cupel::bench::collective;
  if (argc != 7) {
    std::fprintf(stderr, "%s is started by cupel_bench_collective\n", kRankProgram);
    return 2;
  }
  if (std::atoi(argv[6]) != 0) cupel::vendor::allow_multicast();
  Rendezvous rendezvous = Rendezvous::open(std::atoi(argv[1]));
  return run(rendezvous, {.rank = std::atoi(argv[2]),
                          .device = std::atoi(argv[3]),
                          .seed = std::strtoull(argv[4], nullptr, 10),
                          .samples = std::atoi(argv[5])});
}
