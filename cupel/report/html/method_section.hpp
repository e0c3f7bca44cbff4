#pragma once

#include <string>

namespace cupel::report::html {

/// How the numbers of the page came about, in short, and where it is told in full.
std::string method_section();

}  // namespace cupel::report::html
