#include "cupel/doctor/probe_output.hpp"

#include <nlohmann/json.hpp>

#include "cupel/record/json.hpp"

namespace cupel::doctor {
namespace {

using Json = nlohmann::ordered_json;

/// One list of fields for both directions: a Visitor is called with the name and the member.
template <class Facts, class Visitor>
void visit(Facts& facts, Visitor&& field) {
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
  field("power_limit_default_w", facts.power_limit_default_w);
  field("foreign_processes", facts.foreign_processes);
  field("pinned_trouble", facts.pinned_trouble);
  field("busy_sm_clock_hz", facts.busy_sm_clock_hz);
  field("busy_memory_clock_hz", facts.busy_memory_clock_hz);
  field("busy_temperature_c", facts.busy_temperature_c);
  field("busy_power_w", facts.busy_power_w);
  field("busy_pcie_generation", facts.busy_pcie_generation);
  field("busy_pcie_width", facts.busy_pcie_width);
  field("busy_throttle_reasons", facts.busy_throttle_reasons);
}

struct Write {
  Json& object;

  template <class T>
  void operator()(const char* name, const T& value) {
    object[name] = value;
  }
  template <class T>
  void operator()(const char* name, const std::optional<T>& value) {
    if (value) object[name] = *value;
  }
};

struct Read {
  const Json& object;

  template <class T>
  void operator()(const char* name, T& value) {
    const auto found = object.find(name);
    if (found == object.end()) return;
    try {
      value = found->template get<T>();
    } catch (const Json::exception&) {  // of another type than expected: as if it were not there
    }
  }
  template <class T>
  void operator()(const char* name, std::optional<T>& value) {
    const auto found = object.find(name);
    if (found != object.end() && found->is_number()) value = found->template get<T>();
  }
};

constexpr const char* kPlace = "/context/cupel/doctor";

}  // namespace

std::string to_json(const ProbeOutput& output) {
  Json file = Json::parse(record::to_json({output.context, {}}));
  Json facts = Json::object();
  visit(output.gpu, Write{facts});
  file[Json::json_pointer(kPlace)] = std::move(facts);
  return file.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

ProbeOutput probe_output_from_json(std::string_view text) {
  ProbeOutput output;
  output.context = record::from_json(text, "cupel-probe").context;
  output.context.unknown.clear();  // the facts, which are known here
  const Json file = Json::parse(text, nullptr, false);
  const Json::json_pointer place(kPlace);
  if (file.is_discarded() || !file.contains(place) || !file[place].is_object()) {
    throw record::ReadError("cupel-probe: " + std::string(kPlace) + ": missing");
  }
  visit(output.gpu, Read{file[place]});
  return output;
}

}  // namespace cupel::doctor
