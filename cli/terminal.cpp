#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <optional>

#include "cupel/report/table.hpp"

namespace cupel::cli {

namespace {

std::optional<std::size_t> terminal_columns() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

}  // namespace

std::size_t table_columns() { return terminal_columns().value_or(report::Table::kAnyWidth); }

std::size_t output_columns() {
  constexpr std::size_t kElsewhere = 100;
  return terminal_columns().value_or(kElsewhere);
}

}  // namespace cupel::cli
