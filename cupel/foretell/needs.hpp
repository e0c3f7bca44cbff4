// `cupel run --step`: the benchmarks that foretelling a step looks at, before any of them has been measured.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "cupel/record/listing.hpp"
#include "cupel/record/step_profile.hpp"

namespace cupel::foretell {

/// The families that rules look at.
inline constexpr std::array kFamilies{"conv", "fusion", "gemm", "memory", "optimizer", "sync", "transfer"};

/// The rows that the rules of pieces which the step does not have yet look at: for each question the benchmarks of
/// `there` that are nearest to the step, by what their names say; convolutions and products also by their bytes. The most wanted come first: the nearest of each
/// question, then the next of each. Pointers into `there`, each once.
std::vector<const record::ListedBenchmark*> needs(const record::StepProfile& profile,
                                                  std::span<const record::ListedBenchmark> there);

}  // namespace cupel::foretell
