#include "cupel/report/html/sections.hpp"

#include <fmt/core.h>

#include <numeric>

#include "cupel/compare/comparison.hpp"
#include "cupel/figures/fingerprint.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/report/compare/rows.hpp"
#include "cupel/report/page/chart.hpp"
#include "cupel/report/page/html_text.hpp"
#include "cupel/report/page/lists.hpp"
#include "cupel/report/page/machine.hpp"
#include "cupel/report/page/row_plot.hpp"
#include "cupel/units/format.hpp"

namespace cupel::report::html {
namespace {

using compare::Comparison;

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
    if (count > 0) append(text, fmt::format("{} {}", count, word));
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

Chart families_chart(const std::vector<std::vector<compare::FamilySummary>>& families,
                     const std::vector<Device>& devices) {
  RowPlot plot;
  plot.label_title = "family";
  plot.axis_title = "time / time of " + devices.front().label;
  plot.tick = [](double ratio) { return tick_text(ratio, units::Unit::count); };
  plot.titles = {"ratio", "interval", "benchmarks", "verdicts"};
  plot.as_ratio = true;
  for (std::size_t contender = 0; contender < families.size(); ++contender) {
    for (const compare::FamilySummary& family : families[contender]) {
      if (family.ratio) plot.rows.push_back(family_row(family, devices[contender + 1], devices.front()));
    }
  }
  return {
      "Families <span>time against that of " + safe(devices.front().label) + "; below 1 is faster</span>", table(plot),
      "Geometric mean of the ratios of times, and its bootstrap interval over the n benchmarks that both have. It is a "
      "summary of this selection of benchmarks, not of any program.",
      true};
}

std::string rows_table(const std::vector<std::vector<Comparison>>& contenders, const std::vector<Device>& devices) {
  Table table({left("benchmark"), left("mode"), left("device"), right(devices.front().label), right("time"),
               right("ratio"), right("interval"), right("n"), left("verdict")});
  Marks marks{{}, compared::verdict_badges()};
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    for (const Comparison& row : contenders[i]) {
      if (!row.metric.empty()) continue;
      table.row({row.name, compared::mode_text(row), devices[i + 1].label, compared::value_text(row, row.baseline),
                 compared::value_text(row, row.contender), compared::ratio_text(row), compared::interval_text(row),
                 compared::count_text(row), compared::verdict_text(row)});
      marks.devices.push_back(i + 1);
    }
  }
  return folded(counted(std::ssize(marks.devices), "row"), html(table, marks));
}

std::string environment_differences(const std::vector<Device>& devices, const std::vector<figures::Suite>& suites) {
  Table table({left("differs"), left("device"), left(devices.front().label), left("there"), left("weight")});
  Marks marks;
  for (std::size_t i = 1; i < devices.size(); ++i) {
    for (const figures::Difference& difference : figures::differences(suites.front().context, suites[i].context)) {
      table.row({difference.name, devices[i].label, difference.baseline.value_or("not known"),
                 difference.contender.value_or("not known"),
                 difference.hardness == figures::Hardness::hard ? "hard: another quantity" : "soft"});
      marks.devices.push_back(i);
    }
  }
  return table.empty() ? "<p>Nothing that is known of the machines differs.</p>\n" : html(table, marks);
}

}  // namespace

std::string devices_section(const std::vector<Device>& devices) {
  if (devices.size() < 2) return "";
  std::vector<figures::Suite> suites;
  for (const Device& device : devices)
    suites.push_back(figures::suite_of(*device.results, device.label, {}, device.foreign));
  std::vector<std::size_t> contenders(devices.size() - 1);
  std::iota(contenders.begin(), contenders.end(), 1);
  const std::vector<figures::Matched> matched = figures::match(suites);
  const std::vector<std::vector<Comparison>> rows = compare::compare_all(matched, 0, contenders);
  std::vector<std::vector<compare::FamilySummary>> families;
  for (const std::vector<Comparison>& one : rows) families.push_back(compare::summarise(one));

  std::string out = html(families_chart(families, devices), "devices-families");
  out += "<h3>Every benchmark</h3>\n<p class=\"note\">Ratio: time / time of " + safe(devices.front().label) +
         " (Hodges-Lehmann over processes) with its exact interval; n: processes of both sides; verdicts are adjusted "
         "for the number of rows. " +
         kTwoRuns + "</p>\n";
  out += rows_table(rows, devices);
  return out + "<h3>What differs around them</h3>\n" + environment_differences(devices, suites);
}

}  // namespace cupel::report::html
