#include "cupel/fleet/fleet.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>

#include "cupel/figures/fingerprint.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/outlier.hpp"
#include "cupel/stats/quantile.hpp"

namespace cupel::fleet {
namespace {

// A value of a machine.
struct Point {
  std::size_t machine = 0;
  double log = 0;  // of its time against the fleet's median
  int benchmarks = 1;
};

// The times of a machine.
struct Times {
  std::size_t machine = 0;
  const figures::Locations* locations = nullptr;
};

// The machines that have times of the clock that the first machine's are of.
std::vector<Times> times_of(const figures::Matched& matched, const std::vector<std::size_t>& machines,
                            record::Mode mode) {
  const auto first = std::ranges::find_if(matched.in, [](const auto* one) { return one != nullptr; });
  std::vector<Times> all;
  all.reserve(machines.size());
  for (const std::size_t machine : machines) {
    const figures::Benchmark* const benchmark = matched.in[machine];
    if (benchmark == nullptr || benchmark->clock != (*first)->clock) continue;
    if (const figures::Locations* times = benchmark->times(mode)) all.push_back({machine, times});
  }
  return all;
}

std::vector<double> logs_of(const std::vector<Point>& points) {
  std::vector<double> logs;
  logs.reserve(points.size());
  for (const Point& point : points) logs.push_back(point.log);
  return logs;
}

// The sd of machines, whichever lie apart, and no less than 0.1 %: what happens to agree everywhere is not to weigh
// all.
double robust_sd(const std::vector<Point>& points) {
  constexpr double kLeastSd = 1e-3;
  return std::max(kLeastSd, stats::kNormalMad * stats::median_absolute_deviation(logs_of(points)));
}

// Returns the median, which is taken away from all.
double centre(std::vector<Point>& points) {
  const double middle = stats::median(logs_of(points));
  for (Point& point : points) point.log -= middle;
  return middle;
}

FleetFigure figure_of(const std::string& name, const Point& point, const stats::Apart& apart) {
  return {name, point.machine, std::exp(point.log), apart.z, point.benchmarks, apart.outlier, {}};
}

// The test for outliers at one level; its critical values are the same for as many machines.
class Test {
 public:
  Test(double alpha, double effect) : alpha_(alpha), effect_(std::log1p(effect)) {}

  /// For each point, whether it is an outlier further away than the effect.
  std::vector<stats::Apart> apart(const std::vector<Point>& points) {
    const std::vector<double> logs = logs_of(points);
    const auto [critical, is_new] = critical_.try_emplace(logs.size());
    if (is_new) critical->second = stats::outlier_critical(logs.size(), alpha_);
    std::vector<stats::Apart> apart = stats::outliers(logs, critical->second);
    for (std::size_t i = 0; i < logs.size(); ++i) apart[i].outlier = apart[i].outlier && std::abs(logs[i]) > effect_;
    return apart;
  }

  std::vector<FleetFigure> operator()(const std::string& name, const std::vector<Point>& points) {
    const std::vector<stats::Apart> apart = this->apart(points);
    std::vector<FleetFigure> figures;
    for (std::size_t i = 0; i < points.size(); ++i) figures.push_back(figure_of(name, points[i], apart[i]));
    return figures;
  }

