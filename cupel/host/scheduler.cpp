#include "cupel/host/scheduler.hpp"

#include <charconv>
#include <cstdlib>
#include <string>

#include "cupel/record/run_info.hpp"

namespace cupel::host {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

int count(const std::string& text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value > 0 ? value : 0;
}

}  // namespace

void read_scheduler(record::RunInfo& run) {
  if (const std::string job = variable("SLURM_JOB_ID"); !job.empty()) {
    const std::string array = variable("SLURM_ARRAY_JOB_ID");
    run.job = array.empty() ? job : array + "_" + variable("SLURM_ARRAY_TASK_ID");
    run.node = variable("SLURMD_NODENAME");
    run.restarts = count(variable("SLURM_RESTART_COUNT"));
  } else if (!variable("KUBERNETES_SERVICE_HOST").empty()) {
    run.job = variable("JOB_COMPLETION_INDEX");
    run.node = variable("NODE_NAME");
  }
}

}  // namespace cupel::host
