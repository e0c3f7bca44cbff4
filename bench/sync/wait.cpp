// Waiting for the device: what the call is (device, stream, event) and how the thread waits (spin, yield, blocking).
//
// And for a thread in the device's place, so that what waking costs on the host stands beside it.
//
// How the thread waits is a flag of the context. cudaSetDeviceFlags may change it on a context that is in use ("the
// previous flags are overwritten", CUDA runtime API, Device Management), so one process can measure all three.
#include "bench/sync/wait.hpp"

#include <chrono>
#include <ctime>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/sync/answerer.hpp"
#include "bench/sync/topics.hpp"
#include "bench/sync/work.hpp"
#include "cupel/harness/sample_host.hpp"

namespace cupel::bench::sync {
namespace {

struct WaitMode {
  const char* name;
  unsigned device_flag;
  unsigned event_flag;
};

constexpr WaitMode kSpin = {"spin", cudaDeviceScheduleSpin, cudaEventDefault};
constexpr WaitMode kYield = {"yield", cudaDeviceScheduleYield, cudaEventDefault};
constexpr WaitMode kBlocking = {"blocking", cudaDeviceScheduleBlockingSync, cudaEventBlockingSync};

// Sets how this context waits, and puts it back.
class ScheduleMode {
 public:
  explicit ScheduleMode(const WaitMode& mode) {
    // Makes the context, so that there is one whose flags can be read back.
    cuda::check(cudaFree(nullptr));
    cuda::check(cudaGetDeviceFlags(&before_));
    const cudaError_t answer = cudaSetDeviceFlags(mode.device_flag);
    if (answer == cudaErrorSetOnActiveProcess) {
      static_cast<void>(cudaGetLastError());  // said below, by the flag
    } else {
      cuda::check(answer);
    }
    unsigned now = 0;
    cuda::check(cudaGetDeviceFlags(&now));
    if ((now & cudaDeviceScheduleMask) != mode.device_flag) {
      restore();
      harness::skip(std::string("the driver does not let a context in use change its wait mode to ") + mode.name);
    }
  }
  ~ScheduleMode() { restore(); }
  ScheduleMode(const ScheduleMode&) = delete;
  ScheduleMode& operator=(const ScheduleMode&) = delete;

 private:
  // Only the schedule bits are ours; the others are implicit and not taken by cudaSetDeviceFlags.
  void restore() noexcept { static_cast<void>(cudaSetDeviceFlags(before_ & cudaDeviceScheduleMask)); }

  unsigned before_ = 0;
};

// Processor time of this thread between start() and stop(): what the wait keeps from other threads.
class ThreadTime {
 public:
  void start() { start_s_ = now_s(); }
  void stop() { total_s_ += now_s() - start_s_; }

  // A call, as a counter.
  void count(std::uint64_t calls) const {
    if (calls == 0) return;
    harness::set_counter(
        "host_processor",
        {.value = total_s_ / static_cast<double>(calls), .unit = "s", .better = record::Better::lower});
  }

 private:
  static double now_s() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }
  double start_s_ = 0;
  double total_s_ = 0;
};

// A kernel of kernel_us microseconds is launched and waited for. The time holds launch, kernel and wait.
void wait(benchmark::State& state, WaitCall how, const WaitMode& mode) {
  const std::int64_t kernel_us = state.range(0);
  const ScheduleMode schedule(mode);
  const cuda::Stream stream;
  const Waiter waiter(how, stream, mode.event_flag);
  cuda::DeviceBuffer<std::uint32_t> counter(1);
  cuda::check(cudaMemsetAsync(counter.data(), 0, counter.size_bytes(), stream));
  stream.synchronize();
  std::uint32_t launched = 0;
  std::uint32_t timed = 0;
  ThreadTime processor;

  const auto call = [&] {
    kernels::sync::spin(kernel_us * 1000, counter.data(), stream);
    ++launched;
    waiter.wait();
  };
  const auto before = [&] {
    timed -= launched;
    processor.start();
  };
  const auto after = [&] {
    processor.stop();
    timed += launched;
  };
  harness::sample_host(state, {.items = 1}, call, {.before = before, .after = after, .calls = 1});

  harness::require(counter.to_host()[0] == launched, "a kernel that was waited for had not run");
  processor.count(timed);
}

// The same with a thread that is busy for kernel_us, or sleeps, in the device's place.
void wait_for_thread(benchmark::State& state, Answerer::Passes passes, Answerer::Learns learns) {
  const std::chrono::microseconds after(state.range(0));
  Answerer answerer(passes, learns);
  std::uint64_t asked = 0;
  std::uint64_t timed = 0;
  ThreadTime processor;

  const auto call = [&] {
    answerer.ask(after);
    ++asked;
    answerer.wait();
  };
  const auto before = [&] {
    timed -= asked;
    processor.start();
  };
  const auto after_sample = [&] {
    processor.stop();
    timed += asked;
  };
  harness::sample_host(state, {.items = 1}, call, {.before = before, .after = after_sample, .calls = 1});

  harness::require(answerer.answered() == asked, "the thread that was waited for had not answered");
  processor.count(timed);
}

// A wait with nothing to wait for: what a needless one costs.
void idle(benchmark::State& state, WaitCall how) {
  const cuda::Stream stream;
  const Waiter waiter(how, stream, cudaEventDefault);
  waiter.wait();

  harness::sample_host(state, {.items = 1}, [&] { waiter.wait_again(); });

  harness::require(cudaStreamQuery(stream) == cudaSuccess, "the stream was not empty");
}

}  // namespace

