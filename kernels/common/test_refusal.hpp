// How launchers refuse their arguments, for tests.
#pragma once

#include <stdexcept>
#include <string>

namespace cupel::kernels::test {

/// The message of the std::invalid_argument that `call` throws; empty if it throws none.
template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace cupel::kernels::test
