// The number of members that a struct has, for tests that hold lists of its fields against it.
#pragma once

#include <cstddef>

namespace cupel::record {

/// A value that any member can be made of.
struct Anything {
  template <typename T>
  operator T() const;
};

/// Returns the number of members of T, an aggregate.
template <typename T, typename... Members>
constexpr std::size_t member_count() {
  if constexpr (requires { T{Members{}..., Anything{}}; }) {
    return member_count<T, Members..., Anything>();
  } else {
    return sizeof...(Members);
  }
}

}  // namespace cupel::record
