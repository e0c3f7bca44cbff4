// Waterfalls as tables: a change a row, with its time, what it gives after those before it, and what the others lack
// without it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/advice/bottleneck.hpp"
#include "cupel/figures/waterfall.hpp"
#include "cupel/report/page/table.hpp"

namespace cupel::report {

/// "1.05x [1.04, 1.06]"; empty where there is none.
std::string gain_text(const std::optional<stats::Shift>& gain);

/// Bytes of device memory that the rung counts, "1.20 GiB"; empty where it counts none.
std::string memory_text(const figures::Rung& rung);

/// The changes as pictures name them: by the pieces of advice that they make, as tables of advice do. The last that
/// makes one has its name, "mixed-precision"; others have their own words, "tf32".
std::vector<std::string> change_names(const figures::Waterfall& waterfall);

/// binding: which stage binds, of the benchmarks that say so.
Table waterfall_table(const figures::Waterfall& waterfall, std::span<const advice::Bottleneck> binding);

/// "12.5 us", and the share of the time in which threads had no CPU, "20 %", where it is 1 % or more: of PyTorch's
/// rows, whose host spreads. Empty where the figure has none.
std::string cpu_time_text(const figures::Figure& figure);
std::string cpu_wait_text(const figures::Figure& figure);

/// Names the changes whose gain, which is of pairs of processes, says faster where the times beside it, which are of
/// all processes, say slower, or the other way round. Empty where there are none. names: of its rungs, as the reader
/// has them.
std::string turned_words(const figures::Waterfall& waterfall, std::span<const std::string> names);

/// Says what its columns mean, with the level of the intervals.
std::string waterfall_words(const figures::Waterfall& waterfall);

/// A picture of its own, a bar for the step's time after each change. SVG, 720 wide, legible on light and dark pages;
/// asks for nothing. The same bytes for the same waterfall in any locale. Changes that were left out alone have no bar.
/// title: above the bars.
std::string waterfall_picture(figures::Waterfall waterfall, const std::string& title);

}  // namespace cupel::report
