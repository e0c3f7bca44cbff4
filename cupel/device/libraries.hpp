// Versions of the CUDA libraries: those this program was compiled against and those it meets at run time.
#pragma once

#include <string>
#include <vector>

#include "cupel/record/machine.hpp"

namespace cupel::device {

enum class Lookup {
  resident,  ///< only what this process has loaded already: cheap, for every benchmark executable
  load       ///< load what can be found, for `cupel doctor`: hundreds of megabytes, and not undone
};

/// cudart, cublas, cublaslt, cudnn, nccl, in this order. Compiled: of the headers at hand when this was built; loaded:
/// of the library. Empty when absent: a missing library is a finding, never a failure to start. Resident: behind them
/// nvjpeg, nvrtc and cupti as far as they are loaded.
std::vector<record::Library> libraries(Lookup lookup);

/// "9.12.0" of 91200 as cuDNN counts (major 10000, minor 100), "2.27.7" of 22707 as NCCL does; "12.1.0" of 120100.
std::string dotted(long version);

}  // namespace cupel::device
