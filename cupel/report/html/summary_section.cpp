#include "cupel/report/html/sections.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "cupel/figures/facts.hpp"
#include "cupel/figures/machine.hpp"
#include "cupel/figures/pivot.hpp"
#include "cupel/record/context.hpp"
#include "cupel/record/record.hpp"
#include "cupel/report/html/caption.hpp"
#include "cupel/report/page/html_text.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/units/format.hpp"

namespace cupel::report::html {
namespace {

struct Counts {
  int measured = 0, skipped = 0, failed = 0;
  std::int64_t samples = 0;
};

Counts counts_of(const std::vector<Family>& families, const Device& device) {
  Counts counts;
  for (const Family& family : families) {
    for (const DeviceFigure* one : members_of(family)) {
      if (one->device != &device) continue;
      counts.samples += one->figure.samples;
      if (!one->figure.is_main) continue;
      ++(one->figure.time ? counts.measured : one->figure.failed > 0 ? counts.failed : counts.skipped);
    }
  }
  return counts;
}

// "2026-11-25 04:08 UTC", of joined files with the last end behind it.
std::string when_text(const std::string& text) {
  const std::size_t to = text.find(" to ");
  if (to != std::string::npos) return when_text(text.substr(0, to)) + " to " + when_text(text.substr(to + 4));
  const bool known = text.size() == 20 && text[10] == 'T' && text[19] == 'Z';
  return known ? text.substr(0, 10) + " " + text.substr(11, 5) + " UTC" : text;
}

// The facts that a person asks first about a machine.
std::vector<std::pair<std::string, std::string>> key_figures(const record::Context& context, const Counts& counts) {
  std::vector<std::pair<std::string, std::string>> figures;
  if (context.device) {
    const std::vector<figures::Fact> known = figures::facts(*context.device);
    for (const char* name : {"compute capability", "SMs", "memory", "memory peak", "driver"}) {
      if (std::string value = figures::value_of(known, name); !value.empty())
        figures.emplace_back(name, std::move(value));
    }
  }
  figures.emplace_back("host", figures::host_text(context.host));
  const std::string profile = context.run.profile.empty() ? "" : context.run.profile + " profile, ";
  figures.emplace_back("run", profile + record::processes_text(context.run));
  if (!context.run.started.empty()) figures.emplace_back("when", when_text(record::time_text(context.run)));
  std::string measured = counted(counts.measured, "benchmark") + ", " + counted(counts.samples, "sample");
  if (counts.skipped > 0) measured += fmt::format(", {} skipped", counts.skipped);
  if (counts.failed > 0) measured += fmt::format(", {} failed", counts.failed);
  figures.emplace_back("measured", measured);
  return figures;
}

struct Best {
  const DeviceFigure* measured = nullptr;
  Quantity quantity = Quantity::bytes;
  Value value;

  double share() const { return value.location / value.reachable(); }
};

// The benchmark that comes closest to its limit, of all sizes, precisions and limits of the operation on a device. One
// that is above it needs fewer operations or bytes than are counted, and says nothing of the machine.
std::optional<Best> best_of(const Operation& operation, const Device& device) {
  std::optional<Best> best;
  for (const DeviceFigure& one : operation.measured) {
    if (one.device != &device || !one.figure.is_main) continue;
    if (one.figure.warnings.contains(figures::Warning::above_limit)) continue;
    for (const Quantity quantity : {Quantity::bytes, Quantity::flops, Quantity::items}) {
      const std::optional<Value> value = one.value(quantity);
      if (!value || !value->limit) continue;
      const Best candidate{&one, quantity, *value};
      if (!best || candidate.share() > best->share()) best = candidate;
    }
  }
  return best;
}

PlotRow row_of(const Best& best, bool intervals) {
  const Value shown = drawn(*best.measured, best.quantity, intervals);
  const double limit = best.value.reachable();
  const figures::Figure& figure = best.measured->figure;
  const std::string params = figures::text_of(figure.params);
  PlotRow row{.label = figure.operation + (params.empty() ? "" : " ") + params,
              .remark = best.measured->device->name,
              .device = best.measured->device->number,
              .value = best.share()};
  if (shown.low) row.low = *shown.low / limit;
  if (shown.high) row.high = *shown.high / limit;
  row.limit = 1;
  row.cells = {units::format_percent(best.share()), value_text(best.value.location, best.quantity),
               fmt::format("{} / {}", figure.time->processes_s.size(), figure.samples),
               fmt::format("{}, {}", limit_name(*best.measured, best.value), value_text(limit, best.quantity))};
  row.tip = tip_lines(*best.measured, best.quantity);
  return row;
}

}  // namespace

std::string device_cards(const std::vector<Device>& devices, const std::vector<Family>& families) {
  std::string out = "<div class=\"devices\">\n";
  for (const Device& device : devices) {
    out += fmt::format("<div class=\"device d{}\"><h3>{}</h3><dl>", device.number, safe(device.label));
    for (const auto& [key, value] : key_figures(device.results->context, counts_of(families, device))) {
      out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", key, safe(value));
    }
    out += "</dl></div>\n";
  }
  return out + "</div>\n";
}

std::string warnings(const std::vector<Device>& devices) {
  std::string items;
  for (const Device& device : devices) {
    const std::string where = device.name.empty() ? "" : device.name + ": ";
    for (const figures::Cause& cause : device.causes) {
      items += fmt::format("<li class=\"d{}\"><b>{}{}</b> {}</li>\n", device.number, safe(where),
                           safe(cause.what, kSentence), safe(cause.remedy, kSentence));
    }
  }
  if (items.empty()) return "";
  return "<div class=\"warnings\"><h3>What bears on these numbers</h3><ul>\n" + items + "</ul></div>\n";
}

std::string limits_chart(const std::vector<Device>& devices, const std::vector<Family>& families) {
  RowPlot plot;
  plot.label_title = "benchmark";
  plot.axis_title = "share of the limit";
  plot.tick = [](double share) { return fmt::format("{:.0f} %", share * 100); };
  plot.titles = {"share", "reached", "n", "limit"};  // the interval is drawn, and in the tip
  double most = 1;
  std::vector<Best> all;
  Members members;
  for (const Family& family : families) {
    for (const Operation& operation : family.operations) {
      for (const Device& device : devices) {
        const std::optional<Best> best = best_of(operation, device);
        if (!best) continue;
        all.push_back(*best);
        members.push_back(best->measured);
        most = std::max(most, best->share());
      }
    }
  }
  if (all.empty()) return "";
  for (const Best& best : all) plot.rows.push_back(row_of(best, have_intervals(members)));
  plot.to = most * 1.02;
  return as_html(Blocks{Chart{
      .title = "Best of each operation",
      .words = "as a share of its physical limit",
      .drawing = std::move(plot),
      .caption =
          "Of each operation the one benchmark, of all its sizes and precisions, that comes closest to its limit: "
          "median over processes, with its " +
          std::string(spread_word(members)) + " as a line across the end of the bar. " + n_sentence(members) +
          " Column n: processes / samples. Upright stroke: the limit, whose source stands beside each figure of "
          "the family. What is above its limit, by an algorithm that needs less than is counted, is left out.",
      .is_wide = true,
      .id = "summary-limits"}});
}

}  // namespace cupel::report::html
