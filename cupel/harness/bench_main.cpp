// The program that every family is: flags, registration, rounds, result file. Google Benchmark runs each round: the
// registered benchmarks are registered with it anew in the round's order, and the last round reports, with the location
// of the samples of all rounds as the iteration's time.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <regex>

#include "cupel/harness/budget.hpp"
#include "cupel/harness/clock.hpp"
#include "cupel/harness/context.hpp"
#include "cupel/harness/data_folder.hpp"
#include "cupel/harness/flags.hpp"
#include "cupel/harness/instrument.hpp"
#include "cupel/harness/order.hpp"
#include "cupel/harness/session.hpp"
#include "cupel/host/shared_library.hpp"
#include "cupel/record/floor.hpp"
#include "cupel/record/journal.hpp"
#include "cupel/record/json.hpp"
#include "cupel/record/listing.hpp"

namespace cupel::harness {
namespace {

// Set by the first SIGINT, SIGTERM or SIGHUP: what has samples is finished with them, nothing else is begun. A second
// signal ends the process at once.
volatile std::sig_atomic_t g_asked_to_end = 0;

void end_on_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { g_asked_to_end = 1; };
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  for (const int number : {SIGINT, SIGTERM}) sigaction(number, &action, nullptr);
  struct sigaction hangup {};
  sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // nohup has it ignored
}

/// Google Benchmark's reporter for rounds that report nothing.
class Silent : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

// Returns the names with the place of each in the file.
std::map<std::string, std::size_t> names_in(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw UsageError(file + ": cannot be read");
  std::map<std::string, std::size_t> names;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) names.try_emplace(line, names.size());
  }
  return names;
}

// The filter as Google Benchmark reads it: a regular expression found anywhere in the name; a leading '-' turns it
// round.
class Filter {
 public:
  explicit Filter(std::string text) try
      : inverted_(text.starts_with('-')),
        all_(text.empty() || text == "all"),
        regex_(inverted_ ? text.substr(1) : text) {
  } catch (const std::regex_error& e) {
    throw UsageError("--benchmark_filter=" + text + ": not a regular expression (" + e.what() + ")");
  }
  bool accepts(const std::string& name) const { return all_ || std::regex_search(name, regex_) != inverted_; }

 private:
  bool inverted_;
  bool all_;
  std::regex regex_;
};

std::vector<Definition::Point> selected_points(const Flags& flags, const std::string& filter_text) {
  const Filter filter(filter_text);
  const auto only = flags.only.empty() ? std::map<std::string, std::size_t>{} : names_in(flags.only);
  const auto without = flags.skip.empty() ? std::map<std::string, std::size_t>{} : names_in(flags.skip);
  std::vector<Definition::Point> points = registered_points(flags.options.profile);
  std::erase_if(points, [&](const Definition::Point& point) {
    return !filter.accepts(point.name) || (!flags.only.empty() && !only.contains(point.name)) ||
           without.contains(point.name);
  });
  if (!flags.only.empty()) std::ranges::sort(points, {}, [&](const auto& point) { return only.at(point.name); });
  return points;
}

// Says why nothing is selected: the full profile may have benchmarks that this one has not.
std::string nothing_matches(Flags flags, const std::string& filter_text) {
  const char* const here = to_string(flags.options.profile);
  flags.options.profile = Profile::full;
  const std::size_t more = selected_points(flags, filter_text).size();
  if (more == 0) return "no benchmark matches; --benchmark_list_tests shows what there is";
  return std::string("nothing of the ") + here + " profile matches; --cupel_profile=full has " + std::to_string(more);
}

// Seconds of the fewest calls in all rounds, and of their inputs, where single calls are longer than the round's wall
// time.
double slow_calls_s(const Duration& duration, const Options& options) {
  const double wall_s = options.max_wall_s / options.rounds;
  const double calls = std::clamp(kFarBeyond * wall_s / std::max(duration.call_s, 1e-9), 1.0, 3.0);
  return options.rounds * (duration.round_s + calls * duration.call_s);
}

