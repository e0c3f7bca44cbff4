// The processes of one benchmark, each with its own time: what the figure is made of.
#pragma once

#include <span>
#include <string>

#include "cupel/figures/figure.hpp"
#include "cupel/record/forward.hpp"
#include "cupel/report/page/table.hpp"

namespace cupel::report {

/// A row for each process that measured this figure in its mode: the mean of the middle half of its samples, which the
/// figure counts, their median, how many they are, and why it does not count. Notes say where the samples are.
/// file: the results as they are typed behind a command.
Table processes_table(std::span<const record::Row> rows, const figures::Figure& figure, const std::string& file);

}  // namespace cupel::report
