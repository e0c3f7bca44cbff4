#include "cupel/timing/quick_time.hpp"

#include <algorithm>
#include <vector>

#include "cupel/harness/run.hpp"
#include "cupel/stats/quantile.hpp"
#include "cupel/timing/rig.hpp"

namespace cupel::timing {

double quick_time_s(const std::function<void(cudaStream_t)>& work, int samples, Engine engine) {
  if (harness::options().once) return 0;
  harness::begin_sampling();
  Rig& rig = Rig::get();
  work(rig.stream());
  cuda::check(cudaStreamSynchronize(rig.stream()));

  std::vector<Rig::Sample> taken;
  for (int i = 0; i < samples; ++i) taken.push_back(rig.once(work, {}));
  rig.collect(taken);

  const double floor_s = rig.floor_s(engine);
  std::vector<double> times_s;
  for (const Rig::Sample& sample : taken) {
    times_s.push_back(sample.activity_s ? *sample.activity_s : std::max(sample.events_s - floor_s, 0.0));
  }
  return stats::median(times_s);
}

}  // namespace cupel::timing