// The time that one benchmark is expected to take: its sampling, its slow calls, and touching its memory. On a device
// most stop at the noise goal before the wall, and settling and checking take longer: fitted to quick and standard runs
// of all families on an H200, whose families took 0.6 to 1.4 times what this says of them.
units::TimeNeed expected(const Definition::Point& point, const Options& options) {
  constexpr double kHost_bytes_per_s = 4e9;
  constexpr double kDevice_bytes_per_s = 20e9;
  constexpr double kFixed_s = 0.02, kFixedOfRound_s = 0.012;
  constexpr double kShareOfWall = 0.3;
  const double memory_s = static_cast<double>(point.memory.host_bytes) / kHost_bytes_per_s +
                          static_cast<double>(point.memory.device_bytes) / kDevice_bytes_per_s;
  const double fixed_s = kFixed_s + kFixedOfRound_s * options.rounds;
  const double slow_s = slow_calls_s(point.duration, options);
  constexpr double kSustained_s = 5;  // of a round: until it is steady, and sampling
  if (!point.needs_device) return {fixed_s + memory_s + slow_s, options.max_wall_s};
  if (options.sustained) return {fixed_s + memory_s + slow_s + kSustained_s * options.rounds, 0};
  return {fixed_s + memory_s + slow_s, kShareOfWall * options.max_wall_s};
}

record::Listing listing_of(const std::string& family, const std::vector<Definition::Point>& points,
                           const Options& options) {
  record::Listing listing;
  listing.family = family;
  listing.max_wall_s = options.max_wall_s;
  for (const Definition::Point& point : points) {
    listing.needs_device |= point.needs_device;
    record::ListedBenchmark entry;
    entry.name = point.name;
    entry.params = point.params;
    entry.advice = point.advice;
    entry.needs_device = point.needs_device;
    entry.device_bytes = point.memory.device_bytes;
    entry.host_bytes = point.memory.host_bytes;
    const units::TimeNeed need = expected(point, options);
    entry.seconds = need.at(1);
    entry.least_seconds = need.least_s;
    entry.profile = to_string(point.smallest);
    listing.benchmarks.push_back(std::move(entry));
  }
  return listing;
}

// Google Benchmark 1.8 and newer have a skip that is not an error.
template <typename State>
void tell_skipped(State& state, const std::string& reason) {
  if constexpr (requires { state.SkipWithMessage(reason); }) {
    state.SkipWithMessage(reason);
  } else {
    state.SkipWithError(("skipped: " + reason).c_str());
  }
}

/// One process's work: its benchmarks, where their results go, and what became of them.
class Measurement {
 public:
  /// began: the process.
  Measurement(std::string family, Flags flags, Instrument* instrument, Clock::time_point began)
      : family_(std::move(family)), flags_(std::move(flags)), instrument_(instrument), began_(began) {
    if (!flags_.journal.empty()) journal_ = std::make_unique<record::JournalWriter>(flags_.journal);
  }

  int run(std::vector<Definition::Point> points) {
    start(std::move(points));
    if (flags_.budget_s && !options().once) share_out(*flags_.budget_s);
    end_on_signals();
    for (int round = 0; round < options().rounds && !lost_ && !interrupted(); ++round) run_round(round);
    finish();
    return exit_code();
  }

 private:
  void start(std::vector<Definition::Point> points) {
    result_.context = host_context(family_, options());
    const bool device_wanted =
        std::ranges::any_of(points, [](const Definition::Point& point) { return point.needs_device; });
    std::string unavailable;
    if (device_wanted) unavailable = instrument_->unavailable();
    if (device_wanted && unavailable.empty()) instrument_->describe(result_.context);
    if (journal_) journal_->context(result_.context);
    if (!unavailable.empty())
      std::fprintf(stderr, "%s: GPU benchmarks skipped: %s\n", family_.c_str(), unavailable.c_str());

    for (Definition::Point& point : points) {
      Progress progress;
      progress.row.name = point.name;
      progress.row.family = family_;
      progress.row.params = point.params;
      progress.row.advice = point.advice;
      progress.row.process = options().process;
      progress.rounds_left = options().rounds;
      const bool skipped = point.needs_device && !unavailable.empty();
      progress.point = std::move(point);
      all_.push_back(std::move(progress));
      if (skipped) {
        no_device_ = true;
        end(all_.back(), record::Status::skipped, unavailable);
      }
    }
  }

