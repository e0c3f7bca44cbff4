#include "cupel/doctor/judge.hpp"

namespace cupel::doctor {

const char* to_string(Severity severity) {
  switch (severity) {
    case Severity::ok:
      return "ok";
    case Severity::info:
      return "info";
    case Severity::warn:
      return "warn";
    case Severity::error:
      return "error";
  }
  return "";
}

bool usable_gpu(const Facts& facts) {
  return facts.gpu && facts.gpu->trouble == "none" && facts.context.device.has_value();
}

std::vector<Finding> judge(const Facts& facts) {
  std::vector<Finding> findings;
  judge_gpu(facts, findings);
  judge_host(facts, findings);
  return findings;
}

}  // namespace cupel::doctor
