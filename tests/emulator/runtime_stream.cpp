// The emulated CUDA runtime: streams, launches, events, graphs.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "tests/emulator/block.hpp"
#include "tests/emulator/launch.hpp"
#include "tests/emulator/runtime.hpp"

namespace cupel::emulator {
namespace {

using Clock = std::chrono::steady_clock;

/// What an event was last recorded to be: reached, and when.
struct Mark {
  std::atomic<bool> reached = false;
  Clock::time_point time;
  Ticket ticket;                     ///< of the stream that it was recorded in
  std::shared_ptr<Capture> capture;  ///< instead, if that was captured
};

struct EventObject {
  unsigned flags = 0;
  std::shared_ptr<Mark> mark = {};  // none: never recorded
};

using Streams = Handles<cudaStream_t, std::shared_ptr<Stream>>;
using Events = Handles<cudaEvent_t, EventObject>;
using Graphs = Handles<cudaGraph_t, std::shared_ptr<Graph>>;
using Executables = Handles<cudaGraphExec_t, std::shared_ptr<Graph>>;

// Never destroyed: objects of the program's may go after main().
template <class Table>
Table& table() {
  static Table& table = *new Table;
  return table;
}

// The capture that the calling thread began, in a mode that keeps it from calls that may wait.
thread_local std::shared_ptr<Capture> t_capture;

bool launches_block() {
  static const bool block = [] {
    const char* text = std::getenv("CUDA_LAUNCH_BLOCKING");
    return text != nullptr && std::strcmp(text, "1") == 0;
  }();
  return block;
}

bool can_run(dim3 blocks, dim3 threads) {
  const auto count = [](dim3 d) { return std::uint64_t{d.x} * d.y * d.z; };
  return count(blocks) > 0 && count(threads) > 0 && count(threads) <= 1024 && blocks.x <= 0x7FFFFFFFu &&
         blocks.y <= 0xFFFFu && blocks.z <= 0xFFFFu && threads.z <= 64;
}

std::map<const void*, Unpack>& kernels() {
  static auto& kernels = *new std::map<const void*, Unpack>;
  return kernels;
}
std::mutex g_kernels_mutex;

}  // namespace

std::shared_ptr<Stream> stream_of(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) return Stream::legacy();
  std::shared_ptr<Stream>* found = table<Streams>().find(handle);
  if (found == nullptr) return nullptr;
  const std::shared_ptr<Stream>& stream = *found;
  if (stream->capture && stream->capture->ended) stream->capture = nullptr;  // by the stream where it began
  return stream;
}

cudaError_t refuse_in_capture() {
  if (!t_capture) return cudaSuccess;
  t_capture->invalid = true;
  return cudaErrorStreamCaptureUnsupported;
}

cudaError_t submit(cudaStream_t handle, Operation operation, Ticket* ticket) {
  if (device_lost()) return cudaErrorIllegalAddress;
  const std::shared_ptr<Stream> stream = stream_of(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (stream->capture) {
    if (stream->capture->invalid) return cudaErrorStreamCaptureInvalidated;
    stream->capture->graph->nodes.push_back(std::move(operation));
    return cudaSuccess;
  }
  if (stream == Stream::legacy()) {
    if (const cudaError_t code = refuse_in_capture(); code != cudaSuccess) return code;
  }
  const Ticket made = stream->enqueue(std::move(operation));
  if (ticket != nullptr) *ticket = made;
  return cudaSuccess;
}

void know_kernel(const void* kernel, Unpack unpack) {
  const std::lock_guard lock(g_kernels_mutex);
  kernels().insert_or_assign(kernel, unpack);
}

void launch_body(const char* kernel, const void* handle, dim3 blocks, dim3 threads, std::size_t shared_bytes,
                 cudaStream_t stream, std::function<void()> body) {
  if (!can_run(blocks, threads)) {
    answer(cudaErrorInvalidConfiguration);
    return;
  }
  if (shared_bytes > shared_bytes_allowed(handle)) {
    answer(cudaErrorInvalidValue);
    return;
  }
  Ticket ticket;
  const cudaError_t code = submit(
      stream,
      [grid = Grid{kernel, blocks, threads, shared_bytes, std::move(body)}] {
        if (!run_grid(grid)) lose_device();
      },
      &ticket);
  if (launches_block() && ticket.stream) ticket.wait();
  answer(code);
}

void require_whole_warp(unsigned mask) {
  const int lanes = lanes_of_this_warp();
  const unsigned all = lanes == 32 ? ~0u : (1u << lanes) - 1;
  if ((mask & all) == all) return;
  std::fprintf(stderr, "emulated device: %s exchanges values among some lanes of a warp, which is not emulated\n",
               running_kernel());
  std::abort();
}

}  // namespace cupel::emulator

