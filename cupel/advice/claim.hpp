// Whether what the source of a piece claims was measured here.
#pragma once

#include <optional>

#include "cupel/advice/advice.hpp"

namespace cupel::advice {

/// A claim beside what was measured here.
struct ClaimCheck {
  int held = 0, of = 0;            ///< points, and steps that were measured with the piece and without
  double least = 1, greatest = 1;  ///< gains of them all
};

/// By the scenarios that the piece is told by, since a bare copy tells nothing of a training's throughput: a figure by
/// all that two processes measured, a word by what is decided.
/// row.claim_says is a least gain, "1.4x"; or
/// "pays"; "costs"; "free": it costs nothing; "first": it is what to change first, which its rank in a step tells, and
/// no point; "sign": of a batch that is too small, which AdviceResult::sign tells. Nothing where it is empty, "first" or
/// "sign", or nothing was measured that could tell.
std::optional<ClaimCheck> check_claim(const AdviceResult& result, const catalogue::CatalogueRow& row);

}  // namespace cupel::advice
