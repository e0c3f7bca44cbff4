#include "cupel/history/history.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "cupel/compare/comparison.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/gate/gate.hpp"
#include "cupel/gate/gate_files.hpp"
#include "cupel/stats/change_point.hpp"
#include "cupel/stats/distribution.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/mann_whitney.hpp"
#include "cupel/stats/multiplicity.hpp"
#include "cupel/stats/quantile.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::history {

using namespace record::detail;

namespace {

// FNV-1a, 32 bits. Source: Fowler, Noll and Vo, RFC 9923.
std::uint32_t hash_of(std::string_view text, std::uint32_t hash = 2166136261u) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash;
}

std::string mode_of(const std::string& name, const HistoryPoint& point) {
  const auto found = point.modes.find(name);
  return found == point.modes.end() ? "" : found->second;
}

bool has(const HistoryPoint& point, const std::string& name) { return point.benchmarks.contains(name); }

// One benchmark's points in the newest one's mode, in order of time: the median logarithm over processes.
struct Series {
  std::string mode;
  std::vector<double> levels;
  std::vector<const HistoryPoint*> points;
  std::vector<const std::vector<double>*> locations_s;  // of the processes of each
};

// At least one point has the benchmark.
Series series_of(const std::string& name, const std::vector<HistoryPoint>& points) {
  Series series;
  const auto newest = std::find_if(points.rbegin(), points.rend(), [&](const auto& point) { return has(point, name); });
  series.mode = mode_of(name, *newest);
  for (const HistoryPoint& point : points) {
    const auto found = point.benchmarks.find(name);
    const std::string mode = mode_of(name, point);
    const bool is_other_mode = !mode.empty() && !series.mode.empty() && mode != series.mode;
    if (found == point.benchmarks.end() || is_other_mode) continue;
    series.levels.push_back(stats::median(stats::logarithms(found->second)));
    series.points.push_back(&point);
    series.locations_s.push_back(&found->second);
  }
  return series;
}

std::map<std::string, Series> series_of_newest(const std::vector<HistoryPoint>& points) {
  std::map<std::string, Series> all;
  for (const HistoryPoint& point : points) {
    if (point.commit != points.back().commit) continue;
    for (const auto& [name, locations] : point.benchmarks) {
      if (!all.contains(name)) all[name] = series_of(name, points);
    }
  }
  return all;
}

std::vector<Dropped> dropped_of(const std::vector<HistoryPoint>& points, const std::map<std::string, Series>& newest) {
  std::map<std::string, std::string> last;
  for (const HistoryPoint& point : points) {
    for (const auto& [name, locations] : point.benchmarks) {
      if (!newest.contains(name)) last[name] = point.commit;
    }
  }
  std::vector<Dropped> dropped;
  for (const auto& [name, commit] : last) dropped.push_back({name, commit});
  return dropped;
}

struct Noise {
  double sigma = 0;    ///< sd of one point
  double freedom = 1;  ///< degrees that Student's t of a shift over it has
};

// Neighbours differ by a drift that is common to all, by noise, and now and then by a step. The median absolute
// deviation leaves steps out, and rests on half of the differences: hence the degrees of freedom. How often normal
// points exceed the quantiles of Student's t then: docs/statistics.md.
std::optional<Noise> noise_of(const std::vector<double>& levels) {
  if (levels.size() < kFewestPoints) return std::nullopt;
  std::vector<double> differences;
  for (std::size_t i = 1; i < levels.size(); ++i) differences.push_back(levels[i] - levels[i - 1]);
  const double spread = stats::kNormalMad * stats::median_absolute_deviation(differences) / std::sqrt(2.0);
  return Noise{std::max(spread, compare::kLeastSigma), 0.5 * static_cast<double>(levels.size() - 3)};
}

std::vector<std::string> changed(const HistoryPoint& before, const HistoryPoint& after) {
  std::vector<std::string> lines;
  for (const figures::Key& now : after.fingerprint) {
    for (const figures::Key& then : before.fingerprint) {
      if (now.name == then.name && now.value && then.value && now.value != then.value) {
        lines.push_back(now.name + ": " + *then.value + " -> " + *now.value);
      }
    }
  }
  return lines;
}

