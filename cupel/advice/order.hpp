// The order of pieces: which to change first, and which of them are one matter.
#pragma once

#include <span>
#include <vector>

#include "cupel/advice/advice.hpp"

namespace cupel::advice {

/// The pieces to change first: the first of each rank, by rank, at most so many. Every page and line has it from here.
std::vector<const AdviceResult*> first_changes(std::span<const AdviceResult> all, std::size_t most);

/// Whether it pays and has no rank.
bool pays_without_rank(const AdviceResult& result);

/// Sets cause and group of each, sorts them as advise() says, and gives ranks to what pays.
void put_in_order(std::vector<AdviceResult>& results, const catalogue::Catalogue& catalogue);

/// Sets the number of each: its rank. Where a loader binds, its two best changes are 1 and 2, and ranks count on.
void set_numbers(std::vector<AdviceResult>& results, bool loader_binds);

}  // namespace cupel::advice
