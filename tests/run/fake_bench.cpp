// A benchmark executable without benchmarks: speaks the runner's protocol, and goes wrong as it is told.
//
// Its family is what follows "cupel_bench_" in its name. The file <its path>.conf tells what it does, a word and a
// value a line:
//   benchmarks N        names <family>/work/bytes:<1024 * 4^i>; default 3
//   profile P           the smallest that has them; quick unless said
//   seconds S           of each, in the listing
//   least S             of these, with the fewest samples, in the listing
//   sleep S             in each, really
//   needs_device 1      in the listing
//   device NAME         has this device
//   devices N           has so many, of which --cupel_device takes one by its number
//   skips REASON        skips all rows
//   no_device REASON    so, too; exit code 3
//   revision R          of its build
//   kernel K            of its system
//   mode M              at the benchmark with index `at` (default 1); `in P`: only in process P
//                       (cut_short: half a row of it, when told to end)
//                       (late crash, late exit, late hang: when all rows are given)
//                       (flood: `flood_mib`, 256 unless said, on each stream; grow: its journal to `grow` bytes)
//   listing M           garbage, crash, fail, flood, hang
//   log FILE            a line "start <pid> <process>" at the start, "end <pid> <process>" at the end, synced
//   remove FOLDER       at the end of process 0
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <thread>

#include "cupel/host/scheduler.hpp"
#include "cupel/record/journal.hpp"
#include "cupel/record/listing.hpp"

namespace {

using namespace cupel::record;

constexpr int kNoDevice = 3, kFailed = 4, kNothing = 5, kLost = 71;

using Words = std::map<std::string, std::string>;

std::string value_of(const Words& words, const std::string& word, const std::string& otherwise) {
  const auto found = words.find(word);
  return found == words.end() ? otherwise : found->second;
}

Words read_configuration(const std::string& path) {
  Words words;
  std::ifstream file(path + ".conf");
  for (std::string word, value; file >> word && std::getline(file >> std::ws, value);) words[word] = value;
  return words;
}

Words read_flags(int argc, char** argv) {
  Words flags;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    const std::size_t equals = flag.find('=');
    flags[flag.substr(0, equals)] = equals == std::string::npos ? "" : flag.substr(equals + 1);
  }
  return flags;
}

int rank(const std::string& profile) { return profile == "quick" ? 0 : profile == "standard" ? 1 : 2; }

Listing make_listing(const std::string& family, const Words& words, const Words& flags) {
  Listing listing;
  listing.family = family;
  listing.needs_device = value_of(words, "needs_device", "0") == "1";
  if (words.count("max_wall") > 0) {
    listing.max_wall_s = std::stod(value_of(flags, "--cupel_max_wall", value_of(words, "max_wall", "0")));
  }
  const std::string profile = value_of(words, "profile", "quick");
  const bool is_in = rank(profile) <= rank(value_of(flags, "--cupel_profile", "quick"));
  const int count = is_in ? std::stoi(value_of(words, "benchmarks", "3")) : 0;
  std::int64_t bytes = 1024;
  for (int i = 0; i < count; ++i, bytes *= 4) {
    ListedBenchmark benchmark;
    benchmark.name = family + "/work/bytes:" + std::to_string(bytes);
    benchmark.params = {{"bytes", std::to_string(bytes)}};
    benchmark.advice = {{"pin-memory", i == 0 ? Role::before : Role::after, "bytes", ""}};
    benchmark.needs_device = listing.needs_device;
    benchmark.device_bytes = listing.needs_device ? bytes : 0;
    benchmark.host_bytes = 2 * bytes;
    const std::string seconds = value_of(words, "seconds", "0.01");
    benchmark.least_seconds = std::stod(value_of(words, "least", "0"));
    const double wall_s = std::min(std::stod(seconds), std::stod(value_of(flags, "--cupel_max_wall", seconds)));
    benchmark.seconds = std::max(benchmark.least_seconds, wall_s);
    benchmark.profile = profile;
    listing.benchmarks.push_back(benchmark);
  }
  return listing;
}

// Writes more than anybody should keep.
void flood(std::FILE* stream, int mib = 256) {
  const std::string line(1023, 'x');
  for (int i = 0; i < (mib << 10); ++i) std::fprintf(stream, "%s\n", line.c_str());
}

