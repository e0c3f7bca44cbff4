#include "cupel/harness/flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include "cupel/record/bounds.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::harness {
namespace {

constexpr std::string_view kPrefix = "--cupel_";

template <typename T>
void set_number(T& value, const std::string& flag, const std::string& text, record::Bounds bounds) {
  const std::optional<T> number = units::number<T>(text);
  if (!number || !bounds.hold(static_cast<double>(*number))) {
    throw UsageError(fmt::format("--cupel_{}={}: not a number from {} to {}", flag, text, bounds.least, bounds.most));
  }
  value = *number;
}

struct Flag {
  const char* name;
  const char* value;  // what --help shows after '='; empty: a switch
  const char* help;
  std::function<void(Flags&, const std::string&)> set;
};

Profile profile_or_throw(const std::string& text) {
  const std::optional<Profile> profile = profile_from(text);
  if (!profile) throw UsageError("--cupel_profile=" + text + ": not quick, standard or full");
  return *profile;
}

void set_timer(Flags& flags, const std::string& text) {
  if (text != "events" && text != "cupti") throw UsageError("--cupel_timer=" + text + ": not events or cupti");
  flags.options.timer = text;
}

const std::vector<Flag>& all_flags() {
  static const std::vector<Flag> flags = {
      {"list", "", "print what would run as JSON, touch no device",
       [](Flags& f, const std::string&) { f.list = true; }},
      {"profile", "NAME", "quick (default), standard or full",
       [](Flags&, const std::string& v) { profile_or_throw(v); }},
      {"out", "FILE", "write the results there", [](Flags& f, const std::string& v) { f.out = v; }},
      {"journal", "FILE", "append each result there as it comes",
       [](Flags& f, const std::string& v) { f.journal = v; }},
      {"only", "FILE", "run only the names in the file, one a line; with once, in their order",
       [](Flags& f, const std::string& v) { f.only = v; }},
      {"skip", "FILE", "do not run the names in the file", [](Flags& f, const std::string& v) { f.skip = v; }},
      {"seed", "N", "seed of inputs and of the order",
       [](Flags& f, const std::string& v) {
         set_number(f.options.seed, "seed", v, {0, 0x1p64});
       }},
      {"process", "K", "which start of the executable this is, from 0",
       [](Flags& f, const std::string& v) {
         set_number(f.options.process, "process", v, {0, 1 << 20});
       }},
      {"rounds", "N", "shuffled passes over which samples are spread",
       [](Flags& f, const std::string& v) { set_number(f.options.rounds, "rounds", v, record::kRoundBounds); }},
      {"noise_goal", "X", "relative half-width of the 95 % interval at which sampling stops",
       [](Flags& f, const std::string& v) {
         set_number(f.options.noise_goal, "noise_goal", v, record::kNoiseGoalBounds);
       }},
      {"max_wall", "S", "most seconds of sampling one benchmark",
       [](Flags& f, const std::string& v) { set_number(f.options.max_wall_s, "max_wall", v, record::kWallBounds); }},
      {"budget", "S", "end within so many seconds: with fewer samples, then with fewer rounds",
       [](Flags& f, const std::string& v) {
         set_number(f.budget_s.emplace(), "budget", v, {0, 1e9});
       }},
      {"min_samples", "N", "fewest samples of one benchmark",
       [](Flags& f, const std::string& v) {
         set_number(f.options.min_samples, "min_samples", v, record::kSampleBounds);
       }},
      {"max_samples", "N", "most samples of one benchmark",
       [](Flags& f, const std::string& v) {
         set_number(f.options.max_samples, "max_samples", v, record::kSampleBounds);
       }},
      {"timer", "NAME", "events (default) or cupti, the referee", set_timer},
      {"device", "N|UUID", "which GPU, by its number among those that CUDA sees or the beginning of its UUID",
       [](Flags& f, const std::string& v) { f.options.device = v; }},
      {"measure_shortest_work", "",
       "have CUPTI read what an empty kernel and a copy of 4 bytes take, print the seconds and end",
       [](Flags& f, const std::string&) {
         f.measure_shortest_work = true;
         f.options.timer = "cupti";
       }},
      {"once", "", "each benchmark once and untimed, for a profiler",
       [](Flags& f, const std::string&) { f.options.once = true; }},
      {"allow_managed", "", "measure managed memory too",
       [](Flags& f, const std::string&) { f.options.allow_managed = true; }},
      {"allow_multicast", "", "let NCCL use NVLink multicast (collective)",
       [](Flags& f, const std::string&) { f.options.allow_multicast = true; }},
      {"sustained", "", "time device work back to back once power and clock are steady, instead of bursts",
       [](Flags& f, const std::string&) { f.options.sustained = true; }},
      {"zeros", "", "multiply zeros instead of random numbers (family gemm)",
       [](Flags& f, const std::string&) { f.options.zeros = true; }},
      {"data", "DIR",
       "the user's own images (*.jpg) or CIFAR-10 files (*.bin), instead of data made from a seed (pipeline)",
       [](Flags& f, const std::string& v) { f.options.data = v; }},
      {"data_bytes", "N", "make a data set of about so many bytes (pipeline; default 16 MiB)",
       [](Flags& f, const std::string& v) {
         set_number(f.options.data_bytes, "data_bytes", v, record::kDataByteBounds);
       }},
      {"clean_data", "", "remove the data that were made on disk, at the end",
       [](Flags& f, const std::string&) { f.options.clean_data = true; }},
      {"help", "", "this text", [](Flags& f, const std::string&) { f.help = true; }},
  };
  return flags;
}

void apply(Flags& flags, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  for (const Flag& flag : all_flags()) {
    if (name != flag.name) continue;
    const bool takes_value = flag.value[0] != '\0';
    if (takes_value != (equals != std::string::npos)) {
      throw UsageError("--cupel_" + name +
                       (takes_value ? " takes a value: --cupel_" + name + "=" + flag.value : " takes no value"));
    }
    flag.set(flags, takes_value ? text.substr(equals + 1) : "");
    return;
  }
  throw UsageError("--cupel_" + name + ": no such flag; --cupel_help lists them");
}

}  // namespace

const char* to_string(Profile profile) {
  constexpr std::array kNames{"quick", "standard", "full"};
  return kNames[static_cast<std::size_t>(profile)];
}

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
      options.rounds = 2;
      options.noise_goal = 0.005;
      options.max_wall_s = 0.02;
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
  if (flags.options.max_samples < flags.options.min_samples) flags.options.max_samples = flags.options.min_samples;
  return flags;
}

std::string flags_help() {
  std::string help;
  for (const Flag& flag : all_flags()) {
    std::string left = "  --cupel_" + std::string(flag.name) + (flag.value[0] != '\0' ? "=" : "") + flag.value;
    left.resize(std::max<std::size_t>(left.size() + 2, 28), ' ');
    help += left + flag.help + "\n";
  }
  return help;
}

}  // namespace cupel::harness
