// Copies from pinned memory on the NUMA node that the device hangs on, and on another, from which the data crosses the
// link between the processors too.
#include <benchmark/benchmark.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "bench/transfer/check.hpp"
#include "bench/transfer/copy.hpp"
#include "bench/transfer/memory.hpp"
#include "bench/transfer/numa.hpp"
#include "bench/transfer/operations.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/limits.hpp"

namespace cupel::bench::transfer {
namespace {

using benchmark::State;
using cuda::check;
using harness::add;
using harness::Sweep;
using harness::operator""_KiB;
using harness::operator""_MiB;
using record::Role;

enum class Distance { near, far };

int node_of_device() {
  std::array<char, 32> pci_id{};
  check(cudaDeviceGetPCIBusId(pci_id.data(), static_cast<int>(pci_id.size()), cuda::current_device()));
  const auto node = node_of_pci_device(pci_id.data());
  if (!node) harness::skip("the system does not tell which NUMA node the device hangs on");
  return *node;
}

int node_at(Distance distance) {
  const auto nodes = memory_nodes();
  if (nodes.size() < 2) harness::skip("one NUMA node: nothing is near or far");
  const int near = node_of_device();
  if (distance == Distance::near) return near;
  return *std::ranges::find_if(nodes, [near](int node) { return node != near; });
}

Pages locked_pages(Side side, std::int64_t bytes, int node) {
  Pages pages(bytes, node);
  page_lock(pages.data(), bytes);
  if (side == Side::source) fill_with_source_pattern(pages.data(), bytes);
  return pages;
}

// As host_memory(), on a node, and never given back.
std::uint32_t* memory_on_node(Side side, std::int64_t bytes, int node) {
  return harness::memoized<locked_pages>(side, bytes, node).data();
}

void copy_to_device(State& state, Distance distance) {
  const std::int64_t bytes = state.range(0);
  const std::uint32_t* source = memory_on_node(Side::source, bytes, node_at(distance));
  std::uint32_t* destination = device_memory(Side::destination, bytes);
  poison_device(destination, bytes);
  timing::set_link_limit();

  sample_copy(state, {HostMemory::pinned, Direction::to_device}, {.bytes_moved = bytes},
              [=](cudaStream_t stream) { copy_async(destination, source, bytes, cudaMemcpyHostToDevice, stream); });

  require_on_device(destination, bytes, source_pattern(), "copy to the device");
}

void copy_from_device(State& state, Distance distance) {
  const std::int64_t bytes = state.range(0);
  std::uint32_t* destination = memory_on_node(Side::destination, bytes, node_at(distance));
  std::uint32_t* source = device_memory(Side::source, bytes);
  const auto pattern = fresh_pattern();
  fill_device(source, bytes, pattern);
  timing::set_link_limit();

  sample_copy(state, {HostMemory::pinned, Direction::from_device}, {.bytes_moved = bytes},
              [=](cudaStream_t stream) { copy_async(destination, source, bytes, cudaMemcpyDeviceToHost, stream); });

  require_on_host(destination, bytes, pattern, "copy from the device");
}

Sweep sizes() { return {.quick = {16_MiB}, .standard = {64_KiB, 256_MiB}}; }

}  // namespace

void register_numa_copies() {
  add("transfer/h2d/memory:pinned/node:near", [](State& state) { copy_to_device(state, Distance::near); })
      .sweep("bytes", sizes())
      .memory(per_byte(1, 1))
      .advice("bandwidth", Role::variant, "h2d", "pinned_near");
  add("transfer/h2d/memory:pinned/node:far", [](State& state) { copy_to_device(state, Distance::far); })
      .sweep("bytes", sizes())
      .memory(per_byte(1, 1))
      .advice("bandwidth", Role::variant, "h2d", "pinned_far");
  add("transfer/d2h/memory:pinned/node:near", [](State& state) { copy_from_device(state, Distance::near); })
      .sweep("bytes", sizes())
      .memory(per_byte(2, 1))
      .advice("bandwidth", Role::variant, "d2h", "pinned_near");
  add("transfer/d2h/memory:pinned/node:far", [](State& state) { copy_from_device(state, Distance::far); })
      .sweep("bytes", sizes())
      .memory(per_byte(2, 1))
      .advice("bandwidth", Role::variant, "d2h", "pinned_far");
}

}  // namespace cupel::bench::transfer
