#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <sstream>
#include <utility>

#include "cli/exit_codes.hpp"
#include "cli/print.hpp"
#include "cupel/runner/print.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/nearest.hpp"
#include "cupel/units/parse.hpp"
#include "cupel/units/wrap.hpp"

namespace cupel::cli {
namespace {

constexpr const char* kVersionFlag = "-V,--version";
constexpr const char* kDuration = "TIME";  // the value of an option, in its names
constexpr const char* kVersionText = "What this build is";

// A number for which `holds` is true. CLI11's own checks call a word "not in range", and print a bound of 1e308 in
// full.
CLI::Validator number(const std::string& what, const std::function<bool(double)>& holds) {
  const auto problem = [what, holds](const std::string& text) -> std::string {
    const std::optional<double> given = units::number<double>(text);
    return given && holds(*given) ? "" : fmt::format("must be {}, not {}", what, text);
  };
  return CLI::Validator(problem, "");
}

}  // namespace

Option* Option::required() {
  option_->required();
  return this;
}

Option* Option::type_name(const std::string& name) {
  option_->type_name(name);
  return this;
}

Option* Option::repeatable() {
  option_->take_all()->expected(1)->allow_extra_args(false);
  return this;
}

Option* Option::delimiter(char between) {
  option_->delimiter(between);
  return this;
}

Option* Option::range(double least, double most) {
  const std::string bounds = fmt::format("{} to {}", least, most);
  option_->check(number(bounds, [=](double n) { return n >= least && n <= most; }));
  return say_bounds(bounds);
}

// "... (default 5)" and "3 to 1000" make "... (3 to 1000, default 5)".
Option* Option::say_bounds(const std::string& bounds) {
  std::string text = option_->get_description();
  const std::size_t parenthesis = text.rfind("(default");
  if (parenthesis == text.npos) {
    text += " (" + bounds + ")";
  } else {
    text.insert(parenthesis + 1, bounds + ", ");
  }
  option_->description(text);
  return this;
}

Option* Option::percent(double least, double most) {
  const std::string what = fmt::format("{} to {}", least, most);
  const auto to_number = [=](std::string& text) -> std::string {
    const std::string bare = text.substr(0, text.find_last_not_of(" %") + 1);
    const std::optional<double> given = units::number<double>(bare);
    if (!given || *given < least || *given > most) {
      return fmt::format("must be {} percent, as 1 or 1%, not {}", what, text);
    }
    text = bare;
    return "";
  };
  option_->transform(CLI::Validator(to_number, ""));
  option_->type_name("PERCENT");
  return say_bounds(what);
}

Option* Option::duration() {
  const auto problem = [](const std::string& text) -> std::string {
    try {
      units::parse_duration(text);
      return "";
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
  };
  option_->check(CLI::Validator(problem, ""));
  return this;
}

Option* Option::positive() {
  option_->check(number("positive", [](double n) { return n > 0; }));
  return say_bounds("above 0");
}

Option* Option::not_negative() {
  option_->check(number("0 or more", [](double n) { return n >= 0; }));
  return say_bounds("0 or more");
}

Option* Option::offers(const std::vector<std::string>& words) {
  words_ = words;
  return this;
}

Option* Option::one_of(const std::vector<std::string>& words) {
  words_ = words;
  const auto problem = [words](const std::string& word) -> std::string {
    if (units::contains(words, word)) return "";
    const std::string meant = units::meant_by(word, words);
    return fmt::format("must be one of {}, not {}{}", fmt::join(words, ", "), word,
                       meant.empty() ? "" : "; did you mean " + meant + "?");
  };
  option_->check(CLI::Validator(problem, ""));  // the option's description names them
  option_->type_name("WORD");
  return this;
}

Option* Option::existing_file() {
  option_->check(CLI::Validator(CLI::ExistingFile).description(""));
  return this;
}

Option* Option::excludes(const Option* other) {
  option_->excludes(other->option_);
  return this;
}

void Option::refuse_before(const std::string& subcommand) const {
  if (option_->empty()) return;
  const std::string name = option_->get_positional() ? "'" + option_->results().front() + "'" : option_->get_name();
  throw CLI::ValidationError(
      fmt::format("{} stands before '{}', which does not read it there; write it behind", name, subcommand));
}

Command::Command(CLI::App& app, Action& action, const Command* parent)
    : app_(&app), action_(&action), parent_(parent), colour_(colour_option()) {}

Command& Command::add_subcommand(const std::string& name, const std::string& description) {
  CLI::App& command = *app_->add_subcommand(name, description);
  command.set_version_flag(kVersionFlag, app_->version(), kVersionText);
  commands_.push_back(std::make_unique<Command>(command, *action_, this));
  return *commands_.back();
}

Option* Command::keep(CLI::Option& option) {
  if (!option.get_positional()) option.group(group_);
  options_.push_back(std::make_unique<Option>(option));
  return options_.back().get();
}

Option* Command::add_flag(const std::string& name, bool& variable, const std::string& description) {
  return keep(*app_->add_flag(name, variable, description));
}

Option* Command::add(const std::string& names, Variable variable, const std::string& description) {
  const std::size_t space = std::min(names.find(' '), names.size());
  const auto add_to = [&](auto* bound) { return keep(*app_->add_option(names.substr(0, space), *bound, description)); };
  Option* const option = std::visit(add_to, variable);
  if (space == names.size()) return option;
  const std::string type = names.substr(space + 1);
  return type == kDuration ? option->type_name(type)->duration() : option->type_name(type);
}

std::unique_ptr<Option> Command::colour_option() {
  using enum runner::ColourWhen;
  const std::vector<runner::ColourWhen> offered{automatic, always, never};
  std::vector<std::string> words;
  for (const runner::ColourWhen when : offered) words.emplace_back(to_string(when));
  const auto take = [offered, words](const std::string& word) {
    runner::choose_colour(offered[static_cast<std::size_t>(std::ranges::find(words, word) - words.begin())]);
  };
  auto option = std::make_unique<Option>(*app_->add_option_function<std::string>(
      "--color", take, "Verdicts in colour: auto (default: on a terminal, unless NO_COLOR is set), always or never"));
  option->one_of(words);
  return option;
}

Option* Command::add_word(const std::string& names, const std::vector<std::string>& words,
                          const std::function<void(std::size_t)>& take, const std::string& description) {
  const auto look_up = [=](const std::string& word) {
    take(static_cast<std::size_t>(std::ranges::find(words, word) - words.begin()));
  };
  return keep(*app_->add_option_function<std::string>(names, look_up, description))->one_of(words);
}

void Command::examples(std::vector<Example> examples) {
  examples_ = std::move(examples);
  write_footer();
}

void Command::exits(std::vector<ExitMeaning> exits) {
  exits.insert(exits.end(), {{kDone, "done"}, {kUsage}, {kReaderGone}});
  std::ranges::stable_sort(exits, {}, &ExitMeaning::code);
  const auto twice = std::ranges::unique(exits, {}, &ExitMeaning::code);
  exits.erase(twice.begin(), twice.end());
  for (ExitMeaning& exit : exits) {
    if (exit.text == nullptr) exit.text = std::ranges::find(kExitMeanings, exit.code, &ExitMeaning::code)->text;
  }
  exits_ = std::move(exits);
  write_footer();
}

void Command::write_footer() {
  std::string text = examples_.empty() ? "" : "Examples:\n";
  for (const Example& example : examples_) text += fmt::format("  {}\n      {}\n", example.line, example.what);
  text += text.empty() ? "Exit codes:\n" : "\nExit codes:\n";
  for (const ExitMeaning& exit : exits_) text += fmt::format("  {:<4} {}\n", static_cast<int>(exit.code), exit.text);
  app_->footer(text);
}

// Where the line names a subcommand of this one, that is what is asked for, and this one's words have nobody who reads
// them.
void Command::when_chosen(const std::function<Action()>& action) {
  app_->callback([this, action] {
    const std::vector<CLI::App*> chosen = app_->get_subcommands();
    if (chosen.empty()) {
      *action_ = action();
      return;
    }
    for (const std::unique_ptr<Option>& option : options_) option->refuse_before(chosen.front()->get_name());
  });
}

namespace {

// Behind a name the value alone: its bounds and its default are in the description, what it excludes is in the error.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0) return "";
    std::string text = " " + option->get_type_name();
    if (option->get_expected_max() > 1 && text.find("...") == text.npos) text += "...";
    return option->get_required() ? text + " REQUIRED" : text;
  }
};

// "cupel history add"
std::string words_to(const CLI::App& app) {
  const CLI::App* const parent = app.get_parent();
  return parent == nullptr ? app.get_name() : words_to(*parent) + " " + app.get_name();
}

OptionText text_of(const CLI::Option& option) {
  OptionText text;
  for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  if (option.get_positional()) text.names = {option.get_name(true)};
  text.value = HelpFormatter().make_option_opts(&option);
  text.value.erase(0, text.value.find_first_not_of(' '));
  text.description = option.get_description();
  text.group = option.get_positional() ? "Arguments" : option.get_group();
  return text;
}

}  // namespace

