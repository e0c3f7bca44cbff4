#include "cli/print.hpp"

#include <string>

#include "cupel/runner/print.hpp"

namespace cupel::cli {

void print(std::string_view text) { runner::print(stdout, text); }

void say(std::string_view line) { runner::print(stderr, std::string(line) + "\n"); }

void complain(std::string_view line) { say("cupel: " + std::string(line)); }

}  // namespace cupel::cli
