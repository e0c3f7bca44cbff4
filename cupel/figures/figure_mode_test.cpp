#include "cupel/figures/figure_mode.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupel/record/row.hpp"

namespace cupel::figures {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

record::Row measured(std::initializer_list<record::Mode> modes) {
  record::Row row;
  for (const record::Mode mode : modes) {
    row.series.emplace_back().mode = mode;
    row.series.back().samples_s = {1e-6};
  }
  return row;
}

const record::Row kCold = measured({record::Mode::cold, record::Mode::hot}),
                  kHot = measured({record::Mode::hot, record::Mode::cold}), kNone;

TEST(ModesOf, BeginWithTheFigureOfMostProcesses) {
  EXPECT_THAT(modes_of(std::vector{&kHot, &kCold, &kCold}), ElementsAre(record::Mode::cold, record::Mode::hot));
  EXPECT_THAT(modes_of(std::vector{&kCold, &kHot, &kHot}), ElementsAre(record::Mode::hot, record::Mode::cold));
}

TEST(ModesOf, BeginWithTheHotOneOnATie) {
  EXPECT_THAT(modes_of(std::vector{&kCold, &kHot}), ElementsAre(record::Mode::hot, record::Mode::cold));
}

TEST(ModesOf, CountOnlyWhatWasMeasured) {
  EXPECT_THAT(modes_of(std::vector{&kNone, &kNone, &kCold}), ElementsAre(record::Mode::cold, record::Mode::hot));
  EXPECT_THAT(modes_of(std::vector{&kNone}), IsEmpty());
}

TEST(ModesOf, KeepTheOthersAsTheyAppear) {
  const record::Row row = measured({record::Mode::host, record::Mode::hot, record::Mode::cold});

  EXPECT_THAT(modes_of(std::vector{&row}), ElementsAre(record::Mode::host, record::Mode::hot, record::Mode::cold));
}

TEST(SeriesOf, IsNoneWithoutASample) {
  record::Row row = measured({record::Mode::cold, record::Mode::hot});
  row.series[1].samples_s.clear();

  EXPECT_EQ(series_of(row, record::Mode::cold), &row.series[0]);
  EXPECT_EQ(series_of(row, record::Mode::hot), nullptr);
  EXPECT_EQ(series_of(row, record::Mode::host), nullptr);
}

}  // namespace
}  // namespace cupel::figures
