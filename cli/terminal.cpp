#include "cli/terminal.hpp"

#include "cupel/report/text/table.hpp"
#include "cupel/runner/print.hpp"

namespace cupel::cli {

std::size_t table_columns() { return runner::terminal_columns(stdout).value_or(report::Table::kAnyWidth); }

std::size_t output_columns() {
  constexpr std::size_t kElsewhere = 100;
  return runner::terminal_columns(stdout).value_or(kElsewhere);
}

}  // namespace cupel::cli
