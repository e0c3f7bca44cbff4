#include "cupel/report/html/sections.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "cupel/figures/machine.hpp"
#include "cupel/figures/pivot.hpp"
#include "cupel/record/context.hpp"
#include "cupel/record/record.hpp"
#include "cupel/report/advise/advise.hpp"
#include "cupel/report/html/side_by_side.hpp"
#include "cupel/report/page/html_text.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::report::html {
namespace {

constexpr std::string_view kUtc = " UTC";

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

// The facts that a person asks first about a machine and its run.
std::string key_facts(const Device& device, const Counts& counts) {
  const record::Context& context = device.results->context;
  std::vector<std::string> facts;
  if (context.device) facts.push_back(figures::device_text(*context.device));
  if (const auto which = context.run.notes.find(record::kFirstOfSeveral); which != context.run.notes.end())
    facts.push_back(which->second.substr(0, which->second.find(':')));  // "GPU 0 of 2"
  facts.push_back(figures::host_text(context.host));
  const std::string profile = context.run.profile.empty() ? "" : context.run.profile + " profile, ";
  facts.push_back(profile + record::processes_text(context.run));
  if (!context.run.started.empty()) facts.push_back(when_text(record::time_text(context.run)));
  std::string measured = counted(counts.measured, "benchmark") + ", " + counted(counts.samples, "sample");
  if (counts.skipped > 0) measured += fmt::format(", {} skipped", counts.skipped);
  if (counts.failed > 0) measured += fmt::format(", {} failed", counts.failed);
  facts.push_back(measured);
  return units::joined(facts, "; ");
}

struct Best {
  const DeviceFigure* measured = nullptr;
  Quantity quantity = Quantity::bytes;
  Value value;

  double share() const { return value.location / value.reachable(); }
};

// The benchmark that comes closest to its limit, of all sizes, precisions and limits of the operation on a device.
std::optional<Best> best_of(const Operation& operation, const Device& device) {
  std::optional<Best> best;
  for (const DeviceFigure& one : operation.measured) {
    if (one.device != &device || !one.figure.is_main || !tells_of_the_machine(one.figure)) continue;
    for (const Quantity quantity : {Quantity::bytes, Quantity::flops, Quantity::items}) {
      const std::optional<Value> value = one.value(quantity);
      if (!value || !value->limit) continue;
      const Best candidate{&one, quantity, *value};
      if (!best || candidate.share() > best->share()) best = candidate;
    }
  }
  return best;
}

// Several devices need not reach the limit with the same parameters, which then stand behind it.
PlotRow row_of(const Best& best, bool intervals, bool is_one_of_several) {
  const Value shown = drawn(*best.measured, best.quantity, intervals);
  const double limit = best.value.reachable();
  const figures::Figure& figure = best.measured->figure;
  const std::string params = figures::text_of(figure.params);
  PlotRow row{.label = figure.operation + (params.empty() || is_one_of_several ? "" : " " + params),
              .remark = best.measured->device->name,
              .device = best.measured->device->number,
              .value = best.share()};
  if (shown.low) row.low = *shown.low / limit;
  if (shown.high) row.high = *shown.high / limit;
  row.limit = 1;
  row.cells = {units::format_percent(best.share()), value_text(best.value.location, best.quantity),
               n_text(*best.measured),
               fmt::format("{}, {}", limit_name(*best.measured, best.value), value_text(limit, best.quantity))};
  if (is_one_of_several)
    row.cells.back() = limit_name(*best.measured, best.value) + (params.empty() ? "" : ", by ") + params;
  row.tip = tip_lines(*best.measured, best.quantity);
  return row;
}

}  // namespace

std::string when_text(const std::string& text) {
  constexpr std::size_t kDay = sizeof "2026-11-25" - 1;
  if (const std::size_t to = text.find(" to "); to != std::string::npos) {
    const std::string from = when_text(text.substr(0, to)), until = when_text(text.substr(to + 4));
    const bool one_day = from.ends_with(kUtc) && until.ends_with(kUtc) && from.substr(0, kDay) == until.substr(0, kDay);
    if (!one_day) return from + " to " + until;
    return from.substr(0, from.size() - kUtc.size()) + " to " + until.substr(kDay + 1);
  }
  const bool known = text.size() == 20 && text[10] == 'T' && text[19] == 'Z';
  return known ? text.substr(0, kDay) + " " + text.substr(11, 5) + std::string(kUtc) : text;
}

Fields device_facts(const std::vector<Device>& devices, const std::vector<Family>& families) {
  Fields facts;
  for (const Device& device : devices)
    facts.labelled.emplace_back(device.name.empty() ? "measured on" : device.label,
                                key_facts(device, counts_of(families, device)));
  return facts;
}

Blocks warnings(const std::vector<Device>& devices) {
  List all;
  for (const Device& device : devices) {
    const std::string where = device.name.empty() ? "" : device.name + ": ";
    for (const figures::Cause& cause : device.advised->causes)
      all.items.push_back(where + cause.what + " " + cause.remedy);
  }
  if (all.items.empty()) return {};
  const std::string summary = counted(std::ssize(all.items), "thing") + " to know about these numbers";
  return {Folded{summary, {std::move(all)}}};
}

Blocks limits_chart(const std::vector<Device>& devices, const std::vector<Family>& families) {
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
  if (all.empty()) return {};
  for (const Best& best : all) plot.rows.push_back(row_of(best, have_intervals(members), devices.size() > 1));
  plot.to = most * 1.02;
  plot = side_by_side(std::move(plot), devices);
  return {Chart{
      .title = "Best of each operation",
      .words = "as a share of its physical limit",
      .drawing = std::move(plot),
      .caption = "The benchmark of each operation that comes closest to its limit. Those above it are left out: their "
                 "algorithm needs less work than is counted." +
                 (have_intervals(members) ? " " + n_sentence(members) : std::string()),
      .is_wide = true,
      .id = "summary-limits"}};
}

}  // namespace cupel::report::html
