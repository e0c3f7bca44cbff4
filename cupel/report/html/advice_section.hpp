// The page's section about advice: the pieces that pay most, the gain of each over sizes, and all of them in a table.
#pragma once

#include <string>
#include <vector>

#include "cupel/advice/advice.hpp"
#include "cupel/report/html/measured.hpp"
#include "cupel/report/page/chart.hpp"

namespace cupel::report::html {

/// The result of advice::advise() for each device, in order of devices.
using AdviceOfDevices = std::vector<std::vector<advice::AdviceResult>>;

/// A piece of advice with what each device says of it; null where a device says nothing.
struct AdvicePiece {
  std::string id;
  std::string family;  ///< of its benchmarks, where something was measured
  std::vector<const advice::AdviceResult*> on;
};

/// In the order of the first device's ranking, then what only others have.
std::vector<AdvicePiece> pieces_of(const AdviceOfDevices& advice, const std::vector<Device>& devices);

/// Gains over sizes, or a row for each scenario where nothing is swept; nothing for a piece without a gain.
std::vector<Chart> gain_charts(const AdvicePiece& piece, const std::vector<Device>& devices);

/// For each device what to change first, at most `most` pieces: gain, where it holds, how it is applied. Where nothing
/// has a rank what pays without one, by group.
std::string best_advice(const AdviceOfDevices& advice, const std::vector<Device>& devices, std::size_t most);

/// Every piece that was measured anywhere, and the names of those that were not.
std::string advice_table(const std::vector<AdvicePiece>& pieces, const std::vector<Device>& devices);

/// Where in the page a piece's first chart is.
std::string advice_anchor(const std::string& id);

}  // namespace cupel::report::html
