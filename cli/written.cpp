#include "cli/written.hpp"

#include <cctype>

#include "cli/commands.hpp"
#include "cli/print.hpp"
#include "cupel/files/input_file.hpp"
#include "cupel/files/output_file.hpp"

namespace cupel::cli {

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