OptionText Option::text() const {
  OptionText text = text_of(*option_);
  text.words = words_;
  return text;
}

CommandText Command::text() const {
  CommandText text{words_to(*app_), app_->get_description(), {}, {}, examples_, exits_};
  for (const std::unique_ptr<Option>& option : options_) text.options.push_back(option->text());
  text.options.push_back(colour_->text());
  for (const CLI::Option* own : {app_->get_help_ptr(), app_->get_version_ptr()}) {
    if (own != nullptr) text.options.push_back(text_of(*own));
  }
  for (const std::unique_ptr<Command>& command : commands_) text.commands.push_back(command->text());
  return text;
}

namespace {

constexpr std::size_t kHelpColumn = 30;

// Where the text of a line of help begins: behind the name of an option or a command that it is about.
std::size_t begin_of_text(const std::string& line) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t gap = line.find("  ", indent);
  const std::size_t begin = gap == line.npos ? line.npos : line.find_first_not_of(' ', gap);
  if (begin != line.npos && begin <= kHelpColumn) return begin;
  // A name that leaves room for one blank alone.
  const bool is_full = line.size() > kHelpColumn && line[indent] == '-' && line[kHelpColumn - 1] == ' ';
  return is_full && line[kHelpColumn] != ' ' ? kHelpColumn : indent;
}