std::vector<Around> around_of(const std::vector<HistoryPoint>& points) {
  std::vector<Around> all;
  for (const char* name : {"board", "revision", "SM clock read"}) {
    Around around{name, {}};
    for (const HistoryPoint& point : points) {
      const auto key = std::ranges::find(point.fingerprint, name, &figures::Key::name);
      if (key == point.fingerprint.end() || !key->value) continue;
      auto found = std::ranges::find(around.values, *key->value, &Around::Value::value);
      if (found == around.values.end()) found = around.values.insert(found, {*key->value, 0});
      ++found->points;
    }
    const bool says = around.values.size() > 1 || (around.name == "board" && !around.values.empty());
    if (says) all.push_back(std::move(around));
  }
  return all;
}

// The GPU, else the CPU, else the host: the facts have this order. Empty where none is known.
std::string machine_of(const HistoryPoint& point) {
  const auto names_it = [](const figures::Key& key) {
    return key.value && (key.name == "GPU" || key.name == "CPU" || key.name == figures::kHost);
  };
  const auto found = std::ranges::find_if(point.fingerprint, names_it);
  return found == point.fingerprint.end() ? "" : *found->value;
}

std::vector<Session> sessions_of(const std::vector<HistoryPoint>& points) {
  std::vector<Session> sessions;
  for (const HistoryPoint& point : points) {
    sessions.push_back({point.commit, point.date, {}});
    if (&point != &points.front()) sessions.back().changes = changed(*(&point - 1), point);
  }
  return sessions;
}

// points: those that the series' are among.
Trend trend_of(const std::string& name, const Series& series, const std::vector<HistoryPoint>& points) {
  Trend trend{name, series.mode, {}};
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const auto [low, high] = std::ranges::minmax(*series.locations_s[i]);
    trend.at.push_back(
        {static_cast<std::size_t>(series.points[i] - points.data()), std::exp(series.levels[i]), low, high});
  }
  return trend;
}

stats::ChangeRule step_rule(const std::string& name, const HistoryOptions& options) {
  stats::ChangeRule rule;
  rule.smallest_shift = std::log1p(options.policy.rules_for(name).tolerance);
  return rule;
}

void find_steps(const std::string& name, const Series& all, const HistoryOptions& options,
                std::vector<LevelChange>& steps) {
  const std::size_t skip = all.levels.size() > options.window ? all.levels.size() - options.window : 0;
  const std::span<const double> window = std::span(all.levels).subspan(skip);
  for (const stats::ChangePoint& change : stats::change_points(window, step_rule(name, options))) {
    const HistoryPoint& before = *all.points[skip + change.index - 1];
    const HistoryPoint& after = *all.points[skip + change.index];
    steps.push_back({name, before.commit, after.commit, std::exp(change.shift), change.p_two_sided,
                     changed(before, after), all.mode});
  }
}

struct Level {
  double mean = 0;
  int points = 0;
  std::size_t last = 0;             ///< place of its latest point
  std::vector<double> locations_s;  ///< of the processes of all its points
};

std::optional<Level> level_of(const std::string& commit, const Series& series) {
  Level level;
  for (std::size_t i = 0; i < series.levels.size(); ++i) {
    if (series.points[i]->commit != commit) continue;
    level.mean += series.levels[i];
    level.last = i;
    ++level.points;
    const std::vector<double>& here = *series.locations_s[i];
    level.locations_s.insert(level.locations_s.end(), here.begin(), here.end());
  }
  if (level.points == 0) return std::nullopt;
  level.mean /= level.points;
  return level;
}

// Whether the accepted commit came after the reference; one that the history does not have is taken to have.
bool is_after(const std::string& commit, const Level& reference, const Series& series) {
  const std::optional<Level> there = level_of(commit, series);
  return !there || there->last > reference.last;
}

// The logarithm of what was agreed to since the reference; its reasons go to the drift.
double accepted_shift(const Level& reference, const Series& series, const HistoryOptions& options, Drift& drift) {
  double shift = 0;
  for (const Accepted& one : options.accepted) {
    if (one.expires < options.today || !one.benchmark.matches(drift.benchmark)) continue;
    if (!is_after(one.commit, reference, series)) continue;
    shift += std::log(one.ratio);
    drift.accepted += (drift.accepted.empty() ? "" : "; ") + one.reason + " (until " + one.expires + ")";
  }
  return shift;
}

