// The promises of `compare --fleet`, counted on simulated fleets of 64 machines, 300 rows and 5 processes: false alarms
// where all are alike, slow machines found.
//
//   log t = [board, family and clock] + [board, row] + [process, row] + what is slow
//
// The process's part is drawn from what the processes of results/ saw of that row. The boards' are normal, with the sd
// that the bands of H200s (cupel/bands/built_in) have: for a family and clock that of the boards' medians over its
// rows, but no less than that of all families on this clock, as six boards are few; for a row that of what is left, by
// the median absolute deviation, as some rows were changed by a revision between two boards. What is left is alike in
// rows that do alike work, so a simulated board's is a mixture of the real boards', in normal shares. A fleet's
// machines are of one kind, as the boards here are: those of hosts with 16 CPUs, which most of them had.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "cupel/bands/bands.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/fleet/fleet.hpp"
#include "cupel/record/json.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/outlier.hpp"
#include "cupel/stats/quantile.hpp"
#include "cupel/stats/random.hpp"

namespace cupel::fleet {
namespace {

constexpr std::size_t kMachines = 64, kRows = 300;
constexpr int kProcesses = 5;

struct BenchmarkNoise {
  std::string name, family;
  record::Mode mode = record::Mode::host;
  std::size_t clock_index = 0;    // of its family and clock, which are numbered as rows first have them
  std::vector<double> residuals;  // of the processes' logarithms of times, about their mean
  std::vector<double> of_boards;  // what each real board has beside its family; the sd is the root of their squares

