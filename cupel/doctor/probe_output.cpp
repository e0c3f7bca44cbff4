#include "cupel/doctor/probe_output.hpp"

#include "cupel/record/decode.hpp"
#include "cupel/record/json.hpp"

namespace cupel::doctor {
namespace {

using namespace record::detail;

void visit(auto& field, Is<GpuFacts> auto& facts) {
  field("trouble", facts.trouble);
  field("what", facts.what);
  field("cure", facts.cure);
  field("device", facts.device);
  field("device_count", facts.device_count);
  field("driver_cuda", facts.driver_cuda);
  field("runtime_cuda", facts.runtime_cuda);
  field("nvml_trouble", facts.nvml_trouble);
  field("code_architecture", facts.code_architecture);
  field("code_jit", facts.code_jit);
  field("architectures", facts.architectures);
  field("compute_mode", facts.compute_mode);
  field("foreign_processes", facts.foreign_processes);
  field("peer_pairs", facts.peer_pairs);
  field("nvlinks_up", facts.nvlinks_up);
  field("nvlinks_down", facts.nvlinks_down);
  field("nccl_cuda", facts.nccl_cuda);
  field("pinned_trouble", facts.pinned_trouble);
  field("busy_sm_clock_hz", facts.busy_sm_clock_hz);
  field("busy_memory_clock_hz", facts.busy_memory_clock_hz);
  field("busy_temperature_c", facts.busy_temperature_c);
  field("busy_power_w", facts.busy_power_w);
  field("busy_pcie_generation", facts.busy_pcie_generation);
  field("busy_pcie_width", facts.busy_pcie_width);
  field("busy_throttle_reasons", facts.busy_throttle_reasons);
}

// The facts are a field of the context that result files do not know, and so keep.
constexpr const char* kPlace = "/context/cupel/doctor";

}  // namespace

std::string to_json(const ProbeOutput& output) {
  FieldWriter facts;
  visit(facts, output.gpu);
  record::Context context = output.context;
  context.unknown = line({{kPlace, facts.take()}});
  return record::to_json({context, {}});
}

ProbeOutput probe_output_from_json(std::string_view text) {
  ProbeOutput output;
  output.context = record::from_json(text, "cupel-probe").context;
  const Json unknown = parse(std::exchange(output.context.unknown, "")).value;
  if (!unknown.contains(kPlace) || !unknown[kPlace].is_object()) {
    throw files::ReadError("cupel-probe: " + std::string(kPlace) + ": missing");
  }
  Problems passed_over(true);
  Reading reading{passed_over};
  const Path top;
  FieldReader facts(unknown[kPlace], top, reading);
  visit(facts, output.gpu);
  return output;
}

}  // namespace cupel::doctor
