#include "cupel/harness/flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cupel/record/bounds.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::harness {
namespace {

constexpr std::string_view kPrefix = "--cupel_";

// Each flag once: its name, what --help shows behind '=' (empty: a switch), what it says, and what it sets.
void visit(Flags& flags, const auto& v) {
  Options& options = flags.options;
  v("list", "", "print what would run as JSON, touch no device", flags.list);
  v("profile", "NAME", "quick (default), standard or full", options.profile);
  v("out", "FILE", "write the results there", flags.out);
  v("journal", "FILE", "append each result there as it comes", flags.journal);
  v("only", "FILE", "run only the names in the file, one a line; with once, in their order", flags.only);
  v("skip", "FILE", "do not run the names in the file", flags.skip);
  v("seed", "N", "seed of inputs and of the order", options.seed, record::Bounds{0, 0x1p64});
  v("process", "K", "which start of the executable this is, from 0", options.process, record::Bounds{0, 1 << 20});
  v("rounds", "N", "shuffled passes over which samples are spread", options.rounds, record::kRoundBounds);
  v("noise_goal", "X", "relative half-width of the 95 % interval at which sampling stops", options.noise_goal,
    record::kNoiseGoalBounds);
  v("max_wall", "S", "most seconds of sampling one benchmark", options.max_wall_s, record::kWallBounds);
  v("budget", "S", "end within so many seconds: with fewer samples, then with fewer rounds", flags.budget_s,
    record::Bounds{0, 1e9});
  v("min_samples", "N", "fewest samples of one benchmark", options.min_samples, record::kSampleBounds);
  v("max_samples", "N", "most samples of one benchmark", options.max_samples, record::kSampleBounds);
  v("timer", "NAME", "events (default) or cupti, the referee", options.timer);
  v("device", "N|UUID", "which GPU, by its number among those that CUDA sees or the beginning of its UUID",
    options.device);
  v("measure_shortest_work", "",
    "have CUPTI read what an empty kernel and a copy of 4 bytes take, print the seconds and end",
    flags.measure_shortest_work);
  v("once", "", "each benchmark once and untimed, for a profiler", options.once);
  v("allow_managed", "", "measure managed memory too", options.allow_managed);
  v("allow_multicast", "", "let NCCL use NVLink multicast (collective)", options.allow_multicast);
  v("sustained", "", "time device work back to back once power and clock are steady, instead of bursts",
    options.sustained);
  v("zeros", "", "multiply zeros instead of random numbers (family gemm)", options.zeros);
  v("data", "DIR",
    "the user's own images (*.jpg) or CIFAR-10 files (*.bin), instead of data made from a seed (pipeline)",
    options.data);
  v("data_bytes", "N", "make a data set of about so many bytes (pipeline; default 16 MiB)", options.data_bytes,
    record::kDataByteBounds);
  v("clean_data", "", "remove the data that were made on disk, at the end", options.clean_data);
  v("python", "FILE", "the interpreter that has PyTorch (pytorch)", options.python);
  v("model", "FILE.py:FUNCTION", "the user's own model (pytorch)", options.model);
  v("help", "", "this text", flags.help);
}

Profile profile_or_throw(const std::string& text) {
  const std::optional<Profile> profile = profile_from(text);
  if (!profile) throw UsageError("--cupel_profile=" + text + ": not quick, standard or full");
  return *profile;
}

void set(bool& value, const std::string&, const std::string&) { value = true; }
void set(std::string& value, const std::string&, const std::string& text) { value = text; }
void set(Profile& value, const std::string&, const std::string& text) { value = profile_or_throw(text); }
template <typename Number>
void set(Number& value, const std::string& flag, const std::string& text, record::Bounds bounds) {
  const std::optional<Number> number = units::number<Number>(text);
  if (!number || !bounds.contains(static_cast<double>(*number))) {
    throw UsageError(fmt::format("--cupel_{}={}: not a number from {} to {}", flag, text, bounds.least, bounds.most));
  }
  value = *number;
}
void set(std::optional<double>& value, const std::string& flag, const std::string& text, record::Bounds bounds) {
  set(value.emplace(), flag, text, bounds);
}

void apply(Flags& flags, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  bool known = false;
  visit(flags, [&](const std::string& flag, const std::string& value, const char*, auto& target, auto... bounds) {
    if (name != flag) return;
    known = true;
    if (value.empty() != (equals == std::string::npos)) {
      throw UsageError(value.empty() ? "--cupel_" + flag + " takes no value"
                                     : "--cupel_" + flag + " takes a value: --cupel_" + flag + "=" + value);
    }
    set(target, flag, value.empty() ? "" : text.substr(equals + 1), bounds...);
  });
  if (!known) throw UsageError("--cupel_" + name + ": no such flag; --cupel_help lists them");
}

}  // namespace

std::optional<Profile> profile_from(const std::string& name) {
  for (const Profile profile : {Profile::quick, Profile::standard, Profile::full}) {
    if (name == to_string(profile)) return profile;
  }
  return std::nullopt;
}

Options defaults_of(Profile profile) {
  Options options;
  options.profile = profile;
  switch (profile) {
    case Profile::quick:
      options.rounds = 1;
      options.noise_goal = 0.005;
      options.max_wall_s = 0.012;
      options.min_samples = 20;
      options.max_samples = 100;
      break;
    case Profile::standard:
      options.noise_goal = 0.0025;
      options.max_wall_s = 0.3;
      options.min_samples = 30;
      options.max_samples = 300;
      break;
    case Profile::full:
      options.noise_goal = 0.0025;
      options.max_wall_s = 0.6;
      options.min_samples = 60;
      options.max_samples = 600;
      break;
  }
  return options;
}

Flags take_flags(int& argc, char** argv) {
  std::vector<std::string> ours;
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with(kPrefix)) {
      ours.emplace_back(argument.substr(kPrefix.size()));
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;

  Flags flags;
  flags.options = defaults_of(Profile::quick);
  for (const std::string& text : ours) {
    if (text.starts_with("profile=")) flags.options = defaults_of(profile_or_throw(text.substr(8)));
  }
  if (std::ranges::find(ours, "once") != ours.end()) flags.options.rounds = 1;
  for (const std::string& text : ours) apply(flags, text);
  if (flags.options.timer != "events" && flags.options.timer != "cupti") {
    throw UsageError("--cupel_timer=" + flags.options.timer + ": not events or cupti");
  }
  if (flags.measure_shortest_work) flags.options.timer = "cupti";
  if (flags.options.max_samples < flags.options.min_samples) flags.options.max_samples = flags.options.min_samples;
  return flags;
}

std::string flags_help() {
  std::string help;
  Flags any;
  visit(any, [&](const std::string& flag, const std::string& value, const char* says, auto&&...) {
    help += fmt::format("{:<26}  {}\n", "  --cupel_" + flag + (value.empty() ? "" : "=") + value, says);
  });
  return help;
}

}  // namespace cupel::harness
