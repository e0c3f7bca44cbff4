#include "cli/terminal.hpp"

#include <cstdio>
#include <cstdlib>

#include "cupel/report/text/wrap.hpp"
#include "cupel/runner/print.hpp"

namespace cupel::cli {
namespace {

constexpr double kFewest = 40, kMost = 10'000;
constexpr std::size_t kElsewhere = 80;

}  // namespace

std::size_t output_columns() {
  if (const std::optional<std::size_t> columns = runner::terminal_columns(stdout)) return *columns;
  const char* const asked = std::getenv("COLUMNS");
  const std::optional<double> columns = report::number_of(asked == nullptr ? "" : asked);
  return columns && *columns >= kFewest && *columns <= kMost ? static_cast<std::size_t>(*columns) : kElsewhere;
}

bool output_has_colour() { return runner::has_colour(stdout); }

}  // namespace cupel::cli