Waiter::Waiter(WaitCall call, cudaStream_t stream, unsigned event_flag)
    : call_(call), stream_(stream), event_(cudaEventDisableTiming | event_flag) {}

void Waiter::wait() const {
  if (call_ == WaitCall::event) cuda::check(cudaEventRecord(event_, stream_));
  wait_again();
}

void Waiter::wait_again() const {
  switch (call_) {
    case WaitCall::device:
      return cuda::check(cudaDeviceSynchronize());
    case WaitCall::stream:
      return cuda::check(cudaStreamSynchronize(stream_));
    case WaitCall::event:
      return cuda::check(cudaEventSynchronize(event_));
  }
}

void register_wait() {
  using harness::add;
  using record::Role;
  // 0 is the least that a launch and its wait can take; longer kernels show what the wait adds to them.
  const harness::Sweep kernel_us = {.quick = {0}, .standard = {20, 200}};

  const auto add_wait = [&](const char* name, WaitCall how, const WaitMode& mode) {
    const std::string_view variant = std::string_view(name).substr(std::string_view("sync/wait/").size());
    add(name, [how, &mode](benchmark::State& state) { wait(state, how, mode); })
        .sweep("kernel_us", kernel_us)
        .advice("avoid-sync", Role::variant, "wait", std::string(variant));
  };
  add_wait("sync/wait/device/mode:spin", WaitCall::device, kSpin);
  add_wait("sync/wait/device/mode:yield", WaitCall::device, kYield);
  add_wait("sync/wait/device/mode:blocking", WaitCall::device, kBlocking);
  add_wait("sync/wait/stream/mode:spin", WaitCall::stream, kSpin);
  add_wait("sync/wait/stream/mode:yield", WaitCall::stream, kYield);
  add_wait("sync/wait/stream/mode:blocking", WaitCall::stream, kBlocking);
  add_wait("sync/wait/event/mode:spin", WaitCall::event, kSpin);
  add_wait("sync/wait/event/mode:yield", WaitCall::event, kYield);
  add_wait("sync/wait/event/mode:blocking", WaitCall::event, kBlocking);

  using Passes = Answerer::Passes;
  using Learns = Answerer::Learns;
  const auto add_thread = [](const char* name, Passes passes, Learns learns, std::vector<std::int64_t> times_us) {
    add(name, [passes, learns](benchmark::State& state) { wait_for_thread(state, passes, learns); })
        .from(harness::Profile::standard)
        .sweep("kernel_us", {.quick = {}, .standard = std::move(times_us)});
  };
  add_thread("sync/wait/thread/mode:spin", Passes::awake, Learns::spinning, {0, 20, 200});
  add_thread("sync/wait/thread/mode:blocking", Passes::awake, Learns::woken, {0, 20, 200});
  add_thread("sync/wait/sleeping_thread/mode:spin", Passes::asleep, Learns::spinning, {20, 200});
  add_thread("sync/wait/sleeping_thread/mode:blocking", Passes::asleep, Learns::woken, {20, 200});

  const auto idle_with = [](WaitCall how) { return [how](benchmark::State& s) { idle(s, how); }; };
  add("sync/idle/call:device", idle_with(WaitCall::device))
      .from(harness::Profile::standard)
      .advice("avoid-sync", Role::variant, "idle", "call:device");
  add("sync/idle/call:stream", idle_with(WaitCall::stream))
      .from(harness::Profile::standard)
      .advice("avoid-sync", Role::variant, "idle", "call:stream");
  add("sync/idle/call:event", idle_with(WaitCall::event))
      .from(harness::Profile::standard)
      .advice("avoid-sync", Role::variant, "idle", "call:event");
}

}  // namespace cupel::bench::sync
