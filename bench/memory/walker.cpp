#include "bench/memory/walker.hpp"

#include <span>
#include <string>
#include <utility>

#include "bench/memory/walk.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/run.hpp"
#include "kernels/memory/homes.hpp"

namespace cupel::bench::memory {
namespace {

constexpr std::uint64_t kSeed = 1;

int find_lone_multiprocessor() {
  cuda::DeviceBuffer<int> number(1);
  const cuda::Stream stream;
  kernels::memory::find_multiprocessor(number.data(), stream);
  return number.to_host()[0];
}

}  // namespace

int lone_multiprocessor() { return harness::memoized<find_lone_multiprocessor>(); }

Walker::Walker(char* memory, std::int64_t nodes) : Walker(memory, {}, nodes) {}

Walker::Walker(char* memory, const std::vector<std::int32_t>& lines)
    : Walker(memory, lines, static_cast<std::int64_t>(lines.size())) {}

Walker::Walker(char* memory, std::vector<std::int32_t> lines, std::int64_t nodes)
    : memory_(memory), nodes_(nodes), lines_(std::move(lines)) {
  if (!lines_.empty()) device_lines_ = cuda::DeviceBuffer<std::int32_t>(std::span<const std::int32_t>(lines_));
  const cuda::Stream stream;
  cuda::check(cudaMemsetAsync(state_.data(), 0, state_.size_bytes(), stream));
  kernels::memory::make_chain(memory, device_lines_.data(), nodes, kLine, kSeed, position_.data(), stream);
  stream.synchronize();
}

void Walker::walk(std::int64_t steps, cudaStream_t stream) {
  kernels::memory::chase(position_.data(), steps, lone_multiprocessor(), state_.data(), stream);
  walked_ += steps;
  ++launches_;
}

void Walker::bring_home(int other, cudaStream_t stream) {
  kernels::memory::bring_home(memory_, device_lines_.data(), nodes_, kLine, other, state_.data(), stream);
  ++launches_;
}

void Walker::require_arrived() const {
  const std::uint32_t found = state_.to_host()[0].found;
  harness::require(found == launches_, "of " + std::to_string(launches_) + " launches " + std::to_string(found) +
                                           " found their multiprocessor");
  const std::int64_t node = kernels::memory::node_after({nodes_, kSeed}, nodes_, walked_);
  const std::int64_t should = lines_.empty() ? node : lines_[static_cast<std::size_t>(node)];
  const auto is = static_cast<std::int64_t>(position_.to_host()[0] - reinterpret_cast<std::uint64_t>(memory_)) / kLine;
  harness::require(is == should, "after " + std::to_string(walked_) + " steps the walk is at line " +
                                     std::to_string(is) + ", not " + std::to_string(should));
}

}  // namespace cupel::bench::memory