  std::pair<std::string, bool> clock() const { return {family, mode == record::Mode::host}; }
};

// The sd between boards: rows that few boards have are left out.
struct BoardSd {
  std::map<std::string, std::vector<double>> row;  // BenchmarkNoise::of_boards
  std::map<std::pair<std::string, bool>, double> family;
};

// The deviation of a few values is too small in the mean; the factor is Croux and Rousseeuw's (1992).
double robust_sd(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  return n / (n - 0.8) * stats::kNormalMad * stats::median_absolute_deviation(values);
}

// For each board of the bands, none of those without the row, with the values' sd.
std::vector<double> of_boards(const bands::Bands& bands, const std::map<std::string, double>& values) {
  std::vector<double> there;
  for (const auto& [_, value] : values) there.push_back(value);
  const double middle = stats::median(there);
  double squares = 0;
  for (const double value : there) squares += (value - middle) * (value - middle);
  const double scale = squares > 0 ? robust_sd(there) / std::sqrt(squares) : 0;
  std::vector<double> all;
  for (const auto& [board, _] : bands.boards) {
    all.push_back(values.contains(board) ? scale * (values.at(board) - middle) : 0);
  }
  return all;
}

bands::Bands of_one_host_kind(bands::Bands bands) {
  std::erase_if(bands.boards, [](const auto& board) { return board.second.facts.at("CPUs") != "16"; });
  for (auto& [name, band] : bands.benchmarks) {
    std::erase_if(band.boards, [&](const auto& board) { return !bands.boards.contains(board.first); });
  }
  return bands;
}

BoardSd board_sd() {
  constexpr std::size_t kFewest = 4;
  using Clock = std::pair<std::string, bool>;
  BoardSd sd;
  for (const std::string_view text : bands::texts()) {
    const bands::Bands bands = of_one_host_kind(bands::bands_from_json(text, "built-in bands"));
    if (!bands.model.starts_with("NVIDIA H200,")) continue;     // one model: other boards' revisions lie further apart
    std::map<std::string, std::map<std::string, double>> rows;  // by name and board, about the boards' median
    std::map<Clock, std::map<std::string, std::vector<double>>> by_board;
    for (const auto& [name, band] : bands.benchmarks) {
      if (band.boards.size() < kFewest) continue;
      std::vector<double> logs;
      for (const auto& [board, measured] : band.boards) logs.push_back(std::log(measured.time_s));
      const double middle = stats::median(logs);
      for (const auto& [board, measured] : band.boards) {
        rows[name][board] = std::log(measured.time_s) - middle;
        by_board[{band.family, band.mode == record::Mode::host}][board].push_back(rows[name][board]);
      }
    }
    std::map<Clock, std::map<std::string, double>> medians;
    std::map<bool, std::vector<std::vector<double>>> of_clock;  // on the host's and the device's
    for (const auto& [clock, boards] : by_board) {
      std::vector<double> all;
      for (const auto& [board, logs] : boards) all.push_back(medians[clock][board] = stats::median(logs));
      sd.family[clock] = stats::standard_deviation(all);
      of_clock[clock.second].push_back(all);
    }
    for (auto& [clock, of_family] : sd.family) {
      const auto& groups = of_clock[clock.second];
      const std::vector<std::span<const double>> families(groups.begin(), groups.end());
      of_family = std::max(of_family, stats::pooled_standard_deviation(families));
    }
    for (const auto& [name, boards] : rows) {
      const bands::Band& band = bands.benchmarks.at(name);
      std::map<std::string, double> left;
      for (const auto& [board, log] : boards) {
        left[board] = log - medians[{band.family, band.mode == record::Mode::host}][board];
      }
      sd.row[name] = of_boards(bands, left);
    }
  }
  return sd;
}

std::vector<BenchmarkNoise> rows_of_results(const BoardSd& sd) {
  std::vector<BenchmarkNoise> rows;
  std::set<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(CUPEL_RESULTS "/nvidia-h200")) {
    paths.insert(entry.path());
  }
  for (const std::filesystem::path& path : paths) {
    figures::SuiteBuilder builder("");
    const record::Streamed streamed =
        record::read_rows(path.string(), [&](record::Row&& row, bool foreign) { builder.add(row, foreign); });
    for (const figures::Benchmark& benchmark : builder.finish(streamed.context).benchmarks) {
      if (benchmark.modes.empty() || benchmark.modes.front().values_s.size() < 5) continue;
      const auto boards = sd.row.find(benchmark.name);
      if (boards == sd.row.end()) continue;
      std::vector<double> logs = stats::logarithms(benchmark.modes.front().values_s);
      const double middle = stats::mean(logs), n = static_cast<double>(logs.size());
      for (double& x : logs) x = (x - middle) * std::sqrt(n / (n - 1));
      rows.push_back(
          {benchmark.name, benchmark.family, benchmark.modes.front().mode, 0, std::move(logs), boards->second});
    }
  }
  return rows;
}

enum class Slow { nothing, row, family, everything, kinds };

// The outcome of a rule on a fleet.
struct Outcome {
  bool anything = false;
  bool found = false;  // of the slow machine what is slow of it; of kinds, the right machines
};

class Simulator {
 public:
  explicit Simulator(std::uint64_t seed) : random_(seed) {
    static const std::vector<BenchmarkNoise> all = rows_of_results(sd_);
    rows_ = all;
    random_.shuffle(std::span(rows_));
    rows_.resize(std::min(rows_.size(), kRows));
    number_clocks();
    make_suites();
  }

  // The machine that is slow, of its kind, is the 8th; of two kinds, every second machine.
  std::span<const figures::Suite> draw(Slow slow, const std::string& family, double by) {
    const std::vector<double> added = added_by(slow, family, by);
    for (std::size_t m = 0; m < kMachines; ++m) {
      const bool is_slow = slow == Slow::kinds ? m % 2 == 1 : m == kSlow;
      std::vector<double> of_clock, shares;  // the board's: of each family and clock; of the real boards
      for (std::size_t i = 0; i < rows_[0].of_boards.size(); ++i) shares.push_back(random_.normal());
      for (std::size_t r = 0; r < rows_.size(); ++r) {
        const BenchmarkNoise& row = rows_[r];
        if (row.clock_index == of_clock.size()) of_clock.push_back(clock_sd_[row.clock_index] * random_.normal());
        const double of_row = std::inner_product(shares.begin(), shares.end(), row.of_boards.begin(), 0.0);
        const double log = of_clock[row.clock_index] + of_row + (is_slow ? added[r] : 0);
        for (double& time_s : times_s_[m][r]) {
          time_s = std::exp(log + row.residuals[random_.below(row.residuals.size())]);
        }
      }
    }
    return suites_;
  }

