// `cupel advise --step`: from micro-benchmarks of a machine and the profile of a step, what each piece of advice would
// give to that step.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cupel/foretell/step.hpp"

namespace cupel::foretell {

/// The saving of one piece of advice: which part of the profile it takes time from, and which rows say how much.
struct Rule {
  const char* piece;  ///< as the catalogue names it; "amp" whatever its type
  const char* part;   ///< of the profile
  const char* rows;   ///< of the results, as patterns; empty: none are wanted
  const char* how;    ///< the gain, in words
  bool (*is_on)(const record::StepProfile&);
  Saving (*saving)(const Step&);                        ///< throws Silence
  bool (*is_of)(const record::StepProfile&) = nullptr;  ///< steps that it is for; nothing: all
  const char* pytorch = nullptr;  ///< how it is applied, where the catalogue's line is of another change or lacks it
};

/// In the order of the waterfall.
const std::vector<Rule>& rules();

enum class State {
  foretold,
  on,      ///< the step has it already
  silent,  ///< by Foretold::reason
};
constexpr auto names_of(State) { return std::array{"foretold", "on", "silent"}; }
using record::to_string;

/// A piece and what it would give. rule: of rules(), never null.
struct Foretold {
  const Rule* rule = nullptr;
  State state = State::on;
  Estimate gain_s = {};     ///< that the step gets shorter by, where it is foretold
  std::string reason = {};  ///< why it is silent
  bool lacks_rows = false;  ///< `cupel run --step` would measure what it lacks
};

/// A step that is to be foretold, and the file of its profile.
struct ProfiledStep {
  std::string path;
  Step step;
};

/// Whether a gain is foretold whatever it is within its interval.
bool surely_gains(const Foretold& piece);

/// The piece of advice as the catalogue names it, with the change where several make it: "pin-memory",
/// "mixed-precision (amp)"; the change alone where it is no piece.
std::string name_of(const Rule& rule);

/// The line to type in PyTorch; empty where none is known.
std::string how_in_pytorch(const Rule& rule);

/// All rules: those that are foretold first, of them those that surely gain, the greatest gain first, then what is
/// silent, then what is on.
std::vector<Foretold> foretell(const Step& step);

/// Several pieces at once. Throws Silence.
Estimate gain_of(const Step& step, std::span<const Rule* const> pieces);

}  // namespace cupel::foretell
