// What the program's exit codes mean. README.md and `cupel --help` show the same table.
#pragma once

namespace cupel::cli {

enum ExitCode : int {
  kDone = 0,           ///< done; gate passed
  kRegression = 1,     ///< gate: a regression
  kUsage = 2,          ///< wrong usage, or a file that cannot be read or written
  kNoDevice = 3,       ///< no usable GPU or driver for what was asked
  kFailed = 4,         ///< a benchmark failed, its result was wrong, or rows are missing
  kNothing = 5,        ///< nothing ran, or nothing could be compared
  kUndecided = 6,      ///< gate: too many rows undecided
  kInterrupted = 130,  ///< interrupted; what was measured is written and marked
  kReaderGone = 141    ///< done, but the reader of the output went away
};

inline constexpr const char* kExitCodeTable =
    "Exit codes:\n"
    "  0    done; gate passed\n"
    "  1    gate: a regression\n"
    "  2    wrong usage, or a file that cannot be read or written (file and field named)\n"
    "  3    no usable GPU or driver for what was asked\n"
    "  4    a benchmark failed, its result was wrong, or rows are missing\n"
    "  5    nothing ran, or nothing could be compared (hard difference of environment)\n"
    "  6    gate: too many rows undecided\n"
    "  130  interrupted; what was measured is written and marked\n"
    "  141  done, but the reader of the output went away before its end (as by SIGPIPE)\n";

}  // namespace cupel::cli
