// The registry, by which a family says what it measures. A family defines register_benchmarks(); the harness defines
// main().
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cupel/record/advice_tag.hpp"
#include "cupel/record/names.hpp"

namespace cupel::harness {

/// The amount that a run measures; each profile measures all that the smaller one does.
enum class Profile { quick, standard, full };
constexpr auto names_of(Profile) { return std::array{"quick", "standard", "full"}; }
using record::to_string;

/// Memory that one benchmark wants at once.
struct Memory {
  std::int64_t device_bytes = 0;
  std::int64_t host_bytes = 0;
};

/// Seconds that one benchmark takes where its calls are long beside what the profile gives to sampling.
struct Duration {
  double call_s = 0;   ///< one call
  double round_s = 0;  ///< ahead of the first call of each round: inputs, warm-up, workers that are started
};

/// Values of one parameter. A larger profile measures the smaller one's values too.
struct Sweep {
  std::vector<std::int64_t> quick;
  std::vector<std::int64_t> standard = {};
  std::vector<std::int64_t> full = {};
};

/// The body of a benchmark: inputs, sample_...(), check of the result. Called once a round; data that take long to make
/// are memoized (memoized.hpp). Throws to fail (require) or to be skipped (skip).
using Body = std::function<void(benchmark::State&)>;

/// One benchmark over all values of its parameters. Every call returns the object, so that they chain.
class Definition {
 public:
  /// The benchmark at one value of each parameter.
  struct Point {
    std::string name;                         ///< complete
    std::string base;                         ///< as registered, without the swept parameters
    std::vector<std::string> arg_names = {};  ///< names of the swept parameters
    std::vector<std::pair<std::string, std::string>> params = {};
    std::vector<std::int64_t> args = {};
    std::vector<record::AdviceTag> advice = {};
    Profile smallest = Profile::quick;
    bool needs_device = true;
    bool takes_all_cpus = false;
    bool first = false;  ///< runs before all others in each round
    Memory memory = {};
    Duration duration = {};
    Body body = {};
  };

  /// Makes a benchmark without parameters that are swept. name, body: as add() takes them.
  Definition(std::string name, Body body);

  /// Appends "/parameter:value" to the name; state.range(i) is the i-th sweep's value.
  Definition& sweep(std::string parameter, Sweep values);

  /// Ties every point to a row of the advice catalogue. The swept parameters are appended to `scenario`, so that before
  /// and after meet size by size.
  Definition& advice(std::string id, record::Role role, std::string scenario, std::string variant = "");

  /// Leaves the benchmark out of profiles smaller than this.
  Definition& from(Profile smallest);

  /// Puts the benchmark ahead of all others in each round: in the first round it measures a fresh process.
  Definition& first_of_process();

  /// Lets the benchmark run without a device, though its family needs one. All of a HOST family's benchmarks do anyway.
  Definition& host_only();

  /// Declares that the benchmark runs a thread on every CPU: waiting then says nothing of other work, so that cpu_wait
  /// is not counted.
  Definition& takes_all_cpus();

  /// Sets how much memory a point wants, from the values of its sweeps: for planning, and for the message when memory
  /// runs out.
  Definition& memory(std::function<Memory(const std::vector<std::int64_t>&)> wanted);

  /// Sets how long a point takes, from the values of its sweeps, for planning. Without it a call is short.
  Definition& duration(std::function<Duration(const std::vector<std::int64_t>&)> expected);

  /// Returns the name as it was registered, without the swept parameters.
  const std::string& name() const { return unswept_.name; }

  /// Returns the points of a profile, in the order of the sweeps, the last one innermost.
  std::vector<Point> points(Profile profile) const;

 private:
  Point unswept_;
  std::vector<std::pair<std::string, Sweep>> sweeps_;  // parameter and its values
  std::function<Memory(const std::vector<std::int64_t>&)> memory_;
  std::function<Duration(const std::vector<std::int64_t>&)> duration_;
};

/// The way in which the code that calls add() was compiled; this library may be built otherwise.
enum class Compiled { optimised, unoptimised };
#ifdef __OPTIMIZE__
static constexpr Compiled kCompiledHere = Compiled::optimised;
#else
static constexpr Compiled kCompiledHere = Compiled::unoptimised;
#endif

/// Adds a benchmark; `name` is spelt in full, family first: "transfer/h2d/memory:pinned". Parameters in the name
/// ("memory:pinned") become the record's params. Never touches the device. Throws std::invalid_argument unless the name
/// is family/... without spaces; a name that was added twice is refused when points are listed.
///
///     void register_benchmarks() { cupel::harness::add("memset/set", set).sweep("bytes", {.quick = {1 << 20}}); }
///
/// measures `set` at 1 MiB, as "memset/set/bytes:1048576". compiled: left out, it is the caller's. A whole program,
/// with `set`, is tests/consumer/project/memset.cpp.
Definition& add(std::string name, Body body, Compiled compiled = kCompiledHere);

/// Returns the sizes from `first` to `last` bytes, each `factor` times the one before; last is always included. Throws
/// std::invalid_argument unless 0 < first <= last and factor >= 2.
std::vector<std::int64_t> powers(std::int64_t first, std::int64_t last, std::int64_t factor);

/// Units of sizes in bytes: 64_KiB is 65536.
inline constexpr std::int64_t operator""_KiB(unsigned long long n) { return static_cast<std::int64_t>(n) << 10; }
inline constexpr std::int64_t operator""_MiB(unsigned long long n) { return static_cast<std::int64_t>(n) << 20; }
inline constexpr std::int64_t operator""_GiB(unsigned long long n) { return static_cast<std::int64_t>(n) << 30; }

}  // namespace cupel::harness

/// Registers the benchmarks: every family's executable defines this. It is called once, before anything is measured,
/// and on `--cupel_list`.
void register_benchmarks();