 private:
  double alpha_, effect_;
  std::map<std::size_t, std::vector<double>> critical_;
};

// The mode that the first machine with a figure reports.
std::optional<record::Mode> mode_of(const figures::Matched& matched, const std::vector<std::size_t>& machines) {
  for (const std::size_t machine : machines) {
    const figures::Benchmark* benchmark = matched.in[machine];
    if (benchmark != nullptr && !benchmark->modes.empty()) return benchmark->modes.front().mode;
  }
  return std::nullopt;
}

// The facts that most of these machines' records say.
figures::Facts most_of(const std::vector<figures::Facts>& facts, const std::vector<std::size_t>& machines) {
  std::vector<const figures::Facts*> theirs;
  for (const std::size_t machine : machines) theirs.push_back(&facts[machine]);
  return figures::facts_of_most(theirs);
}

// Half of the machines of one kind, and half of another, hide each other from a test for outliers. The sorted figures
// are cut where the two sides are each most even. The two halves of 64 normal values lie 2.7 of their own sd apart.
constexpr double kKindsApart = 6;  // sd within the kinds
constexpr std::size_t kFewestOfKind = 4;

// The first of the slower kind among the sorted points, if there are two kinds.
std::optional<std::size_t> second_kind(const std::vector<Point>& sorted, double effect) {
  const std::vector<double> logs = logs_of(sorted);
  const std::span<const double> all(logs);
  // A smaller group than a quarter is outliers, which the test finds one by one.
  const std::size_t fewest = std::max(kFewestOfKind, logs.size() / 4 + 1);
  std::optional<std::size_t> best;
  double least = stats::squared_deviations(all);
  for (std::size_t cut = fewest; cut + fewest <= logs.size(); ++cut) {
    const double within = stats::squared_deviations(all.first(cut)) + stats::squared_deviations(all.subspan(cut));
    if (within < least) least = within, best = cut;
  }
  if (!best) return std::nullopt;
  const double apart = stats::mean(all.subspan(*best)) - stats::mean(all.first(*best));
  const double sd = std::sqrt(least / static_cast<double>(logs.size() - 2));
  return apart > kKindsApart * sd && apart > std::log1p(effect) ? best : std::nullopt;
}

// Most of the level is for families and everything: what is slow of a machine is seldom one benchmark.
constexpr double kFamilyShare = 0.8;

class FleetBuilder {
 public:
  FleetBuilder(std::string model, std::vector<std::size_t> machines, std::size_t benchmarks,
               const std::vector<figures::Facts>& facts, const FleetRule& rule)
      : rule_(rule),
        facts_(facts),
        benchmark_alpha_((1 - kFamilyShare) * rule.alpha / static_cast<double>(std::max<std::size_t>(benchmarks, 1))),
        benchmark_test_(benchmark_alpha_, rule.effect) {
    fleet_.model = std::move(model);
    fleet_.failed.assign(machines.size(), 0);
    fleet_.machines = std::move(machines);
  }

  void add(const figures::Matched& matched) {
    count_failures(matched);
    const std::optional<record::Mode> mode = mode_of(matched, fleet_.machines);
    const std::vector<Times> times = mode ? times_of(matched, fleet_.machines, *mode) : std::vector<Times>{};
    const bool is_judged = !times.empty() && times.size() >= rule_.fewest;
    count(matched, mode, is_judged);
    if (!is_judged) return;
    std::vector<Point> points;
    points.reserve(times.size());
    for (const Times& one : times) points.push_back({one.machine, std::log(one.locations->value_s()), 1});
    const std::string& family = matched.in[times.back().machine]->family;
    const double middle = centre(points);
    add_to_family(family, points);
    const std::vector<stats::Apart> apart = benchmark_test_.apart(points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!apart[i].outlier) continue;
      FleetFigure figure = figure_of(matched.name, points[i], apart[i]);
      if (!all_processes_apart(times, middle, figure)) continue;
      figure.mode = mode;
      figure.family = family;
      found_.push_back(std::move(figure));
    }
  }

  Fleet finish() {
    const double alpha = kFamilyShare * rule_.alpha / static_cast<double>(rows_.size() + 1);
    Test test(alpha, rule_.effect);
    for (const auto& [family, machines] : rows_) judge_family(family, machines, test);
    judge_everything(test);
    for (const FleetFigure& figure : found_) {
      if (!has_kinds(figure.family)) fleet_.benchmarks.push_back(figure);
    }
    const auto effect = [](const FleetFigure& figure) { return std::abs(std::log(figure.ratio)); };
    std::ranges::stable_sort(fleet_.benchmarks,
                             [&](const FleetFigure& a, const FleetFigure& b) { return effect(a) > effect(b); });
    add_differences();
    return std::move(fleet_);
  }

