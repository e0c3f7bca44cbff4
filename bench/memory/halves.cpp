#include "bench/memory/halves.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "bench/memory/two_kinds.hpp"
#include "bench/memory/walk.hpp"
#include "bench/memory/walker.hpp"
#include "cupel/harness/run.hpp"
#include "kernels/common/device.hpp"
#include "kernels/memory/homes.hpp"

namespace cupel::bench::memory {
namespace {

constexpr std::int32_t kLines = 32'768;
constexpr std::int32_t kFewLines = 1024;  // tell which side a multiprocessor is on
constexpr int kTimes = 3;                 // the least of them is without what else happens

// Cycles of an atomic on each of the first lines, from one multiprocessor; nothing where no block came to it.
std::vector<double> atomics(char* memory, std::int32_t lines, int multiprocessor) {
  cuda::DeviceBuffer<kernels::memory::OneBlock> state(1);
  cuda::DeviceBuffer<std::uint32_t> cycles(static_cast<std::size_t>(lines));
  const cuda::Stream stream;
  cuda::check(cudaMemsetAsync(state.data(), 0, state.size_bytes(), stream));
  kernels::memory::time_atomics(memory, lines, kLine, kTimes, multiprocessor, state.data(), cycles.data(), stream);
  if (state.to_host()[0].found != 1) return {};
  const std::vector<std::uint32_t> host = cycles.to_host();
  return {host.begin(), host.end()};
}

// The mean of the values whose numbers are in `lines`.
double mean_of(const std::vector<double>& values, const std::vector<std::int32_t>& lines) {
  double sum = 0, count = 0;
  for (const std::int32_t line : lines) {
    if (line >= static_cast<std::int32_t>(values.size())) break;
    sum += values[static_cast<std::size_t>(line)];
    ++count;
  }
  return sum / std::max(count, 1.0);
}

std::optional<int> find_other(const Halves& halves) {
  for (int sm = 0; sm < kernels::multiprocessors(); ++sm) {
    const std::vector<double> cycles = atomics(halves.memory->data(), kFewLines, sm);
    if (mean_of(cycles, halves.far) < mean_of(cycles, halves.near)) return sm;
  }
  return std::nullopt;
}

}  // namespace

Halves find_halves() {
  Halves halves;
  halves.memory = std::make_unique<cuda::DeviceBuffer<char>>(std::size_t{kLines} * kLine);
  cuda::check(cudaMemset(halves.memory->data(), 0, halves.memory->size_bytes()));
  cuda::check(cudaDeviceSynchronize());

  const std::vector<double> cycles = atomics(halves.memory->data(), kLines, lone_multiprocessor());
  const std::optional<double> border = border_of_two_kinds(cycles);
  if (!border) harness::skip("atomics take alike on all lines: the L2 is not in two halves, or they do not tell them");
  for (std::int32_t line = 0; line < kLines; ++line) {
    (cycles[static_cast<std::size_t>(line)] < *border ? halves.near : halves.far).push_back(line);
  }

  const std::optional<int> other = find_other(halves);
  if (!other) harness::skip("no multiprocessor is nearer to the lines that are far from this one");
  halves.other = *other;
  return halves;
}

}  // namespace cupel::bench::memory