using namespace cupel::emulator;

cudaError_t cudaLaunchKernel(const void* kernel, dim3 blocks, dim3 threads, void** arguments, std::size_t shared,
                             cudaStream_t stream) {
  Unpack unpack = nullptr;
  {
    const std::lock_guard lock(g_kernels_mutex);
    const auto found = kernels().find(kernel);
    if (found != kernels().end()) unpack = found->second;
  }
  if (unpack == nullptr) return answer(cudaErrorInvalidDeviceFunction);
  if (!can_run(blocks, threads)) return answer(cudaErrorInvalidConfiguration);
  launch_body("a kernel", kernel, blocks, threads, shared, stream, unpack(kernel, arguments));
  return answer(stream_of(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

// The device says that it has none.
cudaError_t cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, std::size_t, cudaStream_t) {
  return cudaErrorNotSupported;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return answer(submit(stream, [=] { function(data); }));
}

// Streams.

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* handle, unsigned flags, int) {
  if (device_lost()) return answer(cudaSuccess);
  const auto order = flags == cudaStreamNonBlocking ? Stream::Order::non_blocking : Stream::Order::blocking;
  *handle = table<Streams>().make(Stream::make(order));
  return answer(cudaSuccess);
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  return answer(table<Streams>().destroy(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  const std::shared_ptr<Stream> stream = stream_of(handle);
  if (!stream) return answer(cudaErrorInvalidResourceHandle);
  if (stream->capture) {
    stream->capture->invalid = true;
    return answer(cudaErrorStreamCaptureUnsupported);
  }
  // Of the legacy stream: all that it waits for, too.
  if (stream == Stream::legacy()) {
    Ticket ticket;
    if (const cudaError_t code = submit(
            handle, [] {}, &ticket);
        code != cudaSuccess)
      return answer(code);
    ticket.wait();
  } else {
    stream->last().wait();
  }
  trim_pools();
  return answer(cudaSuccess);
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  const std::shared_ptr<Stream> stream = stream_of(handle);
  if (!stream) return answer(cudaErrorInvalidResourceHandle);
  if (stream->capture) {
    stream->capture->invalid = true;
    return answer(cudaErrorStreamCaptureUnsupported);
  }
  return answer(stream->last().reached() ? cudaSuccess : cudaErrorNotReady);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle, unsigned) {
  const EventObject* event = table<Events>().find(event_handle);
  const std::shared_ptr<Stream> stream = stream_of(handle);
  if (event == nullptr || !stream) return answer(cudaErrorInvalidResourceHandle);
  const std::shared_ptr<Mark> mark = event->mark;
  if (!mark) return answer(cudaSuccess);
  if (mark->capture) {
    if (mark->capture->ended) return answer(cudaErrorCapturedEvent);
    stream->capture = mark->capture;  // the graph runs in the order of capture, so waiting adds nothing to it
    return answer(cudaSuccess);
  }
  if (stream->capture) {
    stream->capture->invalid = true;
    return answer(cudaErrorStreamCaptureIsolation);
  }
  return answer(submit(handle, [mark] { mark->ticket.wait(); }));
}

// Events.

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* handle, unsigned flags) {
  if (device_lost()) return answer(cudaSuccess);
  *handle = table<Events>().make(EventObject{flags});
  return answer(cudaSuccess);
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  return answer(table<Events>().destroy(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream_handle) {
  EventObject* event = table<Events>().find(handle);
  const std::shared_ptr<Stream> stream = stream_of(stream_handle);
  if (event == nullptr || !stream) return answer(cudaErrorInvalidResourceHandle);
  auto mark = std::make_shared<Mark>();
  if (stream->capture) {
    mark->capture = stream->capture;
    event->mark = mark;
    return answer(cudaSuccess);
  }
  const cudaError_t code = submit(
      stream_handle,
      [mark] {
        mark->time = Clock::now();
        mark->reached = true;
      },
      &mark->ticket);
  event->mark = mark;
  return answer(code);
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  const EventObject* event = table<Events>().find(handle);
  if (event == nullptr) return answer(cudaErrorInvalidResourceHandle);
  if (!event->mark) return answer(cudaSuccess);
  if (event->mark->capture) return answer(cudaErrorCapturedEvent);
  return answer(event->mark->ticket.reached() ? cudaSuccess : cudaErrorNotReady);
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  const EventObject* event = table<Events>().find(handle);
  if (event == nullptr) return answer(cudaErrorInvalidResourceHandle);
  if (!event->mark) return answer(cudaSuccess);
  if (event->mark->capture) return answer(cudaErrorCapturedEvent);
  event->mark->ticket.wait();
  trim_pools();
  return answer(cudaSuccess);
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to) {
  const EventObject* first = table<Events>().find(from);
  const EventObject* second = table<Events>().find(to);
  if (first == nullptr || second == nullptr) return answer(cudaErrorInvalidResourceHandle);
  for (const EventObject* event : {first, second}) {
    if ((event->flags & cudaEventDisableTiming) != 0 || !event->mark || event->mark->capture) {
      return answer(cudaErrorInvalidResourceHandle);
    }
    if (!event->mark->ticket.reached()) return answer(cudaErrorNotReady);
  }
  constexpr std::int64_t kStep_ns = 32;
  const auto ticks = [](const EventObject* event) { return event->mark->time.time_since_epoch().count() / kStep_ns; };
  *ms = static_cast<float>(static_cast<double>((ticks(second) - ticks(first)) * kStep_ns) * 1e-6);
  return answer(cudaSuccess);
}

// Graphs.

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  const std::shared_ptr<Stream> stream = stream_of(handle);
  if (!stream) return answer(cudaErrorInvalidResourceHandle);
  if (stream == Stream::legacy()) return answer(cudaErrorStreamCaptureUnsupported);
  if (stream->capture) return answer(cudaErrorIllegalState);
  stream->capture = std::make_shared<Capture>();
  if (mode != cudaStreamCaptureModeRelaxed) t_capture = stream->capture;
  return answer(cudaSuccess);
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  const std::shared_ptr<Stream> stream = stream_of(handle);
  if (!stream) return answer(cudaErrorInvalidResourceHandle);
  const std::shared_ptr<Capture> capture = std::exchange(stream->capture, nullptr);
  *graph = nullptr;
  if (!capture) return answer(cudaErrorIllegalState);
  capture->ended = true;
  if (t_capture == capture) t_capture = nullptr;
  if (capture->invalid) return answer(cudaErrorStreamCaptureInvalidated);
  *graph = table<Graphs>().make(capture->graph);
  return answer(cudaSuccess);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  std::shared_ptr<Graph>* found = table<Graphs>().find(graph);
  if (found == nullptr) return answer(cudaErrorInvalidResourceHandle);
  *executable = table<Executables>().make(std::make_shared<Graph>(**found));
  return answer(cudaSuccess);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  if (table<Executables>().find(executable) == nullptr) return answer(cudaErrorInvalidResourceHandle);
  return answer(submit(stream, [] {}));
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  std::shared_ptr<Graph>* found = table<Executables>().find(executable);
  if (found == nullptr) return answer(cudaErrorInvalidResourceHandle);
  return answer(submit(stream, [graph = *found] {
    for (const Operation& node : graph->nodes) {
      if (!device_lost()) node();
    }
  }));
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return answer(table<Graphs>().destroy(graph) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return answer(table<Executables>().destroy(executable) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
