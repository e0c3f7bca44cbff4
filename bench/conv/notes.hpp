// The notes that cuDNN has of an engine.
#pragma once

namespace cupel::bench::conv {

struct Notes {
  bool deterministic = true;
  bool tensor_cores = false;
  bool down_converts = false;      ///< rounds fp32 operands to a half format
  bool reduces_precision = false;  ///< keeps partial sums in less than the compute type
  bool winograd = false;
  bool fft = false;
  bool compiled_at_run_time = false;
};

}  // namespace cupel::bench::conv
