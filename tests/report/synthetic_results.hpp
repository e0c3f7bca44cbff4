// Result files made up for tests of the report: plausible in shape, measured nowhere. The devices are called "Test GPU"
// and the context says that the figures are invented, so that no page made of them can pass for a measurement.
#pragma once

#include <cstdint>
#include <string>

#include "cupel/record/record.hpp"

namespace cupel::report::synthetic {

struct Machine {
  std::string name = "Test GPU A";
  double link_bytes_per_s = 63e9;
  double memory_bytes_per_s = 3.0e12;
  double fp16_flops_per_s = 600e12;
  double launch_s = 2.4e-6;
  int sm_count = 120;
  int processes = 5;
  int samples = 30;  ///< of each process
  std::uint64_t seed = 1;
};

/// A slower one, for pages with two devices.
Machine second_machine();

/// Families transfer, sync, gemm, conv, fusion, memory, host, and one that no part of cupel knows; skipped, failed and
/// disturbed benchmarks; advice that pays, harms and does neither. The same machine gives the same results.
record::ResultSet results(const Machine& machine = {});

}  // namespace cupel::report::synthetic