std::vector<double> logarithms_less(const std::vector<double>& locations_s, double shift) {
  std::vector<double> logs = stats::logarithms(locations_s);
  for (double& log : logs) log -= shift;
  return logs;
}

// One-sided, by ranks.
double p_of_processes(const Level& then, const Level& now, double accepted) {
  return stats::mann_whitney(stats::logarithms(then.locations_s), logarithms_less(now.locations_s, accepted)).p_greater;
}

// The sessions since the reference against those up to it. Ranks are the one test that one odd session, heavy tails or
// levels do not lead astray.
struct Sessions {
  std::vector<double> before;  // at the reference's level
  std::vector<double> now;     // of the newest commit
  std::vector<double> since;   // the same, and of what came between

  // One-sided. Of all sessions since the reference and, where these can reach half of the level, of the newest
  // commit's.
  double p(double level) const {
    const double p_since = stats::mann_whitney(before, since).p_greater;
    const double least = stats::smallest_p(static_cast<int>(before.size()), static_cast<int>(now.size()));
    if (since.size() == now.size() || 2 * least > level) return p_since;
    return std::min(1.0, 2 * std::min(p_since, stats::mann_whitney(before, now).p_greater));
  }

  // Whether it is worth while to measure the newest commit again: as far above as so few can be, or as a screen asks.
  bool seem_slower() const {
    const double least = stats::smallest_p(static_cast<int>(before.size()), static_cast<int>(now.size()));
    return stats::mann_whitney(before, now).p_greater <= std::max(least, gate::kScreenP) ||
           stats::mann_whitney(before, since).p_greater <= gate::kScreenP;
  }
};

// Where the last step is past, another level's sessions say nothing of the reference's.
std::vector<double> since_last_step(std::vector<double> levels, const std::string& name,
                                    const HistoryOptions& options) {
  if (levels.size() > options.window)
    levels.erase(levels.begin(), levels.end() - static_cast<std::ptrdiff_t>(options.window));
  const std::vector<stats::ChangePoint> steps = stats::change_points(levels, step_rule(name, options));
  if (!steps.empty()) levels.erase(levels.begin(), levels.begin() + static_cast<std::ptrdiff_t>(steps.back().index));
  return levels;
}

// The newest points, where they lie apart from their level, all on one side, and are too few for a step.
struct Apart {
  std::size_t points = 0;
  std::size_t needed = 0;  // for a step, the points there are included; 0 where the level before has too few
  std::string since;       // the commit of the first of them
  double shift = 0;        // of the one nearest to the level
  bool operator<(const Apart& other) const {
    return std::tuple(points, needed, since, shift > 0) <
           std::tuple(other.points, other.needed, other.since, other.shift > 0);
  }
};

// Points that a step needs behind so many; 0 where so many do not reach it.
std::size_t points_for_step(std::size_t before, const stats::ChangeRule& rule) {
  constexpr std::size_t kMost = 20;
  for (std::size_t points = rule.least_points; before >= rule.least_points && points <= kMost; ++points) {
    if (2 * stats::smallest_p(static_cast<int>(before), static_cast<int>(points)) <= rule.alpha) return points;
  }
  return 0;
}

std::optional<Apart> apart_of(const std::string& name, const Series& series, const HistoryOptions& options) {
  constexpr double kSigmas = 5;
  const std::optional<Noise> noise = noise_of(series.levels);
  if (!noise) return std::nullopt;
  const std::vector<double> levels = since_last_step(series.levels, name, options);
  const stats::ChangeRule rule = step_rule(name, options);
  const double least = std::max(rule.smallest_shift, kSigmas * noise->sigma);
  for (std::size_t points = levels.size() / 2; points > 0; --points) {
    const std::span<const double> all(levels), before = all.first(levels.size() - points), now = all.last(points);
    const double level = stats::median(before);
    const auto [low, high] = std::ranges::minmax(now);
    const double shift = low > level ? low - level : high - level;
    const std::size_t needed = points_for_step(before.size(), rule);
    const bool are_apart = (low > level || high < level) && std::abs(shift) >= least;
    if (are_apart && (needed == 0 || points < needed))
      return Apart{points, needed, series.points[series.points.size() - points]->commit, shift};
  }
  return std::nullopt;
}

