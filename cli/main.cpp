// The program: reads the command line, runs the chosen subcommand, and turns whatever happens into one line and an exit
// code.
#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <exception>

#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/print.hpp"
#include "cupel/files/errors.hpp"
#include "cupel/host/interrupt.hpp"
#include "cupel/runner/output.hpp"
#include "cupel/runner/print.hpp"
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

int failed(const std::exception& error, int code) {
  complain(error.what());
  return code;
}

void add_subcommands(Command& program) {
  add_run(program);
  add_list(program);
  add_show(program);
  add_report(program);
  add_explain(program);
  add_validate(program);
  add_doctor(program);
  add_export(program);
  add_compare(program);
  add_advise(program);
  add_gate(program);
  add_calibrate(program);
  add_history(program);
  add_bands(program);
  add_submit(program);
  add_completions(program);
  add_manual(program);
  program.examples({{"cupel run --quick", "Measures what this machine has, in minutes, and says what pays"},
                    {"cupel help show", "Says what cupel show does and takes"}});
  program.exits({kExitMeanings.begin(), kExitMeanings.end()});
}

int read_and_run(int argc, char** argv) {
  const ProgramText text{"cupel", "Micro-benchmarks that say which GPU advice pays, here and by how much.",
                         version_text()};
  return read_command_line(text, add_subcommands, argc, argv)();
}

int guarded(int argc, char** argv) {
  try {
    return read_and_run(argc, argv);
  } catch (const UsageError& error) {
    return failed(error, kUsage);
  } catch (const std::invalid_argument& error) {
    return failed(error, kUsage);
  } catch (const files::ReadError& error) {
    return failed(error, kUsage);
  } catch (const files::WriteError& error) {
    return failed(error, kUsage);
  } catch (const runner::OutputError& error) {
    return failed(error, kUsage);
  } catch (const std::filesystem::filesystem_error& error) {
    complain(fmt::format("{}: {}", error.path1().string(), error.code().message()));
    return kUsage;
  } catch (const std::exception& error) {
    return failed(error, kFailed);
  }
}

// The code when all that was printed is written; what went wrong before goes before what went wrong with the output.
int told(int code) {
  const int error = runner::finish_output();
  if (error == 0) return code;
  if (error == EPIPE) return code == kDone ? kReaderGone : code;
  complain(fmt::format("the output could not be written: {}", std::strerror(error)));
  return code == kDone ? kUsage : code;
}

}  // namespace
}  // namespace cupel::cli

int main(int argc, char** argv) {
  cupel::runner::hold_closed_streams();
  cupel::host::ignore_write_signals();
  return cupel::cli::told(cupel::cli::guarded(argc, argv));
}
