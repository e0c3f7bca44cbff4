#include "kernels/scatter/reference.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "cupel/verify/generator.hpp"

namespace cupel::kernels::scatter {
namespace {

using testing::ElementsAre;

TEST(AddRows, AddsEachRowToTheOneOfItsIndex) {
  const std::vector<double> source = {1, 2, 10, 20, 100, 200};
  const std::vector<std::int64_t> index = {2, 0, 2};
  std::vector<double> out = {0.5, 0, 0, 0, 0, 0};

  reference::add_rows(source, index, 2, out);

  EXPECT_THAT(out, ElementsAre(10.5, 20, 0, 0, 101, 202));
}

// The numbers that frameworks give for a row of three (corners not aligned).
TEST(Upsample, MixesNeighboursByAQuarter) {
  const std::vector<double> in = {0, 4, 8};
  std::vector<double> out(12);

  reference::upsample(in, out, {.planes = 1, .height = 1, .width = 3});

  EXPECT_THAT(std::vector<double>(out.begin(), out.begin() + 6), ElementsAre(0, 1, 3, 5, 7, 8));
  EXPECT_THAT(std::vector<double>(out.begin() + 6, out.end()), ElementsAre(0, 1, 3, 5, 7, 8));
}

// <upsample(a), b> = <a, upsample_backward(b)> for all a and b.
TEST(Upsample, HasTheTransposeForItsGradient) {
  const Upsampling sizes{.planes = 2, .height = 5, .width = 4};
  std::vector<double> a(static_cast<std::size_t>(sizes.in_count())), b(static_cast<std::size_t>(sizes.out_count()));
  verify::fill_uniform<double>(a, 1, -1, 1);
  verify::fill_uniform<double>(b, 2, -1, 1);
  std::vector<double> up(b.size()), back(a.size());

  reference::upsample(a, up, sizes);
  reference::upsample_backward(b, back, sizes);

  const double forth = std::inner_product(up.begin(), up.end(), b.begin(), 0.0);
  EXPECT_NEAR(forth, std::inner_product(a.begin(), a.end(), back.begin(), 0.0), 1e-12);
  EXPECT_NE(forth, 0);
}

TEST(Share, OfAnElementIsOneAltogether) {
  for (const std::int64_t size : {1, 2, 5}) {
    for (std::int64_t out = 0; out < 2 * size; ++out) {
      float sum = 0;
      for (std::int64_t in = 0; in < size; ++in) {
        const float part = share(out, in, size);
        if (out < 2 * in - 1 || out > 2 * in + 2) {
          EXPECT_EQ(part, 0) << out << " of " << in;
        }
        sum += part;
      }
      EXPECT_EQ(sum, 1) << out << " of " << size;
    }
  }
}

}  // namespace
}  // namespace cupel::kernels::scatter
