// The words on what is unusual of a board, and the list of boards that `cupel bands` prints.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "cupel/bands/judge.hpp"
#include "cupel/figures/causes.hpp"
#include "cupel/figures/figure.hpp"

namespace cupel::report {

/// Adds to the caveats of what is unusual: "5.1 % slower than 5 boards".
void add_unusual_marks(std::vector<figures::Figure>& all, const bands::Judgement& board);

/// Says what is unusual, and what to look at: a cause a family, and one for single benchmarks, of which `first` are all
/// named, and before others. Empty where all is usual.
std::vector<figures::Cause> unusual_causes(const bands::Judgement& judgement, const std::set<std::string>& first = {});

/// "All of 83 benchmarks are usual for an NVIDIA H200: as on 5 other boards.", or that there are too few. Empty where
/// something is unusual, and where there is no band for the model.
std::string usual_text(const bands::Judgement& judgement);

/// A table of models: boards, benchmarks, and how many of these have boards enough.
std::string bands_list(std::span<const bands::Bands> all, std::size_t columns);

}  // namespace cupel::report
