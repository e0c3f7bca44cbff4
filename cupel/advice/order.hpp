// What to change first: the order of pieces, and which of them are one matter.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "cupel/advice/advice.hpp"

namespace cupel::advice {

/// Pieces that remove the same cause, so that their gains do not add up.
struct SharedCause {
  const char* name;
  std::vector<std::string_view> ids;
};
const std::vector<SharedCause>& shared_causes();

/// Pieces whose gain is the time inside one API call: how much of a step that is, only the program knows.
const std::vector<std::string_view>& inside_one_call();

/// Pieces whose gain is the time of a loader alone, of one stage of it, or of what happens once an epoch.
const std::vector<std::string_view>& of_one_stage();

/// Pieces whose gain is that of a whole program or loader: no single change, and no place among single ones.
const std::vector<std::string_view>& of_all_pieces();

/// What to change first: the first piece of each rank, by rank, at most so many. Every page and line has it from here.
std::vector<const AdviceResult*> first_changes(std::span<const AdviceResult> all, std::size_t most);

/// Whether it pays and has no rank.
bool pays_without_rank(const AdviceResult& result);

/// Sets cause and group of each, sorts them as advise() says, and gives ranks to what pays.
void put_in_order(std::vector<AdviceResult>& results, const catalogue::Catalogue& catalogue);

}  // namespace cupel::advice
