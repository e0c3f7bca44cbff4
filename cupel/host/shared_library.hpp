// A library that is looked for when it is first needed. A program that uses it this way starts without it, and can say
// what it wants.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "cupel/host/cannot_run.hpp"

namespace cupel::host {

/// A library is missing, too old, or lacks a function: one line with what is wanted and what was found. A benchmark out
/// of which it comes is skipped.
class Unavailable : public std::runtime_error, public CannotRun {
 public:
  using std::runtime_error::runtime_error;
};

class SharedLibrary {
 public:
  /// How a library is loaded: whether libraries that are loaded after it see its symbols, and whether it is loaded at
  /// all.
  enum class Loading {
    shared,   ///< to all that come: libraries that are parts of one another
    own,      ///< to none
    resident  ///< to none; only if this process has it already
  };

  /// name: for messages, "cuBLAS"; sonames: tried in turn, as the dynamic linker looks for them. Does not load.
  SharedLibrary(std::string name, std::vector<std::string> sonames, Loading loading = Loading::own);

  /// Loads at the first call and stays loaded, beyond the object too. Throws Unavailable.
  void* handle();

  /// A function of it. Throws Unavailable.
  template <class Function>
  Function* get(const char* function) {
    return reinterpret_cast<Function*>(symbol(function));
  }

  /// The first of the names that it has, newer ones first; null if it has none of them, or is not there.
  template <class Function, class... Names>
  Function* find(Names... names) {
    void* address = nullptr;
    ((address = address == nullptr ? symbol_or_null(names) : address), ...);
    return reinterpret_cast<Function*>(address);
  }

  /// The file that was loaded; empty before.
  const std::string& file() const { return file_; }
  const std::string& name() const { return name_; }

  /// How long loading took, in seconds; 0 before.
  double load_s() const { return load_s_; }

 private:
  void* symbol(const char* function);
  void* symbol_or_null(const char* function);

  std::string name_;
  std::vector<std::string> sonames_;
  Loading loading_;
  void* handle_ = nullptr;
  std::string file_;
  double load_s_ = 0;
};

/// The package of the Python package index that has this library for CUDA 13, as pip takes it: "nvidia-cublas>=13,<14"
/// of "cuBLAS", in any case. Empty of a library that none has. The wheel's extras name the same.
std::string wheel_of(const std::string& name);

/// A function of a shared library, found at its first call. Not safe to call first from two threads at once.
template <class Function>
class Entry {
 public:
  constexpr Entry(SharedLibrary& (*library)(), const char* name) : library_(library), name_(name) {}

  template <class... Arguments>
  auto operator()(Arguments... arguments) const {
    if (function_ == nullptr) function_ = library_().template get<Function>(name_);
    return function_(arguments...);
  }

 private:
  SharedLibrary& (*library_)();
  const char* name_;
  mutable Function* function_ = nullptr;
};

}  // namespace cupel::host
