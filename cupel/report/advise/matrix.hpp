// The same advice on several machines as a table, the same on every page.
#pragma once

#include <string>
#include <vector>

#include "cupel/advice/matrix.hpp"
#include "cupel/report/page/table.hpp"

namespace cupel::report {

/// A row a piece, in their order. names: of the machines, for columns.
Table matrix_table(const std::vector<advice::AdviceMatrixRow>& rows, const std::vector<std::string>& names,
                   advice::CellWords words);

/// The meaning of the marks and changes that these rows have.
std::string matrix_key(const std::vector<advice::AdviceMatrixRow>& rows, advice::CellWords words);

}  // namespace cupel::report
