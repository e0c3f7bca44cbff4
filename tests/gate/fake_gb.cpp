// A Google Benchmark program without benchmarks: takes its flags, writes its files, and times nothing. A gate starts it
// hundreds of times, so it is a program that starts in a millisecond.
//
// It reads what it has from <its own path>.json: {"benchmarks": {NAME: NANOSECONDS}, ...} with, optionally
//   "noise": RELATIVE     spread of the times of processes (default 0.003); drawn from a seed that counts the starts
//   "seed": N             of that noise
//   "fail": {NAME: TEXT}  reported with error_occurred
//   "crash": NAME         killed at this one, after the others before it were written
//   "hang": NAME          never ends at this one
//   "list_hang": true     never ends when it is to list
//   "late": crash, exit, cut   when all is written; cut: all but the end of the file
//   "nan": NAME           has a counter that is NaN
//   "twice": NAME         its key real_time occurs twice
//   "locale": NAME        its iterations are written 1,000
//   "lacks": {NAME: WHEN} leaves it out though it is asked for and ends well: "others" where others are asked for, too,
//   "always" "cut": NAME           the file ends in the middle of this one "version": "1.7.1"    how errors are written
//   "waited": [SHARE...]  of its time waited for a CPU, as CUPEL_PROC says; start by start, in turn
//   "min_time": WORD      takes --benchmark_min_time: "bare" as before 1.8, "suffix" as later releases may, "both"
//   as 1.8
//                         and 1.9 do, "lists" while it lists and not while it measures; without the word it refuses the
//                         flag
//   "start_s": SECONDS    that each start takes before it does anything, to list too
//   "takes": {NAME: SECONDS}  that a benchmark samples
//   "log": FILE           a line for each start with a filter or without
//
// With "rows" it prints what that says instead, however odd, takes any flag, and has of the words above none, but
// optionally
//   "rows": [ROW...]      objects of a result file as they stand, chosen by their names; times that are numbers differ
//                         by less than 0.1 % from process to process
//   "listed": [NAME...]   what --benchmark_list_tests prints (default: the names of the rows as often as they occur,
//                         once for all repetitions of one)
//   "context": {...}      of its result, beside date, executable and number of CPUs
//   "cut": N              the result ends so many characters before its end
#include <fcntl.h>
#include <fmt/format.h>
#include <regex.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using Json = nlohmann::ordered_json;
using Flags = std::map<std::string, std::string>;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::hours kEver{1};

Flags read_flags(int argc, char** argv) {
  Flags flags;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    const std::size_t equals = flag.find('=');
    flags[flag.substr(0, equals)] = equals == std::string::npos ? "" : flag.substr(equals + 1);
  }
  return flags;
}

bool is_named(const Json& conf, const char* word, const std::string& name) { return conf.value(word, "") == name; }

