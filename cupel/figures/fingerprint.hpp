// On what, and with what, a result was measured: whether two may be held against each other at all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cupel/record/record.hpp"

namespace cupel::figures {

/// Hard: another value makes a time another quantity, and no gate compares across it. Soft: may well explain a
/// difference, and is shown beside it.
enum class Hardness { hard, soft };

struct Key {
  std::string name;                  ///< "GPU", "driver", ...
  std::optional<std::string> value;  ///< as people read it; nothing where it is not known
  Hardness hardness = Hardness::soft;
  bool operator==(const Key&) const = default;
};

/// A note of the run that a suite's context has: when the SM clock was read.
inline constexpr const char* kClockRead = "sm_clock_read";

/// Writes that note: whether while the work ran.
void note_clock_read(record::Context& context, bool under_load);

/// The context of results, with that note as their rows say it.
record::Context noted_context(const record::ResultSet& results);

/// All keys in a fixed order, the hard ones first. Hard: GPU, SMs, memory, memory bus, ECC, MIG and power limit; where
/// there is no GPU, the CPU instead. Soft: the board (its UUID), revision, how the SM clock was read, driver, CUDA,
/// cuBLAS, cuDNN, the other libraries, maximal clocks, PCIe link, CPU (where there is a GPU), CPUs, kernel, system,
/// governor, container, timer, build type, compilers, Google Benchmark.
std::vector<Key> fingerprint(const record::Context& context);

/// "GPU-c48a3e62", of several that were joined with commas between; empty where none is known.
std::string board_of(const record::Context& context);

struct Difference {
  std::string name;
  std::optional<std::string> baseline, contender;
  Hardness hardness = Hardness::soft;
  bool operator==(const Difference&) const = default;
};

/// The keys that differ, the hard ones first. A key that only one side knows is a soft difference, whatever it is,
/// except for the GPU itself: with and without one is a hard difference.
std::vector<Difference> differences(const record::Context& baseline, const record::Context& contender);

/// Whether one of them is hard.
bool any_hard(const std::vector<Difference>& differences);

/// "GPU: NVIDIA H200 -> NVIDIA H100".
std::string to_string(const Difference& difference);

/// The first `longest` characters of each word; commas part them, as UUIDs and revisions of joined files:
/// "c453e9eda2c6, 1262df718efa".
std::string shortened(const std::string& words, std::size_t longest);

}  // namespace cupel::figures