std::string apart_text(const Apart& apart, std::size_t benchmarks) {
  const std::string which =
      apart.points == 1 ? "the newest point" : "the newest " + std::to_string(apart.points) + " points";
  const std::string more =
      apart.needed == 0
          ? ", but the level has too few points to show a step"
          : ". A step needs " + std::to_string(apart.needed) +
                " points: " + units::counted(static_cast<std::int64_t>(apart.needed - apart.points), "more point") +
                " can show it";
  return which + " of " + units::counted(static_cast<std::int64_t>(benchmarks), "benchmark") + " (from " + apart.since +
         " on) " + (apart.points == 1 ? "lies " : "lie ") + units::format_percent(std::abs(std::expm1(apart.shift))) +
         " or more " + (apart.shift > 0 ? "above" : "below") + " the level before" + more;
}

// Warns of newest points apart from their level, of each kind of points once. A benchmark that a reference calls slower
// or undecided is named there.
void tell_apart(const std::map<std::string, Series>& all, const HistoryOptions& options, HistoryResult& result) {
  std::map<Apart, std::pair<std::size_t, double>> found;  // benchmarks, and the least shift among them
  for (const auto& [name, series] : all) {
    const auto says = [&](const Drift& drift) { return drift.benchmark == name && (drift.slower || drift.undecided); };
    const std::optional<Apart> apart = apart_of(name, series, options);
    if (!apart || std::ranges::any_of(result.drifts, says)) continue;
    auto& [benchmarks, shift] = found.try_emplace(*apart, 0, apart->shift).first->second;
    ++benchmarks;
    if (std::abs(apart->shift) < std::abs(shift)) shift = apart->shift;
  }
  for (const auto& [kind, seen] : found) {
    Apart nearest = kind;
    nearest.shift = seen.second;
    result.warnings.push_back(apart_text(nearest, seen.first));
  }
}

Sessions sessions_of(const std::string& name, const Level& then, double accepted, const Series& series,
                     const HistoryOptions& options) {
  Sessions sessions;
  for (std::size_t i = 0; i < series.levels.size(); ++i) {
    const bool is_newest = series.points[i]->commit == series.points.back()->commit;
    const bool is_before = !is_newest && i <= then.last;
    if (is_newest) sessions.now.push_back(series.levels[i] - accepted);
    if (is_before) sessions.before.push_back(series.levels[i]);
    if (!is_before) sessions.since.push_back(series.levels[i] - accepted);
  }
  sessions.before = since_last_step(std::move(sessions.before), name, options);
  return sessions;
}

// Sessions of the newest commit that ranks need beside those there are, if they are as these; nothing where so many do
// not reach it.
std::optional<int> sessions_to_show(Sessions sessions, double level) {
  constexpr int kMost = 20;
  const double as_these = stats::median(sessions.now);
  for (int more = 1; more <= kMost; ++more) {
    sessions.now.push_back(as_these);
    sessions.since.push_back(as_these);
    if (sessions.p(level) <= level) return more;
  }
  return std::nullopt;
}

// How far the newest commit, which the series has, lies from the reference; nothing where it is the reference, or that
// is not there.
std::optional<Drift> drift_of(const std::string& name, const std::string& reference, const Series& series,
                              const Noise& noise, std::size_t family, const HistoryOptions& options, double& p) {
  const std::optional<Level> then = level_of(reference, series);
  if (!then || series.points.back()->commit == reference) return std::nullopt;
  const Level now = *level_of(series.points.back()->commit, series);
  Drift drift;
  drift.benchmark = name;
  drift.mode = series.mode;
  drift.reference = reference;
  const double accepted = accepted_shift(*then, series, options, drift);
  const double shift = now.mean - then->mean - accepted;
  const double error = noise.sigma * std::sqrt(1.0 / now.points + 1.0 / then->points);
  const double half = stats::student_quantile(0.975, noise.freedom) * error;
  drift.ratio = std::exp(shift);
  drift.lower = std::exp(shift - half);
  drift.upper = std::exp(shift + half);
  drift.decidable = std::min(now.locations_s.size(), then->locations_s.size()) >= kFewestProcesses;
  drift.slower = drift.decidable && shift >= std::log1p(options.policy.rules_for(name).tolerance);
  const double p_of_points = stats::student_cdf(-shift / error, noise.freedom);
  const double of_processes = p_of_processes(*then, now, accepted);
  const bool processes_differ = drift.decidable && of_processes <= gate::kScreenP;
  const Sessions sessions = sessions_of(name, *then, accepted, series, options);
  const double normal = std::max(p_of_points, processes_differ ? 0 : of_processes);
  const double level = options.policy.alpha / static_cast<double>(family);
  p = std::max(normal, sessions.p(level));
  drift.undecided = drift.slower && normal <= options.policy.alpha && p > level && sessions.seem_slower();
  if (drift.undecided) drift.sessions_to_show = sessions_to_show(sessions, level);
  drift.sessions = static_cast<int>(sessions.now.size());
  drift.sessions_before = static_cast<int>(sessions.before.size());
  return drift;
}