  void share_out(double budget_s) {
    std::vector<units::TimeNeed> rounds;
    for (const Progress& progress : all_)
      rounds.push_back((1.0 / options().rounds) * expected(progress.point, options()));
    budget_.emplace(budget_s, options().rounds, rounds);
    for (const Progress& progress : all_) {
      if (progress.done) budget_->done(place(progress));
    }
  }

  std::size_t place(const Progress& progress) const { return static_cast<std::size_t>(&progress - all_.data()); }

  void run_round(int round) {
    std::vector<const Definition::Point*> points;
    std::vector<Progress*> going;
    for (Progress& progress : all_) {
      if (progress.done) continue;
      points.push_back(&progress.point);
      going.push_back(&progress);
    }
    if (going.empty()) return;
    if (result_.context.device) {
      instrument_->begin_round(round, result_.context);
      if (journal_) journal_->context(result_.context);
    }
    const std::uint64_t seed = options().seed + static_cast<std::uint64_t>(options().process) * 1000003u;
    benchmark::ClearRegisteredBenchmarks();
    // Before and after swap places from pass to pass, and from process to process where each has one pass.
    const int pass = round + options().process;
    const auto order = options().once ? given_order(points) : round_order(points, seed, pass);
    for (const std::size_t i : order) register_with_google(*going[i]);

    const bool last = round + 1 == options().rounds;
    Silent silent;
    // Null would have Google Benchmark delete the reporter that its next call gives out again.
    benchmark::BenchmarkReporter* const reporter = last ? benchmark::CreateDefaultDisplayReporter() : &silent;
    benchmark::RunSpecifiedBenchmarks(reporter, nullptr, "all");
  }

