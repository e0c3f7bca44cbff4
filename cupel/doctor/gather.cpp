#include "cupel/doctor/gather.hpp"

#include <cstddef>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "cupel/doctor/probe_output.hpp"
#include "cupel/host/child.hpp"
#include "cupel/record/child.hpp"
#include "cupel/record/json.hpp"
#include "cupel/version.hpp"

namespace cupel::doctor {
namespace {

namespace fs = std::filesystem;

// The probe was there and failed: that is worse than no GPU side, and the reader must see why.
GpuFacts failed_probe(const std::string& what) {
  GpuFacts gpu;
  gpu.trouble = "other";
  gpu.what = "cupel-probe: " + what;
  gpu.cure = "run cupel-probe by itself, and see `nvidia-smi` and `dmesg | grep -i -e nvrm -e xid`";
  return gpu;
}

host::ChildCommand command_of(const fs::path& program, const ProbeRequest& request) {
  host::ChildCommand command;
  command.program = program;
  if (request.device) command.arguments = {"--device", *request.device};
  command.time_limit_s = request.timeout_s;
  command.keep_bytes = std::size_t{1} << 20;
  command.keep_head = true;
  return command;
}

void ask(const fs::path& program, const ProbeRequest& request, Facts& facts) {
  const host::ChildCommand command = command_of(program, request);
  const host::ChildResult child = host::run_child(command);
  if (host::exited_with(child, record::kChildUsage)) throw std::invalid_argument(host::usage_words(command, child));
  if (!host::exited_with(child, record::kChildDone) && !host::exited_with(child, record::kChildNoDevice)) {
    facts.gpu = failed_probe(host::with_last_words(host::ending_text(child), child));
    return;
  }
  try {
    ProbeOutput output = probe_output_from_json(child.output_text);
    facts.context = std::move(output.context);
    facts.gpu = std::move(output.gpu);
  } catch (const files::ReadError& error) {
    facts.gpu = failed_probe(std::string("its answer cannot be read (") + error.what() + ")");
  }
}

}  // namespace

std::optional<fs::path> find_probe(const fs::path& folder) {
  for (const fs::path& path :
       {folder / "cupel-probe", folder / "../cupel-probe", folder / "../libexec/cupel/cupel-probe"}) {
    std::error_code ignored;
    if (fs::exists(path, ignored)) return path;
  }
  return std::nullopt;
}

Facts gather(const ProbeRequest& request) {
  Facts facts;
  facts.context.build.type = build_info().build_type;
  facts.host = host::read_host_facts();
  if (request.program) {
    ask(*request.program, request, facts);
  } else {
    facts.probe_trouble = "the GPU side is not built (no cupel-probe beside the program)";
  }
  return facts;
}

}  // namespace cupel::doctor
