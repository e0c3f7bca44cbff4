// Tries the gate, and the rules of other tools, on simulated suites and on recorded processes: the tables of
// docs/statistics.md. cupel_gate_simulator --help says which there are.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/simulator/recorded.hpp"
#include "tests/simulator/simulate.hpp"

namespace {

using namespace cupel::simulator;

constexpr int kUsage = 2;  // exit code

struct Flags {
  std::string only, constants = "study";
  int suites = 4000, threads = 2;
  bool quick = false;

  int divide() const { return quick ? 8 : 1; }
  Model model() const { return constants == "suite" ? suite_model() : study_model(); }
};

void print_table(const Flags& flags, const std::string& title, Model model, double scale, Design design, int suites,
                 int changed) {
  Experiment experiment;
  experiment.model = std::move(model);
  experiment.scale = scale;
  experiment.design = design;
  experiment.unchanged_suites = suites / flags.divide();
  experiment.changed_suites = changed / flags.divide();
  experiment.slowdowns = {0.01, 0.02, 0.03, 0.05};
  experiment.peers = true;
  experiment.threads = flags.threads;
  const auto begin = std::chrono::steady_clock::now();
  const std::string text = table(simulate(experiment));
  fmt::print("### {}\n\n{}\n", title, text);
  std::fflush(stdout);
  fmt::print(stderr, "{}: {:.0f} s\n", title,
             std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
}

// Without the peers a suite costs a fifth, so that more of them can be had: false alarms of a good gate are rare.
void print_gate_alone(const Flags& flags) {
  struct Condition {
    const char* name;
    double scale;
    Design design;
  };
  constexpr Condition kConditions[] = {{"interleaved", 1, Design::interleaved},
                                       {"all of one side, then all of the other", 1, Design::sequential},
                                       {"screened against a stored baseline", 1, Design::stored},
                                       {"half the noise", 0.5, Design::interleaved},
                                       {"twice the noise", 2, Design::interleaved}};
  fmt::print("### The gate alone, {} unchanged suites of 300 benchmarks each\n\n", flags.suites / flags.divide());
  fmt::print("| the screen | suites with an alarm | alarms |\n|---|--:|--:|\n");
  for (const Condition& condition : kConditions) {
    Experiment experiment;
    experiment.model = flags.model();
    experiment.scale = condition.scale;
    experiment.design = condition.design;
    experiment.unchanged_suites = flags.suites / flags.divide();
    experiment.threads = flags.threads;
    const Counts counts = simulate(experiment);
    const RuleCount& gate = counts.rule(kGateRule);
    fmt::print("| {} | {} | {} |\n", condition.name, gate.suites_with_alarm, gate.alarms);
    std::fflush(stdout);
  }
  fmt::print("\n");
}

void print_coverage_of_shapes(const Flags& flags) {
  const int comparisons = 10'000 / flags.divide();
  fmt::print("### Coverage of the 95 % interval of a ratio, {} comparisons each\n\n", comparisons);
  fmt::print("| noise | 5 | 7 | 12 processes a side |\n|---|--:|--:|--:|\n");
  for (const char* shape : {"normal", "skewed", "bimodal"}) {
    fmt::print("| {} |", shape);
    for (const int processes : {5, 7, 12}) fmt::print(" {:.1f} % |", 100 * coverage(shape, processes, comparisons, 1));
    fmt::print("\n");
  }
  fmt::print("\n");
}

void print_coverage_of_suites(const Flags& flags) {
  const int suites = 200 / flags.divide();
  fmt::print("### Coverage of the 95 % interval of a ratio, all benchmarks of {} suites of 300\n\n", suites);
  fmt::print("| processes a side | large | small | power-limited | host-bound |\n|---|--:|--:|--:|--:|\n");
  for (const int processes : {5, 7, 12}) {
    const std::array<double, 4> share = coverage(flags.model(), processes, suites, 1);
    fmt::print("| {} | {:.1f} % | {:.1f} % | {:.1f} % | {:.1f} % |\n", processes, 100 * share[0], 100 * share[1],
               100 * share[2], 100 * share[3]);
  }
  fmt::print("\n");
}

void print_coverage(const Flags& flags) {
  flags.constants == "suite" ? print_coverage_of_suites(flags) : print_coverage_of_shapes(flags);
}

void print_spread(const Flags& flags) {
  const int suites = 200 / flags.divide();
  const std::array<SeenSpread, 4> simulated = simulated_spread(suite_model(), suites, 1), seen = suite_seen();
  fmt::print("### sd of the logarithms of ten process locations: recorded, and in {} suites of 300\n\n", suites);
  fmt::print("| | recorded: median | ninth decile | simulated: median | ninth decile |\n|---|--:|--:|--:|--:|\n");
  for (std::size_t kind = 0; kind < 4; ++kind) {
    fmt::print("| {} | {:.2f} % | {:.2f} % | {:.2f} % | {:.2f} % |\n", kKinds[kind], 100 * seen[kind].median,
               100 * seen[kind].high, 100 * simulated[kind].median, 100 * simulated[kind].high);
  }
  fmt::print("\n");
}

void print_recorded(const Flags& flags) {
  const int splits = 10'000 / flags.divide();
  fmt::print(
      "### Recorded processes of one H200, {} random splits each\n\n| measured | suspects a split | splits with an "
      "alarm | 3 % found | 0.3 % called slower |\n|---|--:|--:|--:|--:|\n",
      splits);
  for (const char* path : {CUPEL_SIMULATOR_RECORDED, CUPEL_SIMULATOR_RECORDED_SUITE}) {
    for (const auto& [mode, locations] : read_recorded(path)) {
      const RecordedCounts counts = split_recorded(locations, splits, 0, flags.threads);
      const auto share = [&, &of_mode = locations](double slowdown) {  // Clang 14 captures no binding as it is
        return 100.0 * split_recorded(of_mode, splits, slowdown, flags.threads).found / splits;
      };
      fmt::print("| {} | {:.2f} | {} | {:.1f} % | {:.2f} % |\n", mode, static_cast<double>(counts.suspects) / splits,
                 counts.splits_with_alarm, share(0.03), share(0.003));
    }
  }
  fmt::print("\n");
}

struct Table {
  std::string name, what;
  bool by_constants = true;  // another with --constants suite
  std::function<void(const Flags&)> print;
};

Table of_condition(const std::string& name, const std::string& what, double scale, Design design, int suites,
                   int changed) {
  return {name, what, true, [=](const Flags& flags) {
            const int unchanged = suites > 0 ? suites : flags.suites;
            print_table(flags, what + ", constants of the " + flags.constants, flags.model(), scale, design, unchanged,
                        changed);
          }};
}

void print_h200(const Flags& flags) {
  print_table(flags, "Noise fitted to one H200 (settle, 3 rounds), interleaved", h200_model("settle_rounds"), 1,
              Design::interleaved, flags.suites / 4, 160);
  print_table(flags, "Noise fitted to one H200 without settling, interleaved", h200_model("none"), 1,
              Design::interleaved, flags.suites / 4, 160);
}

const std::vector<Table>& tables() {
  static const std::vector<Table> all{
      of_condition("main", "All rules, sides interleaved", 1, Design::interleaved, 0, 320),
      {"h200", "The same with noise fitted to the study's processes of one H200", false, print_h200},
      of_condition("sequential", "All of one side, then all of the other", 1, Design::sequential, 600, 120),
      of_condition("stored", "Against a stored baseline", 1, Design::stored, 600, 120),
      of_condition("quiet", "Half the noise", 0.5, Design::interleaved, 600, 120),
      of_condition("noisy", "Twice the noise", 2, Design::interleaved, 600, 120),
      {"gate", "False alarms of the gate alone, in each of these conditions", true, print_gate_alone},
      {"coverage", "Of the 95 % interval of a ratio: of three shapes of noise, or of the suite's", true,
       print_coverage},
      {"spread", "What processes of the suite's constants differ by, and the recorded ones did", true, print_spread},
      {"recorded", "Random splits of recorded processes into two sides", false, print_recorded}};
  return all;
}

std::string footer() {
  std::string text = "Tables:\n";
  for (const Table& table : tables()) text += fmt::format("  {:<12} {}\n", table.name, table.what);
  return text +
         "\nThe same counts with any number of threads. Tables go to stdout, how long each took to stderr.\n"
         "Exit codes: 0 done, 2 wrong usage or a file that cannot be read.";
}

// Nothing if the line was read and says to go on; else the exit code.
std::optional<int> read_flags(int argc, char** argv, Flags& flags) {
  CLI::App app(
      "Tries the gate, and the rules of other tools, on simulated suites and on recorded processes: the tables "
      "of docs/statistics.md, in Markdown.",
      "cupel_gate_simulator");
  std::vector<std::string> names;
  for (const Table& table : tables()) names.push_back(table.name);
  app.add_option("--only", flags.only, "This table; else all of them")->type_name("TABLE")->check(CLI::IsMember(names));
  app.add_option(
         "--constants", flags.constants,
         "Noise of the study that the gate was designed on, or fitted to this suite's own processes; all tables "
         "of the suite are those that it changes")
      ->type_name("study|suite")
      ->capture_default_str()
      ->check(CLI::IsMember({"study", "suite"}));
  app.add_option("--suites", flags.suites, "Unchanged suites of main and gate")
      ->type_name("N")
      ->capture_default_str()
      ->check(CLI::Range(8, 10'000'000));
  app.add_flag("--quick", flags.quick, "An eighth of all suites and splits");
  app.add_option("--threads", flags.threads, "How many")
      ->type_name("N")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024));
  app.footer(footer());
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsage;
  }
}

void run(const Flags& flags) {
  for (const Table& table : tables()) {
    const bool wanted =
        flags.only.empty() ? table.by_constants || flags.constants == "study" : flags.only == table.name;
    if (wanted) table.print(flags);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Flags flags;
    if (const std::optional<int> ended = read_flags(argc, argv, flags)) return *ended;
    run(flags);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "cupel_gate_simulator: {}\n", error.what());
    return kUsage;
  }
}
