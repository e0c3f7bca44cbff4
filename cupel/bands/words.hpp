// The words on what is unusual of a board, the same on every surface.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "cupel/bands/judge.hpp"
#include "cupel/figures/causes.hpp"
#include "cupel/figures/figure.hpp"

namespace cupel::bands {

/// Adds to the caveats of what is unusual: "5.1 % slower than 5 boards".
void add_unusual_marks(std::vector<figures::Figure>& all, const Judgement& board);

/// Why the boards of a band differ, in a word: "processes", where those of one board differ by as much; else "host" of
/// times by the host's clock, and "GPU". Empty of a single board.
std::string spread_cause(const Band& band);

/// Says what is unusual, and what to look at: a cause a family, and one for single benchmarks, of which `first` are all
/// named, and the furthest, of which so many are; of the others their number by operation. Empty where all is usual.
std::vector<figures::Cause> unusual_causes(const Judgement& judgement, const std::set<std::string>& first = {},
                                           std::size_t most_named = 5);

/// "All of 83 benchmarks are usual for an NVIDIA H200: as on 5 other boards.", or that there are too few. Empty where
/// something is unusual, and where there is no band for the model.
std::string usual_text(const Judgement& judgement);

/// Either of them in a line of a terminal: "memory 42.4 % slower (host), 22 benchmarks", or in place of these "1 more
/// family"; where only benchmarks are unusual, the furthest by its operation, "memory/alloc 65.8 % slower (host), 31
/// others". Where a record differs, what may be the cause stands behind: "memory/alloc 95.7 % slower, 31 others; another
/// host (CPUs: 16 -> 64)". Else "usual for an NVIDIA H200: as 6 other boards". Empty where there is no band for the
/// model, or too few boards.
std::string board_line(const Judgement& judgement);

}  // namespace cupel::bands
