// Results with every field set to something, for tests.
#pragma once

#include <cstdint>

#include "cupel/record/forward.hpp"

namespace cupel::record {

/// Makes results, the same for the same seed. Strings hold quotes, slashes and letters beyond ASCII; doubles have all 17 digits and
/// exponents from 1e-300 to 1e300; optional fields are there or not.
ResultSet random_results(std::uint64_t seed);

}  // namespace cupel::record
