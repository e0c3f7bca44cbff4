#include "bench/collective/buckets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/training/models.hpp"

namespace cupel::bench::collective {
namespace {

using testing::ElementsAre;

const std::vector<std::int64_t> kSizes{100, 30, 20, 10};

TEST(Buckets, BeginWithTheLastTensorAndAreClosedByTheOneThatFillsThem) {
  EXPECT_THAT(buckets_of(kSizes, 4 * 25), ElementsAre(Bucket{130, 30}, Bucket{100, 30}, Bucket{0, 100}));
}

TEST(Buckets, AreATensorEachOrAllInOne) {
  EXPECT_THAT(buckets_of(kSizes, kPerTensor),
              ElementsAre(Bucket{150, 10}, Bucket{130, 20}, Bucket{100, 30}, Bucket{0, 100}));
  EXPECT_THAT(buckets_of(kSizes, kAll), ElementsAre(Bucket{0, 160}));
}

TEST(Buckets, OfNoTensorsAreNone) { EXPECT_TRUE(buckets_of({}, kAll).empty()); }

TEST(Buckets, CoverEachGradientOnce) {
  const kernels::training::Sizes sizes = kernels::training::resnet50();
  for (const std::int64_t bytes : {kPerTensor, std::int64_t{1} << 20, std::int64_t{25} << 20}) {
    std::int64_t end = 25'557'032;
    for (const Bucket& bucket : buckets_of(sizes, bytes)) {
      EXPECT_EQ(bucket.begin + bucket.count, end);
      end = bucket.begin;
    }
    EXPECT_EQ(end, 0);
  }
}

}  // namespace
}  // namespace cupel::bench::collective
