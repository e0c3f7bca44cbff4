// Fingerprints: the facts of the machine, the software and the run behind a result. They tell whether two results may
// be compared, and in which facts one machine differs from most.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/figures/facts.hpp"
#include "cupel/record/forward.hpp"

namespace cupel::figures {

/// One fact of a fingerprint.
struct Key {
  std::string name;                  ///< "GPU", "driver", ...
  std::optional<std::string> value;  ///< as people read it; nothing where it is not known
  Hardness hardness = Hardness::soft;
  bool operator==(const Key&) const = default;
};

/// Sets the note kClockRead to whether the SM clock was read while the work ran.
void note_clock_read(record::Context& context, bool under_load);

/// Returns the context of results, with the note kClockRead as their rows say it.
record::Context noted_context(const record::ResultSet& results);

/// Returns the facts that may be differences, in their order, as keys.
std::vector<Key> fingerprint(const record::Context& context);

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
std::vector<Difference> differences(const std::vector<Key>& baseline, const std::vector<Key>& contender);

/// Tells whether one of the differences is hard.
bool any_hard(const std::vector<Difference>& differences);

/// Returns the difference as text: "GPU: NVIDIA H200 -> NVIDIA H100".
std::string to_string(const Difference& difference);

/// The facts of one machine: the keys of its fingerprint that have a value.
using Facts = std::map<std::string, std::string>;

/// Returns the keys of the context's fingerprint that have a value.
Facts facts_of(const record::Context& context);
Facts facts_of(const std::vector<Key>& fingerprint);

/// Returns the model that machines must share to be compared as equals: "NVIDIA H200, 132 SMs, 139.8 GiB memory, 6016
/// bit memory bus"; without a GPU the CPU, "unknown model" where nothing is known.
std::string model_of(const record::Context& context);
std::string model_of(const std::vector<Key>& fingerprint);

/// Returns the facts that most machines say; nothing under a name where no value is that of more than half of them.
Facts facts_of_most(std::span<const Facts* const> machines);

/// Returns the differences of one machine from most, as "power limit: 700 W -> 600 W"; a fact that it lacks is
/// "unknown", and facts that only it has are left out.
std::vector<std::string> differing(const Facts& most, const Facts& one);

}  // namespace cupel::figures
