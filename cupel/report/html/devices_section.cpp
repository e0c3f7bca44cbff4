#include "cupel/report/html/sections.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cupel/compare/side_by_side.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/report/advise/parts.hpp"
#include "cupel/report/compare/compare.hpp"
#include "cupel/report/page/html_text.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::report::html {
namespace {

PlotRow speed_row(const compare::FamilySummary& family, const Device& device, bool is_only) {
  const stats::GeometricMean& mean = *family.ratio;
  PlotRow row{.label = family.family,
              .remark = is_only ? "" : device.name,
              .device = device.number,
              .value = 1 / mean.value,
              .cells = {compare::speed_text(mean.value)},
              .tip = {family.family + " on " + device.name, compare::speed_text(mean.value),
                      "n = " + counted(family.benchmarks, "benchmark")}};
  if (mean.interval.level > 0) {
    row.low = 1 / mean.interval.high;
    row.high = 1 / mean.interval.low;
    row.tip.push_back(fmt::format("interval {} to {} ({})", compare::speed_text(mean.interval.high),
                                  compare::speed_text(mean.interval.low), units::format_percent(mean.interval.level)));
  }
  return row;
}

// The speed of each family, a dot a device around the line of the reference. A scale that began at zero would make all
// look alike.
Chart speed_picture(const compare::CompareReport& report, const std::vector<Device>& devices) {
  constexpr double kBeyond = 0.1;      // of the span, at either end
  constexpr double kLeastSpan = 0.02;  // of two that are the same
  RowPlot plot;
  plot.label_title = "family";
  plot.axis_title = "speed";
  plot.tick = [](double speed) { return tick_text(speed, units::Unit::count) + "x"; };
  plot.titles = {"speed"};
  plot.as_ratio = true;
  double least = 1, most = 1;
  for (std::size_t contender = 0; contender < report.contenders.size(); ++contender) {
    for (const compare::FamilySummary& family : report.contenders[contender].families) {
      if (!family.ratio) continue;
      plot.rows.push_back(speed_row(family, devices[contender + 1], devices.size() == 2));
      const PlotRow& row = plot.rows.back();
      least = std::min(least, row.low.value_or(*row.value));
      most = std::max(most, row.high.value_or(*row.value));
    }
  }
  const double span = std::max(most - least, kLeastSpan);
  plot.from = least - kBeyond * span;
  plot.to = most + kBeyond * span;
  return {
      .title = "Speed",
      .words = fmt::format("of each family: the line is {}, 1x; the scale goes from {}x to {}x", devices.front().name,
                           units::format_fixed(*plot.from, 2), units::format_fixed(*plot.to, 2)),
      .drawing = std::move(plot),
      .is_picture = true,
      .id = "speed"};
}

}  // namespace

compare::CompareReport compared(const std::vector<Device>& devices) {
  std::vector<figures::Suite> suites;
  for (const Device& device : devices)
    suites.push_back(figures::suite_of(*device.results, device.name, {}, device.foreign));
  return compare::side_by_side(std::move(suites));
}

Block which_is_faster(const compare::CompareReport& report, const std::vector<Device>& devices) {
  Blocks words;
  for (std::size_t i = 0; i < report.contenders.size(); ++i)
    words.push_back(
        Paragraph{compare::faster_words(report.contenders[i].families, devices[i + 1].name, devices.front().name)});
  std::vector<std::vector<advice::AdviceResult>> machines;
  for (const Device& device : devices) machines.push_back(device.advised->advice);
  Table changes = short_matrix(machines, labels_of(devices));
  for (const std::vector<advice::AdviceResult>& machine : machines) {
    for (const advice::AdviceResult* result : units::filtered(machine, may_matter))
      changes.links[result->id] = "#" + how_anchor(result->id);
  }
  words.push_back(std::move(changes));
  return PictureAndWords{{speed_picture(report, devices)}, std::move(words)};
}

Blocks devices_blocks(const compare::CompareReport& report) {
  Blocks blocks = compared_blocks(report);
  for (Block& block : blocks) {  // parts of this section, not sections
    if (Heading* heading = std::get_if<Heading>(&block)) *heading = {heading->title, 3};
  }
  return blocks;
}

}  // namespace cupel::report::html
