// What a run measured: plain data, filled by the harness, read by everything else. Times are seconds, sizes bytes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cupel/record/names.hpp"

namespace cupel::record {

inline constexpr int kSchemaMajor = 1;
inline constexpr int kSchemaMinor = 2;

enum class Status { ok, skipped, failed };
constexpr auto names_of(Status) { return std::array{"ok", "skipped", "failed"}; }

/// Which side of a piece of advice a benchmark stands on. A variant is neither the thing warned of nor the thing
/// advised.
enum class Role { before, after, variant };
constexpr auto names_of(Role) { return std::array{"before", "after", "variant"}; }

/// What a time means. cold: one launch, L2 flushed before it. hot: a batch back to back, divided by its length.
/// host: wall time on the host clock. sustained: back to back for so long that power and clock are steady.
enum class Mode { cold, hot, host, sustained };
constexpr auto names_of(Mode) { return std::array{"cold", "hot", "host", "sustained"}; }

/// Why sampling ended: the interval was narrow enough, the interval was narrower than the clock's tick, the greatest
/// number of samples was reached, the time was up, or the number was fixed beforehand.
enum class Stop { precision, tick, count, wall, fixed };
constexpr auto names_of(Stop) { return std::array{"precision", "tick", "count", "wall", "fixed"}; }

/// Which engine of a device does the work, and so what an event pair around it costs.
enum class Engine { kernel, copy };
constexpr auto names_of(Engine) { return std::array{"kernel", "copy"}; }

/// Which direction of a counter is better; `none` is shown and never judged.
enum class Better { lower, higher, none };
constexpr auto names_of(Better) { return std::array{"lower", "higher", "none"}; }

/// Ties a benchmark to a row of the advice catalogue. Rows of one `id` and `scenario` are the same work and are
/// compared.
struct AdviceTag {
  std::string id;  ///< e.g. "pin-memory"
  Role role = Role::variant;
  std::string scenario;  ///< e.g. "h2d/bytes:4096"; equal for before and after
  std::string variant;   ///< names one of several afters or variants; may be empty
  bool operator==(const AdviceTag&) const = default;
};

/// Work done by one call, counted from the algorithm. Bytes: each input once, each output once.
struct Workload {
  std::int64_t bytes_read = 0;     ///< from the memory the work runs in
  std::int64_t bytes_written = 0;  ///< to the memory the work runs in
  std::int64_t bytes_moved = 0;    ///< across a link between two memories, counted once
  std::int64_t flops = 0;
  std::int64_t items = 0;

  std::int64_t bytes() const { return bytes_read + bytes_written + bytes_moved; }

  /// How much of one `quantity`: "bytes", "flops" or "items"; 0 for any other.
  std::int64_t amount(std::string_view quantity) const;
  bool operator==(const Workload&) const = default;
};

/// Samples of one mode, in order of measurement.
struct Series {
  Mode mode = Mode::host;
  std::optional<Engine> engine;   ///< whose event floor the correction is; none: not timed by events
  std::vector<double> samples_s;  ///< as measured, for one call of the work
  /// Where ranks work together, each rank's: [rank][sample]. A sample of samples_s is that of the slowest one.
  std::vector<std::vector<double>> samples_by_rank_s;
  double correction_s = 0;                ///< what measuring itself costs; samples_s[i] - correction_s is reported
  std::int64_t calls_per_sample = 1;      ///< calls that one sample averages over
  std::vector<std::int64_t> round_sizes;  ///< how many samples each round gave, in order
  Stop stop = Stop::fixed;
  double resolution_s = 0;  ///< smallest difference the clock can show; 0 when unknown
  double floor_s = 0;       ///< what measuring nothing takes; 0 when unknown

