// What standard output is written to.
#pragma once

#include <cstddef>

namespace cupel::cli {

/// Columns of the terminal; report::Table::kAnyWidth where standard output is none, or does not say: a file or a pipe
/// gets whole lines.
std::size_t table_columns();

/// Columns of the terminal; 100 where standard output is none, or does not say.
std::size_t output_columns();

}  // namespace cupel::cli
