#include "cupel/report/html/sections.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cupel/compare/comparison.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/report/advise/parts.hpp"
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

// "1.29x", by which times were divided.
std::string speed_text(double ratio) { return units::format_fixed(1 / ratio, 2) + "x"; }

bool is_faster(const compare::FamilySummary& family) {
  return family.ratio && family.ratio->interval.level > 0 && family.ratio->interval.high < 1;
}

bool is_slower(const compare::FamilySummary& family) {
  return family.ratio && family.ratio->interval.level > 0 && family.ratio->interval.low > 1;
}

// "optimizer 1.29x, fusion 1.18x", the furthest first.
std::string families_text(std::vector<const compare::FamilySummary*> families) {
  std::ranges::stable_sort(families, std::ranges::greater{}, [](const compare::FamilySummary* family) {
    return std::abs(std::log(family->ratio->value));
  });
  return units::joined(families | std::views::transform([](const compare::FamilySummary* family) {
                         return family->family + " " + speed_text(family->ratio->value);
                       }));
}

// "H200 against H100, by geometric means: faster at optimizer 1.29x, fusion 1.18x; slower at sync 0.89x; no clear
// difference at conv. ..."
std::string faster_words(const std::vector<compare::FamilySummary>& all, const Device& device,
                         const Device& reference) {
  std::vector<compare::FamilySummary> families = all;
  const bool has_sum = families.size() > 1;
  if (has_sum) families.pop_back();
  std::vector<std::string> open;
  for (const compare::FamilySummary& family : families) {
    if (family.ratio && !is_faster(family) && !is_slower(family)) open.push_back(family.family);
  }
  std::string text;
  if (const auto faster = units::filtered(families, is_faster); !faster.empty())
    text = "faster at " + families_text(faster);
  if (const auto slower = units::filtered(families, is_slower); !slower.empty())
    units::append(text, "slower at " + families_text(slower), "; ");
  if (!open.empty()) units::append(text, "no clear difference at " + units::joined(open), "; ");
  if (text.empty()) text = "nothing that both have was measured";
  text = fmt::format("{} against {}, by geometric means: {}.", device.name, reference.name, text);
  if (has_sum && all.back().ratio)
    text += fmt::format(" All {} benchmarks that both have: {}.", all.back().benchmarks,
                        speed_text(all.back().ratio->value));
  return text;
}

// The speed of each family, a bar a device; as long as the stroke is as fast as the reference.
Chart speed_picture(const compare::CompareReport& report, const std::vector<Device>& devices) {
  RowPlot plot;
  plot.label_title = "family";
  plot.axis_title = "speed";
  plot.tick = [](double speed) { return tick_text(speed, units::Unit::count) + "x"; };
  plot.titles = {"speed"};
  double most = 1;
  for (std::size_t contender = 0; contender < report.contenders.size(); ++contender) {
    const Device& device = devices[contender + 1];
    for (const compare::FamilySummary& family : report.contenders[contender].families) {
      if (!family.ratio) continue;
      PlotRow row = family_row(family, device, devices.front());
      row.value = 1 / family.ratio->value;
      if (row.low) row.low = 1 / family.ratio->interval.high;
      if (row.high) row.high = 1 / family.ratio->interval.low;
      if (devices.size() == 2) row.remark.clear();
      row.limit = 1;
      row.cells = {speed_text(family.ratio->value)};
      most = std::max(most, row.high.value_or(*row.value));
      plot.rows.push_back(std::move(row));
    }
  }
  plot.to = most * 1.05;
  return {.title = "Speed",
          .words = "of each family, where that of " + devices.front().name + " is 1",
          .drawing = std::move(plot),
          .is_picture = true,
          .id = "speed"};
}

}  // namespace

compare::CompareReport compared(const std::vector<Device>& devices) {
  std::vector<figures::Suite> suites;
  for (const Device& device : devices)
    suites.push_back(figures::suite_of(*device.results, device.name, {}, device.foreign));
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

Block which_is_faster(const compare::CompareReport& report, const std::vector<Device>& devices) {
  Blocks words;
  for (std::size_t i = 0; i < report.contenders.size(); ++i)
    words.push_back(Paragraph{faster_words(report.contenders[i].families, devices[i + 1], devices.front())});
  std::vector<std::vector<advice::AdviceResult>> machines;
  for (const Device& device : devices) machines.push_back(device.advised->advice);
  Table changes = short_matrix(machines, labels_of(devices));
  for (const std::vector<advice::AdviceResult>& machine : machines) {
    for (const advice::AdviceResult* result : units::filtered(machine, may_matter))
      changes.links[result->id] = "#" + how_anchor(result->id);
  }
  words.push_back(std::move(changes));
  return Beside{{speed_picture(report, devices)}, std::move(words)};
}

Blocks devices_blocks(const compare::CompareReport& report, const std::vector<Device>& devices) {
  Blocks blocks = compared_blocks(report);
  std::erase_if(blocks, [](const Block& block) {  // the chart says the same
    const Table* table = std::get_if<Table>(&block);
    const Heading* heading = std::get_if<Heading>(&block);
    return (table != nullptr && table->columns.front().title == "family") ||
           (heading != nullptr && heading->id == "families");
  });
  for (Block& block : blocks) {  // parts of this section, not sections
    if (Heading* heading = std::get_if<Heading>(&block)) *heading = {heading->title, 3};
  }
  blocks.insert(blocks.begin(), families_chart(report, devices));
  return blocks;
}

}  // namespace cupel::report::html