  /// samples_s less the correction, never below zero.
  std::vector<double> corrected_s() const;
  bool operator==(const Series&) const = default;
};

/// The physical limit a result is held against.
struct Limit {
  std::string name;      ///< e.g. "PCIe 5.0 x16"
  std::string quantity;  ///< "bytes", "flops" or "items" of the workload
  double per_second = 0;
  std::string source;                             ///< where the figure comes from
  std::optional<double> clock_hz = std::nullopt;  ///< the SM clock that per_second goes with, if it does with one
  bool operator==(const Limit&) const = default;
};

/// Counter of host figures: time that threads of the process waited for a CPU, over the sampling time; of other
/// programs that a gate ran, over all the time of the process. Above kBusy the figure is of a busy machine.
inline constexpr const char* kCpuWait = "cpu_wait";
inline constexpr double kBusy = 0.05;

struct Counter {
  double value = 0;
  std::string unit;  ///< "bytes", "count", "s", "1", ...
  Better better = Better::none;
  bool exact = false;  ///< deterministic: compared for equality, without statistics
  bool operator==(const Counter&) const = default;
};

/// What the device did while a benchmark ran. Absent: not readable here.
struct Telemetry {
  std::optional<double> sm_clock_hz;        ///< median of what was read while the work ran, else before and after it
  std::optional<bool> sm_clock_under_load;  ///< the former; absent in older files
  std::optional<double> sm_clock_min_hz;
  std::optional<double> memory_clock_hz;
  std::optional<double> power_w;  ///< highest reading
  std::optional<double> energy_j;
  std::optional<double> temperature_c;  ///< highest reading
  std::vector<std::string>
      throttle_reasons;  ///< seen active at any reading, NVML's names: "hw_thermal", "sw_power_cap", ...
  std::map<std::string, double> throttle_s;  ///< time per reason, from the driver's counters
  std::optional<int> foreign_processes;      ///< other compute processes on the device
  bool settled = true;                       ///< nothing of what follows
  std::vector<std::string> unsettled;        ///< not at rest before sampling: "clock", "memory"; sustained: "pace"
  bool operator==(const Telemetry&) const = default;
};

/// One benchmark in one process.
struct Row {
  std::string name;          ///< canonical: family/operation/variant/parameter:value
  std::string printed_name;  ///< as another program prints it; empty of cupel's own
  std::string clock;         ///< what that program's time is of, where it is no wall time
  std::string family;        ///< the executable
  std::vector<std::pair<std::string, std::string>> params;  ///< parameter and value, in the order of the name
  Status status = Status::ok;
  std::string reason;  ///< why it was skipped or failed
  std::vector<AdviceTag> advice;
  int process = 0;  ///< which start of the executable, from 0
  Workload workload;
  std::vector<Series> series;  ///< the first is the figure; empty unless status is ok
  std::optional<Limit> limit;
  std::map<std::string, Counter> counters;
  std::optional<Telemetry> telemetry;
  double wall_s = 0;         ///< all the time this benchmark took, set-up included
  double timed_s = 0;        ///< of that, the time in measured work
  bool below_floor = false;  ///< too short to be told from the cost of measuring
  bool disturbed = false;    ///< throttled by heat or by another process; see telemetry
  bool cut_short = false;    ///< interrupted, or out of time, before its last round: fewer samples
  std::string note;          ///< one line for the reader, may be empty
  std::string unknown;       ///< JSON object of fields this version does not know, or empty