  // The first of the family that the device times: hosts differ by more than is asked for.
  std::size_t slow_row(const std::string& family) const {
    const auto is_slow = [&](const BenchmarkNoise& row) {
      return row.family == family && row.mode != record::Mode::host;
    };
    return static_cast<std::size_t>(std::ranges::find_if(rows_, is_slow) - rows_.begin());
  }

  const std::string& name(std::size_t row) const { return rows_[row].name; }

  static constexpr std::size_t kSlow = 7;

 private:
  void number_clocks() {
    std::map<std::pair<std::string, bool>, std::size_t> index;
    for (BenchmarkNoise& row : rows_) {
      const auto [found, is_new] = index.emplace(row.clock(), index.size());
      if (is_new) clock_sd_.push_back(sd_.family.at(row.clock()));
      row.clock_index = found->second;
    }
  }

  void make_suites() {
    suites_.resize(kMachines);
    times_s_.resize(kMachines);
    for (figures::Suite& suite : suites_) {
      suite.context.device = record::DeviceInfo{};
      suite.context.device->name = "NVIDIA H200";
      suite.context.device->driver_version = "580";
      suite.benchmarks.resize(rows_.size());
      for (std::size_t r = 0; r < rows_.size(); ++r) {
        suite.benchmarks[r].name = rows_[r].name;
        suite.benchmarks[r].family = rows_[r].family;
      }
    }
    make_times();
  }

  // Row by row, so that the times of a row lie side by side in memory, as fleets() reads them.
  void make_times() {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      for (std::size_t m = 0; m < kMachines; ++m) {
        std::vector<figures::Locations>& modes = suites_[m].benchmarks[r].modes;
        modes.push_back({rows_[r].mode, std::vector<double>(kProcesses), kProcesses});
        times_s_[m].push_back(modes[0].values_s);
      }
    }
  }

  // For each row, the logarithm that the slow machine adds to its times.
  std::vector<double> added_by(Slow slow, const std::string& family, double by) const {
    std::vector<double> added(rows_.size(), 0.0);
    for (std::size_t r = 0; r < rows_.size() && slow != Slow::nothing; ++r) {
      const bool is_slow =
          slow == Slow::everything || (slow == Slow::row ? r == slow_row(family) : rows_[r].family == family);
      if (is_slow) added[r] = std::log1p(by);
    }
    return added;
  }

  inline static const BoardSd sd_ = board_sd();
  stats::Random random_;
  std::vector<BenchmarkNoise> rows_;
  std::vector<double> clock_sd_;  // by BenchmarkNoise::clock_index
  std::vector<figures::Suite> suites_;
  std::vector<std::vector<std::span<double>>> times_s_;  // into the suites, by machine and row
};

bool names(const std::vector<FleetFigure>& figures, const std::string& name) {
  return std::ranges::any_of(figures, [&](const FleetFigure& figure) {
    return figure.outlier && figure.machine == Simulator::kSlow && figure.name == name && figure.ratio > 1;
  });
}

Outcome outcome_of(const Fleet& fleet, Slow slow, const std::string& family, const std::string& row) {
  const auto outlier = [](const FleetFigure& figure) { return figure.outlier; };
  Outcome said;
  const bool one_family = std::ranges::any_of(fleet.families, outlier);
  said.anything = !fleet.everything.empty() || one_family || !fleet.benchmarks.empty() || !fleet.kinds.empty();
  switch (slow) {
    case Slow::nothing:
      break;
    case Slow::row:
      said.found = fleet.everything.empty() && !one_family && names(fleet.benchmarks, row);
      break;
    case Slow::family:
      said.found = fleet.everything.empty() && names(fleet.families, family);
      break;
    case Slow::everything:
      said.found = names(fleet.everything, kEverything);
      break;
    case Slow::kinds:
      said.found = std::ranges::any_of(fleet.kinds, [&](const Kinds& kinds) {
        return kinds.family == family && kinds.slower.size() == kMachines / 2 &&
               std::ranges::all_of(kinds.slower, [](std::size_t machine) { return machine % 2 == 1; });
      });
  }
  return said;
}

struct Counts {
  int anything = 0, found = 0;
};

