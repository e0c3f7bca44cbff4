#include "cupel/foretell/step.hpp"

#include <algorithm>

namespace cupel::foretell {
namespace {

using record::CopyDirection;
using record::HostMemory;
using record::Mode;
using record::StepProfile;
using record::WaitCause;

// Between two nodes of a graph: ResNet-50 on an H100 replayed in 0.24 and 0.4 us a node more than its kernels took.
constexpr double kGap_s = 0.35e-6, kMostGap_s = 1.5e-6;
constexpr double kOfProfiler = 0.015;  // kernels of a trace take so much longer or shorter than without a profiler
// A device that idles for a larger share of the step than this waits for launches, if the host was read to be as slow
// or there is no doubt: behind a wait it idles with a fast host, too.
constexpr double kIdle = 0.05, kSurelyIdle = 0.3, kAlmost = 0.85;

constexpr double kOfReading = 0.25;

constexpr double kStepsOfSync = 16;  // of a sample of sync/every_step, sync/at_end and sync/readback

// Nothing where the results lack the rows.
template <class Cost>
double value_or_nothing(const Cost& cost) {
  try {
    return cost().value;
  } catch (const NoRows&) {
    return 0;
  }
}

}  // namespace

Saving operator+(const Saving& a, const Saving& b) { return {a.device + b.device, a.host + b.host, a.waits + b.waits}; }

Step::Step(const StepProfile& profile, const Micro& micro) : profile_(&profile), micro_(&micro) {
  waits_s_ = std::min(known_waits_s(), profile.step_s);
  const double rest_s = profile.step_s - waits_s_;
  if (is_traced()) {
    const double busy_s = as_graph_s().value;
    const double idle_s = rest_s - busy_s;
    const bool starves =
        idle_s > kIdle * rest_s && (idle_s > kSurelyIdle * rest_s || known_enqueue_s() > kAlmost * rest_s);
    device_s_ = starves ? busy_s : rest_s;
    host_s_ = starves ? rest_s : std::min(known_enqueue_s(), rest_s);
    return;
  }
  const double enqueue_s = known_enqueue_s();
  const bool host_binds = enqueue_s >= rest_s && profile.kernels_s() < rest_s;
  device_s_ = host_binds ? profile.kernels_s() : rest_s;
  host_s_ = host_binds ? rest_s : std::min(enqueue_s, rest_s);
}

bool Step::is_traced() const {
  return profile_->source == "torch.profiler" && profile_->switches.launch == "eager" && profile_->kernels_s() > 0;
}

Estimate Step::as_graph_s() const {
  double busy_s = profile_->kernels_s();
  for (const record::StepCopies& copy : profile_->copies) {
    if (copy.memory == HostMemory::pinned && !copy.overlapped) busy_s += copy.time_s.value_or(0);
  }
  return busy_s * Estimate{1, 1 - kOfProfiler, 1 + kOfProfiler} +
         static_cast<double>(profile_->launches) * Estimate{kGap_s, 0, kMostGap_s};
}

double Step::known_enqueue_s() const {
  if (profile_->enqueue_s) return *profile_->enqueue_s;
  const auto launches = static_cast<double>(profile_->launches);
  const bool is_graph = profile_->switches.launch == "graph";
  return value_or_nothing([&] { return is_graph ? graph_launch_s(launches) : launches_s(launches); }) +
         value_or_nothing([&] { return allocations_s(); });
}

double Step::known_waits_s() const {
  const StepProfile& p = *profile_;
  double sum = 0;
  for (const record::StepWaits& wait : p.waits) {
    const bool reads_back = wait.cause == WaitCause::loss;
    sum += wait.calls * value_or_nothing([&] { return wait_s(reads_back); });
  }
  for (const record::StepCopies& copy : p.copies) {
    if (copy.memory != HostMemory::pageable || copy.direction != CopyDirection::h2d || copy.calls == 0) continue;
    sum += copy.time_s.value_or(value_or_nothing([&] { return pageable_s(static_cast<double>(copy.bytes)); }));
  }
  if (p.allocations.given_back) sum += value_or_nothing([&] { return given_back_s(); });
  return sum;
}

// An eager host that does not bind was read once: it takes up to a quarter more or less from one reading to the next.
Estimate Step::read_host_s() const {
  if (!is_traced() || host_binds()) return Estimate::exactly(host_s_);
  return {host_s_, std::min((1 + kOfReading) * host_s_, device_s_), (1 - kOfReading) * host_s_};
}

Estimate Step::gain(const Saving& saving) const {
  const Estimate read_s = read_host_s();
  const auto after = [&](double Estimate::*end) {
    const double device = std::max(device_s_ - saving.device.*end, 0.0), host = read_s.*end - saving.host.*end;
    return std::max(device, host) + std::max(waits_s_ - saving.waits.*end, 0.0);
  };
  const double now = std::max(device_s_, host_s_) + waits_s_;
  return {now - after(&Estimate::value), now - after(&Estimate::low), now - after(&Estimate::high)};
}

Estimate Step::launches_s(double count) const {
  return micro_->time_at("sync/graph/enqueue/impl:launches/bytes:4096/kernels:*", count, Mode::host);
}

Estimate Step::graph_launch_s(double count) const {
  return micro_->time_at("sync/graph/enqueue/impl:graph/bytes:4096/kernels:*", count, Mode::host);
}

Estimate Step::gaps_s(double count) const {
  const auto complete = [&](const char* way) {
    return micro_->time_at("sync/graph/complete/impl:" + std::string(way) + "/bytes:16777216/kernels:*", count,
                           Mode::host);
  };
  return at_least_zero(complete("launches") - complete("graph"));
}

Estimate Step::wait_s(bool reads_back) const {
  const std::string with = reads_back ? "readback/every_step" : "every_step/call:stream",
                    without = reads_back ? "readback/at_end" : "at_end";
  const std::string pattern = "sync/" + with + (reads_back ? "/memory:pinned" : "") + "/kernels:*/bytes:*";
  Estimate wait = at_least_zero(
      nearest(micro_->differences(pattern, with, without, kStepsOfSync), place_of_time(profile_->step_s), pattern));
  // Nothing that runs hides a launch behind a wait.
  if (profile_->switches.launch == "graph") wait += graph_launch_s(static_cast<double>(profile_->launches));
  return wait;
}

Estimate Step::pageable_s(double bytes) const {
  return micro_->time_at("transfer/h2d/memory:pageable/bytes:*", bytes, Mode::host);
}

Estimate Step::pinned_s(double bytes) const { return micro_->time_at("transfer/h2d/memory:pinned/bytes:*", bytes); }

Estimate Step::allocations_s() const {
  const auto calls = static_cast<double>(profile_->allocations.calls);
  if (calls <= 0) return {};
  const double bytes = static_cast<double>(profile_->allocations.bytes) / calls;
  const auto alloc = [&](const char* way) {
    return micro_->time_at("memory/alloc/impl:" + std::string(way) + "/wait:none/bytes:*", bytes, Mode::host);
  };
  return at_least_zero(calls * (alloc("pool/threshold:unlimited") - alloc("preallocated")));
}

Estimate Step::given_back_s() const {
  const auto bytes = static_cast<double>(profile_->allocations.bytes);
  const Estimate all = micro_->time_at("memory/empty_cache/cache:emptied/bytes:*", bytes, Mode::host) -
                       micro_->time_at("memory/empty_cache/cache:kept/bytes:*", bytes, Mode::host);
  return {all.value, all.low / 2, all.high};
}

}  // namespace cupel::foretell