  /// The series whose times are reported, or null if there is none.
  const Series* main_series() const { return series.empty() ? nullptr : &series.front(); }
  bool operator==(const Row&) const = default;
};

struct DeviceInfo {
  std::string name;
  std::string uuid;    ///< "GPU-..."
  std::string pci_id;  ///< "00000000:00:06.0"
  int compute_major = 0;
  int compute_minor = 0;
  int sm_count = 0;
  double sm_clock_max_hz = 0;
  double memory_clock_max_hz = 0;
  std::int64_t memory_bytes = 0;
  int memory_bus_bits = 0;
  double memory_peak_bytes_per_s = 0;  ///< 2 x memory clock x bus width
  std::int64_t l2_bytes = 0;
  std::int64_t shared_bytes_per_sm = 0;
  int copy_engines = 0;
  std::optional<int> pcie_generation, pcie_generation_max, pcie_width, pcie_width_max;
  std::optional<bool> ecc, mig, persistence;
  std::optional<double> power_limit_w;
  std::string driver_version;  ///< "580.159.04"
  int driver_cuda = 0;         ///< highest CUDA the driver takes, 1000 major + 10 minor
  std::optional<int> numa_node;
  bool operator==(const DeviceInfo&) const = default;
};

/// Versions, 0 or empty when absent. `compiled`: of the headers; `loaded`: of the library at run time.
struct Library {
  std::string name;  ///< "cudart", "cublas", "cudnn", "nccl"
  std::string compiled;
  std::string loaded;
  std::string file = {};  ///< that was loaded, without the folders of its user
  bool operator==(const Library&) const = default;
};

struct HostInfo {
  std::string cpu;
  int logical_cpus = 0;
  int numa_nodes = 0;
  std::int64_t memory_bytes = 0;
  std::string os;  ///< PRETTY_NAME of os-release
  std::string kernel;
  std::string governor;  ///< of cpu0; empty when unknown
  bool container = false;
  // Only files of other programs say these. No fields of our files: a host's name is not published.
  std::string name = {};
  double clock_hz = 0;                         ///< 0 when unknown
  std::string caches = {};                     ///< "L1 Data 32 KiB, L2 Unified 1 MiB"; empty when unknown
  std::optional<bool> scaling = std::nullopt;  ///< the CPU's frequency changes by itself
  bool operator==(const HostInfo&) const = default;
};

struct Build {
  std::string version;       ///< of cupel
  std::string git_revision;  ///< empty outside a checkout
  bool git_dirty = false;
  std::string type;  ///< "Release"
  std::string cxx_compiler;
  std::string cuda_compiler;  ///< empty in a host-only build
  std::string cuda_architectures;
  std::string benchmark_version;
  bool benchmark_debug = false;  ///< the Google Benchmark library was built without NDEBUG
  bool operator==(const Build&) const = default;
};

/// The key in RunInfo::notes of the device that was measured where there were several and none was chosen: "GPU 0 of 4:
/// NVIDIA H200 (GPU-...)".
inline constexpr const char* kFirstOfSeveral = "device";

/// The key in RunInfo::notes of the processes that gave all their rows and then ended badly: "conv, process 2: killed
/// by SIGABRT (Aborted) after its last result".
inline constexpr const char* kEndedBadly = "ended badly";

/// How the run was asked for and how it ended.
struct RunInfo {
  std::string started;   ///< UTC, ISO 8601
  std::string finished;  ///< empty while running
  std::string profile;   ///< "quick", "standard", "full"
  std::uint64_t seed = 0;
  int processes = 1;
  /// Where a run has not come to its end, as it was interrupted or killed or still goes on: processes that each of its
  /// families was measured in. No field of the file: it is counted where one is read.
  std::optional<int> whole_processes;
  int joined_files = 1;  ///< how many files were joined; no field of the file
  int rounds = 1;
  std::string timer;  ///< "events" or "cupti"
  bool interrupted = false;
  std::string node;  ///< as Slurm or Kubernetes names it; empty without either
  std::string job;   ///< Slurm's, "17" or of an array "17_3"; the completion index of a Kubernetes Job
  int restarts = 0;  ///< how often the run was begun again: by --resume, or by Slurm, if that says more
  std::vector<std::string> families;
  std::vector<std::string> filters;
  std::map<std::string, std::string> notes;  ///< e.g. family -> why it did not run
  bool operator==(const RunInfo&) const = default;
};

/// What a pair of events read around the shortest work there is, in one round of one process.
struct EventPair {
  int process = 0;
  int round = 0;
  double kernel_s = 0;  ///< around an empty kernel
  double copy_s = 0;    ///< around a primed copy of 4 bytes to the host
  bool operator==(const EventPair&) const = default;
};

/// What measuring costs on this device. A floor is what a pair of events reads beyond the work: one for all processes
/// of a run, see pool_floor(). What is not pooled is the first process's.
struct Calibration {
  double event_floor_kernel_s = 0;
  double event_floor_copy_s = 0;
  std::optional<double> shortest_kernel_s;  ///< what an empty kernel takes by the device's own account
  std::optional<double> shortest_copy_s;    ///< likewise the copy of 4 bytes
  std::string shortest_source;              ///< who says so, e.g. "CUPTI in this run"
  std::vector<EventPair> event_pairs;       ///< in order of measurement; empty in files from before there was one floor
  double event_resolution_s = 0;
  std::string flush;  ///< how L2 is made cold: "read" or "write"
  std::int64_t flush_bytes = 0;
  std::optional<double> launch_spacing_s;          ///< from one short kernel to the next on the stream that is timed
  std::optional<double> slowest_launch_spacing_s;  ///< on the slowest of the streams it was chosen from
  bool operator==(const Calibration&) const = default;
};

struct Context {
  int schema_major = kSchemaMajor;
  int schema_minor = kSchemaMinor;
  Build build;
  RunInfo run;
  HostInfo host;
  std::optional<DeviceInfo> device;
  std::optional<Calibration> calibration;
  /// Of files that were joined: what the second and further ones have. No field of the file.
  std::vector<Calibration> further_calibrations;
  std::vector<Library> libraries;
  std::string unknown;  ///< JSON object of fields this version does not know, or empty
  bool operator==(const Context&) const = default;
};

struct ResultSet {
  Context context;
  std::vector<Row> rows;
  bool operator==(const ResultSet&) const = default;
};

/// "3 processes", or "unfinished: 1 of 3 processes".
std::string processes_text(const RunInfo& run);

/// When it was measured: "2026-11-20T06:35:00Z", of files that were joined "2026-11-20T06:35:00Z to
/// 2026-11-20T09:12:41Z", from the first start to the last end.
std::string time_text(const RunInfo& run);

/// Puts the text behind what the row's note says already.
void add_note(Row& row, const std::string& text);

}  // namespace cupel::record
