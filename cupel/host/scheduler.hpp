// The node and the job, by the name that Slurm or Kubernetes has for them.
#pragma once

#include "cupel/record/forward.hpp"

namespace cupel::host {

/// Sets node, job and restarts from what the scheduler put into the environment; leaves them as they are without one.
/// A pod knows its node only where its specification gives it as NODE_NAME (fieldRef: spec.nodeName).
void read_scheduler(record::RunInfo& run);

}  // namespace cupel::host
