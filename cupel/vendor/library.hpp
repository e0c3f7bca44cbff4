// Loads, checks and owns the libraries of a vendor.
#pragma once

#include <memory>
#include <source_location>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "cupel/cuda/cuda.hpp"
#include "cupel/host/shared_library.hpp"

namespace cupel::vendor {

using host::Entry;
using host::SharedLibrary;
using host::Unavailable;

struct Version {
  int major = 0;
  int minor = 0;
  int patch = 0;
};

std::string to_string(const Version& version);

/// Throws Unavailable unless `found` has the major version that is wanted, and at least its minor one: a library takes
/// programs that were built against an older minor version of it, not the other way round.
void require_version(const std::string& name, const Version& wanted, const Version& found, const std::string& file);

/// The text of a library's status. Each library has its own.
template <class Status>
std::string describe(Status status);

template <class Status>
bool succeeded(Status status) {
  return status == Status{};
}

/// A call of a library that failed. what(): what the library says of it, file and line.
template <class Status>
class CallError : public std::runtime_error {
 public:
  CallError(Status status, const std::source_location& where)
      : std::runtime_error(describe(status) + " (" + cuda::place(where) + ")"), status_(status) {}
  Status status() const { return status_; }

 private:
  Status status_;
};

/// Throws CallError unless the call succeeded.
template <class Status>
requires std::is_enum_v<Status>
void check(Status status, const std::source_location& where = std::source_location::current()) {
  if (!succeeded(status)) throw CallError<Status>(status, where);
}

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

/// Owns what `create` makes of the arguments. Owner: an Owned. Throws CallError.
template <class Owner, class Create, class... Arguments>
Owner made(const Create& create, Arguments... arguments) {
  typename Owner::pointer handle = nullptr;
  check(create(&handle, arguments...));
  return Owner(handle);
}

}  // namespace cupel::vendor