std::string wrap_help(const std::string& help, std::size_t columns) {
  std::string text;
  for (const std::string& line : units::split(help, '\n')) {
    if (line.empty() && text.ends_with("\n\n")) continue;  // CLI11 has two between groups
    const std::size_t begin = begin_of_text(line);
    const std::vector<std::string> lines = units::wrapped(line.substr(begin), columns - begin);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      text += (i == 0 ? line.substr(0, begin) : std::string(begin, ' ')) + lines[i] + "\n";
    }
  }
  return text;
}

// The subcommand that was being read when the command line went wrong, else the program itself.
const CLI::App& app_in_question(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return chosen.empty() ? app : app_in_question(*chosen.front());
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  }
  return words;
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    words.push_back(sub->get_name());
  }
  return words;
}

// "did you mean --filter? " for an option or command that does not exist; where no command is like it, those there are.
std::string suggestion(const CLI::App& asked, const std::string& word) {
  const bool is_option = word.starts_with('-');
  const std::vector<std::string> words = is_option ? options_of(asked) : commands_of(asked);
  if (const std::string meant = units::meant_by(word, words); !meant.empty()) return "did you mean " + meant + "? ";
  return is_option || words.empty() ? "" : fmt::format("there are: {}; ", fmt::join(words, ", "));
}

// "did you mean --base old --new new? " for two files where a command has options for both sides.
std::string sides_meant(const CLI::App& asked, const std::vector<std::string>& left_over) {
  const auto is_option = [](const std::string& word) { return word.starts_with('-'); };
  const bool has_sides =
      asked.get_option_no_throw("--base") != nullptr && asked.get_option_no_throw("--new") != nullptr;
  if (!has_sides || left_over.size() != 2 || std::ranges::any_of(left_over, is_option)) return "";
  return fmt::format("did you mean --base {} --new {}? ", left_over[0], left_over[1]);
}

// One value each time, any number of times.
bool is_repeatable(const CLI::Option* option) {
  return option != nullptr && option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll &&
         option->get_expected_max() == 1;
}

// An argument that no option of `asked` took: too many, or read as a file, which is not there.
bool is_stray(const CLI::App& asked, const std::string& word, const std::vector<std::string>& left_over) {
  if (units::contains(left_over, word)) return true;
  return std::ranges::any_of(asked.get_options(), [&](const CLI::Option* option) {
    const bool is_of_files = option->get_name(true) == "file" || option->get_name(true) == "files";
    return is_of_files && units::contains(option->results(), word) && !std::filesystem::exists(word);
  });
}