 private:
  using Rows = std::map<std::size_t, std::vector<stats::Uncertain>>;  // of each machine, in the machines' sd

  // A machine's families, against the machines' median, and that in the machines' sd.
  struct Families {
    std::vector<double> logs, in_sd;
  };

  void count_failures(const figures::Matched& matched) {
    for (std::size_t i = 0; i < fleet_.machines.size(); ++i) {
      const figures::Benchmark* benchmark = matched.in[fleet_.machines[i]];
      if (benchmark != nullptr && benchmark->failed > 0) ++fleet_.failed[i];
    }
  }

  void count(const figures::Matched& matched, std::optional<record::Mode> mode, bool is_judged) {
    const auto has_it = [&](std::size_t machine) { return matched.in[machine] != nullptr; };
    if (std::ranges::none_of(fleet_.machines, has_it)) return;
    ++fleet_.judged.benchmarks;
    if (is_judged) ++fleet_.judged.judged;
    if (!is_judged) ++fleet_.judged.not_judged[why_not(matched, fleet_.machines, mode)];
  }

  void add_to_family(const std::string& family, const std::vector<Point>& points) {
    const double sd = robust_sd(points);
    Rows& rows = rows_[family];
    auto next = rows.begin();  // points and rows are in the order of the machines
    for (const Point& point : points) {
      const auto of_machine = rows.try_emplace(next, point.machine);
      of_machine->second.push_back({point.log, sd});
      next = std::next(of_machine);
    }
  }

  // Processes fall into modes: by chance all of one machine's fall into the same one. Were a process as likely to lie
  // as far out as the least of this machine's, on any machine, then a machine would have all of its there with that
  // probability to the power of its processes. So the others' processes that do must be few.
  bool all_processes_apart(const std::vector<Times>& machines, double middle, const FleetFigure& figure) const {
    const double side = figure.ratio > 1 ? 1 : -1;
    const auto distance = [&](double time_s) { return side * (std::log(time_s) - middle); };
    const std::vector<double>& own = std::ranges::find(machines, figure.machine, &Times::machine)->locations->values_s;
    double least = distance(own.front());
    for (const double time_s : own) least = std::min(least, distance(time_s));
    if (least <= std::log1p(rule_.effect)) return false;
    std::size_t others = 0, as_far = 0;
    for (const auto& [machine, locations] : machines) {
      if (machine == figure.machine) continue;
      others += locations->values_s.size();
      as_far += static_cast<std::size_t>(
          std::ranges::count_if(locations->values_s, [&](double time_s) { return distance(time_s) >= least / 2; }));
    }
    const double chance = benchmark_alpha_ / static_cast<double>(fleet_.machines.size());
    const double share = std::pow(chance, 1 / static_cast<double>(own.size()));
    return static_cast<double>(as_far) <= share * static_cast<double>(others);
  }

  bool has_kinds(const std::string& family) const {
    return std::ranges::any_of(fleet_.kinds, [&](const Kinds& kinds) { return kinds.family == family; });
  }

  void judge_family(const std::string& family, const Rows& machines, Test& test) {
    std::vector<Point> points;
    for (const auto& [machine, rows] : machines) {
      points.push_back({machine, stats::huber_mean(rows), static_cast<int>(rows.size())});
    }
    if (points.size() < rule_.fewest) return;
    centre(points);
    const double sd = robust_sd(points);
    for (const Point& point : points) {
      of_families_[point.machine].logs.push_back(point.log);
      of_families_[point.machine].in_sd.push_back(point.log / sd);
    }
    std::vector<FleetFigure> figures = test(family, points);
    if (add_kinds(family, points)) {
      for (FleetFigure& figure : figures) figure.outlier = false;
    }
    fleet_.families.insert(fleet_.families.end(), figures.begin(), figures.end());
  }

