// The advice of a result in one line.
#pragma once

#include <span>
#include <string>

#include "cupel/advice/advice.hpp"
#include "cupel/figures/figure.hpp"

namespace cupel::advice {

/// One line for a list: "First: graphs 2.92x (in a step), pin-memory 2.10x (by itself)." These are the first changes of
/// answer(), which says it where there is none. Says so when nothing that pays has a rank, nothing pays or nothing can
/// be decided; empty if no row is tagged.
std::string digest(std::span<const record::Row> rows, std::span<const AdviceResult> advice,
                   std::span<const figures::Figure> figures);

}  // namespace cupel::advice
