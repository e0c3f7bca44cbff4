// Collectives over all GPUs of this machine. Where there is one, each test is skipped and says so.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/collective/arrays.hpp"
#include "bench/collective/clique.hpp"
#include "bench/collective/collectives.hpp"
#include "bench/collective/patience.hpp"
#include "bench/collective/rank_graphs.hpp"
#include "bench/collective/ranks.hpp"
#include "bench/collective/sampling.hpp"
#include "cupel/harness/run.hpp"

namespace cupel::bench::collective {
namespace {

using kernels::collective::Kind;
using kernels::collective::Values;

class Collective : public testing::Test {
 protected:
  void SetUp() override {
    try {
      Ranks::get();
      vendor::require_nccl();
    } catch (const harness::Skip& skip) {
      GTEST_SKIP() << skip.what();
    } catch (const vendor::Unavailable& missing) {
      const char* require = std::getenv("CUPEL_REQUIRE_GPU");
      if (require != nullptr && std::string(require) == "1") FAIL() << "CUPEL_REQUIRE_GPU=1: " << missing.what();
      GTEST_SKIP() << missing.what();
    }
  }
};

constexpr Operation kOperations[] = {Operation::all_reduce, Operation::reduce_scatter, Operation::all_gather,
                                     Operation::broadcast, Operation::all_to_all};

std::string failure_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

TEST_F(Collective, OfEveryKindIsRightAtAwkwardSizes) {
  for (const Operation operation : kOperations) {
    for (const Buffer buffer : {Buffer::plain, registered_for(operation)}) {
      for (const std::int64_t bytes : {8, 12, 4096, 1 << 20, (1 << 24) + 4}) {
        const Arrays& memory = arrays(buffer, bytes + 4 * Ranks::get().size());
        const Values values{static_cast<std::uint64_t>(bytes), Kind::whole};
        fill(memory, bytes / 4 + Ranks::get().size(), values);

        const std::string failed = failure_of([&] {
          call(clique(), operation, memory, bytes);
          require_right(operation, memory, bytes, values);
        });

        EXPECT_EQ(failed, "") << name_of(operation) << ", " << bytes << " bytes, "
                              << (buffer == Buffer::plain ? "plain" : "registered");
      }
    }
  }
}

// With arrays that both share it does not, where NCCL is older than 2.29.
TEST_F(Collective, EndsWhereMemoryWasRegisteredForAnExchangeBefore) {
  for (const std::int64_t bytes : {std::int64_t{32} << 20, std::int64_t{64} << 20}) {
    for (const Operation operation : {Operation::all_to_all, Operation::all_reduce}) {
      const Arrays& memory = arrays(registered_for(operation), bytes);
      const Values values{static_cast<std::uint64_t>(bytes), Kind::whole};
      fill(memory, bytes / 4, values);

      call(clique(), operation, memory, bytes);

      require_right(operation, memory, bytes, values);
    }
  }
}

TEST_F(Collective, InAGraphDoesWhatItDoesLaunched) {
  constexpr std::int64_t kBytes = 1 << 20;
  const Arrays& memory = arrays(Buffer::plain, kBytes);
  const auto reduce = [&] { call(clique(), Operation::all_reduce, memory, kBytes); };
  fill(memory, kBytes / 4, {1, Kind::whole});
  reduce();
  Ranks::get().wait();
  const RankGraphs graphs([&] { reduce(), reduce(); });
  const Values values{2, Kind::fraction};
  fill(memory, kBytes / 4, values);

  graphs.launch();

  EXPECT_EQ(failure_of([&] { require_right(Operation::all_reduce, memory, kBytes, values); }), "");
}

TEST_F(Collective, ThatIsWrongOnOneRankIsFound) {
  constexpr std::int64_t kBytes = 4096;
  const Arrays& memory = arrays(Buffer::plain, kBytes);
  const Values values{3, Kind::fraction};
  fill(memory, kBytes / 4, values);
  call(clique(), Operation::all_reduce, memory, kBytes);
  Ranks::get().wait();
  Ranks::get().each([&](int rank) {
    if (rank == 1) cuda::check(cudaMemset(memory.receive[1] + 100, 0xff, 4));
  });

  const std::string failed = failure_of([&] { require_right(Operation::all_reduce, memory, kBytes, values); });

  EXPECT_NE(failed.find("1 elements are wrong on rank 1"), std::string::npos) << failed;
}

// A copy on the sender's stream is not behind what the receiver's stream still has to do.
TEST_F(Collective, FindsArraysFilledOnAllRanks) {
  constexpr std::int64_t kBytes = 4096;
  Rank& receiver = Ranks::get()[1];
  const OnDevice on(receiver.device);
  cuda::DeviceBuffer<char> large(std::size_t{1} << 30);
  for (int i = 0; i < 20; ++i) {
    cuda::check(cudaMemsetAsync(large.data(), i, large.size_bytes(), receiver.stream));
  }

  fill(arrays(Buffer::plain, kBytes), kBytes / 4, {5, Kind::fraction});

  EXPECT_EQ(cudaStreamQuery(receiver.stream), cudaSuccess);
}

// A sample of both ranks is no shorter than the collective and no longer than the host saw it take.
TEST_F(Collective, BehindHoldsTakesNoLongerThanTheHostSees) {
  constexpr std::int64_t kBytes = 64 << 20;
  const Arrays& memory = arrays(Buffer::plain, kBytes);
  fill(memory, kBytes / 4, {4, Kind::fraction});
  const auto reduce = [&] { call(clique(), Operation::all_reduce, memory, kBytes); };
  reduce();
  Ranks::get().wait();

  const auto start = std::chrono::steady_clock::now();
  const Spans spans = held_once(reduce);
  const double host_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  ASSERT_EQ(spans.stream_s.size(), static_cast<std::size_t>(Ranks::get().size()));
  for (std::size_t rank = 0; rank < spans.stream_s.size(); ++rank) {
    EXPECT_GT(spans.stream_s[rank], 10e-6) << "rank " << rank;
    EXPECT_LT(spans.stream_s[rank], host_s) << "rank " << rank;
    std::printf("64 MiB all-reduce, rank %zu: %.1f us, host %.1f us\n", rank, spans.stream_s[rank] * 1e6, host_s * 1e6);
  }
}

// Trains on half the squared distance to each sample of a batch, summed: whole numbers and a rate of 1/64 keep all sums
// exact, so that training on all ranks must give the bits of training on one with the whole batch.
class Trainee {
 public:
  Trainee(int dimensions, int first, int count) : weights_(dimensions, 0.0F), first_(first), count_(count) {}
  std::vector<float> gradient() const {
    std::vector<float> sum(weights_.size(), 0.0F);
    for (int sample = first_; sample < first_ + count_; ++sample) {
      for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] += weights_[i] - kernels::collective::value({9, Kind::whole}, sample, static_cast<std::int64_t>(i));
      }
    }
    return sum;
  }
  void step(const std::vector<float>& gradient) {
    for (std::size_t i = 0; i < gradient.size(); ++i) weights_[i] -= gradient[i] / 64;
  }
  const std::vector<float>& weights() const { return weights_; }

