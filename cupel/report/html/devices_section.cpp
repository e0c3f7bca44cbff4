#include "cupel/report/html/sections.hpp"

#include <fmt/core.h>

#include <numeric>

#include "cupel/compare/comparison.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/report/compare/compare.hpp"
#include "cupel/report/page/html_text.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::report::html {
namespace {

std::string between(double low, double high, double level) {
  return fmt::format("{} to {} ({})", units::format_significant(low), units::format_significant(high),
                     units::format_percent(level));
}

std::string counts_text(const compare::FamilySummary& family) {
  std::string text;
  const std::pair<int, const char*> counts[] = {{family.faster, "faster"},
                                                {family.slower, "slower"},
                                                {family.same, "same"},
                                                {family.inconclusive, "inconclusive"},
                                                {family.others, "not compared"}};
  for (const auto& [count, word] : counts) {
    if (count > 0) units::append(text, fmt::format("{} {}", count, word));
  }
  return text;
}

PlotRow family_row(const compare::FamilySummary& family, const Device& device, const Device& reference) {
  const stats::GeometricMean& mean = *family.ratio;
  PlotRow row{.label = family.family, .remark = device.name, .device = device.number, .value = mean.value};
  const bool has_interval = mean.interval.level > 0;
  if (has_interval) {
    row.low = mean.interval.low;
    row.high = mean.interval.high;
  }
  const std::string interval =
      has_interval ? between(mean.interval.low, mean.interval.high, mean.interval.level) : "no interval";
  row.cells = {units::format_significant(mean.value), interval, fmt::format("{}", family.benchmarks),
               counts_text(family)};
  row.tip = {family.family + ": " + device.label + " / " + reference.label, units::format_significant(mean.value),
             "interval " + interval, "n = " + counted(family.benchmarks, "benchmark")};
  return row;
}

Chart families_chart(const compare::CompareReport& report, const std::vector<Device>& devices) {
  RowPlot plot;
  plot.label_title = "family";
  plot.axis_title = "time / time of " + devices.front().label;
  plot.tick = [](double ratio) { return tick_text(ratio, units::Unit::count); };
  plot.titles = {"ratio", "interval", "benchmarks", "verdicts"};
  plot.as_ratio = true;
  for (std::size_t contender = 0; contender < report.contenders.size(); ++contender) {
    for (const compare::FamilySummary& family : report.contenders[contender].families) {
      if (family.ratio) plot.rows.push_back(family_row(family, devices[contender + 1], devices.front()));
    }
  }
  return {.title = "Families",
          .words = "time against that of " + devices.front().label + "; below 1 is faster",
          .drawing = std::move(plot),
          .caption =
              "Geometric mean of the ratios of times, and its bootstrap interval over the n benchmarks that both "
              "have. It is a summary of this selection of benchmarks, not of any program.",
          .is_wide = true,
          .id = "devices-families"};
}

compare::ComparedFile file_of(const figures::Suite& suite) { return {suite.label, suite.context, suite.replication}; }

compare::CompareReport compared(const std::vector<figures::Suite>& suites) {
  std::vector<std::size_t> contenders(suites.size() - 1);
  std::iota(contenders.begin(), contenders.end(), 1);
  compare::CompareReport report{file_of(suites.front()), {}, {}};
  std::vector<std::vector<compare::Comparison>> rows = compare::compare_all(figures::match(suites), 0, contenders);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<compare::FamilySummary> families = compare::summarise(rows[i]);
    report.contenders.push_back({file_of(suites[i + 1]), std::move(rows[i]), std::move(families)});
  }
  return report;
}

}  // namespace

Blocks devices_blocks(const std::vector<Device>& devices) {
  std::vector<figures::Suite> suites;
  for (const Device& device : devices)
    suites.push_back(figures::suite_of(*device.results, device.name, {}, device.foreign));
  const compare::CompareReport report = compared(suites);
  Blocks blocks = compared_blocks(report);
  for (Block& block : blocks) {  // parts of this section, not sections
    if (Heading* heading = std::get_if<Heading>(&block)) *heading = {heading->title, 3};
  }
  blocks.insert(blocks.begin(), families_chart(report, devices));
  return blocks;
}

}  // namespace cupel::report::html
