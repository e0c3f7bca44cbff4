// The facts that a result says of its machine, its programs and its run: one list, whatever shows them or holds them
// against each other.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cupel/record/forward.hpp"
#include "cupel/record/names.hpp"

namespace cupel::figures {

/// The subject of a fact.
enum class Subject { run, gpu, host, software, costs, meanwhile };
constexpr auto names_of(Subject) {
  return std::array{"Run", "GPU", "Host", "Software", "What measuring costs", "While measuring"};
}
using record::to_string;

/// The hardness of a fact. Hard: another value makes a time another quantity, and no gate compares across it. Soft: may
/// well explain a difference, and is shown beside it. None: it is shown with the machine, and no difference.
enum class Hardness { hard, soft, none };

/// A fact of a result.
struct Fact {
  Subject subject = Subject::run;
  std::string name;                  ///< "GPU", "driver", ...; of those with a hardness no two have one
  std::optional<std::string> value;  ///< as people read it; nothing where it is not known
  Hardness hardness = Hardness::none;
  bool of_one_run = false;  ///< rows that differ in it must not be in one file
};

/// The key of the machine's name, which only other programs' files have.
inline constexpr const char* kHost = "host";

/// A note of the run that a suite's context has: when the SM clock was read.
inline constexpr const char* kClockRead = "sm_clock_read";

/// The key of how long programs that are not cupel's sampled each benchmark.
inline constexpr const char* kSamplingTime = "sampling time";

/// Lists all facts in a fixed order: GPU, libraries, host, build, run. facts.cpp says which are hard and which soft.
std::vector<Fact> facts(const record::Context& context);

/// Lists the facts of a whole result, then the costs of measuring on its machine and what the devices did meanwhile.
std::vector<Fact> facts(const record::ResultSet& results);

/// Lists the facts of a GPU alone.
std::vector<Fact> facts(const record::DeviceInfo& device);

/// Returns the name that facts have of a library: "cuBLAS" of "cublas", as a result file has it.
std::string fact_of_library(const std::string& name);

/// Returns the value of a fact with this name; empty where it is not known.
std::string value_of(const std::vector<Fact>& facts, const std::string& name);

/// Returns, as text, the difference between an earlier file and a child of now that forbids mixing their rows: "GPU:
/// NVIDIA H200 there, none here". Empty where they do not. A fact that one of both does not know is no difference, but
/// for a device that is needed.
std::string other_run(const record::Context& there, const record::Context& here, bool needs_device);

/// Returns the board, "GPU-c48a3e62", of several that were joined with commas between; empty where none is known.
std::string board_of(const record::Context& context);

/// Returns the first `longest` characters of each word; commas part them, as UUIDs and revisions of joined files:
/// "c453e9eda2c6, 1262df718efa".
std::string shortened(const std::string& words, std::size_t longest);

}  // namespace cupel::figures
