// What this build of cupel is, as the record keeps it.
#pragma once

#include "cupel/record/record.hpp"

namespace cupel::host {

/// Of the program that calls. What is known of Google Benchmark is left out: only programs with it can tell.
record::Build this_build();

}  // namespace cupel::host