// A commit that looks slower, and which sessions would show it.
std::string not_shown_text(const Drift& drift) {
  const std::string more =
      drift.sessions_to_show
          ? units::counted(*drift.sessions_to_show, "more session") + " of the newest commit can show it"
          : std::string("name a later reference, or measure both in turn with cupel gate");
  return drift.benchmark + " looks " + units::format_percent(drift.ratio - 1) + " slower than " + drift.reference +
         ". There are too few sessions to show it (" + std::to_string(drift.sessions) + " of the newest commit, " +
         std::to_string(drift.sessions_before) + " up to " + drift.reference + "): " + more;
}

}  // namespace

std::string reference_text() {
  return "A reference: an earlier commit that the newest is held against. Either needs " +
         std::to_string(kFewestProcesses) + " processes, and a benchmark " + std::to_string(kFewestPoints) + " points";
}

namespace {

// The most points of any benchmark that both the newest commit and the reference have.
std::size_t most_points(const std::string& reference, const std::map<std::string, Series>& all) {
  std::size_t most = 0;
  for (const auto& [name, series] : all) {
    if (level_of(reference, series)) most = std::max(most, series.levels.size());
  }
  return most;
}

// "c3, c2, c1", the newest first.
std::string newest_commits(const std::vector<HistoryPoint>& points) {
  constexpr std::size_t kMost = 5, kRevision = 12;
  std::vector<std::string> commits;
  for (auto point = points.rbegin(); point != points.rend() && commits.size() < kMost; ++point)
    units::add_once(commits, point->commit.substr(0, kRevision));
  return units::joined(commits);
}

// Why the reference says nothing, or calls nothing slower; empty where it may.
std::string missing_of(const std::string& reference, const std::vector<Drift>& drifts,
                       const std::map<std::string, Series>& all, const std::vector<HistoryPoint>& points) {
  const std::string nothing = "nothing to hold against " + reference + ": ";
  if (std::ranges::find(points, reference, &HistoryPoint::commit) == points.end()) {
    return nothing + "it is not in the history, whose newest commits are " + newest_commits(points);
  }
  if (points.back().commit == reference) return nothing + "it is the newest commit";
  if (const std::size_t most = most_points(reference, all); drifts.empty() && most > 0) {
    return nothing + "a benchmark needs " + std::to_string(kFewestPoints) +
           " points to tell a change from noise, and has " + std::to_string(most) +
           "; cupel compare holds two results against each other";
  }
  if (drifts.empty()) return nothing + "it has no benchmark of the newest commit";
  if (std::ranges::none_of(drifts, &Drift::decidable)) {
    return "nothing can be called slower than " + reference + ": both commits need " +
           std::to_string(kFewestProcesses) + " processes; measure with --processes " +
           std::to_string(kFewestProcesses) + " or more";
  }
  return "";
}

// The commit of the history that it begins, or that begins it: 7, 12 and 40 digits may mean the same. As it is where
// there is none, or several.
std::string commit_like(const std::string& reference, const std::vector<HistoryPoint>& points) {
  constexpr std::size_t kFewest = 7;
  std::set<std::string> found;
  for (const HistoryPoint& point : points) {
    if (point.commit == reference) return reference;
    const bool long_enough = std::min(point.commit.size(), reference.size()) >= kFewest;
    if (long_enough && (point.commit.starts_with(reference) || reference.starts_with(point.commit))) {
      found.insert(point.commit);
    }
  }
  return found.size() == 1 ? *found.begin() : reference;
}

void find_drifts(const std::map<std::string, Series>& all, const std::vector<HistoryPoint>& points,
                 const std::string& reference, const HistoryOptions& options, HistoryResult& result) {
  std::vector<Drift> drifts;
  std::vector<double> p;
  for (const auto& [name, series] : all) {
    const std::optional<Noise> noise = noise_of(series.levels);
    double p_here = 1;
    if (!noise) continue;
    if (std::optional<Drift> drift = drift_of(name, reference, series, *noise, all.size(), options, p_here)) {
      drifts.push_back(std::move(*drift));
      p.push_back(p_here);
    }
  }
  const std::vector<double> adjusted = stats::holm(p);
  for (std::size_t i = 0; i < drifts.size(); ++i) {
    drifts[i].p_adjusted = adjusted[i];
    drifts[i].slower = drifts[i].slower && adjusted[i] <= options.policy.alpha;
    drifts[i].undecided = drifts[i].undecided && !drifts[i].slower;
    const auto then = std::ranges::find(points, reference, &HistoryPoint::commit);
    if (drifts[i].slower && then != points.end()) drifts[i].differences = changed(*then, points.back());
  }
  for (const Drift& drift : drifts) {
    if (drift.undecided) result.warnings.push_back(not_shown_text(drift));
  }
  if (const std::string missing = missing_of(reference, drifts, all, points); !missing.empty()) {
    result.warnings.push_back(missing);
  }
  std::move(drifts.begin(), drifts.end(), std::back_inserter(result.drifts));
}

}  // namespace

