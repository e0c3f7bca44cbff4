// `cupel completions`: a script with which a shell completes commands, options and their words.
#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/print.hpp"

namespace cupel::cli {
namespace {

// The command and all below it.
std::vector<const CommandText*> all_of(const CommandText& command) {
  std::vector<const CommandText*> all{&command};
  for (const CommandText& one : command.commands) std::ranges::copy(all_of(one), std::back_inserter(all));
  return all;
}

bool takes_paths(const CommandText& command) {
  return std::ranges::any_of(command.options,
                             [](const OptionText& one) { return one.is_positional() && one.takes_path(); });
}

// The words that may stand next: commands, options, and the words of positional arguments.
std::vector<std::string> words_of(const CommandText& command) {
  std::vector<std::string> words;
  for (const CommandText& one : command.commands) words.push_back(one.last_word());
  for (const OptionText& option : command.options) {
    std::ranges::copy(option.is_positional() ? option.words : option.names, std::back_inserter(words));
  }
  return words;
}

std::string quoted(const std::string& text, const std::string& for_quote) {
  std::string safe = "'";
  for (const char c : text) safe += c == '\'' ? for_quote : std::string(1, c);
  return safe + "'";
}

// ---- bash
// ------------------------------------------------------------------------------------------------------------

// "cupel run -o" | "cupel run --output"
std::string bash_pattern(const CommandText& command, const OptionText& option) {
  std::vector<std::string> patterns;
  for (const std::string& name : option.names) patterns.push_back(fmt::format("\"{} {}\"", command.name, name));
  return fmt::format("{}", fmt::join(patterns, " | "));
}

std::string bash(const CommandText& program) {
  std::string commands, values, words;
  for (const CommandText* command : all_of(program)) {
    if (command != &program) commands += fmt::format("{}\"{}\"", commands.empty() ? "" : " | ", command->name);
    for (const OptionText& option : command->options) {
      if (option.is_positional() || option.value.empty()) continue;
      const std::string replies = option.takes_path()
                                      ? "compgen -f -- \"$word\""
                                      : fmt::format("compgen -W \"{}\" -- \"$word\"", fmt::join(option.words, " "));
      values +=
          fmt::format("    {}) mapfile -t COMPREPLY < <({}); return ;;\n", bash_pattern(*command, option), replies);
    }
    words += fmt::format("    \"{}\") words=\"{}\" paths={} ;;\n", command->name, fmt::join(words_of(*command), " "),
                         takes_paths(*command) ? "yes" : "''");
  }
  return "# bash completion of cupel. Made by: cupel completions bash\n"
         "_cupel() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=cupel words='' paths='' "
         "i\n"
         "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
         "    case \"$command ${COMP_WORDS[i]}\" in\n      " +
         commands +
         ") command=\"$command ${COMP_WORDS[i]}\" ;;\n    esac\n  done\n"
         "  case \"$command $before\" in\n" +
         values + "  esac\n  case $command in\n" + words +
         "  esac\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\"; [[ -z $paths ]] || compgen -f -- \"$word\")\n"
         "}\n"
         "complete -o filenames -F _cupel cupel\n";
}

// ---- zsh
// -------------------------------------------------------------------------------------------------------------

std::string zsh_escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe;
}

std::string zsh_values(const OptionText& option) {
  if (option.takes_path()) return "_files";
  return option.words.empty() ? " " : fmt::format("({})", fmt::join(option.words, " "));
}

// '(-o --output)'{-o,--output}'[File to write]:value:_files'
std::string zsh_option(const OptionText& option) {
  const std::string value = option.value.empty() ? "" : ":value:" + zsh_values(option);
  if (option.is_positional()) {
    const char* const repeated = option.value.find("...") == option.value.npos ? "" : "*";
    return fmt::format("'{}:{}:{}'", repeated, option.names.front(), zsh_values(option));
  }
  const std::string what = quoted(fmt::format("[{}]{}", zsh_escaped(option.description), value), "'\\''");
  if (option.names.size() == 1) return fmt::format("'*'{}{}", option.names.front(), what);
  return fmt::format("'*'{{{}}}{}", fmt::join(option.names, ","), what);
}

std::string zsh(const CommandText& program) {
  std::string names, cases;
  for (const CommandText* command : all_of(program)) {
    if (command != &program) names += fmt::format("{}'{}'", names.empty() ? "" : "|", command->name);
    cases += fmt::format("    ('{}')\n", command->name);
    if (!command->commands.empty()) {
      cases += "      commands=(";
      for (const CommandText& one : command->commands) {
        cases += "\n        " + quoted(one.last_word() + ":" + one.description, "'\\''");
      }
      cases += ")\n";
    }
    cases += "      _arguments -s";
    for (const OptionText& option : command->options) {
      if (option.is_positional() && !command->commands.empty()) continue;
      cases += " \\\n        " + zsh_option(option);
    }
    if (!command->commands.empty()) {
      cases +=
          fmt::format(" \\\n        '*: :{{_describe command commands{}}}'", takes_paths(*command) ? "; _files" : "");
    }
    cases += "\n      ;;\n";
  }
  return "#compdef cupel\n# Made by: cupel completions zsh\n"
         "_cupel() {\n"
         "  local command=cupel first=1 i\n  local -a commands\n"
         "  for ((i = 2; i < CURRENT; i++)); do\n"
         "    case \"$command ${words[i]}\" in\n      (" +
         names +
         ") command=\"$command ${words[i]}\" first=$i ;;\n    esac\n  done\n"
         "  words=(\"${(@)words[first,-1]}\")\n"
         "  ((CURRENT -= first - 1))\n"
         "  case $command in\n" +
         cases +
         "  esac\n}\n"
         "if [[ $funcstack[1] == _cupel ]]; then _cupel \"$@\"; else compdef _cupel cupel; fi\n";
}

// ---- fish
// ------------------------------------------------------------------------------------------------------------

std::string fish_quoted(const std::string& text) {
  std::string safe;
  for (const char c : text) safe += c == '\\' ? "\\\\" : std::string(1, c);
  return quoted(safe, "\\'");
}

std::string fish_option(const OptionText& option) {
  std::string line;
  for (const std::string& name : option.names)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.value.empty()) line += option.takes_path() ? " -r -F" : " -x";
  if (!option.words.empty()) line += " -a " + fish_quoted(fmt::format("{}", fmt::join(option.words, " ")));
  return line + " -d " + fish_quoted(option.description);
}

