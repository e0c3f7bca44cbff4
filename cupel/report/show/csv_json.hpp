// Summaries for programs: base units, one record each, nothing rounded.
#pragma once

#include <string>
#include <vector>

#include "cupel/figures/figure.hpp"

namespace cupel::report {

/// RFC 4180 with a header line. Empty where there is no value.
std::string csv(const std::vector<figures::Figure>& summaries);

/// An array of objects; a member without a value is absent.
std::string json(const std::vector<figures::Figure>& summaries);

}  // namespace cupel::report
