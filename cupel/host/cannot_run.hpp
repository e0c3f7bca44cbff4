// An exception that says by its type that nothing is wrong with the program or the machine, but that this cannot run
// here.
#pragma once

#include <exception>

namespace cupel::host {

/// A base of exceptions that say "cannot run here": a library is missing or has nothing for what is asked, memory ran
/// out, the device is of another architecture. A benchmark out of which one comes is skipped with its text.
class CannotRun {
 public:
  virtual ~CannotRun() = default;
};

/// Whether the exception says so.
inline bool cannot_run(const std::exception& error) { return dynamic_cast<const CannotRun*>(&error) != nullptr; }

}  // namespace cupel::host