  void register_with_google(Progress& progress) {
    benchmark::RegisterBenchmark(progress.point.base.c_str(),
                                 [this, &progress](benchmark::State& state) { run_one(progress, state); })
        ->Args(progress.point.args)
        ->ArgNames(progress.point.arg_names)
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMicrosecond);
  }

  // One round of one benchmark. Nothing may leave Google Benchmark's loop by exception.
  void run_one(Progress& progress, benchmark::State& state) {
    for (auto _ : state) {
      if (const char* why = reason_to_leave_out(progress)) {
        tell_skipped(state, why);
        break;
      }
      const Clock::time_point start = Clock::now();
      if (journal_) journal_->begin(progress.row.name);
      measure(progress, state);
      const double wall_s = seconds_since(start);
      progress.row.wall_s += wall_s;
      --progress.rounds_left;
      if (progress.row.status == record::Status::ok && progress.rounds_left == 0) settle_result(progress);
      if (budget_) account(progress, wall_s);
      if (progress.row.status == record::Status::failed) {
        state.SkipWithError(progress.row.reason.c_str());
        break;
      }
      if (progress.row.status == record::Status::skipped) {
        tell_skipped(state, progress.row.reason);
        break;
      }
      report(progress, state);
    }
  }

  // Null: there is none, and the options have the sampling that there is time for.
  const char* reason_to_leave_out(const Progress& progress) {
    if (lost_) return "the device was lost";
    if (interrupted()) return "interrupted";
    if (!budget_) return nullptr;
    const std::optional<double> share = budget_->share(place(progress), seconds_since(began_));
    if (!share) {
      out_of_time_ = true;
      return "there is no time left for it";
    }
    share_ = *share;
    Options shorter = flags_.options;
    shorter.max_wall_s *= share_;
    set_options(shorter);
    return nullptr;
  }

  // Accounts for a finished round: in the budget, and in the journal, since the process may be killed before its end.
  void account(const Progress& progress, double wall_s) {
    if (progress.done) return budget_->done(place(progress));
    const auto to_the_wall = std::ranges::count(progress.row.series, record::Stop::wall, &record::Series::stop);
    const double sampling_s = static_cast<double>(to_the_wall) * options().max_wall_s / options().rounds;
    budget_->took(place(progress), wall_s, sampling_s, share_);
    Progress so_far = progress;
    if (journal_ && !so_far.row.series.empty()) finish_early(so_far);
  }

  void measure(Progress& progress, benchmark::State& state) {
    const bool instrumented = instrument_ != nullptr && progress.point.needs_device;
    try {
      if (instrumented) instrument_->before(progress.row.name);
      set_begin_sampling(instrumented ? [this] { instrument_->begin_sampling(); } : std::function<void()>{});
      run_body(progress, state);
    } catch (const Skip& e) {
      end(progress, record::Status::skipped, e.what());
    } catch (const Interrupted&) {
      ++progress.rounds_left;  // this one was not measured; nothing else is begun
    } catch (const DeviceLost& e) {
      lost_ = true;
      end(progress, record::Status::failed, e.what());
    } catch (const std::exception& e) {
      lost_ = instrumented && instrument_->lost(e);
      const bool skipped = !lost_ && host::cannot_run(e);
      end(progress, skipped ? record::Status::skipped : record::Status::failed, e.what());
    }
    if (instrumented && !lost_) {
      if (!progress.row.telemetry) progress.row.telemetry.emplace();
      progress.row.disturbed = instrument_->after(*progress.row.telemetry);
    }
  }

  // After the last round: the result is complete.
  void settle_result(Progress& progress) {
    if (progress.row.series.empty() && !options().once) {
      end(progress, record::Status::failed, "the benchmark measured nothing");
      return;
    }
    if (result_.context.calibration) record::apply_floor({&progress.row, 1}, *result_.context.calibration);
    count_cpu_wait(progress);
    end(progress, record::Status::ok, "");
  }

  void end(Progress& progress, record::Status status, const std::string& reason) {
    progress.row.status = status;
    progress.row.reason = reason;
    progress.done = true;
    if (status != record::Status::ok) progress.row.series.clear();
    if (status == record::Status::failed) {
      failed_ = true;
      std::fprintf(stderr, "%s: failed: %s\n", progress.row.name.c_str(), reason.c_str());
    }
    if (journal_) journal_->row(progress.row);
  }

  static void report(const Progress& progress, benchmark::State& state) {
    const record::Row& row = progress.row;
    constexpr double kShortest_s = 1e-12;  // Google Benchmark divides by it
    state.SetIterationTime(row.main_series() ? std::max(location_s(*row.main_series()), kShortest_s) : kShortest_s);
    if (row.main_series() == nullptr) return;
    if (row.workload.bytes() > 0) state.SetBytesProcessed(row.workload.bytes());
    if (row.workload.items > 0) state.SetItemsProcessed(row.workload.items);
    for (const auto& [name, counter] : row.counters) state.counters[name] = counter.value;
  }

  void finish() {
    for (Progress& progress : all_) {
      if ((interrupted() || out_of_time_) && !progress.done && !progress.row.series.empty()) finish_early(progress);
      if (progress.done) result_.rows.push_back(std::move(progress.row));
    }
    if (out_of_time_) tell_out_of_time();
    if (instrument_ != nullptr && result_.context.device) instrument_->complete(result_.context);
    close_context(result_.context);
    result_.context.run.interrupted = interrupted();
    record::apply_floor(result_);
    if (!flags_.out.empty()) record::write(result_, flags_.out);
    if (journal_) journal_->context(result_.context);
    if (journal_ && !lost_ && !interrupted() && !out_of_time_) journal_->end();
    if (options().clean_data) clean_data_folder();
  }

  void tell_out_of_time() {
    const auto cut = std::ranges::count(result_.rows, true, &record::Row::cut_short);
    const std::string what = std::to_string(all_.size() - result_.rows.size()) + " of " + std::to_string(all_.size()) +
                             " benchmarks not measured, " + std::to_string(cut) + " cut short";
    result_.context.run.notes["--cupel_budget"] = what;
    std::fprintf(stderr, "%s: the time is up: %s\n", family_.c_str(), what.c_str());
  }

  void finish_early(Progress& progress) {
    const int rounds = options().rounds;
    progress.row.cut_short = progress.rounds_left > 0;
    progress.row.note = std::string(interrupted() ? "interrupted" : "out of time") + " after " +
                        std::to_string(rounds - progress.rounds_left) + " of " + std::to_string(rounds) + " rounds" +
                        (progress.row.note.empty() ? "" : "; " + progress.row.note);
    settle_result(progress);
  }

  static bool interrupted() { return asked_to_end(); }

  int exit_code() const {
    if (lost_) return record::kChildDeviceLost;
    if (interrupted()) return record::kChildInterrupted;
    if (out_of_time_) return record::kChildOutOfTime;
    if (failed_) return record::kChildFailed;
    const bool all_skipped =
        std::ranges::all_of(result_.rows, [](const record::Row& row) { return row.status == record::Status::skipped; });
    if (no_device_ && all_skipped) return record::kChildNoDevice;
    return record::kChildDone;
  }

  std::string family_;
  Flags flags_;
  Instrument* instrument_;
  Clock::time_point began_;
  std::unique_ptr<record::JournalWriter> journal_;
  record::ResultSet result_;
  std::vector<Progress> all_;  // addresses are taken once it is complete
  std::optional<Budget> budget_;
  double share_ = 1;  // of its sampling that the benchmark that runs now has
  bool no_device_ = false;
  bool failed_ = false;
  bool lost_ = false;
  bool out_of_time_ = false;  // a round was left out for it
};

