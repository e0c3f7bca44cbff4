#include "cupel/figures/figure_mode.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupel::record {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Row measured(std::initializer_list<Mode> modes) {
  Row row;
  for (const Mode mode : modes) {
    row.series.emplace_back().mode = mode;
    row.series.back().samples_s = {1e-6};
  }
  return row;
}

const Row kCold = measured({Mode::cold, Mode::hot}), kHot = measured({Mode::hot, Mode::cold}), kNone;

TEST(ModesOf, BeginWithTheFigureOfMostProcesses) {
  EXPECT_THAT(modes_of(std::vector{&kHot, &kCold, &kCold}), ElementsAre(Mode::cold, Mode::hot));
  EXPECT_THAT(modes_of(std::vector{&kCold, &kHot, &kHot}), ElementsAre(Mode::hot, Mode::cold));
}

TEST(ModesOf, BeginWithTheHotOneOnATie) {
  EXPECT_THAT(modes_of(std::vector{&kCold, &kHot}), ElementsAre(Mode::hot, Mode::cold));
}

TEST(ModesOf, CountOnlyWhatWasMeasured) {
  EXPECT_THAT(modes_of(std::vector{&kNone, &kNone, &kCold}), ElementsAre(Mode::cold, Mode::hot));
  EXPECT_THAT(modes_of(std::vector{&kNone}), IsEmpty());
}

TEST(ModesOf, KeepTheOthersAsTheyAppear) {
  const Row row = measured({Mode::host, Mode::hot, Mode::cold});

  EXPECT_THAT(modes_of(std::vector{&row}), ElementsAre(Mode::host, Mode::hot, Mode::cold));
}

TEST(SeriesOf, IsNoneWithoutASample) {
  Row row = measured({Mode::cold, Mode::hot});
  row.series[1].samples_s.clear();

  EXPECT_EQ(series_of(row, Mode::cold), &row.series[0]);
  EXPECT_EQ(series_of(row, Mode::hot), nullptr);
  EXPECT_EQ(series_of(row, Mode::host), nullptr);
}

}  // namespace
}  // namespace cupel::record