int list(const Listing& listing, const Words& words) {
  const std::string mode = value_of(words, "listing", "");
  if (mode == "hang") sleep(3600);
  if (mode == "garbage") return std::fputs("\xff\xfe no listing {", stdout), 0;
  if (mode == "crash") std::abort();
  if (mode == "flood") return flood(stdout), 0;
  if (mode == "fail") {
    std::fputs("error while loading shared libraries: libnothing.so.13\n", stderr);
    return 127;
  }
  std::fputs(to_json(listing).c_str(), stdout);
  return 0;
}

Context make_context(const Words& words, const Words& flags) {
  Context context;
  context.build.version = "0.1.0";
  context.build.git_revision = value_of(words, "revision", "0123456789abcdef");
  context.build.type = "Release";
  context.host.cpu = "Fake CPU";
  context.host.logical_cpus = 2;
  context.host.kernel = value_of(words, "kernel", "");
  context.run.rounds = 3;
  cupel::host::read_scheduler(context.run);
  context.run.profile = value_of(flags, "--cupel_profile", "");
  if (const std::string name = value_of(words, "device", ""); !name.empty()) {
    context.device.emplace();
    context.device->name = name;
    context.device->uuid = "GPU-" + name;
    context.device->sm_count = 132;
    context.device->memory_bytes = std::int64_t{141} << 30;
    context.device->driver_version = "580.1";
  }
  const int devices = std::stoi(value_of(words, "devices", "1"));
  if (devices > 1 && flags.count("--cupel_device") == 0) {
    context.run.notes[kFirstOfSeveral] = "GPU 0 of " + std::to_string(devices) + ": Fake (GPU-0)";
  }
  return context;
}

// 10 samples about 1 us for each KiB; processes differ by 1 %, and by what the seed is not.
Row make_row(const Listing& listing, const ListedBenchmark& benchmark, int process) {
  Row row;
  row.name = benchmark.name;
  row.family = listing.family;
  row.params = benchmark.params;
  row.advice = benchmark.advice;
  row.process = process;
  const std::int64_t bytes = benchmark.host_bytes / 2;
  row.workload.bytes_moved = bytes;
  row.limit = Limit{"fake link", "bytes", 2e9, "made up"};
  Series series;
  for (int i = 0; i < 10; ++i)
    series.samples_s.push_back(1e-9 * static_cast<double>(bytes) * (1 + 0.01 * process + 0.001 * i));
  series.round_sizes = {4, 3, 3};
  row.series = {series};
  return row;
}

Row failed_row(Row row, const std::string& reason) {
  row.status = Status::failed;
  row.reason = reason;
  row.series.clear();
  return row;
}

// A child that is told to end gives what it has of the benchmark that runs.
void give_half_a_row(Row row, JournalWriter& journal) {
  sigset_t end;
  sigemptyset(&end);
  sigaddset(&end, SIGTERM);
  sigaddset(&end, SIGINT);
  sigprocmask(SIG_BLOCK, &end, nullptr);
  int signal = 0;
  sigwait(&end, &signal);
  row.cut_short = true;
  journal.row(row);
}

// Three times as slow, because its threads waited for a CPU.
Row busy_row(Row row) {
  for (double& sample_s : row.series.front().samples_s) sample_s *= 3;
  row.counters[kCpuWait] = {0.6, "1", Better::none, false};
  return row;
}

void append_line(const std::string& path, const std::string& line) {
  if (path.empty()) return;
  std::FILE* file = std::fopen(path.c_str(), "a");
  if (file == nullptr) return;
  std::fprintf(file, "%s\n", line.c_str());
  std::fclose(file);
}

void write_garbage(const std::string& journal) {
  std::ofstream file(journal, std::ios::app | std::ios::binary);
  file << "\xff\xfe{]garbage\n";
}

// Some of these do not return.
void go_wrong(const std::string& mode, const std::string& journal, const Words& words) {
  std::fprintf(stderr, "about to go wrong: %s\n", mode.c_str());
  if (mode == "crash") {
    std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would turn it into an exit
    std::raise(SIGSEGV);
  }
  if (mode == "kill") std::raise(SIGKILL);
  if (mode == "exit") std::_Exit(9);
  if (mode == "hang") std::this_thread::sleep_for(std::chrono::hours(1));
  if (mode == "hang_hard") {
    std::signal(SIGTERM, SIG_IGN);
    std::this_thread::sleep_for(std::chrono::hours(1));
  }
  if (mode == "orphan" && fork() == 0) {
    std::this_thread::sleep_for(std::chrono::hours(1));
  }
  if (mode == "garbage") write_garbage(journal);
  if (mode == "flood") {
    const int mib = std::stoi(value_of(words, "flood_mib", "256"));
    flood(stdout, mib), flood(stderr, mib);
  }
  if (mode == "grow") std::filesystem::resize_file(journal, std::stoull(words.at("grow")));
  if (mode == "meanwhile") std::fprintf(stderr, "%smaking \x1b[31mthings: 12 %%\n", kMeanwhile);
}

