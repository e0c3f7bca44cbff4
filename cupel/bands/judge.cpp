#include "cupel/bands/judge.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <ranges>
#include <set>
#include <utility>

#include "cupel/figures/facts.hpp"
#include "cupel/figures/process.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/record/context.hpp"
#include "cupel/stats/distribution.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/quantile.hpp"

namespace cupel::bands {
namespace {

// The rule of the unusual: beyond an interval of this level, and by no less than the effect.
struct Rule {
  double alpha, effect;
};
constexpr Rule kOfBenchmark{0.04, 0.02}, kOfFamily{0.02, 0.01};

using Boards = std::set<std::string>;

// The distances of a benchmark's times, on this board and on each other one, from the others' median. All are
// logarithms.
struct Distances {
  const std::string* name;
  std::map<std::string, double> others;  // less their median
  double own = 0;                        // less their median
  double own_sd = 0;                     // of the median over this board's processes
};

std::vector<double> values_of(const std::map<std::string, double>& by_board) {
  const auto values = std::views::values(by_board);
  return {values.begin(), values.end()};
}

double sd_of(const std::map<std::string, double>& by_board) { return stats::standard_deviation(values_of(by_board)); }

std::optional<Distances> distances_of(const Band& band, const figures::Benchmark& benchmark, const Boards& own) {
  const figures::Locations* times = benchmark.times(band.mode);
  if (times == nullptr) return std::nullopt;
  Distances distances{&benchmark.name, {}};
  for (const auto& [board, measured] : band.boards) {
    if (!own.contains(board)) distances.others[board] = std::log(measured.time_s);
  }
  if (distances.others.empty()) return std::nullopt;
  const double middle = stats::median(values_of(distances.others));
  for (auto& [_, other] : distances.others) other -= middle;
  distances.own = std::log(times->value_s()) - middle;
  const auto processes = static_cast<double>(times->values_s.size());
  std::vector<double> between;  // of single processes: what other boards' differ by
  for (const auto& [_, measured] : band.boards) between.push_back(measured.between);
  const double sd =
      processes < 2 ? stats::median(between) : stats::standard_deviation(stats::logarithms(times->values_s));
  distances.own_sd = sd / std::sqrt(processes);
  return distances;
}

// The distance from a median of so many values that one more of them has by chance, but for one in 1 / alpha.
double reach(double alpha, double sd, double own_sd, std::size_t boards) {
  const auto n = static_cast<double>(boards);
  const double of_median = sd * sd * std::numbers::pi / 2 / n;
  return stats::student_quantile(1 - alpha / 2, n - 1) * std::sqrt(sd * sd + of_median + own_sd * own_sd);
}

double limit_of(const Rule& rule, double sd, double own_sd, std::size_t boards) {
  return std::max(std::log1p(rule.effect), reach(rule.alpha, sd, own_sd, boards));
}

// The benchmarks of a family that are timed on one clock.
class Family {
 public:
  Family(std::string name, bool on_the_host) : name_(std::move(name)), on_the_host_(on_the_host) {}

  void add(Distances one) { distances_.push_back(std::move(one)); }

  std::vector<Unusual> benchmarks() const {
    std::vector<double> sds;
    for (const Distances& one : distances_) sds.push_back(sd_of(one.others));
    const double usual_sd = stats::median(sds);
    std::vector<Unusual> found;
    for (std::size_t i = 0; i < distances_.size(); ++i) {
      const Distances& one = distances_[i];
      const double limit = limit_of(kOfBenchmark, std::max(sds[i], usual_sd), one.own_sd, one.others.size());
      if (std::abs(one.own) > limit) {
        found.push_back({*one.name, std::exp(one.own), one.others.size(), 1, on_the_host_});
      }
    }
    return found;
  }

  std::optional<Unusual> whole() const {
    std::map<std::string, std::vector<double>> by_board;
    std::vector<double> own;
    for (const Distances& one : distances_) {
      own.push_back(one.own);
      for (const auto& [board, value] : one.others) by_board[board].push_back(value);
    }
    std::map<std::string, double> others;
    for (const auto& [board, values] : by_board) others[board] = stats::median(values);
    if (own.size() < kFewestBenchmarks || others.size() < kFewestBoards) return std::nullopt;
    const double apart = stats::median(own) - stats::median(values_of(others));
    const double limit = limit_of(kOfFamily, sd_of(others), 0, others.size());
    if (std::abs(apart) <= limit) return std::nullopt;
    return Unusual{name_, std::exp(apart), others.size(), static_cast<int>(own.size()), on_the_host_};
  }

 private:
  static constexpr std::size_t kFewestBenchmarks = 3;  // of one or two the family is they

