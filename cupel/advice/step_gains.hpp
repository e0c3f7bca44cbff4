// What pieces of advice gave to training steps that were measured with them and without: kernels gain more than steps
// do.
#pragma once

#include <vector>

#include "cupel/advice/advice.hpp"

namespace cupel::advice {

/// Sets in_steps and in_step of each. Pieces are ranked by one step: the first of which changes were also left out one
/// by one, and by what leaving them out costs; else the first, and by what adding them gave. A piece that makes several
/// changes has the one that gives most.
void set_step_gains(std::vector<AdviceResult>& pieces, const record::ResultSet& results,
                    const catalogue::Catalogue& catalogue, const AdviceOptions& options);

}  // namespace cupel::advice