  bool add_kinds(const std::string& family, std::vector<Point> points) {
    std::ranges::sort(points, {}, &Point::log);
    const std::optional<std::size_t> cut = second_kind(points, rule_.effect);
    if (!cut) return false;
    Kinds kinds{family, 1, {}, {}};
    std::vector<std::size_t> quicker;
    double quick = 0, slow = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      (i < *cut ? quicker : kinds.slower).push_back(points[i].machine);
      (i < *cut ? quick : slow) += points[i].log;
    }
    kinds.ratio =
        std::exp(slow / static_cast<double>(kinds.slower.size()) - quick / static_cast<double>(quicker.size()));
    std::ranges::sort(kinds.slower);
    kinds.differs = figures::differing(most_of(facts_, quicker), most_of(facts_, kinds.slower));
    fleet_.kinds.push_back(std::move(kinds));
    return true;
  }

  // With one family everything is the family; with kinds, what stands out is a kind. Families are tested in sd of each:
  // machines differ more in some than in others, and the median of such logarithms has tails that the test takes for
  // outliers.
  void judge_everything(Test& test) {
    constexpr std::size_t kFewestFamilies = 3;
    std::vector<Point> in_sd;
    for (const auto& [machine, families] : of_families_) {
      const std::size_t count = families.in_sd.size();
      if (count >= kFewestFamilies) in_sd.push_back({machine, stats::median(families.in_sd), static_cast<int>(count)});
    }
    if (in_sd.size() < rule_.fewest || !fleet_.kinds.empty()) return;
    centre(in_sd);
    for (FleetFigure& figure : test(kEverything, in_sd)) {
      const double log = stats::median(of_families_.at(figure.machine).logs);
      if (!figure.outlier || std::abs(log) <= std::log1p(rule_.effect)) continue;
      figure.ratio = std::exp(log);
      fleet_.everything.push_back(figure);
    }
  }

  void add_differences() {
    std::map<std::size_t, bool> outlying;
    for (const auto* figures : {&fleet_.everything, &fleet_.families, &fleet_.benchmarks}) {
      for (const FleetFigure& figure : *figures) {
        if (figure.outlier) outlying[figure.machine] = true;
      }
    }
    const figures::Facts most = most_of(facts_, fleet_.machines);
    for (const auto& [machine, _] : outlying)
      fleet_.differs.push_back({machine, figures::differing(most, facts_[machine])});
  }

  const FleetRule& rule_;
  const std::vector<figures::Facts>& facts_;
  double benchmark_alpha_;  // of one benchmark on all machines
  Test benchmark_test_;
  Fleet fleet_;
  std::map<std::string, Rows> rows_;             // by family
  std::map<std::size_t, Families> of_families_;  // by machine
  std::vector<FleetFigure> found_;               // benchmarks
};

}  // namespace

bool is_within(const FleetFigure& benchmark, const FleetFigure& whole) {
  return whole.outlier && benchmark.machine == whole.machine && (benchmark.ratio > 1) == (whole.ratio > 1) &&
         (whole.name == benchmark.family || whole.name == kEverything);
}

std::vector<Fleet> fleets(std::span<const figures::Suite> suites, const FleetRule& rule) {
  std::map<std::string, std::vector<std::size_t>> models;
  std::vector<figures::Facts> facts;
  for (std::size_t i = 0; i < suites.size(); ++i) {
    const std::vector<figures::Key> keys = figures::fingerprint(suites[i].context);
    models[figures::model_of(keys)].push_back(i);
    facts.push_back(figures::facts_of(keys));
  }
  const std::vector<figures::Matched> matched = match(suites);
  std::vector<Fleet> found;
  for (auto& [model, machines] : models) {
    FleetBuilder builder(model, std::move(machines), matched.size(), facts, rule);
    for (const figures::Matched& one : matched) builder.add(one);
    found.push_back(builder.finish());
  }
  return found;
}

}  // namespace cupel::fleet
