#include "cupel/figures/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupel/record/row.hpp"

namespace cupel::figures {
namespace {

using ::testing::ElementsAre;

record::Row row_of(record::Status status, std::string reason = "") {
  record::Row row;
  row.status = status;
  row.reason = std::move(reason);
  return row;
}

void measure(record::Row& row, record::Mode mode, std::vector<double> samples_s) {
  row.series.emplace_back().mode = mode;
  row.series.back().samples_s = std::move(samples_s);
}

TEST(Process, HasTheLocationOfEachModeOfWhichThereAreSamples) {
  record::Row row;
  measure(row, record::Mode::cold, {1, 2, 2, 100});
  measure(row, record::Mode::hot, {});

  const Process process = process_of(row);

  ASSERT_NE(process.in(record::Mode::cold), nullptr);
  EXPECT_EQ(process.in(record::Mode::cold)->location_s, 2);
  EXPECT_EQ(process.in(record::Mode::cold)->series, &row.series[0]);
  EXPECT_EQ(process.in(record::Mode::hot), nullptr);
  EXPECT_EQ(process.in(record::Mode::host), nullptr);
}

TEST(Process, HasATailFromTenSamplesOn) {
  record::Row row;
  measure(row, record::Mode::cold, std::vector<double>(9, 1e-6));
  measure(row, record::Mode::hot, std::vector<double>(10, 1e-6));

  const Process process = process_of(row);

  EXPECT_FALSE(process.in(record::Mode::cold)->tail);
  EXPECT_EQ(process.in(record::Mode::hot)->tail, 1);
}

TEST(Counted, AreThoseThatCountElseAllThatMeasured) {
  record::Row failed = row_of(record::Status::failed), disturbed, good;
  disturbed.disturbed = true;
  measure(disturbed, record::Mode::cold, {1});
  measure(good, record::Mode::hot, {1});
  const std::vector<Process> processes = processes_of(std::vector<const record::Row*>{&failed, &disturbed, &good});

  EXPECT_THAT(counted(processes), ElementsAre(&processes[2]));
  EXPECT_THAT(counted_in(processes, record::Mode::cold), ElementsAre(&processes[1]));
  EXPECT_THAT(counted(std::span(processes).first(2)), ElementsAre(&processes[1]));
  EXPECT_TRUE(counted(std::span(processes).first(1)).empty());
}

TEST(Tally, HasTheReasonOfTheFirstThatFailedElseWasSkipped) {
  const record::Row good, skipped = row_of(record::Status::skipped, "no device"),
                          failed = row_of(record::Status::failed, "wrong result"),
                          again = row_of(record::Status::failed, "lost");
  Tally tally;
  for (const record::Row* row : {&good, &skipped}) tally.add(process_of(*row));
  EXPECT_EQ(tally.reason(), "no device");
  for (const record::Row* row : {&failed, &again}) tally.add(process_of(*row));

  EXPECT_EQ(tally.reason(), "wrong result");
  EXPECT_EQ(tally.ok(), 1);
  EXPECT_EQ(tally.of(ProcessState::failed), 2);
}

}  // namespace
}  // namespace cupel::figures