 private:
  std::vector<float> weights_;
  int first_, count_;
};

TEST_F(Collective, TrainsAllRanksAsOneWithTheWholeBatch) {
  constexpr int kDimensions = 1000, kShare = 16, kSteps = 3;
  const int ranks = Ranks::get().size();
  const Arrays& memory = arrays(Buffer::plain, kDimensions * 4);
  Trainee alone(kDimensions, 0, kShare * ranks);
  std::vector<Trainee> together;
  for (int rank = 0; rank < ranks; ++rank) together.emplace_back(kDimensions, rank * kShare, kShare);

  for (int step = 0; step < kSteps; ++step) {
    alone.step(alone.gradient());
    Ranks::get().each([&](int rank) {
      const std::vector<float> gradient = together[rank].gradient();
      cuda::check(cudaMemcpy(memory.send[rank], gradient.data(), kDimensions * 4, cudaMemcpyHostToDevice));
    });
    call(clique(), Operation::all_reduce, memory, kDimensions * 4);
    Ranks::get().wait();
    Ranks::get().each([&](int rank) {
      std::vector<float> sum(kDimensions);
      cuda::check(cudaMemcpy(sum.data(), memory.receive[rank], kDimensions * 4, cudaMemcpyDeviceToHost));
      together[rank].step(sum);
    });
  }

  for (int rank = 0; rank < ranks; ++rank) EXPECT_EQ(together[rank].weights(), alone.weights()) << "rank " << rank;
}

// The last one: NCCL is gone from this process then.
TEST_F(Collective, ThatOneRankDoesNotJoinIsEndedInTime) {
  constexpr std::int64_t kBytes = 4096;
  const Arrays& memory = arrays(Buffer::plain, kBytes);
  call(clique(), Operation::all_reduce, memory, kBytes);
  Ranks::get().wait();
  {
    const OnDevice on(Ranks::get()[0].device);
    const void* send = memory.send[0];
    void* receive = memory.receive[0];
    vendor::check(vendor::nccl::all_reduce(send, receive, std::size_t{1024}, ncclFloat, ncclSum, clique().of(0),
                                           Ranks::get()[0].stream.get()));
  }

  const auto start = std::chrono::steady_clock::now();
  const std::string failed = failure_of([] { Ranks::get().wait(2); });
  const double took_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  EXPECT_EQ(failed, "the ranks were not done within 2 s, and were ended; not done: GPU " +
                        std::to_string(Ranks::get()[0].device));
  EXPECT_LT(took_s, 20);
  EXPECT_EQ(failure_of([] { clique(); }), "NCCL was aborted earlier in this process");
}

}  // namespace
}  // namespace cupel::bench::collective
