// The command line as data: what --help, the manual pages and the completions are made from.
#pragma once

#include <string>
#include <vector>

#include "cli/exit_codes.hpp"

namespace cupel::cli {

struct OptionText {
  std::vector<std::string> names;  ///< "-o", "--output"; of a positional argument its one name, without dashes
  std::string value;               ///< what the help calls its value: "FILE"; empty of a flag
  std::string description;
  std::string group;               ///< under which heading it stands
  std::vector<std::string> words;  ///< values that a shell offers: of one_of() the only ones

  bool is_positional() const { return !names.front().starts_with('-'); }
  bool takes_path() const;  ///< a file's or a folder's
};

struct Example {
  std::string line;  ///< "cupel show host.json"
  std::string what;  ///< what it does, as a sentence without a full stop
};

struct CommandText {
  std::string name;  ///< of all words to it: "cupel history add"
  std::string description;
  std::vector<OptionText> options;
  std::vector<CommandText> commands;
  std::vector<Example> examples;
  std::vector<ExitMeaning> exits;

  std::string last_word() const { return name.substr(name.rfind(' ') + 1); }
};

/// A page of the manual, in the language of groff's man macros.
std::string manual_page(const CommandText& command);

/// A script that completes the program's commands, options and their words.
enum class Shell { bash, zsh, fish };
constexpr auto names_of(Shell) { return std::array{"bash", "zsh", "fish"}; }
std::string completions(const CommandText& program, Shell shell);

}  // namespace cupel::cli