bool takes_flag(int argc, char** argv, const char* flag) {
  return std::any_of(argv + 1, argv + argc, [&](const char* argument) {
    return std::strcmp(argument, flag) == 0 || std::string(argument) == std::string(flag) + "=true";
  });
}

// "5.44e-07,1.536e-06": seconds of the kernel and of the copy.
int print_shortest_work(const std::string& family, Instrument* instrument) {
  const std::string unavailable = instrument == nullptr ? "no benchmark needs a device" : instrument->unavailable();
  if (!unavailable.empty()) {
    std::fprintf(stderr, "%s: %s\n", family.c_str(), unavailable.c_str());
    return record::kChildNoDevice;
  }
  const record::ShortestWork shortest = instrument->measure_shortest_work();
  std::printf("%.9g,%.9g\n", shortest.kernel_s, shortest.copy_s);
  return record::kChildDone;
}

int run_program(int argc, char** argv, void (*register_all)(), Instrument* instrument) {
  const Clock::time_point began = Clock::now();
  Flags flags = take_flags(argc, argv);
  const bool list_names = takes_flag(argc, argv, "--benchmark_list_tests");
  if (flags.help || takes_flag(argc, argv, "--help")) std::printf("cupel flags:\n%s\n", flags_help().c_str());
  if (flags.help) return record::kChildDone;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return record::kChildUsage;

  set_options(flags.options);
  register_all();
  const std::string family = registered_family();
  std::vector<Definition::Point> points = selected_points(flags, benchmark::GetBenchmarkFilter());
  if (instrument == nullptr) {
    for (Definition::Point& point : points) point.needs_device = false;
  }
  if (flags.list) {
    std::fputs(record::to_json(listing_of(family, points, flags.options)).c_str(), stdout);
    return record::kChildDone;
  }
  if (list_names) {
    for (const Definition::Point& point : points) std::printf("%s\n", point.name.c_str());
    return record::kChildDone;
  }
  if (flags.measure_shortest_work) return print_shortest_work(family, instrument);
  if (points.empty()) {
    const std::string why = nothing_matches(flags, benchmark::GetBenchmarkFilter());
    std::fprintf(stderr, "%s: %s\n", family.c_str(), why.c_str());
    return record::kChildNothingRan;
  }
  return Measurement(family, flags, instrument, began).run(std::move(points));
}

}  // namespace

bool asked_to_end() { return g_asked_to_end != 0; }

int bench_main(int argc, char** argv, void (*register_all)(), Instrument* instrument) {
  try {
    return run_program(argc, argv, register_all, instrument);
  } catch (const UsageError& e) {
    std::fprintf(stderr, "%s: %s\n", argv[0], e.what());
    return record::kChildUsage;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", argv[0], e.what());
    return record::kChildFailed;
  }
}

}  // namespace cupel::harness
