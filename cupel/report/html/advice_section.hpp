// The page's section about advice: all pieces in a table, how each is applied, and the gain of each over sizes.
#pragma once

#include <string>
#include <vector>

#include "cupel/advice/advice.hpp"
#include "cupel/report/html/measured.hpp"
#include "cupel/report/page/page.hpp"

namespace cupel::report::html {

/// A piece of advice with what each device says of it; null where a device says nothing.
struct AdvicePiece {
  std::string id;
  std::string family;  ///< of its benchmarks, where something was measured
  std::vector<const advice::AdviceResult*> on;
};

/// In the order of the first device's ranking, then what only others have.
std::vector<AdvicePiece> pieces_of(const std::vector<Device>& devices);

/// Gains over sizes, or a row for each scenario where nothing is swept; nothing for a piece without a gain.
std::vector<Chart> gain_charts(const AdvicePiece& piece, const std::vector<Device>& devices);

/// Every piece that was measured anywhere, the devices side by side and what they do not agree about first, and the
/// names of those that were not.
Blocks advice_blocks(const std::vector<AdvicePiece>& pieces, const std::vector<Device>& devices);

/// Says how each piece that pays or harms somewhere is applied and when it backfires, folded.
Blocks how_blocks(const std::vector<AdvicePiece>& pieces, const std::vector<Device>& devices);

/// Whether the words on where it holds and what it gives say something, and so how_blocks() have it.
bool may_matter(const advice::AdviceResult& result);

/// Where in the page a piece's first chart is.
std::string advice_anchor(const std::string& id);

/// Where its how_blocks() are.
std::string how_anchor(const std::string& id);

}  // namespace cupel::report::html
