// The meaning of the program's exit codes. README.md and `cupel --help` show the whole table; the help of a command has
// the codes that it ends with.
#pragma once

#include <array>

namespace cupel::cli {

enum ExitCode : int {
  kDone = 0,           ///< done; gate passed
  kRegression = 1,     ///< gate: a regression; history: the newest commit is slower; fleet: a machine stands out
  kUsage = 2,          ///< wrong usage, or a file that cannot be read or written
  kNoDevice = 3,       ///< no usable GPU or driver for what was asked
  kFailed = 4,         ///< a benchmark failed, its result was wrong, rows are missing, or a gate's machine was busy
  kNothing = 5,        ///< nothing ran, or nothing could be compared
  kUndecided = 6,      ///< gate: too many rows undecided; history: too few sessions to show what looks slower; fleet: most benchmarks not judged
  kInterrupted = 130,  ///< interrupted; what was measured is written and marked
  kReaderGone = 141    ///< done, but the reader of the output went away
};

struct ExitMeaning {
  ExitCode code;
  const char* text = nullptr;
};

/// The codes of all commands.
inline constexpr std::array kExitMeanings{
    ExitMeaning{kDone, "done; gate passed"},
    ExitMeaning{kRegression, "gate: a regression; history: the newest commit is slower; fleet: a machine stands out"},
    ExitMeaning{kUsage, "wrong usage, or a file that cannot be read or written (file and field named)"},
    ExitMeaning{kNoDevice, "no usable GPU or driver for what was asked"},
    ExitMeaning{kFailed, "a benchmark failed, its result was wrong, rows are missing, or a gate's machine was busy"},
    ExitMeaning{kNothing, "nothing ran, or nothing could be compared (hard difference of environment)"},
    ExitMeaning{kUndecided, "gate: too many rows undecided; history: too few sessions to show what looks slower; fleet: most benchmarks not judged"},
    ExitMeaning{kInterrupted, "interrupted; what was measured is written and marked"},
    ExitMeaning{kReaderGone, "done, but the reader of the output went away before its end (as by SIGPIPE)"}};

}  // namespace cupel::cli
