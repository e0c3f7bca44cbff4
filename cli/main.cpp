// The program: reads the command line, runs the chosen subcommand, and turns whatever happens into one line and an exit
// code.
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cupel/record/json.hpp"
#include "cupel/runner/interrupt.hpp"
#include "cupel/runner/output.hpp"
#include "cupel/runner/select.hpp"
#include "cupel/version.hpp"

namespace cupel::cli {

std::filesystem::path program_path() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::current_path() / "cupel" : path;
}

namespace {

std::string version_text() {
  const BuildInfo& build = build_info();
  const std::string revision = build.git_revision;
  std::string text = fmt::format("cupel {}", build.version);
  if (!revision.empty()) text += fmt::format(" ({}{})", revision.substr(0, 12), build.git_dirty ? ", changed" : "");
  text += fmt::format("\nbuild     {}, {}", build.build_type, build.cxx_compiler);
  const std::string cuda = build.cuda_compiler;
  text += cuda.empty() ? "\nCUDA      none: host side only"
                       : fmt::format("\nCUDA      {}, architectures {}", cuda, build.cuda_architectures);
  return text;
}

// The subcommand that was being read when the command line went wrong, else the program itself.
const CLI::App& app_in_question(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return chosen.empty() ? app : app_in_question(*chosen.front());
}

// "cupel history add"
std::string words_to(const CLI::App& app) {
  const CLI::App* const parent = app.get_parent();
  return parent == nullptr ? app.get_name() : words_to(*parent) + " " + app.get_name();
}

std::vector<std::string> words_of(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  }
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    words.push_back(sub->get_name());
  return words;
}

// "did you mean --filter?" for a flag or command that does not exist, else where help is.
std::string hint(const CLI::App& app, const std::vector<std::string>& left_over) {
  const CLI::App& asked = app_in_question(app);
  const std::string help = words_to(asked) + " --help";
  // Nothing is like a file that is one too many.
  if (left_over.empty() || (&asked != &app && !left_over.front().starts_with('-'))) return help + " says more";
  const std::string word = left_over.front().substr(0, left_over.front().find('='));
  const std::vector<std::string> near = runner::nearest(word, words_of(asked), 1);
  if (near.empty()) return help + " says more";
  return fmt::format("did you mean {}? {} says more", near.front(), help);
}

int complain(const std::string& what, int code) {
  fmt::print(stderr, "cupel: {}\n", what);
  return code;
}

// What went wrong, in our words where CLI11 would speak of a subcommand that is missing although one was given.
std::string what_of(const CLI::ParseError& error, const CLI::App& app, const std::vector<std::string>& left_over) {
  if (&app_in_question(app) != &app || left_over.empty()) return error.what();
  const std::string& word = left_over.front();
  return fmt::format("there is no {} '{}'", word.starts_with('-') ? "option" : "subcommand", word);
}

int parse_and_run(CLI::App& app, Action& action, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    const std::vector<std::string> left_over = app.remaining(true);
    return complain(fmt::format("{}; {}", what_of(error, app, left_over), hint(app, left_over)), kUsage);
  }
  return action();
}

int guarded(CLI::App& app, Action& action, int argc, char** argv) {
  try {
    return parse_and_run(app, action, argc, argv);
  } catch (const UsageError& error) {
    return complain(error.what(), kUsage);
  } catch (const std::invalid_argument& error) {
    return complain(error.what(), kUsage);
  } catch (const record::ReadError& error) {
    return complain(error.what(), kUsage);
  } catch (const runner::OutputError& error) {
    return complain(error.what(), kUsage);
  } catch (const std::exception& error) {
    return complain(error.what(), kFailed);
  }
}

}  // namespace
}  // namespace cupel::cli

int main(int argc, char** argv) {
  using namespace cupel::cli;
  CLI::App app("Micro-benchmarks that say which GPU advice pays, here and by how much.", "cupel");
  app.require_subcommand(1);
  app.set_version_flag("--version", version_text(), "What this build is");
  app.footer(kExitCodeTable);
  cupel::runner::count_interrupts();

  Action action;
  add_run(app, action);
  add_list(app, action);
  add_show(app, action);
  add_report(app, action);
  add_explain(app, action);
  add_validate(app, action);
  add_doctor(app, action);
  add_compare(app, action);
  add_advise(app, action);
  add_gate(app, action);
  add_calibrate(app, action);
  add_history(app, action);

  const int code = guarded(app, action, argc, argv);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  return complain(fmt::format("the output could not be written: {}", std::strerror(errno)),
                  code == kDone ? kFailed : code);
}
