// `cupel manual`: the help of a command as a page of the manual.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/commands.hpp"
#include "cli/print.hpp"
#include "cupel/files/output_file.hpp"
#include "cupel/runner/output.hpp"
#include "cupel/version.hpp"

namespace cupel::cli {
namespace {

// Text that groff takes for nothing else.
std::string plain(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\\') {
      safe += "\\e";
    } else if (c == '-') {
      safe += "\\-";
    } else {
      safe += c;
    }
  }
  return safe.starts_with('.') || safe.starts_with('\'') ? "\\&" + safe : safe;
}

std::string bold(const std::string& text) { return "\\fB" + plain(text) + "\\fR"; }

std::string title(const std::string& name) {
  std::string text = name;
  std::ranges::replace(text, ' ', '-');
  return text;
}

std::string synopsis(const CommandText& command) {
  std::string text = bold(command.name) + " [\\fIoptions\\fR]";
  for (const OptionText& option : command.options) {
    if (!option.is_positional()) continue;
    const bool required = option.value.find("REQUIRED") != option.value.npos;
    const std::string name = fmt::format("\\fI{}\\fR{}", plain(option.names.front()),
                                         option.value.find("...") == option.value.npos ? "" : "...");
    text += required ? " " + name : " [" + name + "]";
  }
  if (!command.commands.empty()) text += " [\\fIcommand\\fR]";
  return text;
}

std::string entry(const OptionText& option) {
  std::string names;
  for (const std::string& name : option.names) names += (names.empty() ? "" : ", ") + bold(name);
  if (!option.value.empty()) names += (option.value.starts_with(',') ? "" : " ") + plain(option.value);
  return fmt::format(".TP\n{}\n{}\n", names, plain(option.description));
}

// The options under their headings, in the order in which the headings first appear.
std::string options(const CommandText& command) {
  std::vector<std::string> groups;
  for (const OptionText& option : command.options) {
    if (std::ranges::find(groups, option.group) == groups.end()) groups.push_back(option.group);
  }
  std::string text;
  for (const std::string& group : groups) {
    text += fmt::format(".SH \"{}\"\n", plain(group));
    for (const OptionText& option : command.options) {
      if (option.group == group) text += entry(option);
    }
  }
  return text;
}

std::string see_also(const CommandText& command) {
  std::vector<std::string> pages;
  for (const CommandText& one : command.commands) pages.push_back(bold(title(one.name)) + "(1)");
  if (const std::size_t space = command.name.rfind(' '); space != command.name.npos) {
    pages.push_back(bold(title(command.name.substr(0, space))) + "(1)");
  }
  return pages.empty() ? "" : fmt::format(".SH \"SEE ALSO\"\n{}\n", fmt::join(pages, ",\n"));
}

struct ManualFlags {
  std::vector<std::string> words;
  std::optional<std::string> folder;
  std::string output = "-";
};

void write_pages(const CommandText& command, const std::filesystem::path& folder) {
  files::write_file(folder / (title(command.name) + ".1"), manual_page(command));
  for (const CommandText& one : command.commands) write_pages(one, folder);
}

int manual(const ManualFlags& flags, const CommandText& program) {
  if (flags.folder) {
    runner::check_folder(*flags.folder, 1 << 20);
    write_pages(program, *flags.folder);
    return kDone;
  }
  const CommandText* command = &program;
  for (const std::string& word : flags.words) {
    const auto next = std::ranges::find(command->commands, word, &CommandText::last_word);
    if (next == command->commands.end()) throw UsageError(fmt::format("{} has no command '{}'", command->name, word));
    command = &*next;
  }
  write_text(flags.output, manual_page(*command));
  return kDone;
}

}  // namespace

bool OptionText::takes_path() const {
  return std::ranges::any_of(std::array{"FILE", "DIR", "FOLDER", "EXE"},
                             [this](const char* word) { return value.find(word) != value.npos; }) ||
         (is_positional() && names.front().starts_with("file"));
}

std::string manual_page(const CommandText& command) {
  std::string name = title(command.name);
  std::string page =
      fmt::format(".TH \"{}\" 1 \"\" \"cupel {}\" \"cupel\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}\n", name,
                  build_info().version, plain(name), plain(command.description), synopsis(command));
  page += options(command);
  if (!command.commands.empty()) page += ".SH COMMANDS\n";
  for (const CommandText& one : command.commands) {
    page += fmt::format(".TP\n{}\n{}\n", bold(one.last_word()), plain(one.description));
  }
  if (!command.examples.empty()) page += ".SH EXAMPLES\n";
  for (const Example& example : command.examples) {
    page += fmt::format(".TP\n{}\n{}\n", bold(example.line), plain(example.what));
  }
  page += ".SH \"EXIT STATUS\"\n";
  for (const ExitMeaning& exit : command.exits) {
    page += fmt::format(".TP\n{}\n{}\n", bold(std::to_string(exit.code)), plain(exit.text));
  }
  return page + see_also(command);
}

void add_manual(Command& app) {
  Command& command = app.add_subcommand("manual", "Print a page of the manual, for man");
  ManualFlags& flags = command.runs(manual);
  command.add_option("words COMMAND", flags.words, "Which command's: run, or history add (none: the program's)");
  Option* output = add_output_flag(command, flags.output);
  command.add_option("--folder DIR", flags.folder, "Write the pages of all commands there, as cupel-run.1")
      ->excludes(output);
  command.examples({{"cupel manual run | man -l -", "Shows the page of cupel run"},
                    {"cupel manual --folder share/man/man1", "Writes the pages that packages install"}});
  command.exits({});
}

}  // namespace cupel::cli
