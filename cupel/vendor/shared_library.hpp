// A library that is looked for when it is first needed. A program that uses it this way starts without it, and can say
// which version it wants.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace cupel::vendor {

/// The library is missing, too old, or lacks a function: one line with what is wanted and what was found.
class Unavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Version {
  int major = 0;
  int minor = 0;
  int patch = 0;
};

std::string to_string(const Version& version);

/// Throws Unavailable unless `found` has the major version that is wanted, and at least its minor one: a library takes
/// programs that were built against an older minor version of it, not the other way round.
void require_version(const std::string& name, const Version& wanted, const Version& found, const std::string& file);

class SharedLibrary {
 public:
  /// name: for messages, "cuBLAS"; sonames: tried in turn, as the dynamic linker looks for them. Does not load.
  SharedLibrary(std::string name, std::vector<std::string> sonames);

  /// Loads at the first call and stays loaded. Throws Unavailable.
  void* handle();

  /// The address of a function. Throws Unavailable.
  void* symbol(const char* function);

  /// The file that was loaded; empty before.
  std::string file() const { return file_; }
  const std::string& name() const { return name_; }

  /// How long loading took, in seconds; 0 before.
  double load_s() const { return load_s_; }

 private:
  std::string name_;
  std::vector<std::string> sonames_;
  void* handle_ = nullptr;
  std::string file_;
  double load_s_ = 0;
};

/// A function of a shared library, found at its first call. Not safe to call first from two threads at once.
template <class Function>
class Entry {
 public:
  constexpr Entry(SharedLibrary& (*library)(), const char* name) : library_(library), name_(name) {}

  template <class... Arguments>
  auto operator()(Arguments... arguments) const {
    if (function_ == nullptr) function_ = reinterpret_cast<Function*>(library_().symbol(name_));
    return function_(arguments...);
  }

 private:
  SharedLibrary& (*library_)();
  const char* name_;
  mutable Function* function_ = nullptr;
};

template <const auto& kDestroy>
struct DestroyBy {
  template <class T>
  void operator()(T* made) const noexcept {
    kDestroy(made);
  }
};

/// The owner of what a library has made. kDestroy: the Entry that takes it back.
template <class Handle, const auto& kDestroy>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, DestroyBy<kDestroy>>;

}  // namespace cupel::vendor
