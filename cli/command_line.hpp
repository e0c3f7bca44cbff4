// The command line as the subcommands describe it: what they use of CLI11, under its names, with bounds, help and
// errors in cupel's words. CLI11 is all templates and costs seconds of compiling in each file that includes it, so
// command_line.cpp alone does.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/description.hpp"
#include "cupel/record/bounds.hpp"
#include "cupel/record/names.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace cupel::cli {

/// An option, a flag or a positional argument. What is given is checked while the line is read; a wrong value ends the
/// program with code 2. Each function returns the option itself, for chains.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  Option* required();
  Option* type_name(const std::string& name);  ///< what the help calls its value
  Option* repeatable();                        ///< one value each time, and any number of times
  Option* delimiter(char between);             ///< of several values given as one
  /// These say the bounds in the description, before the default that it ends with: "(default 5)".
  Option* range(double least, double most);
  Option* range(record::Bounds bounds) { return range(bounds.least, bounds.most); }
  Option* percent(double least, double most);  ///< "1", "1%" and "1 %" are one percent; the variable holds 1
  Option* duration();                          ///< as 90s or 5m; of each option whose value is called TIME
  Option* positive();
  Option* not_negative();
  Option* one_of(const std::vector<std::string>& words);
  Option* offers(const std::vector<std::string>& words);  ///< to a shell that completes; others are as good
  Option* existing_file();
  Option* excludes(const Option* other);

  /// Throws CLI11's error where the line has this before `subcommand`, by which it is not read.
  void refuse_before(const std::string& subcommand) const;

  OptionText text() const;

 private:
  Option* say_bounds(const std::string& bounds);

  CLI::Option* option_;
  std::vector<std::string> words_;
};

/// The work that the line asks for. Returns the exit code. May throw: main() prints what() on one line and returns
/// UsageError's, files::ReadError's and any other exception's code.
using Action = std::function<int()>;

/// A subcommand, or the program itself. Variables that are bound to options must outlive the reading of the line.
class Command {
 public:
  /// action: is set to what the subcommand that the line names does.
  /// parent: null of the program itself.
  Command(CLI::App& app, Action& action, const Command* parent = nullptr);
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  Command& add_subcommand(const std::string& name, const std::string& description);

  /// Flags of its own, with which it runs if the line names it.
  template <class Flags>
  Flags& runs(int (*run)(const Flags&)) {
    const auto flags = std::make_shared<Flags>();
    when_chosen([flags, run] { return [flags, run] { return run(*flags); }; });
    return *flags;
  }

  /// The same, of a command that tells about the program's own command line.
  template <class Flags>
  Flags& runs(int (*run)(const Flags&, const CommandText& program)) {
    const auto flags = std::make_shared<Flags>();
    when_chosen(
        [flags, run, this] { return [flags, run, program = program().text()] { return run(*flags, program); }; });
    return *flags;
  }

  /// The heading in the help under which the options stand that are added from here on.
  void group(const std::string& heading) { group_ = heading; }

  Option* add_flag(const std::string& name, bool& variable, const std::string& description = {});

  /// names: "--filter", "-o,--output", or without dashes for a positional argument; behind a space what the help calls
  /// its value: "--filter REGEX". Each value of a vector is one more.
  template <class Type>
  Option* add_option(const std::string& names, Type& variable, const std::string& description) {
    return add(names, &variable, description);
  }

  /// One of these values, under its name. The description names them: the help does not.
  template <record::Named Word>
  Option* add_word(const std::string& names, Word& variable, std::vector<Word> offered,
                   const std::string& description) {
    std::vector<std::string> words;
    for (const Word word : offered) words.emplace_back(record::to_string(word));
    return add_word(
        names, words, [&variable, offered](std::size_t which) { variable = offered[which]; }, description);
  }

  template <record::Named Word, std::size_t kCount>
  Option* add_word(const std::string& names, Word& variable, const std::array<Word, kCount>& offered,
                   const std::string& description) {
    return add_word(names, variable, std::vector<Word>(offered.begin(), offered.end()), description);
  }

  /// The end of its help: lines that show how it is used.
  void examples(std::vector<Example> examples);

  /// The end of its help: the codes that it ends with besides those of all commands (done, usage, reader gone). They
  /// mean what kExitMeanings says, unless something else is given.
  void exits(std::vector<ExitMeaning> exits);

  CommandText text() const;

 private:
  using Variable = std::variant<std::string*, int*, double*, std::vector<std::string>*, std::optional<std::string>*,
                                std::optional<int>*, std::optional<std::uint64_t>*, std::optional<double>*>;

  Option* add(const std::string& names, Variable variable, const std::string& description);
  Option* add_word(const std::string& names, const std::vector<std::string>& words,
                   const std::function<void(std::size_t)>& take, const std::string& description);
  std::unique_ptr<Option> colour_option();
  Option* keep(CLI::Option& option);
  void when_chosen(const std::function<Action()>& action);
  void write_footer();
  const Command& program() const { return parent_ == nullptr ? *this : parent_->program(); }

  CLI::App* app_;
  Action* action_;
  const Command* parent_;
  std::string group_ = "Options";
  std::vector<Example> examples_;
  std::vector<ExitMeaning> exits_;
  std::unique_ptr<Option> colour_;  ///< which each has, as --help
  std::vector<std::unique_ptr<Option>> options_;
  std::vector<std::unique_ptr<Command>> commands_;
};

/// The program's own name, description and --version.
struct ProgramText {
  std::string name, description, version;
};

/// Reads the line. `add` describes the subcommands, one of which must be given: what it does is returned. Where none
/// was or not all is well, prints help, the version, or one line on stderr of what is wrong and where help is, and what
/// is returned does no more than end with the exit code.
Action read_command_line(const ProgramText& text, const std::function<void(Command&)>& add, int argc, char** argv);

}  // namespace cupel::cli
