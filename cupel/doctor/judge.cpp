#include "cupel/doctor/judge.hpp"

namespace cupel::doctor {

Finding finding(bool is_fine, Severity otherwise, const std::string& id, const std::string& title,
                const std::string& meaning, const std::string& action) {
  return is_fine ? Finding{Severity::ok, id, title} : Finding{otherwise, id, title, meaning, action};
}

Finding finding(const std::optional<record::Fault>& fault, const std::string& id, const std::string& fine) {
  if (!fault) return {Severity::ok, id, fine};
  return {fault->is_harmful ? Severity::warn : Severity::info, id, fault->what, fault->meaning, fault->remedy};
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
