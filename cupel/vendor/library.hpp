// What libraries of a vendor's are loaded, checked and owned with.
#pragma once

#include <memory>
#include <string>
#include <type_traits>

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