std::string fish(const CommandText& program) {
  std::string names, lines;
  for (const CommandText* command : all_of(program)) {
    if (command != &program) names += " " + fish_quoted(command->name);
    const std::string here = fmt::format("complete -c cupel -n 'test (__cupel_command) = \"{}\"'", command->name);
    for (const CommandText& one : command->commands) {
      lines += fmt::format("{} -a {} -d {}\n", here, one.last_word(), fish_quoted(one.description));
    }
    for (const OptionText& option : command->options) {
      if (!option.is_positional()) {
        lines += here + fish_option(option) + "\n";
      } else if (option.takes_path()) {
        lines += here + " -F\n";
      } else if (!option.words.empty()) {
        lines += fmt::format("{} -a {}\n", here, fish_quoted(fmt::format("{}", fmt::join(option.words, " "))));
      }
    }
  }
  return "# fish completion of cupel. Made by: cupel completions fish\n"
         "function __cupel_command\n"
         "  set -l command cupel\n"
         "  set -l given (commandline -opc)\n"
         "  for word in $given[2..-1]\n"
         "    contains -- \"$command $word\"" +
         names +
         "; and set command \"$command $word\"\n"
         "  end\n"
         "  echo $command\n"
         "end\n"
         "complete -c cupel -f\n" +
         lines;
}

struct CompletionsFlags {
  Shell shell = Shell::bash;
  std::string output = "-";
};

int print_completions(const CompletionsFlags& flags, const CommandText& program) {
  write_text(flags.output, completions(program, flags.shell));
  return kDone;
}

}  // namespace

std::string completions(const CommandText& program, Shell shell) {
  switch (shell) {
    case Shell::zsh:
      return zsh(program);
    case Shell::fish:
      return fish(program);
    default:
      return bash(program);
  }
}

void add_completions(Command& app) {
  Command& command = app.add_subcommand("completions", "Print a script with which a shell completes cupel's words");
  CompletionsFlags& flags = command.runs(print_completions);
  command.add_word("shell", flags.shell, {Shell::bash, Shell::zsh, Shell::fish}, "bash, zsh or fish")->required();
  add_output_flag(command, flags.output);
  command.examples({{"source <(cupel completions bash)", "Completes in this bash; in a ~/.bashrc, in each"},
                    {"cupel completions fish -o ~/.config/fish/completions/cupel.fish", "Completes in each fish"}});
  command.exits({});
}

}  // namespace cupel::cli