static void visit(auto& v, Is<HistoryPoint> auto& point) {
  record::visit_version(v, "cupel_history");
  v("commit", point.commit, kRequired);
  v("date", point.date, kRequiredTime);
  v("fingerprint", point.fingerprint);
  v("locations_s", point.benchmarks, kRequired);
  v("modes", point.modes);
}

static void check(const HistoryPoint& point, const Path& path, Reading& reading) {
  const Path list(path, "locations_s");
  for (const auto& [name, locations] : point.benchmarks) {
    if (!stats::are_positive(locations)) reading.problems.add(Path(list, name), "must hold times above 0");
  }
}

static void visit(auto& v, Accepted& accepted) {
  v("benchmark", accepted.benchmark, kRequired);
  v("ratio", accepted.ratio, kRequired);
  v("reason", accepted.reason, kRequired);
  v("commit", accepted.commit, kRequired);
  v("expires", accepted.expires, kRequired);
}

static void check(const Accepted& accepted, const Path& path, Reading& reading) {
  if (!(accepted.ratio > 1)) reading.problems.add(Path(path, "ratio"), "must be above 1");
  if (!units::is_date(accepted.expires)) reading.problems.add(Path(path, "expires"), "must be a date, YYYY-MM-DD");
}

struct AcceptedList {
  std::vector<Accepted> accepted;
};

static void visit(FieldReader& v, AcceptedList& list) {
  record::visit_version(v, "cupel_accepted");
  v.take("$schema");
  v("accepted", list.accepted, kRequired);
}

bool HistoryResult::regression() const {
  return std::ranges::any_of(drifts, [](const Drift& drift) { return drift.slower; });
}

bool HistoryResult::undecided() const { return std::ranges::any_of(drifts, &Drift::undecided); }

bool HistoryResult::decidable() const {
  return std::ranges::any_of(drifts, [](const Drift& drift) { return drift.decidable; });
}

std::string machine_id(const record::Context& context) {
  const bool is_nameless = !context.device && context.host.cpu.empty();
  const std::set<std::string> tells =
      is_nameless ? std::set<std::string>{figures::kHost, "CPUs", "caches"} : std::set<std::string>{};
  std::string name, all;
  for (const figures::Key& key : figures::fingerprint(context)) {
    if ((key.hardness != figures::Hardness::hard && !tells.contains(key.name)) || !key.value) continue;
    if (name.empty() && (key.name == "GPU" || key.name == "CPU" || key.name == figures::kHost)) name = *key.value;
    all += key.name + "=" + *key.value + "\n";
  }
  constexpr const char* kDigits = "0123456789abcdef";
  std::string hex;
  const std::uint32_t hash = hash_of(all);
  for (int shift = 28; shift >= 0; shift -= 4) hex += kDigits[(hash >> shift) & 15u];
  const std::string machine = units::slug(name).substr(0, 60);
  return (machine.empty() ? "unknown-machine" : machine) + "-" + hex;
}

