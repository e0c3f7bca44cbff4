// The facts on what, and with what, a result was measured: whether two may be held against each other at all, and in
// what one of several machines is not like most.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/record/forward.hpp"

namespace cupel::figures {

/// The hardness of a fact. Hard: another value makes a time another quantity, and no gate compares across it. Soft: may
/// well explain a difference, and is shown beside it.
enum class Hardness { hard, soft };

/// One fact of a fingerprint.
struct Key {
  std::string name;                  ///< "GPU", "driver", ...
  std::optional<std::string> value;  ///< as people read it; nothing where it is not known
  Hardness hardness = Hardness::soft;
  bool operator==(const Key&) const = default;
};

/// The key of the machine's name, which only other programs' files have.
inline constexpr const char* kHost = "host";

/// A note of the run that a suite's context has: when the SM clock was read.
inline constexpr const char* kClockRead = "sm_clock_read";

/// The key of how long programs that are not cupel's sampled each benchmark.
inline constexpr const char* kSamplingTime = "sampling time";

/// Writes that note: whether while the work ran.
void note_clock_read(record::Context& context, bool under_load);

/// Returns the context of results, with that note as their rows say it.
record::Context noted_context(const record::ResultSet& results);

/// Returns all keys in a fixed order, the hard ones first. Hard: GPU, SMs, memory, memory bus, ECC, MIG and power
/// limit; where there is no GPU, the CPU instead. Soft: the board (its UUID), revision, how the SM clock was read,
/// driver, CUDA, cuBLAS, cuDNN, the other libraries, maximal clocks, PCIe link, CPU (where there is a GPU), CPUs,
/// kernel, system, governor, what other programs say of the host (name, CPU clock, caches, frequency scaling),
/// container, timer, build type, compilers, Google Benchmark, and how long its programs sampled.
std::vector<Key> fingerprint(const record::Context& context);

/// Returns the board, "GPU-c48a3e62", of several that were joined with commas between; empty where none is known.
std::string board_of(const record::Context& context);

/// A key whose values differ between two results; nothing: that side does not say it.
struct Difference {
  std::string name;
  std::optional<std::string> baseline, contender;
  Hardness hardness = Hardness::soft;
  bool operator==(const Difference&) const = default;
};

/// Returns the keys that differ, the hard ones first. A key that only one side knows is a soft difference, whatever it
/// is, except for the GPU itself: with and without one is a hard difference.
std::vector<Difference> differences(const record::Context& baseline, const record::Context& contender);

/// Tells whether one of them is hard.
bool any_hard(const std::vector<Difference>& differences);

/// Says it in words: "GPU: NVIDIA H200 -> NVIDIA H100".
std::string to_string(const Difference& difference);

/// Returns the first `longest` characters of each word; commas part them, as UUIDs and revisions of joined files:
/// "c453e9eda2c6, 1262df718efa".
std::string shortened(const std::string& words, std::size_t longest);

/// The facts of one machine: the keys of its fingerprint that have a value.
using Facts = std::map<std::string, std::string>;

/// Returns the keys of the context's fingerprint that have a value.
Facts facts_of(const record::Context& context);

/// Returns the model that machines must share to be compared as equals: "NVIDIA H200, 132 SMs, 139.8 GiB memory, 6016
/// bit memory bus"; without a GPU the CPU.
std::string model_of(const record::Context& context);

/// Returns the facts that most machines say; nothing under a name where no value is that of more than half of them.
Facts facts_of_most(std::span<const Facts* const> machines);

/// Returns, as "power limit: 700 W -> 600 W", the differences from what most say to what this one does.
std::vector<std::string> differing(const Facts& most, const Facts& one);

}  // namespace cupel::figures
