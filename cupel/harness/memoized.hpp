// Results that take long to make and are wanted in each round, made once a process: plans, searches, memory, expected
// values.
#pragma once

#include <map>
#include <tuple>
#include <type_traits>

namespace cupel::harness {

/// Returns make(arguments...), called once a process for these arguments. The result is never destroyed, because the
/// driver may be gone before statics are, so the reference stays valid. If it throws, nothing is kept, and the next
/// call tries again. Not safe to call from two threads at once.
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