bool may_be_of(const std::vector<HistoryPoint>& points, const record::Context& context) {
  const std::vector<figures::Key> here = figures::fingerprint(context);
  const auto gpu = std::ranges::find(here, "GPU", &figures::Key::name);
  if (gpu == here.end() || !gpu->value || points.empty()) return false;
  return std::ranges::all_of(points, [&](const HistoryPoint& point) {
    return std::ranges::find(point.fingerprint, *gpu) != point.fingerprint.end() &&
           !figures::any_hard(figures::differences(point.fingerprint, here));
  });
}

HistoryPoint history_point(const figures::Suite& suite, std::string commit, std::string date) {
  HistoryPoint point{std::move(commit), std::move(date), gate::known(figures::fingerprint(suite.context)), {}, {}};
  for (const figures::Benchmark& benchmark : suite.benchmarks) {
    const figures::Locations* times = benchmark.times();
    if (times == nullptr) continue;
    point.benchmarks[benchmark.name] = times->values_s;
    point.modes[benchmark.name] =
        std::string(to_string(times->mode)) + (benchmark.clock.empty() ? "" : ", " + benchmark.clock + " time");
  }
  return point;
}

std::vector<std::string> hosts_of(const std::vector<HistoryPoint>& points) {
  std::vector<std::string> hosts;
  for (const HistoryPoint& point : points) {
    const auto host = std::ranges::find(point.fingerprint, figures::kHost, &figures::Key::name);
    if (host == point.fingerprint.end() || !host->value) continue;
    if (std::ranges::find(hosts, *host->value) == hosts.end()) hosts.push_back(*host->value);
  }
  return hosts;
}

std::string to_json(const HistoryPoint& point) {
  HistoryPoint written = point;
  written.fingerprint = gate::known(point.fingerprint);
  return lines(encode(written), 2) + "\n";
}

HistoryPoint history_point_from_json(std::string_view text, const std::string& origin) {
  return record::read_document<HistoryPoint>(text, origin, record::UnknownKeys::passed_over);
}

std::vector<Accepted> accepted_from_json(std::string_view text, const std::string& origin) {
  return record::read_document<AcceptedList>(text, origin, record::UnknownKeys::refused).accepted;
}

HistoryResult analyse(std::vector<HistoryPoint> points, const HistoryOptions& options) {
  std::ranges::stable_sort(points, [](const HistoryPoint& a, const HistoryPoint& b) {
    return std::pair(a.date, a.commit) < std::pair(b.date, b.commit);
  });
  HistoryResult result;
  result.points = points.size();
  if (points.empty()) return result;
  result.machine = machine_of(points.back());
  result.newest = points.back().commit;
  const std::map<std::string, Series> all = series_of_newest(points);
  result.benchmarks = all.size();
  result.dropped = dropped_of(points, all);
  for (const Accepted& one : options.accepted) {
    if (one.expires >= options.today) continue;
    result.warnings.push_back("what was accepted for '" + one.benchmark.text() + "' ended on " + one.expires + ": " +
                              one.reason);
  }
  result.around = around_of(points);
  result.sessions = sessions_of(points);
  std::vector<double> noises;
  for (const auto& [name, series] : all) {
    find_steps(name, series, options, result.steps);
    result.trends.push_back(trend_of(name, series, points));
    if (const std::optional<Noise> noise = noise_of(series.levels)) noises.push_back(noise->sigma);
  }
  result.noise = stats::median_if_any(noises);
  for (const std::string& reference : options.references)
    find_drifts(all, points, commit_like(reference, points), options, result);
  tell_apart(all, options, result);
  std::ranges::stable_sort(result.drifts, [](const Drift& a, const Drift& b) {
    return std::tuple(!a.slower, !a.undecided, -a.ratio) < std::tuple(!b.slower, !b.undecided, -b.ratio);
  });
  const auto age = [&](const LevelChange& step) {
    for (std::size_t i = points.size(); i-- > 0;) {
      if (points[i].commit == step.to) return points.size() - i;
    }
    return points.size();
  };
  std::ranges::stable_sort(result.steps, [&](const LevelChange& a, const LevelChange& b) { return age(a) < age(b); });
  return result;
}

}  // namespace cupel::history
