// Runs a child program of a family, which lies beside the family's executable: for what a process can have only once.
#pragma once

#include <string>
#include <vector>

namespace cupel::harness {

/// The path of `name` in the folder of this program's own file, symbolic links resolved.
std::string beside_this_program(const std::string& name);

/// This process's environment.
std::vector<std::string> environment();

/// The same with `variable` set to `value`, or without it where value is null.
std::vector<std::string> environment_with(const std::string& variable, const char* value);

struct ChildOutput {
  int exit_code = 0;  ///< 128 + the signal's number if one ended it
  std::string text;   ///< all of stdout; stderr goes where ours goes
};

/// "ended with 4", or "was killed by signal 9 (Killed)".
std::string ending_of(const ChildOutput& output);

/// Runs `program` to its end. A child that runs longer than limit_s is killed and std::runtime_error thrown, as when it
/// cannot be started.
ChildOutput run_child(const std::string& program, const std::vector<std::string>& arguments,
                      const std::vector<std::string>& environment, double limit_s);

}  // namespace cupel::harness
