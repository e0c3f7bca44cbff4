// What standard output is written to.
#pragma once

#include <cstddef>
#include <optional>

namespace cupel::cli {

/// Columns of the terminal; nothing where standard output is none, or does not say.
std::optional<std::size_t> terminal_columns();

/// Columns of the terminal; 100 where standard output is none, or does not say.
std::size_t output_columns();

}  // namespace cupel::cli
