#include "cupel/runner/gate_run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <utility>

#include "cupel/host/interrupt.hpp"
#include "cupel/host/private_paths.hpp"
#include "cupel/record/floor.hpp"
#include "cupel/record/google_benchmark.hpp"
#include "cupel/record/google_names.hpp"
#include "cupel/runner/attempt.hpp"
#include "cupel/runner/output.hpp"
#include "cupel/runner/select.hpp"
#include "cupel/runner/start_order.hpp"
#include "cupel/units/format.hpp"

namespace cupel::runner {
namespace {

namespace fs = std::filesystem;

}  // namespace

int processes_of(const record::ResultSet& results) {
  int processes = 0;
  for (const record::Row& row : results.rows) processes = std::max(processes, row.process + 1);
  return processes;
}

void append(StageResults later, StageResults& measured) {
  const int begin = std::max(processes_of(measured.base), processes_of(measured.contender));
  const auto move_rows = [&](record::ResultSet& from, record::ResultSet& to) {
    for (record::Row& row : from.rows) {
      row.process += begin;
      to.rows.push_back(std::move(row));
    }
  };
  move_rows(later.base, measured.base);
  move_rows(later.contender, measured.contender);
  measured.interrupted = measured.interrupted || later.interrupted;
}

GateRunner::GateRunner(const std::vector<fs::path>& base, const std::vector<fs::path>& contender,
                       GateRunSettings settings, Observer& observer)
    : settings_(std::move(settings)), observer_(observer), random_(settings_.settings.seed) {
  fill(sides_[0], "base", base);
  fill(sides_[1], "new", contender);
  rename();
  name_together();
  keep_chosen();
  for (const Side& side : sides_) check_names(side);
  sample_alike();
  give_names_to_unlisted(sides_[0], sides_[1]);
  give_names_to_unlisted(sides_[1], sides_[0]);
}

void GateRunner::give_names_to_unlisted(Side& side, const Side& other) {
  std::set<std::string> listed;
  for (const GateProgram& program : side.programs) {
    for (const GateName& name : program.names) listed.insert(name.shown);
  }
  const bool in_ranks = side.programs.size() == other.programs.size();
  for (std::size_t rank = 0; rank < side.programs.size(); ++rank) {
    GateProgram& program = side.programs[rank];
    if (program.problem.empty()) continue;
    for (std::size_t i = 0; i < other.programs.size(); ++i) {
      if (in_ranks && i != rank) continue;
      for (const GateName& name : other.programs[i].names) {
        if (listed.insert(name.shown).second) program.names.push_back(name);
      }
    }
  }
}

void GateRunner::sample_alike() {
  for (const Side& side : sides_) {
    for (const GateProgram& program : side.programs) {
      const bool takes_none = program.foreign && program.problem.empty() && program.sampling_flag.empty();
      if (takes_none && asked_sampling(settings_.extra).empty()) return drop_sampling_flags(program.family);
    }
  }
}

std::vector<std::string> GateRunner::problems() const {
  std::vector<std::string> problems;
  for (const Side& side : sides_) {
    for (const GateProgram& program : side.programs) {
      if (!program.problem.empty()) problems.push_back(fmt::format("{}: {}", side.label, program.problem));
    }
  }
  return problems;
}

void GateRunner::fill(Side& side, const char* label, const std::vector<fs::path>& executables) {
  side.label = label;
  for (const fs::path& executable : executables) {
    side.programs.push_back(inspect(executable, settings_.settings, settings_.extra));
  }
  side.paces.resize(side.programs.size());
  side.done.resize(side.programs.size());
  check_device(side);
}

// The names of other programs are renamed by either spelling.
void GateRunner::rename() {
  for (Side& side : sides_) {
    for (GateProgram& program : side.programs) {
      for (GateName& name : program.names) {
        const std::string canonical = program.foreign ? record::canonical_name(name.listed) : name.listed;
        side.all_names.insert({name.listed, canonical});
        for (const std::string& spelling : {name.listed, canonical}) {
          const auto found = settings_.renames.find(spelling);
          if (found == settings_.renames.end()) continue;
          renamed_.insert(found->first);
          name.shown = found->second;
          break;
        }
      }
    }
  }
}

void GateRunner::name_together() {
  std::vector<std::vector<std::string>> names;
  for (const Side& side : sides_) {
    std::set<std::string> foreign;
    for (const GateProgram& program : side.programs) {
      if (!program.foreign) continue;
      for (const GateName& name : program.names) foreign.insert(name.shown);
    }
    names.emplace_back(foreign.begin(), foreign.end());
  }
  const std::vector<std::vector<std::string>> common = record::common_names(names);
  for (std::size_t side = 0; side < names.size(); ++side) {
    for (GateProgram& program : sides_[side].programs) {
      if (!program.foreign) continue;
      for (GateName& name : program.names) {
        const auto place = std::ranges::lower_bound(names[side], name.shown) - names[side].begin();
        name.shown = common[side][static_cast<std::size_t>(place)];
      }
    }
  }
}

// The listing keeps all: whether a filter is needed is seen by comparing the two.
void GateRunner::keep_chosen() {
  const Filters filters(settings_.filters);
  for (Side& side : sides_) {
    for (GateProgram& program : side.programs) {
      std::erase_if(program.names, [&](const GateName& name) { return !filters.choose({name.shown, name.listed}); });
    }
  }
}

void GateRunner::check_device(const Side& side) const {
  if (!settings_.settings.device) return;
  for (const GateProgram& program : side.programs) {
    if (!program.foreign) continue;
    throw std::invalid_argument(fmt::format(
        "--device is for cupel's own executables; CUDA_VISIBLE_DEVICES in the environment chooses the GPU of {}",
        program.executable.string()));
  }
}

void GateRunner::check_names(const Side& side) const {
  std::map<std::string, const GateProgram*> owners;
  for (const GateProgram& program : side.programs) {
    for (const GateName& name : program.names) {
      const auto [found, is_new] = owners.emplace(name.shown, &program);
      if (is_new || found->second == &program) continue;
      if (found->second->executable == program.executable) {
        throw std::invalid_argument(fmt::format("{} is named twice on one side", program.executable.string()));
      }
      throw std::invalid_argument(fmt::format("the benchmark {} is in {} and in {}: gate them one after the other",
                                              name.shown, found->second->executable.string(),
                                              program.executable.string()));
    }
  }
}

void GateRunner::for_each_name(const std::function<void(const std::string& shown)>& take) const {
  for (const Side& side : sides_) {
    for (const GateProgram& program : side.programs) {
      for (const GateName& name : program.names) take(name.shown);
    }
  }
}

GateWanted GateRunner::all(int processes) const {
  GateWanted wanted;
  for_each_name([&](const std::string& name) { wanted[name] = processes; });
  return wanted;
}

GateWanted GateRunner::in_whole_processes(const GateWanted& wanted) const {
  GateWanted whole = wanted;
  for (const Side& side : sides_) {
    for (const GateProgram& program : side.programs) {
      int most = 0;
      for (const GateName& name : program.names) {
        if (const auto found = wanted.find(name.shown); found != wanted.end()) most = std::max(most, found->second);
      }
      if (most == 0) continue;
      for (const GateName& name : program.names) whole[name.shown] = std::max(whole[name.shown], most);
    }
  }
  return whole;
}

double GateRunner::rest_s(const Side& side, std::size_t rank, int done, const GateWanted& wanted) {
  const GateProgram& program = side.programs[rank];
  const Pace& pace = side.paces[rank];
  int starts = 0;
  double seconds = 0;
  for (const GateName& name : program.names) {
    const auto found = wanted.find(name.shown);
    const int left = found == wanted.end() ? 0 : found->second - done;
    if (left <= 0) continue;
    starts = std::max(starts, left);
    seconds += left * pace.benchmark_s(program, name);
  }
  return seconds + starts * pace.start_s(program);
}

double GateRunner::expected_s(const GateWanted& wanted) const {
  double seconds = 0;
  for (const Side& side : sides_) {
    for (std::size_t rank = 0; rank < side.programs.size(); ++rank) seconds += rest_s(side, rank, 0, wanted);
  }
  return seconds;
}

double GateRunner::left_s(const GateWanted& wanted) const {
  double seconds = 0;
  for (const Side& side : sides_) {
    for (std::size_t rank = 0; rank < side.programs.size(); ++rank)
      seconds += rest_s(side, rank, side.done[rank], wanted);
  }
  return std::max(0.0, seconds - units::seconds_since(process_began_));
}

void GateRunner::correct(double foretold_s, const GateWanted& wanted) {
  constexpr double kFarOff = 2, kWorthALine_s = 5;
  const auto is_open = [](const Side& side) { return std::ranges::count(side.done, 0) > 0; };
  if (corrected_ || std::ranges::any_of(sides_, is_open)) return;
  corrected_ = true;
  process_began_ = units::Clock::now();
  const double rest_s = left_s(wanted), whole_s = units::seconds_since(stage_began_) + rest_s;
  const bool is_far_off = whole_s > kFarOff * foretold_s || foretold_s > kFarOff * whole_s;
  if (is_far_off && std::max(whole_s, foretold_s) > kWorthALine_s)
    observer_.said(fmt::format("about {} left, judging by the first processes", units::format_duration(rest_s)));
}

void GateRunner::say_once(const Side& side, const std::string& what) {
  if (said_.insert(side.label + ": " + what).second) observer_.said(fmt::format("{} ({})", what, side.label));
}

// One program's benchmarks in one process, and in fresh ones where a benchmark ends it.
struct GateRunner::Slot {
  Side& side;
  std::size_t rank;  // of the program on its side
  const GateProgram& program;
  int process;
  std::vector<record::Row>& rows;
  StageResults& measured;
  std::vector<std::string> names = {};  // that have no row yet
  StepInfo info = {};
  StepCounts counts = {};
};

void GateRunner::fail(Slot& slot, const std::string& name, const std::string& reason) const {
  record::Row row;
  row.name = name;
  row.family = slot.program.family;
  row.process = slot.process;
  row.status = record::Status::failed;
  row.reason = reason;
  slot.rows.push_back(std::move(row));
}

void GateRunner::choose_names(Slot& slot, const GateWanted& wanted) const {
  for (const GateName& name : slot.program.names) {
    const auto found = wanted.find(name.shown);
    if (found == wanted.end() || found->second <= slot.process) continue;
    if (!slot.program.problem.empty()) {
      fail(slot, name.shown, host::without_private_paths(slot.program.problem));
    } else if (const std::string why = slot.side.strikes.why_not(name.shown); !why.empty()) {
      fail(slot, name.shown, why);
    } else {
      slot.names.push_back(name.shown);
    }
  }
}

void GateRunner::take_context(Slot& slot, const std::optional<record::Context>& context) {
  if (!context) return;
  if (!slot.side.context) slot.side.context = context;
  if (const auto sampling = context->run.notes.find(record::kSampling); sampling != context->run.notes.end()) {
    slot.side.context->run.notes.insert(*sampling);
  }
  if (context->calibration) pool(*context->calibration);
  const auto chosen = context->run.notes.find(record::kFirstOfSeveral);
  if (chosen == context->run.notes.end() || told_device_) return;
  told_device_ = true;
  observer_.said(fmt::format("measuring {}; --device chooses", chosen->second));
}

void GateRunner::take_rows(Slot& slot, GateStart& got) {
  if (!got.interrupted) slot.side.paces[slot.rank].add(slot.program, got.rows, got.wall_s);
  for (record::Row& row : got.rows) {
    row.reason = host::without_private_paths(row.reason);
    row.note = host::without_private_paths(row.note);
    std::erase(slot.names, row.name);
    slot.counts.add(row);
    if (row.status == record::Status::failed) say_once(slot.side, fmt::format("{}: failed: {}", row.name, row.reason));
    if (row.status == record::Status::skipped) say_once(slot.side, fmt::format("skipped: {}", row.reason));
    if (got.no_device && slot.measured.no_device.empty()) slot.measured.no_device = row.reason;
    if (!got.bad_ending.empty()) record::add_note(row, "its process was " + got.bad_ending);
    slot.rows.push_back(std::move(row));
  }
}

void GateRunner::fail_started(Slot& slot, const std::vector<std::string>& names, const std::string& reason) {
  for (const std::string& name : names) {
    ++slot.counts.failed;
    fail(slot, name, reason);
  }
  const std::string who = names.size() == 1 ? names.front() : fmt::format("{} benchmarks", names.size());
  say_once(slot.side, fmt::format("{}: failed: {}", who, reason));
}

StartEnd GateRunner::start_once(Slot& slot, const GateWanted& wanted, const Settings& settings,
                                const fs::path& scratch) {
  StartEnd end{.kind = StartEnd::Kind::over};
  GateStart got = start(slot.program, slot.names, slot.process, settings, settings_.extra, scratch, [&] {
    observer_.going(slot.info, "", left_s(wanted));
    return true;
  });
  if (got.refused_sampling) {
    drop_sampling_flags(slot.program.family);
    drops_sampling_ = true;
    return end;
  }
  got.reason = host::without_private_paths(got.reason);
  got.bad_ending = host::without_private_paths(got.bad_ending);
  take_context(slot, got.context);
  take_rows(slot, got);
  if (got.interrupted || host::interrupts() > 0) {
    slot.measured.interrupted = true;
    return end;
  }
  if (!got.bad_ending.empty()) {
    slot.measured.bad_endings.push_back(
        fmt::format("{}, process {}: {}", slot.info.family, slot.process + 1, got.bad_ending));
    observer_.said(fmt::format("{}: failed", slot.measured.bad_endings.back()));
  }
  if (got.no_device) return end;
  const StartEnd::Kind kind = got.ended_well ? StartEnd::Kind::well : StartEnd::Kind::badly;
  return {kind, slot.names, got.running, !slot.program.foreign, got.reason};
}

void GateRunner::run_slot(Slot slot, int processes, const GateWanted& wanted, const std::string& stage) {
  choose_names(slot, wanted);
  if (slot.names.empty()) return;
  slot.info = {fmt::format("{} {} {}", stage, slot.side.label, slot.program.family), slot.process, processes,
               slot.names.size()};
  process_began_ = units::Clock::now();
  observer_.started(slot.info, left_s(wanted));
  Settings settings = settings_.settings;
  settings.seed += static_cast<std::uint64_t>(started_++);
  const ScratchFolder scratch;
  Restarting how;
  how.start = [&](const std::vector<std::string>& names) {
    slot.names = names;
    return start_once(slot, wanted, settings, scratch.path());
  };
  how.fail = [&](const std::vector<std::string>& names, const std::string& reason) {
    fail_started(slot, names, reason);
  };
  restart_until_done(slot.names, slot.side.strikes, how);
  observer_.finished(slot.info, slot.counts);
}

// One floor for both sides: it is the device's, whichever program reads it.
void GateRunner::pool(const record::Calibration& calibration) {
  std::vector<record::EventPair> pairs = std::move(calibration_.event_pairs);
  pairs.insert(pairs.end(), calibration.event_pairs.begin(), calibration.event_pairs.end());
  if (!calibration_.shortest_kernel_s) calibration_ = calibration;
  calibration_.event_pairs = std::move(pairs);
}

void GateRunner::drop_sampling_flags(const std::string& refusing) {
  observer_.said(refusing + " takes no --benchmark_min_time: all sample as long as they do by themselves");
  for (Side& side : sides_) {
    side.context.reset();
    for (GateProgram& program : side.programs) program.sampling_flag.clear();
  }
}

StageResults GateRunner::measure(const GateWanted& wanted, const std::string& stage, int group) {
  StageResults measured = measure_once(wanted, stage, group);
  if (std::exchange(drops_sampling_, false)) measured = measure_once(wanted, stage, group);
  return measured;
}

StageResults GateRunner::measure_once(const GateWanted& wanted, const std::string& stage, int group) {
  StageResults measured;
  for (Side& side : sides_) side.done.assign(side.programs.size(), 0);
  std::vector<int> counts{0};
  for (const auto& [name, count] : wanted) counts.push_back(count);
  const int processes = std::ranges::max(counts);
  for (int grouped = group; group > 0 && grouped < processes; grouped += group) counts.push_back(grouped);
  const int sides = sides_[0].programs.empty() || sides_[1].programs.empty() ? 1 : 2;
  const double foretold_s = expected_s(wanted);
  corrected_ = false;
  stage_began_ = units::Clock::now();
  observer_.stage({stage, wanted.size(), processes, sides, foretold_s});
  std::array<int, 2> begun{};
  for (const bool is_contender : drawn_order(counts, random_)) {
    Side& side = sides_[is_contender ? 1 : 0];
    const int process = begun[is_contender ? 1 : 0]++;
    std::vector<record::Row>& rows = is_contender ? measured.contender.rows : measured.base.rows;
    for (std::size_t rank = 0; rank < side.programs.size(); ++rank) {
      if (measured.interrupted || drops_sampling_) break;
      run_slot({side, rank, side.programs[rank], process, rows, measured}, processes, wanted, stage);
      side.done[rank] = process + 1;
    }
    correct(foretold_s, wanted);
  }
  record::pool_floor(calibration_);
  record::apply_floor(measured.base.rows, calibration_);
  record::apply_floor(measured.contender.rows, calibration_);
  measured.base.context = sides_[0].context.value_or(record::Context());
  measured.contender.context = sides_[1].context.value_or(record::Context());
  return measured;
}

}  // namespace cupel::runner
