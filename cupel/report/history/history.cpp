#include "cupel/report/history/history.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <ranges>
#include <set>

#include "cupel/figures/machine.hpp"
#include "cupel/history/fields.hpp"
#include "cupel/record/encode.hpp"
#include "cupel/report/page/html_text.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {

namespace {

using history::Drift;
using history::LevelChange;

constexpr const char *kSlower = "SLOWER", *kInconclusive = "INCONCLUSIVE";
constexpr std::size_t kRevision = 12;  // characters of a commit that are shown

std::string revision(const std::string& commit) { return units::visible(commit.substr(0, kRevision)); }

std::string p_text(double p) { return p >= 0.0001 ? fmt::format("{:.4f}", p) : fmt::format("{:.0e}", p); }

constexpr std::size_t kMostRows = 10;  // of a table, unless all are asked for

// Where a table has more rows than a reader looks at, the others are counted.
void keep_first(Table& table, bool every_row, const char* what) {
  if (every_row || table.lines.size() <= kMostRows) return;
  table.notes.push_back(fmt::format("{} more {}: --all lists them", table.lines.size() - kMostRows, what));
  table.lines.resize(kMostRows);
}

Table step_table(const history::HistoryResult& result, bool every_row) {
  Table table({right("step"), left("between"), right("p"), left("mode"), left("benchmark", Fold::above),
               left("what else changed", Fold::below)});
  for (const history::LevelChange& step : result.steps) {
    table.row({units::format_change(step.ratio), revision(step.from) + ".." + revision(step.to), p_text(step.p),
               units::visible(step.mode), units::shorten(units::visible(step.benchmark)),
               units::visible(fmt::format("{}", fmt::join(step.differences, "; ")))});
  }
  keep_first(table, every_row, "steps");
  return table;
}

Table drift_table(const history::HistoryResult& result, bool all, bool every_row) {
  Table table({left("verdict"), right("time"), left("95 % interval"), right("p"), left("since"), left("mode"),
               left("benchmark", Fold::above), left("accepted", Fold::below), left("what else changed", Fold::below)});
  table.badges = {{kSlower, Badge::bad}, {kInconclusive, Badge::warn}};
  for (const history::Drift& drift : result.drifts) {
    if (!drift.slower && !drift.undecided && !all && drift.accepted.empty()) continue;
    table.row({drift.slower      ? kSlower
               : drift.undecided ? kInconclusive
                                 : "",
               units::format_change(drift.ratio),
               units::format_change(drift.lower) + " to " + units::format_change(drift.upper), p_text(drift.p_adjusted),
               revision(drift.reference), units::visible(drift.mode), units::shorten(units::visible(drift.benchmark)),
               units::visible(drift.accepted), units::visible(fmt::format("{}", fmt::join(drift.differences, "; ")))});
  }
  keep_first(table, every_row, "benchmarks");
  return table;
}

Table dropped_table(const history::HistoryResult& result, bool every_row) {
  Table table({left("last measured at"), left("not in the newest commit, so not judged", Fold::above)});
  if (!every_row) return table;
  for (const history::Dropped& dropped : result.dropped)
    table.row({revision(dropped.last), units::shorten(units::visible(dropped.benchmark))});
  return table;
}

std::string dropped_text(const history::HistoryResult& result, bool every_row) {
  return fmt::format("{} that earlier commits have {} not in the newest, and not judged{}",
                     units::counted(std::ssize(result.dropped), "benchmark"), result.dropped.size() == 1 ? "is" : "are",
                     every_row ? "." : ": --all names them.");
}

// How many benchmarks have such a drift, from one reference or several.
std::size_t benchmarks_with(const history::HistoryResult& result, bool Drift::*is) {
  std::set<std::string> names;
  for (const Drift& drift : result.drifts) {
    if (drift.*is) names.insert(drift.benchmark);
  }
  return names.size();
}

// "6 benchmarks of the newest commit, c13, are slower than a reference".
std::string newest_text(const history::HistoryResult& result) {
  const std::string commit = "the newest commit, " + revision(result.newest) + ",";
  if (result.drifts.empty()) return "There is no reference to hold " + commit + " against";
  if (!result.decidable()) return "No benchmark of " + commit + " could be held against a reference";
  const std::size_t slower = benchmarks_with(result, &Drift::slower);
  if (slower == 0) return "No benchmark of " + commit + " is slower than a reference";
  return fmt::format("{} of {} {} slower than a reference", units::counted(slower, "benchmark"), commit,
                     slower == 1 ? "is" : "are");
}

std::string answer(const history::HistoryResult& result) {
  const std::size_t undecided = benchmarks_with(result, &Drift::undecided);
  return fmt::format(
      "{}{}; {} in {} of {}.", newest_text(result),
      undecided > 0 ? fmt::format(", and {} {} undecided", undecided, undecided == 1 ? "is" : "are") : "",
      units::counted(std::ssize(result.steps), "step"), units::counted(result.points, "point"),
      units::counted(result.benchmarks, "benchmark"));
}

std::string title(const history::HistoryResult& result) {
  return "Times over commits" + (result.machine.empty() ? "" : ": " + units::visible(result.machine));
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
std::vector<std::string> remarks(const history::HistoryResult& result, bool every_row) {
  std::vector<std::string> lines;
  for (const history::Around& around : result.around) lines.push_back(around_text(around));
  if (!result.dropped.empty()) lines.push_back(dropped_text(result, every_row));
  if (result.drifts.empty()) lines.push_back(history::reference_text() + ": --merge-base or --release names one.");
  lines.push_back(result.noise
                      ? fmt::format("Each point is a run of its own; those of one level differ by {} (standard "
                                    "deviation, median of the benchmarks).",
                                    units::format_percent(std::expm1(*result.noise)))
                      : figures::two_runs_remark());
  return lines;
}

// The days of the points, where several have one commit: else their commits. Times of day where all are of one day.
std::function<std::string(double)> x_labels(const history::HistoryResult& result, std::string& title) {
  std::set<std::string> commits, days;
  for (const history::Session& session : result.sessions) {
    commits.insert(session.commit);
    days.insert(session.date.substr(0, 10));
  }
  const auto at = [&result](double x) -> const history::Session& {
    return result.sessions.at(static_cast<std::size_t>(x));
  };
  const bool has_times = std::ranges::all_of(result.sessions, [](const history::Session& session) {
    return session.date.size() >= sizeof "2026-01-06T07:30" - 1;
  });
  title = "commit";
  if (commits.size() == result.sessions.size()) {
    return [at](double x) { return revision(at(x).commit).substr(0, 7); };
  }
  const bool one_day = days.size() == 1 && has_times;
  title = one_day ? "time (UTC) of " + *days.begin() : "day (UTC)";
  return [at, one_day](double x) { return one_day ? at(x).date.substr(11, 5) : at(x).date.substr(5, 5); };
}

// The median of each point against their order, with the steps and what changed around them.
Chart trend_chart(const history::HistoryResult& result, const history::Trend& trend) {
  html::LineChart chart;
  chart.y_near = true;
  chart.y_title = "time of a call";
  chart.x_label = x_labels(result, chart.x_title);
  chart.y_label = [](double time_s) { return html::tick_text(time_s, units::Unit::seconds); };
  html::ChartSeries series;
  for (const history::Trend::At& at : trend.at) {
    const history::Session& session = result.sessions[at.session];
    series.points.push_back({static_cast<double>(at.session),
                             at.time_s,
                             at.low_s,
                             at.high_s,
                             {trend.benchmark, revision(session.commit) + ", " + session.date,
                              units::format(at.time_s, units::Unit::seconds)}});
  }
  chart.series.push_back(std::move(series));
  for (std::size_t i = 0; i < result.sessions.size(); ++i) {
    const history::Session& session = result.sessions[i];
    for (const history::LevelChange& step : result.steps) {
      if (step.benchmark == trend.benchmark && step.to == session.commit)
        chart.moments.push_back(
            {static_cast<double>(i), "step of " + units::format_change(step.ratio) + " at " + revision(step.to)});
    }
    for (const std::string& change : session.changes) {
      if (change.starts_with("driver") || change.starts_with("board"))
        chart.moments.push_back({static_cast<double>(i), change + " at " + revision(session.commit)});
    }
  }
  chart.description = trend.benchmark + ": time over commits";
  return {.name = trend.benchmark, .title = trend.mode, .words = "time over commits", .drawing = std::move(chart)};
}

bool is_of_interest(const history::HistoryResult& result, const std::string& benchmark) {
  return std::ranges::any_of(result.steps, [&](const LevelChange& step) { return step.benchmark == benchmark; }) ||
         std::ranges::any_of(result.drifts, [&](const Drift& drift) {
           return drift.benchmark == benchmark && (drift.slower || drift.undecided);
         });
}

// The trends of what made a step or drifted, or all of them.
void add_trends(Page& page, const history::HistoryResult& result, bool all) {
  page.add(Heading{.title = "Trends", .id = "trends"});
  const bool any = all || std::ranges::any_of(result.trends, [&](const history::Trend& trend) {
                     return is_of_interest(result, trend.benchmark);
                   });
  page.paragraph(any ? "Points: median over processes; bands: their range. No axis of time begins at zero."
                     : "No benchmark made a step or drifted; --all draws all of them.");
  int number = 0;
  for (const history::Trend& trend : result.trends) {
    if (!all && !is_of_interest(result, trend.benchmark)) continue;
    Chart chart = trend_chart(result, trend);
    chart.id = fmt::format("trend-{}", ++number);
    page.add(std::move(chart));
  }
}

std::vector<std::string> legend_of(const Table& steps, const Table& drifts) {
  std::vector<std::string> lines;
  if (!steps.empty()) {
    lines.push_back(
        "step: change of a benchmark's level; between: the last commit of the old level and the first of the new one.");
  }
  if (!drifts.empty()) {
    lines.push_back("time: the newest commit's against the time of the commit in column \"since\"; + is slower.");
    lines.push_back(
        "SLOWER: the change is at least the tolerance, and p shows it. INCONCLUSIVE: it looks slower, and too few "
        "sessions were measured to show it.");
  }
  if (!lines.empty()) lines.push_back("p: chance of such a difference by noise alone.");
  return lines;
}

Page page_of(const history::HistoryResult& result, bool all, bool every_row, bool legend) {
  Page page{"cupel history", title(result)};
  page.add(Heading{page.title, 1, "answer"});
  page.paragraph(answer(result));
  List warnings{{}, false}, below{remarks(result, every_row), false};
  constexpr std::size_t kMostWarnings = 5;
  for (const std::string& warning : result.warnings) {
    if (!every_row && warnings.items.size() == kMostWarnings) break;
    warnings.items.push_back("warning: " + warning);
  }
  if (const std::size_t more = result.warnings.size() - warnings.items.size(); more > 0)
    warnings.items.push_back(fmt::format("warning: {} more: --all lists them", more));
  page.add(std::move(warnings));
  Table steps = step_table(result, every_row), drifts = drift_table(result, all, every_row);
  std::vector<std::string> means = legend_of(steps, drifts);
  page.add(std::move(steps));
  page.add(std::move(drifts));
  page.add(dropped_table(result, every_row));
  page.add(std::move(below));
  page.add(legend_blocks({std::move(means), false}, legend));
  return page;
}

}  // namespace

std::string history(const history::HistoryResult& result, const HistoryText& how) {
  if (how.format == Format::json) return record::detail::lines(record::detail::encode(result), 2) + "\n";
  Page page = page_of(result, how.all, how.all || how.format != Format::text, how.legend);
  if (how.format == Format::html) add_trends(page, result, how.all);
  return rendered(page, how.format, how.terminal);
}

}  // namespace cupel::report
