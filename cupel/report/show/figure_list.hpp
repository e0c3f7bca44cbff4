// Figures one by one: a line each, with its interval, rate, share of the limit, error and notes.
#pragma once

#include <string>
#include <vector>

#include "cupel/figures/figure.hpp"
#include "cupel/report/page/table.hpp"

namespace cupel::report {

/// Without a line yet. grouped: by operation, so that names are in parts that can be wrapped.
Table empty_list(bool grouped);

/// Whether its line is wider than kFormColumns (render.hpp).
bool too_wide(const figures::Figure& figure);

/// Below a heading of their operation, in which the limit stands that all share, else each line has its own, and in
/// which stands what all names have where the lines would be too wide otherwise. all: every counter and the note too.
void add_group(Table& list, const std::vector<const figures::Figure*>& members, bool all);

/// With full names, without a heading.
void add_lines(Table& list, const std::vector<const figures::Figure*>& members, bool all);

/// Whether they are measured in several modes (cold, hot, host), so that add_group() says of each in which.
bool mix_modes(const std::vector<const figures::Figure*>& members);

/// The advice that benchmarks are about, and the limit and the mode that they share: "[pin-memory] of PCIe 5.0 x16,
/// cold".
std::string shared_remark(const std::vector<const figures::Figure*>& members);

}  // namespace cupel::report
