#include "cli/print.hpp"

#include <string>

#include "cupel/runner/print.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::cli {

void print(std::string_view text) { runner::print(stdout, text); }

void say(std::string_view line) { runner::print(stderr, units::visible_lines(line) + "\n"); }

void complain(std::string_view line) { say("cupel: " + std::string(line)); }

}  // namespace cupel::cli
