// Bodies that call cuBLAS or cuDNN.
#pragma once

#include "cupel/harness/registry.hpp"

namespace cupel::bench::fusion {

/// A body that is skipped, with the reason, where a library is missing, too old, out of memory or has nothing for what
/// is asked of it.
harness::Body guarded(harness::Body body);

}  // namespace cupel::bench::fusion