// Prints a line of the table in docs/fleet.md.
Counts count(Slow slow, const std::string& family, double by, int fleets, const std::string& what, int first = 0) {
  Counts counts;
  const int of_rows = slow == Slow::row ? 1 : 20;  // after so many, other rows of results/ are drawn
  std::optional<Simulator> simulator;
  for (int i = 0; i < fleets; ++i) {
    if (i % of_rows == 0) simulator.emplace(20261123 + static_cast<std::uint64_t>(first + i));
    const std::span<const figures::Suite> suites = simulator->draw(slow, family, by);
    const std::string row = family.empty() ? "" : simulator->name(simulator->slow_row(family));
    const Outcome ours = outcome_of(fleet::fleets(suites)[0], slow, family, row);
    counts.anything += ours.anything ? 1 : 0;
    counts.found += ours.found ? 1 : 0;
  }
  std::printf("%s: of %d, said anything %d, found %d\n", what.c_str(), fleets, counts.anything, counts.found);
  return counts;
}

// Were the bands without these families, nothing would be simulated of them.
TEST(FleetAcceptance, KnowsWhatBoardsDifferBy) {
  const BoardSd sd = board_sd();
  EXPECT_GE(sd.family.size(), 10u);
  for (const auto& [clock, of_family] : sd.family) {
    std::printf("%s, %s: sd %.2f %%\n", clock.first.c_str(), clock.second ? "host" : "device", 100 * of_family);
  }
  std::vector<double> rows;
  for (const auto& [_, of_row] : sd.row) {
    rows.push_back(std::sqrt(std::inner_product(of_row.begin(), of_row.end(), of_row.begin(), 0.0)));
  }
  std::printf("%zu rows: sd %.2f %% in the middle\n", rows.size(), 100 * stats::median(rows));
}

// Covers 4000 fleets, in parts that can be counted side by side.
class Alike : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Part, Alike, testing::Range(0, 4));

TEST_P(Alike, OfAtMostOneIn200FleetsSomethingIsSaid) {
  constexpr int kFleets = 1000;
  EXPECT_LE(count(Slow::nothing, "", 0, kFleets, "alike", GetParam() * kFleets).anything, kFleets / 200);
}

// by: what is found so often, to a quarter of a percent. What boards differ by in the family decides it.
struct Slowdown {
  std::string family;
  double by = 0;
};

void PrintTo(const Slowdown& slow, std::ostream* out) { *out << slow.family << " slow by " << 100 * slow.by << " %"; }

class SlowFamily : public testing::TestWithParam<Slowdown> {};
INSTANTIATE_TEST_SUITE_P(Of, SlowFamily,
                         testing::Values(Slowdown{"fusion", 0.0175}, Slowdown{"optimizer", 0.0175},
                                         Slowdown{"memory", 0.02}, Slowdown{"conv", 0.02}, Slowdown{"gemm", 0.025}),
                         [](const auto& slow) { return slow.param.family; });

TEST_P(SlowFamily, IsFoundNineteenTimesOfTwenty) {
  const auto& [family, least] = GetParam();

  for (const double by : {least, 0.03}) {
    const std::string what = testing::PrintToString(Slowdown{family, by});
    EXPECT_GE(count(Slow::family, family, by, 200, what).found, 190) << what;
  }
}

TEST(FleetAcceptance, TellsAMachineThatIsSlowInEverything) {
  EXPECT_GE(count(Slow::everything, "", 0.03, 100, "everything slow by 3 %").found, 95);
}

// However slow it is, it is not the family.
TEST(FleetAcceptance, TellsAMachineThatIsSlowInOneRow) {
  EXPECT_GE(count(Slow::row, "fusion", 0.18, 400, "one row of fusion slow by 18 %").found, 380);
  EXPECT_GE(count(Slow::row, "fusion", 2, 100, "one row of fusion three times as slow").found, 95);
}

TEST(FleetAcceptance, TellsTwoKindsOfBoard) {
  EXPECT_GE(count(Slow::kinds, "fusion", 0.05, 100, "two kinds, fusion 5 % apart").found, 95);
}

}  // namespace
}  // namespace cupel::fleet