// How often this executable was started to measure, this time included: the length of a file.
int count_start(const std::string& me) {
  const int file = open((me + ".starts").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  struct stat state {};
  flock(file, LOCK_EX);
  if (write(file, ".", 1) != 1 || fstat(file, &state) != 0) std::abort();
  close(file);
  return static_cast<int>(state.st_size);
}

// A number in (0, 1), the same for the same text. Sources: FNV-1a, and the finalizer of splitmix64 (Steele et al.
// 2014).
double uniform(std::string_view seed) {
  std::uint64_t x = 14695981039346656037u;
  for (const char c : seed) x = (x ^ static_cast<unsigned char>(c)) * 1099511628211u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return (static_cast<double>((x ^ (x >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

// A normal number, the same for the same text. Source: Box and Muller (1958).
double normal(const std::string& seed) {
  return std::cos(2 * std::numbers::pi * uniform(seed + " angle")) * std::sqrt(-2 * std::log(uniform(seed)));
}

void sleep_for(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

double taken_s(const Json& conf, const std::string& name) {
  return conf.contains("takes") ? conf["takes"].value(name, 0.0) : 0;
}

std::string iterations(const Json& conf, const std::string& name, double time_ns) {
  if (is_named(conf, "locale", name)) return "1,000";
  return taken_s(conf, name) > 0 ? std::to_string(std::llround(taken_s(conf, name) * 1e9 / time_ns)) : "1000";
}

std::string row(const Json& conf, const std::string& name, double time_ns) {
  const Json failures = conf.value("fail", Json::object());
  const bool fails = failures.contains(name);
  std::string text = fmt::format(
      "{{\n  \"name\": \"{0}\",\n  \"run_name\": \"{0}\",\n  \"run_type\": \"iteration\",\n  \"repetitions\": 1,\n"
      "  \"repetition_index\": 0,\n  \"threads\": 1,\n  \"iterations\": {1},\n  \"real_time\": {2},\n  \"cpu_time\": "
      "{3},\n"
      "  \"time_unit\": \"ns\"",
      name, iterations(conf, name, time_ns), fails ? 0.0 : time_ns, time_ns);
  if (fails) text += fmt::format(",\n  \"error_occurred\": true,\n  \"error_message\": {}", failures[name].dump());
  if (is_named(conf, "nan", name)) text += ",\n  \"counter\": NaN";
  if (is_named(conf, "twice", name)) text += fmt::format(", \"real_time\": {}", time_ns * 100);
  return text + "\n}";
}

double seconds_since(Clock::time_point began) { return std::chrono::duration<double>(Clock::now() - began).count(); }

// A process of a quarter of a second whose only thread is accounted for where CUPEL_PROC says.
void run_with_load(double share) {
  const std::string thread = fmt::format("{0}/{1}/task/{1}", std::getenv("CUPEL_PROC"), getpid());
  std::filesystem::create_directories(thread);
  std::ofstream(thread + "/stat") << getpid() << " (fake) R 1\n";
  const Clock::time_point began = Clock::now();
  while (seconds_since(began) < 0.25) {
    std::ofstream(thread + "/schedstat.new")
        << "0 " << static_cast<std::int64_t>(seconds_since(began) * share * 1e9) << " 1\n";
    std::filesystem::rename(thread + "/schedstat.new", thread + "/schedstat");
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

bool takes_min_time(const Json& conf, const std::string& time, bool lists) {
  const std::string word = conf.value("min_time", "");
  const bool is_bare = !time.ends_with('s') && !time.ends_with('x');
  return word == "both" || (word == "bare" && is_bare) || (word == "suffix" && !is_bare) || (word == "lists" && lists);
}

// The first flag that it does not take, or an empty one.
std::string unknown_flag(const Json& conf, const Flags& flags) {
  const std::set<std::string> known{"--benchmark_list_tests", "--benchmark_out", "--benchmark_out_format",
                                    "--benchmark_filter", "--extra"};
  for (const auto& [flag, value] : flags) {
    if (flag == "--benchmark_min_time" && takes_min_time(conf, value, flags.contains("--benchmark_list_tests")))
      continue;
    if (!known.contains(flag)) return flag;
  }
  return "";
}

std::vector<std::string> matching(const std::vector<std::string>& names, const std::string& pattern) {
  regex_t compiled;
  if (regcomp(&compiled, pattern.c_str(), REG_EXTENDED | REG_NOSUB) != 0) std::abort();
  std::vector<std::string> found;
  for (const std::string& name : names) {
    if (regexec(&compiled, name.c_str(), 0, nullptr, 0) == 0) found.push_back(name);
  }
  regfree(&compiled);
  return found;
}

void leave_out_what_it_lacks(const Json& conf, std::vector<std::string>& names) {
  const Json lacks = conf.value("lacks", Json::object());
  const bool others = names.size() > 1;
  std::erase_if(names, [&](const std::string& name) {
    const std::string when = lacks.value(name, "");
    return when == "always" || (when == "others" && others);
  });
}

// Writes a row of each name as far as the configuration lets it.
void write_rows(const Json& conf, const std::vector<std::string>& names, int start, std::FILE* out) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    if (is_named(conf, "crash", name)) std::raise(SIGKILL);
    if (is_named(conf, "hang", name)) std::this_thread::sleep_for(kEver);
    sleep_for(taken_s(conf, name));
    const double noise =
        conf.value("noise", 0.003) * normal(fmt::format("{} {} {}", conf.value("seed", 1), name, start));
    const std::string text = row(conf, name, conf["benchmarks"][name].get<double>() * std::exp(noise));
    const bool cut = is_named(conf, "cut", name);
    fmt::print(out, "{}{}", i == 0 ? "" : ",\n", cut ? text.substr(0, text.size() / 2) : text);
    std::fflush(out);
    if (cut) std::_Exit(0);
  }
}

int list(const Json& conf, const std::string& me, const std::vector<std::string>& names) {
  if (conf.contains("list_hang")) {
    std::ofstream{me + ".lists"};
    std::this_thread::sleep_for(kEver);
  }
  for (const std::string& name : names) fmt::print("{}\n", name);
  return 0;
}

void write_log(const Json& conf, const std::string& me, std::size_t names, const Flags& flags) {
  if (!conf.contains("log")) return;
  const auto time = flags.find("--benchmark_min_time");
  std::ofstream(conf["log"].get<std::string>(), std::ios::app)
      << fmt::format("{} {}{}\n", std::filesystem::path(me).filename().string(), names,
                     time == flags.end() || time->second.empty() ? "" : " " + time->second);
}

int measure(const Json& conf, const std::string& me, std::vector<std::string> names, const Flags& flags) {
  if (const auto filter = flags.find("--benchmark_filter"); filter != flags.end())
    names = matching(names, filter->second);
  const int start = count_start(me);
  leave_out_what_it_lacks(conf, names);
  write_log(conf, me, names.size(), flags);
  if (conf.contains("waited")) {
    const Json& shares = conf["waited"];
    run_with_load(shares[static_cast<std::size_t>(start - 1) % shares.size()].get<double>());
  }
  std::FILE* out = std::fopen(flags.at("--benchmark_out").c_str(), "w");
  fmt::print(out,
             "{{\"context\": {{\"date\": \"2026-11-20T00:00:00\", \"executable\": \"fake\", \"num_cpus\": 2, "
             "\"library_version\": \"{}\"}}, "
             "\"benchmarks\": [\n",
             conf.value("version", "1.9.4"));
  write_rows(conf, names, start, out);
  const std::string late = conf.value("late", "");
  if (late != "cut") fmt::print(out, "]}}\n");
  std::fclose(out);
  if (late == "crash") std::abort();
  return late == "exit" ? 7 : 0;
}

std::string name_of(const Json& row) { return row.contains("run_name") ? row["run_name"] : row["name"]; }

Json noisy(Json row, double noise) {
  for (const char* key : {"real_time", "cpu_time"}) {
    if (row.contains(key) && row[key].is_number() && row[key] != 0) row[key] = row[key].get<double>() * noise;
  }
  return row;
}

int print_rows(const Json& conf, const std::string& me, const Flags& flags) {
  std::vector<std::string> names, registered;
  for (const Json& row : conf["rows"]) {
    names.push_back(name_of(row));
    if (row.value("repetition_index", 0) == 0) registered.push_back(names.back());
  }
  if (flags.contains("--benchmark_list_tests")) return list(conf, me, conf.value("listed", registered));
  const auto filter = flags.find("--benchmark_filter");
  const std::vector<std::string> chosen = filter == flags.end() ? names : matching(names, filter->second);
  const double noise = std::exp(0.0003 * normal(std::to_string(std::random_device()())));
  Json result{{"context",
               {{"date", "2026-11-20T00:00:00"}, {"executable", me}, {"num_cpus", 2}, {"library_version", "v1.9.4"}}},
              {"benchmarks", Json::array()}};
  result["context"].update(conf.value("context", Json::object()));
  for (const Json& row : conf["rows"]) {
    if (std::ranges::find(chosen, name_of(row)) != chosen.end()) result["benchmarks"].push_back(noisy(row, noise));
  }
  const std::string text = result.dump();
  std::ofstream(flags.at("--benchmark_out")) << text.substr(0, text.size() - conf.value("cut", std::size_t{0}));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string me = argv[0];
  std::ifstream file(me + ".json");
  const Json conf = Json::parse(file);
  const Flags flags = read_flags(argc, argv);
  if (conf.contains("rows")) return print_rows(conf, me, flags);
  if (const std::string flag = unknown_flag(conf, flags); !flag.empty()) {
    fmt::print(stderr, "{}: error: unrecognized command-line flag: {}\n", me, flag);
    return 1;
  }
  sleep_for(conf.value("start_s", 0.0));
  std::vector<std::string> names;
  for (const auto& [name, time] : conf["benchmarks"].items()) names.push_back(name);
  const auto lists = flags.find("--benchmark_list_tests");
  return lists != flags.end() && lists->second == "true" ? list(conf, me, names) : measure(conf, me, names, flags);
}
