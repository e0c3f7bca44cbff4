#include "cupel/host/scheduler.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

#include "cupel/record/run_info.hpp"

namespace cupel::host {
namespace {

record::RunInfo run_in(const std::map<std::string, std::string>& environment) {
  for (const char* name : {"SLURM_JOB_ID", "SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID", "SLURM_RESTART_COUNT",
                           "SLURMD_NODENAME", "KUBERNETES_SERVICE_HOST", "NODE_NAME", "JOB_COMPLETION_INDEX"}) {
    unsetenv(name);
  }
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  record::RunInfo run;
  read_scheduler(run);
  return run;
}

TEST(Scheduler, OfSlurmNamesNodeAndJobAndCountsRestarts) {
  const record::RunInfo run = run_in({{"SLURM_JOB_ID", "17"}, {"SLURMD_NODENAME", "n3"}, {"SLURM_RESTART_COUNT", "2"}});

  EXPECT_EQ(run.node, "n3");
  EXPECT_EQ(run.job, "17");
  EXPECT_EQ(run.restarts, 2);
}

TEST(Scheduler, OfATaskOfAnArrayNamesBoth) {
  const record::RunInfo run =
      run_in({{"SLURM_JOB_ID", "21"}, {"SLURM_ARRAY_JOB_ID", "17"}, {"SLURM_ARRAY_TASK_ID", "3"}});

  EXPECT_EQ(run.job, "17_3");
  EXPECT_EQ(run.restarts, 0);
}

TEST(Scheduler, OfKubernetesNamesNodeAndIndex) {
  const record::RunInfo run =
      run_in({{"KUBERNETES_SERVICE_HOST", "10.0.0.1"}, {"NODE_NAME", "gpu-7"}, {"JOB_COMPLETION_INDEX", "3"}});

  EXPECT_EQ(run.node, "gpu-7");
  EXPECT_EQ(run.job, "3");
}

TEST(Scheduler, IsNoneWhereOnlyAnotherProgramNamesANode) {
  EXPECT_EQ(run_in({{"NODE_NAME", "jenkins-agent"}}), record::RunInfo());
}

}  // namespace
}  // namespace cupel::host
