#include "bench/collective/ranks.hpp"

#include <atomic>
#include <string>
#include <utility>

#include "bench/collective/clique.hpp"
#include "bench/collective/is_done.hpp"
#include "bench/collective/patience.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/vendor/library.hpp"

namespace cupel::bench::collective {
namespace {

int visible_devices() {
  int count = 0;
  cuda::check(cudaGetDeviceCount(&count));
  return count;
}

bool may_access(int from, int to) {
  int may = 0;
  cuda::check(cudaDeviceCanAccessPeer(&may, from, to));
  return may != 0;
}

void enable_access(int from, int to) {
  const OnDevice on(from);
  const cudaError_t enabled = cudaDeviceEnablePeerAccess(to, 0);
  if (enabled == cudaErrorPeerAccessAlreadyEnabled) {
    cudaGetLastError();  // somebody was there before: not for the next check
    return;
  }
  cuda::check(enabled);
}

}  // namespace

OnDevice::OnDevice(int device) : before_(cuda::current_device()) { cuda::check(cudaSetDevice(device)); }
OnDevice::~OnDevice() { cudaSetDevice(before_); }

// A kernel's first launch may wait for all that runs: the holds' come now.
Rank::Rank(int device_number) : device(device_number) {
  hold.load(stream);
  stream.synchronize();
  clock.warm_up(stream);
}

Ranks& Ranks::get() {
  // Never destroyed: the driver may be gone before statics are, or its context beyond use.
  static Ranks& ranks = *new Ranks;
  return ranks;
}

Ranks::Ranks() {
  const int count = visible_devices();
  if (count < 2) harness::skip("needs two GPUs or more; " + std::to_string(count) + " is visible");
  const int first = cuda::current_device();
  const auto add = [&](int device) {
    const OnDevice on(device);
    ranks_.push_back(std::make_unique<Rank>(device));
  };
  add(first);
  for (int device = 0; device < count; ++device) {
    if (device != first) add(device);
  }
}

std::vector<int> Ranks::devices() const {
  std::vector<int> devices;
  for (const auto& rank : ranks_) devices.push_back(rank->device);
  return devices;
}

void Ranks::each(const std::function<void(int rank)>& act) {
  for (int rank = 0; rank < size(); ++rank) {
    const OnDevice on((*this)[rank].device);
    act(rank);
  }
}

void Ranks::wait(double limit_s) {
  const auto look = [&]() -> Look {
    Look seen{true, error_of_cliques()};
    for (const auto& rank : ranks_) seen.done = seen.done && is_done(rank->stream) && is_done(rank->beside);
    return seen;
  };
  std::string late;
  const auto end_all = [&] {
    for (const auto& rank : ranks_) {
      if (!is_done(rank->stream) || !is_done(rank->beside)) late += " " + std::to_string(rank->device);
    }
    abort_cliques();
  };
  try {
    wait_or_abort(look, end_all, limit_s);
  } catch (const CollectiveFailed& failed) {
    throw harness::DeviceLost(failed.what() + (late.empty() ? "" : "; not done: GPU" + late));
  }
}

bool Ranks::settle() {
  std::atomic<bool> all = true;
  each([&](int rank) {
    if (!(*this)[rank].clock.settle((*this)[rank].stream)) all = false;
  });
  return all;
}

bool Ranks::peers(int a, int b) {
  const int one = (*this)[a].device, other = (*this)[b].device;
  return may_access(one, other) && may_access(other, one);
}

void Ranks::require_peers(int a, int b) {
  const int one = (*this)[a].device, other = (*this)[b].device;
  if (!peers(a, b)) {
    harness::skip("GPUs " + std::to_string(one) + " and " + std::to_string(other) +
                  " may not access each other's memory");
  }
  enable_access(one, other);
  enable_access(other, one);
}

void Ranks::require_peers() {
  for (int a = 0; a < size(); ++a) {
    for (int b = a + 1; b < size(); ++b) require_peers(a, b);
  }
}

harness::Definition& add_with_ranks(std::string name, harness::Body body) {
  const auto with_ranks = [body = std::move(body)](benchmark::State& state) {
    if (harness::options().allow_multicast) vendor::allow_multicast();
    Ranks::get();
    body(state);
    harness::set_counter("multicast", {vendor::multicast_allowed() ? 1.0 : 0.0, "1", record::Better::none, true});
  };
  // Inputs, warm-up and a check on all GPUs: seen on two H200.
  return harness::add(std::move(name), with_ranks).duration([](const std::vector<std::int64_t>&) {
    return harness::Duration{.call_s = 0, .round_s = 0.04};
  });
}

}  // namespace cupel::bench::collective