  std::string name_;
  bool on_the_host_;
  std::vector<Distances> distances_;
};

void furthest_first(std::vector<Unusual>& found) {
  std::ranges::stable_sort(found, [](const Unusual& a, const Unusual& b) {
    return std::abs(std::log(a.ratio)) > std::abs(std::log(b.ratio));
  });
}

// Whether a fact may explain a difference: not one that is a board's own, or of cupel and not of the machine.
bool explains(const std::string& fact) {
  constexpr const char* kNot[] = {"board", "cupel", "revision", "timer", "SM clock read", "L2 flush", "container"};
  return std::ranges::find(kNot, fact) == std::end(kNot);
}

std::set<std::string> host_facts(const record::Context& context) {
  std::set<std::string> names;
  for (const figures::Fact& fact : figures::facts(context)) {
    if (fact.subject == figures::Subject::host) names.insert(fact.name);
  }
  return names;
}

// The facts that all files of a joined result share.
figures::Facts common_facts(record::Context context) {
  context.host.each_logical_cpus.clear();
  context.host.each_usable_cpus.clear();
  return figures::facts_of(context);
}

void set_differences(Judgement& judgement, const Bands& bands, const record::Context& context, const Boards& own) {
  std::vector<const figures::Facts*> others;
  for (const auto& [name, board] : bands.boards) {
    if (!own.contains(name)) others.push_back(&board.facts);
  }
  figures::Facts most = figures::facts_of_most(others);
  const figures::Facts here = common_facts(context);
  std::erase_if(most, [&](const auto& fact) { return !explains(fact.first) || !here.contains(fact.first); });
  judgement.differs = figures::differing(most, here);
  const std::set<std::string> of_host = host_facts(context);
  std::erase_if(most, [&](const auto& fact) { return !of_host.contains(fact.first); });
  judgement.differs_in_host = figures::differing(most, here);
}

}  // namespace

void keep_benchmarks(Judgement& board, const std::function<bool(const std::string&)>& is_chosen) {
  std::erase_if(board.benchmarks, [&](const Unusual& one) { return !is_chosen(one.name); });
  std::erase_if(board.judged, [&](const std::string& name) { return !is_chosen(name); });
  board.families.clear();
}

std::vector<std::string> names_of(const std::vector<Unusual>& all) {
  std::vector<std::string> names;
  for (const Unusual& one : all) names.push_back(one.name);
  return names;
}

Typical typical(const Band& band) {
  constexpr double kAlpha = 0.05;
  std::vector<double> times_s, within;
  for (const auto& [_, measured] : band.boards) {
    times_s.push_back(measured.time_s);
    within.push_back(measured.between);
  }
  Typical typical;
  typical.within = stats::median(within);
  typical.boards = times_s.size();
  typical.time_s = stats::median(times_s);
  if (times_s.size() > 1) typical.sd = stats::standard_deviation(stats::logarithms(times_s));
  if (times_s.size() < kFewestBoards) return typical;
  const double apart = std::exp(reach(kAlpha, typical.sd, 0, times_s.size()));
  typical.low_s = typical.time_s / apart;
  typical.high_s = typical.time_s * apart;
  return typical;
}

Judgement judge(const Bands& bands, const figures::Suite& suite) {
  Judgement judgement;
  if (bands.model.empty() || bands.model != figures::model_of(suite.context)) return judgement;
  if (multiplied_zeros(suite.context)) return judgement;
  judgement.model = bands.model;
  judgement.gpu = suite.context.device ? suite.context.device->name : "";
  const std::vector<std::string> boards_here = boards_of(suite.context);
  const Boards own(boards_here.begin(), boards_here.end());
  std::map<std::pair<std::string, bool>, Family> families;
  std::vector<double> boards, too_few;
  for (const figures::Benchmark& benchmark : suite.benchmarks) {
    const auto band = bands.benchmarks.find(benchmark.name);
    if (band == bands.benchmarks.end()) continue;
    if (figures::is_below_floor(benchmark.below_floor, band->second.mode)) continue;  // such a time decides nothing
    std::optional<Distances> one = distances_of(band->second, benchmark, own);
    if (!one) continue;
    const bool enough = one->others.size() >= kFewestBoards;
    (enough ? boards : too_few).push_back(static_cast<double>(one->others.size()));
    if (!enough) continue;
    judgement.judged.insert(benchmark.name);
    const bool on_the_host = band->second.mode == record::Mode::host;
    const std::pair key(benchmark.family, on_the_host);
    families.try_emplace(key, benchmark.family, on_the_host).first->second.add(std::move(*one));
  }
  if (boards.empty()) boards = too_few;
  if (boards.empty()) return judgement;
  judgement.boards = static_cast<std::size_t>(stats::median(boards));
  for (const auto& [_, family] : families) {
    if (const std::optional<Unusual> whole = family.whole()) judgement.families.push_back(*whole);
    for (Unusual& one : family.benchmarks()) judgement.benchmarks.push_back(std::move(one));
  }
  furthest_first(judgement.families);
  furthest_first(judgement.benchmarks);
  if (judgement.any()) set_differences(judgement, bands, suite.context, own);
  return judgement;
}

}  // namespace cupel::bands
