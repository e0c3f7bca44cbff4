// `cupel doctor`: whether this machine is fit for measuring, and what to do where it is not.
#include <filesystem>
#include <optional>
#include <string>

#include "cli/benchmarks.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/print.hpp"
#include "cupel/doctor/gather.hpp"
#include "cupel/doctor/judge.hpp"
#include "cupel/doctor/report.hpp"

namespace cupel::cli {
namespace {

struct DoctorOptions {
  std::string format = "text", output = "-";
  std::string probe;  ///< empty: looked for beside the program
  std::optional<std::string> device;
  double timeout_s = doctor::ProbeRequest{}.timeout_s;
};

doctor::Facts facts_of(const DoctorOptions& options) {
  doctor::ProbeRequest request{{}, options.device, options.timeout_s};
  request.program =
      options.probe.empty() ? doctor::find_probe(program_path().parent_path()) : std::filesystem::path(options.probe);
  return doctor::gather(request);
}

int run_doctor(const DoctorOptions& options) {
  const doctor::Facts facts = facts_of(options);
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
