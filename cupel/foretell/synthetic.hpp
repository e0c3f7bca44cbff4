// Figures and profiles for tests, small enough to work a gain out by hand.
#pragma once

#include <string>

#include "cupel/foretell/step.hpp"

namespace cupel::foretell {

/// A benchmark of this time, with an interval of `spread` of it to either side.
inline figures::Figure figure(const std::string& name, double time_s, const record::Workload& workload = {},
                              double spread = 0, record::Mode mode = record::Mode::host) {
  figures::Figure figure;
  figure.name = name;
  figure.operation = figures::operation_of(name);
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = std::min(name.find('/', at), name.size()), colon = name.find(':', at);
    if (colon < end) figure.params.emplace_back(name.substr(at, colon - at), name.substr(colon + 1, end - colon - 1));
    at = end + 1;
  }
  figure.mode = mode;
  figure.time = figures::Estimate{.location_s = time_s,
                                  .low_s = time_s * (1 - spread),
                                  .high_s = time_s * (1 + spread),
                                  .level = 0.95,
                                  .processes_s = {time_s, time_s, time_s},
                                  .across_processes = true};
  figure.workload = workload;
  return figure;
}

/// A step of 10 ms with nothing in it.
inline record::StepProfile profile_of_10_ms() {
  record::StepProfile profile;
  profile.net = "net";
  profile.batch = 1;
  profile.parameters = 1'000'000;
  profile.launches = 100;
  profile.step_s = 0.010;
  profile.enqueue_s = 0.001;
  return profile;
}

}  // namespace cupel::foretell
