#include "cupel/runner/gate_run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "cupel/host/interrupt.hpp"
#include "cupel/host/private_paths.hpp"
#include "cupel/record/floor.hpp"
#include "cupel/runner/attempt.hpp"
#include "cupel/runner/output.hpp"

namespace cupel::runner {
namespace {

namespace fs = std::filesystem;

constexpr int kRestarts = 20;

record::Row failed_row(const GateProgram& program, const std::string& name, int process, const std::string& reason) {
  record::Row row;
  row.name = name;
  row.family = program.family;
  row.process = process;
  row.status = record::Status::failed;
  row.reason = reason;
  return row;
}

}  // namespace

std::vector<bool> interleaved(int processes, stats::Random& random) {
  std::vector<bool> order;
  bool contender_first = false;
  for (int process = 0; process < processes; ++process) {
    contender_first = process % 2 == 0 ? random.below(2) == 1 : !contender_first;
    order.push_back(contender_first);
    order.push_back(!contender_first);
  }
  return order;
}

GateRunner::GateRunner(const std::vector<fs::path>& base, const std::vector<fs::path>& contender,
                       GateRunSettings settings, Observer& observer)
    : settings_(std::move(settings)), observer_(observer), random_(settings_.settings.seed) {
  fill(sides_[0], "base", base);
  fill(sides_[1], "new", contender);
}

void GateRunner::fill(Side& side, const char* label, const std::vector<fs::path>& executables) {
  side.label = label;
  for (const fs::path& executable : executables) {
    side.programs.push_back(inspect(executable, settings_.settings, settings_.filters, settings_.renames));
  }
  check_names(side);
  check_device(side);
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

std::optional<double> GateRunner::expected_s(const GateWanted& wanted) const {
  if (runs_ == 0) return std::nullopt;
  double runs = 0;
  for_each_name([&](const std::string& name) {
    if (const auto found = wanted.find(name); found != wanted.end()) runs += found->second;
  });
  return runs * spent_s_ / static_cast<double>(runs_);
}

double GateRunner::left_s(const GateWanted& wanted) const {
  const std::optional<double> whole_s = expected_s(wanted);
  if (!whole_s) return -1;
  const auto done = static_cast<double>(runs_ - runs_before_stage_);
  return std::max(0.0, *whole_s - done * spent_s_ / static_cast<double>(runs_));
}

void GateRunner::run_slot(Side& side, std::size_t index, int process, int processes, const GateWanted& wanted,
                          const std::string& stage, std::vector<record::Row>& rows, GateMeasured& measured) {
  const GateProgram& program = side.programs[index];
  std::vector<std::string> names;
  for (const GateName& name : program.names) {
    const auto found = wanted.find(name.shown);
    if (found == wanted.end() || found->second <= process) continue;
    if (side.strikes[name.shown] >= kStrikes) {
      rows.push_back(failed_row(program, name.shown, process, "not tried again after it ended two processes"));
    } else {
      names.push_back(name.shown);
    }
  }
  if (names.empty()) return;

  const StepInfo info{fmt::format("{} {} {}", stage, side.label, program.family), process, processes, names.size()};
  observer_.started(info, left_s(wanted));
  StepCounts counts;
  Settings settings = settings_.settings;
  settings.seed += static_cast<std::uint64_t>(started_++);
  const ScratchFolder scratch;
  for (int restarts = 0; !names.empty() && restarts <= kRestarts; ++restarts) {
    GateStart got = start(program, names, process, settings, settings_.extra, scratch.path(), [&] {
      observer_.going(info, "", left_s(wanted));
      return true;
    });
    got.reason = host::without_private_paths(got.reason);
    got.bad_ending = host::without_private_paths(got.bad_ending);
    spent_s_ += got.wall_s;
    runs_ += static_cast<std::int64_t>(got.rows.size());
    if (got.context && got.context->calibration) pool(*got.context->calibration);
    if (got.context && got.context->run.notes.contains(record::kFirstOfSeveral) && !told_device_) {
      told_device_ = true;
      observer_.said(fmt::format("measuring {}; --device chooses", got.context->run.notes.at(record::kFirstOfSeveral)));
    }
    if (!side.context) side.context = got.context;
    for (record::Row& row : got.rows) {
      row.reason = host::without_private_paths(row.reason);
      row.note = host::without_private_paths(row.note);
      std::erase(names, row.name);
      counts.add(row);
      if (row.status == record::Status::failed) observer_.said(fmt::format("{}: failed: {}", row.name, row.reason));
      if (got.no_device && measured.no_device.empty()) measured.no_device = row.reason;
      if (!got.bad_ending.empty()) record::add_note(row, "its process was " + got.bad_ending);
      rows.push_back(std::move(row));
    }
    if (got.interrupted || host::interrupts() > 0) {
      measured.interrupted = true;
      break;
    }
    if (!got.bad_ending.empty()) {
      measured.bad_endings.push_back(fmt::format("{}, process {}: {}", info.family, process + 1, got.bad_ending));
      observer_.said(fmt::format("{}: failed", measured.bad_endings.back()));
    }
    if (got.no_device) names.clear();
    if (got.complete) break;
    const std::string blamed = got.running.empty() ? names.front() : got.running;
    ++side.strikes[blamed];
    std::erase(names, blamed);
    ++counts.failed;
    observer_.said(fmt::format("{} ({}): failed: {}", blamed, side.label, got.reason));
    rows.push_back(failed_row(program, blamed, process, got.reason));
  }
  if (!measured.interrupted) {
    for (const std::string& name : names) {
      rows.push_back(
          failed_row(program, name, process, fmt::format("not run: {} fresh starts were not enough", kRestarts)));
    }
  }
  observer_.finished(info, counts);
}

// One floor for both sides: it is the device's, whichever program reads it.
void GateRunner::pool(const record::Calibration& calibration) {
  std::vector<record::EventPair> pairs = std::move(calibration_.event_pairs);
  pairs.insert(pairs.end(), calibration.event_pairs.begin(), calibration.event_pairs.end());
  if (!calibration_.shortest_kernel_s) calibration_ = calibration;
  calibration_.event_pairs = std::move(pairs);
}

GateMeasured GateRunner::measure(const GateWanted& wanted, const std::string& stage) {
  GateMeasured measured;
  runs_before_stage_ = runs_;
  int processes = 0;
  for (const auto& [name, count] : wanted) processes = std::max(processes, count);
  const std::vector<bool> order = interleaved(processes, random_);
  const std::size_t ranks = std::max(sides_[0].programs.size(), sides_[1].programs.size());
  for (std::size_t slot = 0; slot < order.size() && !measured.interrupted; slot += 2) {
    const int process = static_cast<int>(slot / 2);
    for (std::size_t rank = 0; rank < ranks && !measured.interrupted; ++rank) {
      for (const bool is_contender : {order[slot], order[slot + 1]}) {
        Side& side = sides_[is_contender ? 1 : 0];
        if (rank >= side.programs.size() || measured.interrupted) continue;
        run_slot(side, rank, process, processes, wanted, stage,
                 is_contender ? measured.contender.rows : measured.base.rows, measured);
      }
    }
  }
  record::pool_floor(calibration_);
  record::apply_floor(measured.base.rows, calibration_);
  record::apply_floor(measured.contender.rows, calibration_);
  measured.base.context = sides_[0].context.value_or(record::Context());
  measured.contender.context = sides_[1].context.value_or(record::Context());
  return measured;
}

}  // namespace cupel::runner
