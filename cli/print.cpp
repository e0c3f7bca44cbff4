#include "cli/print.hpp"

#include <unistd.h>

#include <cctype>
#include <string>

#include "cli/commands.hpp"
#include "cupel/files/input_file.hpp"
#include "cupel/files/output_file.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/runner/print.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::cli {

void print(std::string_view text) { runner::print(stdout, text); }

void say(std::string_view line) { runner::print_line(stderr, units::visible_lines(line)); }

void complain(std::string_view line) { say("cupel: " + std::string(line)); }

void complain(std::string_view before, std::string_view verdict, std::string_view after) {
  runner::print_line(stderr,
                     "cupel: " + units::visible_lines(before) + std::string(verdict) + units::visible_lines(after));
}

bool is_terminal() { return isatty(STDOUT_FILENO) == 1; }

std::size_t output_columns() { return runner::asked_columns(stdout).value_or(80); }

bool output_has_colour(std::string_view file) { return file == "-" && runner::has_colour(stdout); }

report::Terminal terminal_of(std::string_view file) { return {output_columns(), output_has_colour(file)}; }

Option* add_output_flag(Command& command, std::string& path) {
  return command.add_option("-o,--output FILE", path, "File to write in place of printing");
}

void require_no_result(const std::string& path) {
  if (path == "-") return;
  std::string begin = files::begin_of_file(path, 64);
  std::erase_if(begin, [](unsigned char c) { return std::isspace(c); });
  if (begin.starts_with("{\"context\":"))
    throw UsageError(path + " holds measurements, which are not replaced; name another file");
}

void write_text(const std::string& path, const std::string& text) {
  if (path == "-") {
    print(text);
  } else {
    require_no_result(path);
    files::write_file(path, text);
  }
}

}  // namespace cupel::cli
