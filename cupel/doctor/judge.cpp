#include "cupel/doctor/judge.hpp"

namespace cupel::doctor {

Finding finding(bool is_fine, Severity otherwise, const std::string& id, const std::string& title,
                const std::string& meaning, const std::string& action) {
  return is_fine ? Finding{Severity::ok, id, title} : Finding{otherwise, id, title, meaning, action};
}

std::string cuda_version(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
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
