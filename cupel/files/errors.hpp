// The two errors of files: one that cannot be read, one that cannot be written.
#pragma once

#include <stdexcept>

namespace cupel::files {

/// A result file that cannot be used. what() is one line: file, "field" and its JSON pointer, and what is wrong.
class ReadError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A result file that could not be written. what() names the file and the system's reason.
class WriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace cupel::files
