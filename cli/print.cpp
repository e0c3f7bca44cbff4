#include "cli/print.hpp"

#include <cstdlib>
#include <string>

#include "cupel/report/page/render.hpp"
#include "cupel/runner/print.hpp"
#include "cupel/units/parse.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::cli {

void print(std::string_view text) { runner::print(stdout, text); }

void say(std::string_view line) { runner::print(stderr, units::visible_lines(line) + "\n"); }

void complain(std::string_view line) { say("cupel: " + std::string(line)); }

void complain(std::string_view before, std::string_view verdict, std::string_view after) {
  runner::print(stderr,
                "cupel: " + units::visible_lines(before) + std::string(verdict) + units::visible_lines(after) + "\n");
}

std::optional<std::size_t> asked_columns() {
  constexpr double kFewest = 40, kMost = 10'000;
  if (const std::optional<std::size_t> columns = runner::terminal_columns(stdout)) return *columns;
  const char* const asked = std::getenv("COLUMNS");
  const std::optional<double> columns = units::finite_number(asked == nullptr ? "" : asked);
  if (!columns || *columns < kFewest || *columns > kMost) return std::nullopt;
  return static_cast<std::size_t>(*columns);
}

std::size_t output_columns() { return asked_columns().value_or(80); }

bool output_has_colour(std::string_view file) { return file == "-" && runner::has_colour(stdout); }

report::Terminal terminal_of(std::string_view file) { return {output_columns(), output_has_colour(file)}; }

}  // namespace cupel::cli
