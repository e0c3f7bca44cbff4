// The --cupel_* flags of every benchmark executable.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cupel/harness/run.hpp"

namespace cupel::harness {

/// The command line of a family's executable, parsed.
struct Flags {
  Options options;
  bool list = false;
  bool measure_shortest_work = false;
  bool help = false;
  std::string out;                 ///< result file, empty: none
  std::string journal;             ///< journal, empty: none
  std::string only;                ///< file of names, one a line, empty: all
  std::string skip;                ///< file of names, one a line, empty: none
  std::optional<double> budget_s;  ///< the process ends in this time, with fewer samples and rounds if need be
};

/// Thrown when the use was wrong. what(): which flag and what it takes.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Takes the --cupel_* flags out of argv and argc; the rest is Google Benchmark's. A profile sets the sampling
/// defaults, wherever it stands; single flags override it. Throws UsageError.
Flags take_flags(int& argc, char** argv);

/// Returns the sampling defaults of a profile: noise goal, wall cap and numbers of samples.
Options defaults_of(Profile profile);

/// Returns the profile of that name; nothing where there is none.
std::optional<Profile> profile_from(const std::string& name);

/// Returns one line a flag, for --help.
std::string flags_help();

}  // namespace cupel::harness
