#include "bench/collective/process_rank.hpp"

#include <chrono>
#include <cstring>
#include <string>

#include "bench/collective/is_done.hpp"
#include "bench/collective/patience.hpp"
#include "bench/collective/rank_protocol.hpp"

namespace cupel::bench::collective {
namespace {

using Clock = std::chrono::steady_clock;
using kernels::collective::Findings;
using kernels::collective::Kind;
using kernels::collective::Values;

vendor::Communicator joined(Meeting& meeting) {
  static_assert(kIdBytes == sizeof(ncclUniqueId));
  ncclUniqueId id{};
  if (meeting.rank() == 0) vendor::check(vendor::nccl::unique_id(&id));
  meeting.share(std::span<std::byte, kIdBytes>(reinterpret_cast<std::byte*>(&id), kIdBytes), kMeeting_s);
  return vendor::join(id, meeting.ranks(), meeting.rank());
}

}  // namespace

ProcessRank::ProcessRank(Meeting& meeting, std::uint64_t seed)
    : meeting_(meeting), seed_(seed), comm_(joined(meeting)) {}

std::vector<double> ProcessRank::measure(std::int64_t bytes, int samples, Launch launch) {
  const auto count = static_cast<std::size_t>(bytes / 4);
  send_ = cuda::DeviceBuffer<float>(count);
  receive_ = cuda::DeviceBuffer<float>(count);
  const Values values{seed_, Kind::whole};
  kernels::collective::fill_values(send_.data(), bytes / 4, values, meeting_.rank(), 0, stream_);
  enqueue(1);  // connects
  wait();
  require_right(bytes, values);
  cuda::check(cudaMemsetAsync(receive_.data(), 0xff, receive_.size_bytes(), stream_));
  const int calls = calls_of(bytes);
  const cuda::GraphExec graph = launch == Launch::graph ? captured(calls) : nullptr;
  std::vector<double> samples_s;
  for (int sample = 0; sample < samples; ++sample) {
    meeting_.meet(kMeeting_s);
    const Clock::time_point start = Clock::now();
    if (graph) {
      cuda::check(cudaGraphLaunch(graph.get(), stream_));
    } else {
      enqueue(calls);
    }
    wait();
    samples_s.push_back(std::chrono::duration<double>(Clock::now() - start).count() / calls);
  }
  require_right(bytes, values);
  return samples_s;
}

void ProcessRank::enqueue(int calls) {
  const void* send = send_.data();
  void* receive = receive_.data();
  for (int i = 0; i < calls; ++i) {
    vendor::check(
        vendor::nccl::all_reduce(send, receive, send_.size(), ncclFloat, ncclSum, comm_.get(), stream_.get()));
  }
}

// Launched once: the first launch uploads it.
cuda::GraphExec ProcessRank::captured(int calls) {
  cuda::check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
  try {
    enqueue(calls);
  } catch (...) {
    cudaGraph_t dropped = nullptr;
    if (cudaStreamEndCapture(stream_, &dropped) == cudaSuccess) cudaGraphDestroy(dropped);
    throw;
  }
  cuda::GraphExec graph = cuda::instantiate(cuda::end_capture(stream_));
  cuda::check(cudaGraphLaunch(graph.get(), stream_));
  wait();
  return graph;
}

void ProcessRank::wait() {
  const auto look = [&]() -> Look { return {is_done(stream_), comm_.async_error()}; };
  wait_or_abort(
      look, [&] { comm_.abort(); }, kMeeting_s);
}

void ProcessRank::require_right(std::int64_t bytes, const Values& values) {
  const Findings none;
  cuda::check(cudaMemcpy(findings_.data(), &none, sizeof none, cudaMemcpyHostToDevice));
  kernels::collective::check_sum(receive_.data(), bytes / 4, values, meeting_.ranks(), 0, findings_.data(), stream_);
  const Findings found = findings_.to_host().front();
  if (found.wrong == 0) return;
  throw CollectiveFailed("all_reduce of " + std::to_string(bytes) + " bytes: " + std::to_string(found.wrong) +
                         " elements are wrong");
}

}  // namespace cupel::bench::collective
