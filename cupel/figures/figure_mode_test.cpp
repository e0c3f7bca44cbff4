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

std::vector<Process> of(const std::vector<const record::Row*>& rows) { return processes_of(rows); }

TEST(ModesOf, BeginWithTheFigureOfMostProcesses) {
  EXPECT_THAT(modes_of(of({&kHot, &kCold, &kCold})), ElementsAre(record::Mode::cold, record::Mode::hot));
  EXPECT_THAT(modes_of(of({&kCold, &kHot, &kHot})), ElementsAre(record::Mode::hot, record::Mode::cold));
}

TEST(ModesOf, BeginWithTheHotOneOnATie) {
  EXPECT_THAT(modes_of(of({&kCold, &kHot})), ElementsAre(record::Mode::hot, record::Mode::cold));
}

TEST(ModesOf, CountOnlyWhatWasMeasured) {
  EXPECT_THAT(modes_of(of({&kNone, &kNone, &kCold})), ElementsAre(record::Mode::cold, record::Mode::hot));
  EXPECT_THAT(modes_of(of({&kNone})), IsEmpty());
}

TEST(ModesOf, KeepTheOthersAsTheyAppear) {
  const record::Row row = measured({record::Mode::host, record::Mode::hot, record::Mode::cold});

  EXPECT_THAT(modes_of(of({&row})), ElementsAre(record::Mode::host, record::Mode::hot, record::Mode::cold));
}

}  // namespace
}  // namespace cupel::figures
