// `cupel doctor`: whether this machine is fit for measuring, and what to do where it is not. Looks at the host itself
// and asks cupel-probe, a program of the GPU side, about the rest, so that a driver that hangs or crashes is a finding.
#include <fmt/core.h>

#include <optional>
#include <string>

#include "cli/benchmarks.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/gate_common.hpp"
#include "cli/print.hpp"
#include "cupel/doctor/facts.hpp"
#include "cupel/doctor/judge.hpp"
#include "cupel/doctor/probe_output.hpp"
#include "cupel/doctor/report.hpp"
#include "cupel/files/errors.hpp"
#include "cupel/host/child.hpp"
#include "cupel/version.hpp"

namespace cupel::cli {
namespace {

namespace fs = std::filesystem;

struct DoctorOptions {
  std::string format = "text", output = "-";
  std::string probe;  ///< empty: looked for beside the program
  std::optional<std::string> device;
  double timeout_s = 60;  ///< a cold driver and libraries from a network disk may take tens of seconds
};

/// Beside the program or above it in a build, ../libexec/cupel where it is installed.
std::optional<fs::path> find_probe() {
  const fs::path folder = program_path().parent_path();
  for (const fs::path& path :
       {folder / "cupel-probe", folder / "../cupel-probe", folder / "../libexec/cupel/cupel-probe"}) {
    std::error_code ignored;
    if (fs::exists(path, ignored)) return path;
  }
  return std::nullopt;
}

std::string how_it_ended(const host::ChildResult& child) {
  const std::string last = host::last_line(child.error_text);
  const std::string words = last.empty() ? "" : ": " + last;
  switch (child.ending) {
    case host::Ending::exited:
      return fmt::format("ended with code {}{}", child.code, words);
    case host::Ending::signalled:
      return "was killed by " + host::signal_name(child.code) + words;
    case host::Ending::timed_out:
      return fmt::format("gave no answer in {:.0f} s and was ended{}", child.wall_s, words);
    case host::Ending::not_started:
      return "did not start" + words;
    default:
      return "was interrupted";
  }
}

/// The probe was there and failed: that is worse than no GPU side, and the reader must see why.
doctor::GpuFacts failed_probe(const std::string& what) {
  doctor::GpuFacts gpu;
  gpu.trouble = "other";
  gpu.what = what;
  gpu.cure = "run cupel-probe by itself, and see `nvidia-smi` and `dmesg | grep -i -e nvrm -e xid`";
  return gpu;
}

void ask_probe(const fs::path& probe, const DoctorOptions& options, doctor::Facts& facts) {
  host::ChildCommand command;
  command.program = probe;
  if (options.device) command.arguments = {"--device", *options.device};
  command.time_limit_s = options.timeout_s;
  command.keep_bytes = std::size_t{1} << 20;
  command.keep_head = true;
  const host::ChildResult child = host::run_child(command);
  if (child.ending == host::Ending::exited && child.code == kUsage) throw UsageError(host::usage_words(command, child));
  const bool answered = child.ending == host::Ending::exited && (child.code == 0 || child.code == kNoDevice);
  if (!answered) {
    facts.gpu = failed_probe("cupel-probe " + how_it_ended(child));
    return;
  }
  try {
    doctor::ProbeOutput output = doctor::probe_output_from_json(child.output_text);
    facts.context = std::move(output.context);
    facts.gpu = std::move(output.gpu);
  } catch (const files::ReadError& error) {
    facts.gpu = failed_probe(std::string("cupel-probe gave an answer that cannot be read (") + error.what() + ")");
  }
}

doctor::Facts gather(const DoctorOptions& options) {
  doctor::Facts facts;
  facts.context.build.type = build_info().build_type;
  facts.host = host::read_host_facts();
  const std::optional<fs::path> probe = options.probe.empty() ? find_probe() : fs::path(options.probe);
  if (probe) {
    ask_probe(*probe, options, facts);
  } else {
    facts.probe_trouble = "the GPU side is not built (no cupel-probe beside the program)";
  }
  return facts;
}

int run_doctor(const DoctorOptions& options) {
  const doctor::Facts facts = gather(options);
  const std::vector<doctor::Finding> findings = doctor::judge(facts);
  write_text(options.output, options.format == "json"
                                 ? doctor::as_json(facts, findings)
                                 : doctor::as_text(findings, output_columns(), output_has_colour(options.output)));
  return doctor::usable_gpu(facts) ? kDone : kNoDevice;
}

}  // namespace

void add_doctor(Command& app) {
  Command& command =
      app.add_subcommand("doctor", "Find what makes this machine's numbers lower, noisier or impossible");
  DoctorOptions& options = command.runs(run_doctor);
  command.add_option("--format", options.format, "text (default) or json")->one_of({"text", "json"});
  add_output_flag(command, options.output);
  command
      .add_option("--probe", options.probe, "The program that looks at the GPU (default: cupel-probe, where cupel is)")
      ->existing_file();
  add_device_flag(command, options.device);
  command.add_option("--timeout", options.timeout_s, "Seconds to wait for that program (default 60)")->positive();
  command.examples({{"cupel doctor", "Says what to mend before measuring"},
                    {"cupel doctor --device 1 --format json", "Looks at another GPU, for a program to read"}});
  command.exits({{kNoDevice}});
}

}  // namespace cupel::cli
