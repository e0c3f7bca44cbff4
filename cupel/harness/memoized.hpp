// Makes once a process data that take long to make and are wanted again in each round: plans, searches, memory,
// expected results.
#pragma once

#include <map>
#include <tuple>
#include <type_traits>

namespace cupel::harness {

/// Returns make(arguments...), called once a process for these arguments. What it made is never destroyed: the driver
/// may be gone before statics are. If it throws, nothing is kept, and the next call tries again.
///
/// All that `make` sees are its arguments, and all of them are the key: nothing that its result depends on can be
/// missing from it. Arguments are values with a defaulted operator<=>, so that a field that is added later is in the
/// key too.
template <auto make, class... Arguments>
const auto& memoized(const Arguments&... arguments) {
  static_assert(!(std::is_pointer_v<Arguments> || ...), "what a pointer points to would not be in the key");
  using Made = decltype(make(arguments...));
  static auto& made = *new std::map<std::tuple<Arguments...>, Made>;
  const std::tuple<Arguments...> key(arguments...);
  auto found = made.find(key);
  if (found == made.end()) found = made.emplace(key, make(arguments...)).first;
  return found->second;
}

}  // namespace cupel::harness
