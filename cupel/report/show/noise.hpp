// How well figures repeat and what getting them cost: `cupel show --noise`.
#pragma once

#include <functional>
#include <string>

#include "cupel/record/record.hpp"
#include "cupel/report/text/table.hpp"

namespace cupel::report {

/// A table, and below it the median and the 95th percentile of the process-to-process spread: of all benchmarks, and of
/// those of device time over 10 us that are not power-limited by themselves. columns: of the text. keep: of a name;
/// empty: all.
std::string show_noise(const record::ResultSet& results, bool markdown, std::size_t columns = Table::kAnyWidth,
                       const std::function<bool(const std::string&)>& keep = {});

/// An array of an object for each line of that table: base units, shares of one. Ends with a newline.
std::string noise_json(const record::ResultSet& results, const std::function<bool(const std::string&)>& keep = {});

}  // namespace cupel::report