// "--filter takes one value; write --filter A --filter B" where the line has "--filter A B" and nothing takes B.
std::string second_value(const CLI::App& asked, const std::vector<std::string>& line,
                         const std::vector<std::string>& left_over) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::size_t equals = line[i].find('=');
    const std::string name = line[i].substr(0, equals);
    const std::size_t value = equals == std::string::npos ? i + 1 : i, second = value + 1;
    if (!name.starts_with('-') || second >= line.size() || line[second].starts_with('-')) continue;
    if (!is_repeatable(asked.get_option_no_throw(name)) || !is_stray(asked, line[second], left_over)) continue;
    return fmt::format("{0} takes one value; write {0} {1} {0} {2}", name,
                       value == i ? line[i].substr(equals + 1) : line[value], line[second]);
  }
  return "";
}

// Says what may have been meant, and where help is.
std::string hint(const CLI::App& app, const std::vector<std::string>& left_over) {
  const CLI::App& asked = app_in_question(app);
  const std::string help = words_to(asked) + " --help says more";
  // Nothing is like a file that is one too many.
  if (left_over.empty() || (&asked != &app && !left_over.front().starts_with('-')))
    return sides_meant(asked, left_over) + help;
  return suggestion(asked, left_over.front().substr(0, left_over.front().find('='))) + help;
}

// "--across: PARAMETER is missing", of CLI11's "--across: 1 required PARAMETER missing".
std::string value_missing(std::string problem) {
  constexpr std::string_view kFront = "1 required ", kBack = " missing";
  const std::size_t front = problem.find(kFront);
  if (front == problem.npos || !problem.ends_with(kBack)) return problem;
  return problem.erase(front, kFront.size()).insert(problem.size() - kBack.size() + 1, "is ");
}

// "name files: Result files, or folders of them", where what is required is not there; else nothing.
std::string required_missing(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_required() && option->count() == 0)
      return fmt::format("name {}: {}", option->get_name(option->get_positional()), option->get_description());
  }
  return "";
}

// Says what went wrong, in our words where CLI11 would speak of a subcommand that is missing although one was given.
std::string what_of(const CLI::ParseError& error, const CLI::App& app, const std::vector<std::string>& left_over) {
  if (&app_in_question(app) != &app || left_over.empty()) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError)) {
      if (const std::string missing = required_missing(app_in_question(app)); !missing.empty()) return missing;
    }
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ArgumentMismatch)) return value_missing(error.what());
    if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExtrasError) || left_over.size() < 2)
      return error.what();
    return fmt::format("The following arguments were not expected: {}", fmt::join(left_over, " "));  // CLI11 turns them
  }
  const std::string& word = left_over.front();
  return fmt::format("there is no {} '{}'", word.starts_with('-') ? "option" : "subcommand", word);
}

// The words of the line. `cupel help run` is `cupel run --help`.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.push_back("--help");
  }
  return words;
}

}  // namespace

Action read_command_line(const ProgramText& text, const std::function<void(Command&)>& add, int argc, char** argv) {
  CLI::App app(text.description, text.name);
  app.require_subcommand(1);
  app.set_version_flag(kVersionFlag, text.version, kVersionText);
  const auto formatter = std::make_shared<HelpFormatter>();
  formatter->column_width(kHelpColumn);
  app.formatter(formatter);
  Action action;
  Command program(app, action);
  add(program);
  const std::vector<std::string> line = words_of(argc, argv);
  const auto refuse_second_value = [&] {
    const CLI::App& asked = app_in_question(app);
    const std::string problem = second_value(asked, line, app.remaining(true));
    if (!problem.empty()) complain(fmt::format("{}; {} --help says more", problem, words_to(asked)));
    return !problem.empty();
  };
  try {
    app.parse(std::vector<std::string>(line.rbegin(), line.rend()));  // CLI11 takes the last one first
    return refuse_second_value() ? [] { return kUsage; } : action;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      std::ostringstream out;
      app.exit(error, out);
      print(wrap_help(out.str(), output_columns()));
      return [] { return kDone; };
    }
    if (refuse_second_value()) return [] { return kUsage; };
    const std::vector<std::string> left_over = app.remaining(true);
    const std::string what = what_of(error, app, left_over);
    complain(fmt::format("{}{} {}", what, what.ends_with('?') ? "" : ";", hint(app, left_over)));
    return [] { return kUsage; };
  }
}

}  // namespace cupel::cli
