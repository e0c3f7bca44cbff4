#include "cupel/report/history/history.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ranges>

#include "cupel/figures/machine.hpp"
#include "cupel/record/data.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {

using namespace record::detail;
namespace {

using history::Drift;
using history::LevelChange;

constexpr std::size_t kRevision = 12;  // characters of a commit that are shown

std::string revision(const std::string& commit) { return units::visible(commit.substr(0, kRevision)); }

std::string p_text(double p) { return p >= 0.0001 ? fmt::format("{:.4f}", p) : fmt::format("{:.0e}", p); }

Table step_table(const history::HistoryResult& result) {
  Table table({right("step"), left("between"), right("p"), left("mode"), left("benchmark", Fold::above),
               left("what else changed", Fold::below)});
  for (const history::LevelChange& step : result.steps) {
    table.row({units::format_change(step.ratio), revision(step.from) + ".." + revision(step.to), p_text(step.p),
               units::visible(step.mode), units::shorten(units::visible(step.benchmark)),
               units::visible(fmt::format("{}", fmt::join(step.differences, "; ")))});
  }
  return table;
}

Table drift_table(const history::HistoryResult& result, bool all) {
  Table table({left("verdict"), right("change"), left("95 % interval"), right("p"), left("since"), left("mode"),
               left("benchmark", Fold::above), left("accepted", Fold::below), left("what else changed", Fold::below)});
  for (const history::Drift& drift : result.drifts) {
    if (!drift.slower && !drift.undecided && !all && drift.accepted.empty()) continue;
    table.row({drift.slower      ? "SLOWER"
               : drift.undecided ? "INCONCLUSIVE"
                                 : "",
               units::format_change(drift.ratio),
               units::format_change(drift.lower) + " to " + units::format_change(drift.upper), p_text(drift.p_adjusted),
               revision(drift.reference), units::visible(drift.mode), units::shorten(units::visible(drift.benchmark)),
               units::visible(drift.accepted), units::visible(fmt::format("{}", fmt::join(drift.differences, "; ")))});
  }
  return table;
}

std::string summary(const history::HistoryResult& result) {
  const auto slower = std::ranges::count_if(result.drifts, &Drift::slower);
  const auto undecided = std::ranges::count_if(result.drifts, &Drift::undecided);
  const std::string drifted = result.drifts.empty()
                                  ? "no reference to hold the newest against"
                                  : fmt::format("{} slower than a reference", slower) +
                                        (undecided > 0 ? fmt::format(", {} undecided", undecided) : "");
  return fmt::format("{} of {}, newest {}: {}, {}", units::counted(result.points, "point"),
                     units::counted(result.benchmarks, "benchmark"), revision(result.newest),
                     units::counted(std::ssize(result.steps), "step"), drifted);
}

// "board: GPU-c48a3e62 of 7 points, GPU-7d04d923 of 5"; of many values how many there are.
std::string around_text(const history::Around& around) {
  constexpr std::size_t kNamed = 6;
  if (around.values.size() > kNamed) return fmt::format("{}: {} different ones", around.name, around.values.size());
  const auto texts =
      around.values | std::views::transform([](const history::Around::Value& value) {
        return fmt::format("{} of {}", units::visible(value.value), units::counted(value.points, "point"));
      });
  return around.name + ": " + units::joined(texts);
}

// Says what else a reader must know of the points.
std::vector<std::string> remarks(const history::HistoryResult& result) {
  std::vector<std::string> lines;
  for (const history::Around& around : result.around) lines.push_back(around_text(around));
  lines.push_back(result.noise
                      ? fmt::format("Each point is a run of its own; those of one level differ by {} (standard "
                                    "deviation, median of the benchmarks).",
                                    units::format_percent(std::expm1(*result.noise)))
                      : figures::kTwoRuns);
  return lines;
}

Page page_of(const history::HistoryResult& result, bool all) {
  Page page{"cupel history", "History"};
  List warnings{{}, false}, below{remarks(result), false};
  for (const std::string& warning : result.warnings) warnings.items.push_back("warning: " + warning);
  below.items.push_back(summary(result));
  page.add(std::move(warnings));
  page.add(step_table(result));
  page.add(drift_table(result, all));
  page.add(std::move(below));
  return page;
}

Json step_json(const LevelChange& step) {
  return {{"benchmark", step.benchmark},
          {"mode", step.mode},
          {"from", step.from},
          {"to", step.to},
          {"ratio", step.ratio},
          {"p", step.p},
          {"differences", step.differences}};
}

Json value_json(const history::Around::Value& one) { return {{"value", one.value}, {"points", one.points}}; }

Json around_json(const history::Around& around) {
  return {{"name", around.name}, {"values", list_of(around.values, value_json)}};
}

Json drift_json(const Drift& drift) {
  return {{"benchmark", drift.benchmark},
          {"mode", drift.mode},
          {"reference", drift.reference},
          {"decidable", drift.decidable},
          {"slower", drift.slower},
          {"undecided", drift.undecided},
          {"sessions_to_show", or_null(drift.sessions_to_show)},
          {"ratio", drift.ratio},
          {"lower", drift.lower},
          {"upper", drift.upper},
          {"p_adjusted", drift.p_adjusted},
          {"accepted", drift.accepted.empty() ? Json() : Json(drift.accepted)},
          {"differences", drift.differences}};
}

std::string as_json(const history::HistoryResult& result) {
  const Json root{{"cupel_history_result", 1},
                  {"points", result.points},
                  {"benchmarks", result.benchmarks},
                  {"newest", result.newest},
                  {"environment", list_of(result.around, around_json)},
                  {"noise", or_null(result.noise)},
                  {"warnings", result.warnings},
                  {"steps", list_of(result.steps, step_json)},
                  {"drifts", list_of(result.drifts, drift_json)}};
  return lines(root, 2) + "\n";
}

}  // namespace

std::string history(const history::HistoryResult& result, Format format, bool all, std::size_t columns) {
  if (format == Format::json) return as_json(result);
  return rendered(page_of(result, all), format, {columns});
}

}  // namespace cupel::report