int measure(const Listing& listing, const Words& words, const Words& flags) {
  if (std::stoi(value_of(flags, "--cupel_device", "0")) >= std::stoi(value_of(words, "devices", "1"))) {
    return std::fprintf(stderr, "%s: no such GPU; there are:\n  0  Fake\n", value_of(words, "path", "").c_str()), 2;
  }
  const std::string journal_path = value_of(flags, "--cupel_journal", "");
  const int process = std::stoi(value_of(flags, "--cupel_process", "0"));
  const std::string mode =
      std::stoi(value_of(words, "in", std::to_string(process))) == process ? value_of(words, "mode", "") : "";
  const int at = std::stoi(value_of(words, "at", "1"));
  const double sleep_s = std::stod(value_of(words, "sleep", "0"));
  const std::string no_device = value_of(words, "no_device", "");
  const std::string skips = value_of(words, "skips", no_device);
  std::set<std::string> only;
  std::ifstream names(value_of(flags, "--cupel_only", ""));
  for (std::string name; std::getline(names, name);) only.insert(name);

  JournalWriter journal(journal_path);
  if (mode == "silent") return 0;
  journal.context(make_context(words, flags));
  bool failed = false, any = false;
  for (std::size_t i = 0; i < listing.benchmarks.size(); ++i) {
    const ListedBenchmark& benchmark = listing.benchmarks[i];
    if (only.count(benchmark.name) == 0) continue;
    any = true;
    Row row = make_row(listing, benchmark, process);
    if (!skips.empty()) {
      row = failed_row(row, skips);
      row.status = Status::skipped;
      journal.row(row);
      continue;
    }
    journal.begin(benchmark.name);
    std::this_thread::sleep_for(std::chrono::duration<double>(sleep_s));
    if (static_cast<int>(i) == at && !mode.empty() && !mode.starts_with("late ")) {
      go_wrong(mode, journal_path, words);
      if (mode == "cut_short") return give_half_a_row(row, journal), 130;
      if (mode == "no_row") continue;
      if (mode == "busy") row = busy_row(row);
      if (mode == "wrong" || mode == "lost") {
        failed = true;
        row = failed_row(row, "the result is wrong at index 7");
      }
    }
    if (mode == "lost_before_row" && static_cast<int>(i) == at) return kLost;
    journal.row(row);
    if (mode == "lost" && static_cast<int>(i) == at) return kLost;
  }
  journal.end();
  if (mode.starts_with("late ")) go_wrong(mode.substr(5), journal_path, words);
  if (!no_device.empty()) return std::fprintf(stderr, "%s\n", no_device.c_str()), kNoDevice;
  return !any ? kNothing : failed ? kFailed : 0;
}

// A test limits the files of who starts us, as a full disk does; our journal and the test's log are elsewhere.
void lift_limit_on_files() {
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_FSIZE, &limit);
}

}  // namespace

int main(int argc, char** argv) {
  lift_limit_on_files();
  const std::string path = argv[0];
  const std::string file = std::filesystem::path(path).filename().string();
  Words words = read_configuration(path);
  words["path"] = path;
  const Words flags = read_flags(argc, argv);
  const Listing listing = make_listing(file.substr(file.rfind('_') + 1), words, flags);
  if (flags.count("--cupel_list") > 0) return list(listing, words);
  if (flags.count("--cupel_measure_shortest_work") > 0) return std::printf("4.8e-07,1.4e-06\n"), 0;
  if (flags.count("--cupel_once") > 0) return std::printf("%s runs once\n", listing.family.c_str()), 0;

  const std::string process = value_of(flags, "--cupel_process", "0");
  const std::string log = value_of(words, "log", "");
  const std::string who = listing.family + " " + process + " " + std::to_string(getpid());
  append_line(log, "start " + who + " seed " + value_of(flags, "--cupel_seed", "") + " device " +
                       value_of(flags, "--cupel_device", "-"));
  const int code = measure(listing, words, flags);
  if (process == "0" && words.count("remove") > 0) std::filesystem::remove_all(words.at("remove"));
  append_line(log, "end " + who);
  return code;
}
