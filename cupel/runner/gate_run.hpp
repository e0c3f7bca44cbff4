// Measures two sets of executables against each other: interleaved, each time in fresh processes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cupel/record/record.hpp"
#include "cupel/runner/gate_start.hpp"
#include "cupel/runner/pace.hpp"
#include "cupel/runner/progress.hpp"
#include "cupel/runner/restart.hpp"
#include "cupel/stats/random.hpp"
#include "cupel/units/clock.hpp"

namespace cupel::runner {

struct GateRunSettings {
  Settings settings;  ///< of the children; processes is not looked at
  std::vector<std::string> filters;
  std::map<std::string, std::string> renames;  ///< of both sides' benchmarks: old name to new
  std::vector<std::string> extra;              ///< arguments for foreign executables
};

/// The results of one stage, both sides.
struct StageResults {
  record::ResultSet base, contender;
  bool interrupted = false;
  std::string no_device;                 ///< why a program found no usable device; empty where all did
  std::vector<std::string> bad_endings;  ///< of processes that gave all their rows: who, and how each ended
};

/// Processes that the rows are of: the greatest number of one, and one.
int processes_of(const record::ResultSet& results);

/// Adds the later processes of a stage behind the earlier ones, on both sides.
void append(StageResults later, StageResults& measured);

/// Shown name to processes a side.
using GateWanted = std::map<std::string, int>;

class GateRunner {
 public:
  /// Either side may be empty: then only the other is measured. Lists the programs' benchmarks. Throws
  /// std::invalid_argument where one name is in two programs of a side, or a device is chosen for a program that is not
  /// ours.
  GateRunner(const std::vector<std::filesystem::path>& base, const std::vector<std::filesystem::path>& contender,
             GateRunSettings settings, Observer& observer);

  /// Programs that could not be listed, with the reason. Such a program fails all that the other side's program of its
  /// rank has, or, where the sides have not as many programs, all that no other program of its side has.
  std::vector<std::string> problems() const;
  /// Old names of the renames that a side has.
  const std::set<std::string>& renamed() const { return renamed_; }

  /// The names of a side's benchmarks before they are renamed or filtered, in either spelling.
  const std::set<std::string>& base_names() const { return sides_[0].all_names; }
  const std::set<std::string>& contender_names() const { return sides_[1].all_names; }

  /// Every benchmark of either side, so many processes each.
  GateWanted all(int processes) const;

  /// These, and of all other benchmarks of the programs that have them as many processes as the most of these.
  GateWanted in_whole_processes(const GateWanted& wanted) const;

  /// Measures the processes of both sides in an order that is drawn, see drawn_order(). Process k of a side runs all of
  /// its programs that have what wants more than k processes. group: so many processes of each side are drawn among
  /// themselves, as those of one screen are; 0: the order is one.
  ///
  /// Fresh processes run what one leaves, as restart_until_done() has it; strikes are a side's. Where a program
  /// turns out to refuse GateProgram::sampling_flag, the stage begins anew without it for all.
  StageResults measure(const GateWanted& wanted, const std::string& stage, int group = 0);

  /// Seconds that measuring these takes: by the processes of each program so far; before one of it was measured, by
  /// what cupel's programs foretell, and of others by how long they sample and take to list.
  double expected_s(const GateWanted& wanted) const;

 private:
  struct Side {
    std::string label;
    std::vector<GateProgram> programs;
    std::set<std::string> all_names;  ///< before filters, each as it is listed and as it is shown
    Strikes strikes;
    std::optional<record::Context> context;  ///< of the first start that had one
    std::vector<Pace> paces;                 ///< of the programs
    std::vector<int> done;                   ///< processes of the programs, of the stage
  };

  /// Seconds of a program's processes from the first that is not done.
  static double rest_s(const Side& side, std::size_t program, int done, const GateWanted& wanted);
  /// One line about a side, once.
  void say_once(const Side& side, const std::string& what);
  void fill(Side& side, const char* label, const std::vector<std::filesystem::path>& executables);
  void rename();
  void name_together();
  void keep_chosen();
  void for_each_name(const std::function<void(const std::string& shown)>& take) const;
  void check_names(const Side& side) const;
  static void give_names_to_unlisted(Side& side, const Side& other);
  void check_device(const Side& side) const;
  /// Says how much is left where the first processes show that what was foretold is far off. Once a stage.
  void correct(double foretold_s, const GateWanted& wanted);
  /// Seconds that are left of the stage that measures these; the process that runs is not done.
  double left_s(const GateWanted& wanted) const;

  struct Slot;
  void run_slot(Slot slot, int processes, const GateWanted& wanted, const std::string& stage);
  void choose_names(Slot& slot, const GateWanted& wanted) const;
  /// Drops the flag for all where one program takes none and the user asks for nothing.
  void sample_alike();
  StageResults measure_once(const GateWanted& wanted, const std::string& stage, int group);
  /// No program of either side is told how long to sample: all sample alike.
  void drop_sampling_flags(const std::string& refusing);
  /// A process from its start to its end.
  StartEnd start_once(Slot& slot, const GateWanted& wanted, const Settings& settings,
                      const std::filesystem::path& scratch);
  void take_context(Slot& slot, const std::optional<record::Context>& context);
  void take_rows(Slot& slot, GateStart& got);
  void fail_started(Slot& slot, const std::vector<std::string>& names, const std::string& reason);
  void fail(Slot& slot, const std::string& name, const std::string& reason) const;
  void pool(const record::Calibration& calibration);

  GateRunSettings settings_;
  Observer& observer_;
  Side sides_[2];
  std::set<std::string> renamed_;  ///< old names that a side has
  stats::Random random_;
  record::Calibration calibration_;  ///< what event pairs cost, over all processes of both sides
  units::Clock::time_point stage_began_, process_began_;
  bool corrected_ = false;  ///< what the stage takes
  bool told_device_ = false;
  std::set<std::string> said_;   ///< by say_once()
  bool drops_sampling_ = false;  ///< what this stage measured was sampled in two ways
  std::int64_t started_ = 0;     ///< of all stages: no two processes of a gate have the same seed
};

}  // namespace cupel::runner
