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

/// Throws Unavailable unless the library was built with the same major version of CUDA (13000 is 13.0): beside a
/// PyTorch for an older CUDA lies a library of the same name, which loads others for that CUDA.
void require_cuda(const std::string& name, int wanted, int found, const std::string& file);

/// The text of a library's status. Each library has its own.
template <class Status>
std::string describe(Status status);

template <class Status>
bool succeeded(Status status) {
  return status == Status{};
}

/// Why a call with this status cannot be carried out here; null where something went wrong. Each library has its own.
template <class Status>
const char* why_not_here(Status status);

inline constexpr const char* kNotSupportedHere = "not supported here";
inline constexpr const char* kOutOfMemoryInside = "out of memory inside the library";

/// A call of a library that failed. what(): what the library says of it, file and line.
template <class Status>
class CallError : public std::runtime_error {
 public:
  CallError(Status status, const std::source_location& where)
      : CallError(status, describe(status) + " (" + cuda::place(where) + ")") {}
  Status status() const { return status_; }

 protected:
  CallError(Status status, const std::string& text) : std::runtime_error(text), status_(status) {}

 private:
  Status status_;
};

/// A call that the library cannot carry out here. what(): why, and as CallError.
template <class Status>
class CallRefused : public CallError<Status>, public host::CannotRun {
 public:
  CallRefused(Status status, const std::source_location& where)
      : CallError<Status>(
            status, std::string(why_not_here(status)) + ": " + describe(status) + " (" + cuda::place(where) + ")") {}
};

/// Throws CallError unless the call succeeded; a CallRefused where it cannot be carried out here.
template <class Status>
requires std::is_enum_v<Status>
void check(Status status, const std::source_location& where = std::source_location::current()) {
  if (succeeded(status)) return;
  if (why_not_here(status) != nullptr) throw CallRefused<Status>(status, where);
  throw CallError<Status>(status, where);
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
