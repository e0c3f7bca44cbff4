// How the parts of a step make up its time: the host enqueues while the device works, so that the longer of both
// counts, and what the host waits for stands beside them.
#pragma once

#include "cupel/foretell/micro.hpp"
#include "cupel/record/step_profile.hpp"

namespace cupel::foretell {

/// The seconds that a change takes from a step; negative: that it adds.
struct Saving {
  Estimate device = {};  ///< of the stream that computes
  Estimate host = {};    ///< of enqueuing
  Estimate waits = {};   ///< while neither goes on
};
Saving operator+(const Saving& a, const Saving& b);

/// A step as it is: max(device, host) + waits is its time.
class Step {
 public:
  /// Waits are those of the profile at the machine's cost of each. The longer side has all of what is left; the other
  /// has what the profile says, as far as that is less. Where the results have no rows for a cost, it is left out.
  Step(const record::StepProfile& profile, const Micro& micro);

  const record::StepProfile& profile() const { return *profile_; }
  const Micro& micro() const { return *micro_; }
  double device_s() const { return device_s_; }
  double host_s() const { return host_s_; }
  double waits_s() const { return waits_s_; }
  bool host_binds() const { return host_s_ > device_s_; }
  /// The step is a framework's, and its kernels were all seen: it idles where they and their gaps end early.
  bool is_traced() const;
  /// The device's time where nothing keeps it waiting: kernels, copies on the stream, gaps between the nodes of a
  /// graph.
  Estimate as_graph_s() const;

  /// Seconds that the step gets shorter by.
  Estimate gain(const Saving& saving) const;

  // Costs of parts on this machine. All throw NoRows.

  /// Launching so many kernels one by one, or as one graph.
  Estimate launches_s(double count) const;
  Estimate graph_launch_s(double count) const;
  /// The time that the device waits longer between so many kernels launched one by one than in a graph.
  Estimate gaps_s(double count) const;
  /// A wait for the stream, and the start after it; with a number read back.
  Estimate wait_s(bool reads_back) const;
  /// A copy from the host, which the host waits for; or the device alone.
  Estimate pageable_s(double bytes) const;
  Estimate pinned_s(double bytes) const;
  /// The host's time to ask a pool for the step's tensors, against memory that is there.
  Estimate allocations_s() const;
  /// Memory that is given back to the system and asked for again, against memory that is kept. At least half of it is
  /// giving back, while the device idles; the rest it may work meanwhile.
  Estimate given_back_s() const;

 private:
  double known_waits_s() const;
  double known_enqueue_s() const;
  Estimate read_host_s() const;  // low: of the least gain, so the slowest host

  const record::StepProfile* profile_;
  const Micro* micro_;
  double device_s_ = 0, host_s_ = 0, waits_s_ = 0;
};

}  // namespace cupel::foretell
