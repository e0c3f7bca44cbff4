// The kernels of collectives on one GPU: ranks that share a device are on streams of their own there, so what each does
// to the others' memory is seen without a second one.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "kernels/collective/check.hpp"
#include "kernels/collective/peer_all_reduce.hpp"

namespace cupel::kernels::collective {
namespace {

using cuda::DeviceBuffer;

Findings look(const DeviceBuffer<Findings>& findings) { return findings.to_host()[0]; }

DeviceBuffer<Findings> nothing_found() { return DeviceBuffer<Findings>(std::vector<Findings>(1)); }

TEST(CheckSum, FindsNothingInARightSumAndEveryWrongPlace) {
  constexpr std::int64_t kCount = 1'000'003;
  const Values values{5, Kind::whole};
  std::vector<float> right(kCount);
  for (std::int64_t i = 0; i < kCount; ++i) right[i] = static_cast<float>(sum_over_ranks(values, 4, i).value);
  std::vector<float> wrong = right;
  wrong[0] += 1;
  wrong[kCount / 2] = NAN;
  wrong[kCount - 1] -= 1;

  const DeviceBuffer<float> good(right), bad(wrong);
  DeviceBuffer<Findings> of_good = nothing_found(), of_bad = nothing_found();
  check_sum(good.data(), kCount, values, 4, 0, of_good.data(), nullptr);
  check_sum(bad.data(), kCount, values, 4, 0, of_bad.data(), nullptr);

  EXPECT_EQ(look(of_good).wrong, 0u);
  EXPECT_EQ(look(of_bad).wrong, 3u);
  EXPECT_NE(look(of_good).digest, look(of_bad).digest);
}

TEST(FillValues, GivesWhatTheReferenceGives) {
  constexpr std::int64_t kCount = 10'007, kFirst = 12;
  const Values values{5, Kind::fraction};
  DeviceBuffer<float> out(kCount);

  fill_values(out.data(), kCount, values, 2, kFirst, nullptr);

  const std::vector<float> got = out.to_host();
  for (std::int64_t i = 0; i < kCount; ++i) ASSERT_EQ(got[i], value(values, 2, kFirst + i)) << "place " << i;
}

struct Rank {
  explicit Rank(std::int64_t count) : in(count), out(count) {
    cuda::check(cudaMemset(flags.data(), 0, flags.size_bytes()));
    cuda::check(cudaMemset(epoch.data(), 0, epoch.size_bytes()));
  }
  cuda::Stream stream;
  DeviceBuffer<float> in, out;
  DeviceBuffer<PeerFlags> flags{1};
  DeviceBuffer<unsigned> epoch{kMostBlocks};
};

using AllReduce = void (*)(const PeerArrays&, std::int64_t, cudaStream_t);

void expect_sums(AllReduce all_reduce, int ranks, std::int64_t count) {
  SCOPED_TRACE(all_reduce == one_shot_all_reduce ? "one shot" : "two shots");
  const Values values{17, Kind::whole};
  std::vector<Rank> all;
  PeerArrays arrays;
  arrays.ranks = ranks;
  for (int rank = 0; rank < ranks; ++rank) {
    Rank& made = all.emplace_back(count);
    fill_values(made.in.data(), count, values, rank, 0, nullptr);
    arrays.in[rank] = made.in.data();
    arrays.out[rank] = made.out.data();
    arrays.flags[rank] = made.flags.data();
  }
  cuda::check(cudaDeviceSynchronize());

  constexpr int kTimes = 3;  // what one launch leaves behind is what the next one finds
  for (int time = 0; time < kTimes; ++time) {
    for (int rank = 0; rank < ranks; ++rank) {
      arrays.rank = rank;
      arrays.epoch = all[rank].epoch.data();
      all_reduce(arrays, count, all[rank].stream);
    }
  }

  for (int rank = 0; rank < ranks; ++rank) {
    const std::vector<float> got = all[rank].out.to_host();
    for (std::int64_t i = 0; i < count; ++i) {
      ASSERT_EQ(got[i], sum_over_ranks(values, ranks, i).value)
          << "rank " << rank << " of " << ranks << ", place " << i << " of " << count;
    }
  }
}

TEST(PeerAllReduce, GivesEveryRankTheSumAtAwkwardCounts) {
  for (const AllReduce all_reduce : {one_shot_all_reduce, two_shot_all_reduce}) {
    for (const int ranks : {1, 2}) {
      for (const std::int64_t count : {0, 1, 2, 3, 4, 31, 512, 2048, 2053, 131'072, 262'147}) {
        expect_sums(all_reduce, ranks, count);
      }
    }
  }
}

// Few blocks each, so that those of all ranks are on the device at once. Parts are of different lengths, or empty.
TEST(PeerAllReduce, GivesAsManyRanksAsItTakesTheSum) {
  for (const AllReduce all_reduce : {one_shot_all_reduce, two_shot_all_reduce}) {
    for (const int ranks : {3, 5, kMostRanks}) {
      for (const std::int64_t count : {1, 4, 9, 29, 2053, 16'387}) expect_sums(all_reduce, ranks, count);
    }
  }
}

TEST(PeerAllReduce, RefusesMoreRanksThanItHasFlagsFor) {
  PeerArrays arrays;
  arrays.ranks = kMostRanks + 1;

  EXPECT_THROW(one_shot_all_reduce(arrays, 1, nullptr), std::invalid_argument);
  EXPECT_THROW(two_shot_all_reduce(arrays, 1, nullptr), std::invalid_argument);
}

// Reduces over two ranks, one of which is never launched. Says on stderr how it ended.
[[noreturn]] void reduce_without_the_peer() {
  std::vector<Rank> both;
  PeerArrays arrays;
  arrays.ranks = 2;
  for (int rank = 0; rank < 2; ++rank) {
    Rank& made = both.emplace_back(4);
    arrays.in[rank] = made.in.data();
    arrays.out[rank] = made.out.data();
    arrays.flags[rank] = made.flags.data();
  }
  arrays.epoch = both[0].epoch.data();
  one_shot_all_reduce(arrays, 4, both[0].stream);
  std::fprintf(stderr, "%s\n", cudaGetErrorName(cudaStreamSynchronize(both[0].stream)));
  std::_Exit(0);
}

// In a process of its own: a trap takes the context with it.
TEST(PeerAllReduceDeathTest, EndsByItselfWhereAPeerDoesNotCome) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(reduce_without_the_peer(), testing::ExitedWithCode(0), "cudaErrorLaunchFailure");
}

}  // namespace
}  // namespace cupel::kernels::collective
