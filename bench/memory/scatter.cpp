// Sums whose terms are scattered, by atomics, whose order is chance, or in an order that is the same in every run: rows
// added by index, one number each (scatter_add) or 256 (index_add, the gradient of an embedding), and the gradient of
// bilinear upsampling. The sums begin at zero, which is a part of each call but for gathering, which needs none.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bench/memory/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/limits.hpp"
#include "cupel/timing/sample_device.hpp"
#include "cupel/verify/generator.hpp"
#include "kernels/scatter/scatter.hpp"

namespace cupel::bench::memory {
namespace {

using benchmark::State;
using harness::operator""_KiB;
using harness::operator""_MiB;
using kernels::scatter::Rows;
using kernels::scatter::Upsampling;
using record::Role;

constexpr std::int64_t kFloat = sizeof(float), kIndex = sizeof(std::int64_t);
constexpr int kSortLaunches = 32;  // or fewer

// Terms are small whole numbers: every order gives the same sum to the bit.
std::vector<float> terms(std::int64_t count, std::uint64_t seed) {
  std::vector<float> all(static_cast<std::size_t>(count));
  verify::fill_small_integers<float>(all, seed, -8, 8);
  return all;
}

// Each row comes by `terms_of_each` times on average, by chance.
struct Operation {
  std::int64_t columns, terms_of_each;
};
constexpr Operation kScatterAdd{1, 16}, kIndexAdd{256, 4};

Rows rows_of(const Operation& operation, std::int64_t source_bytes) {
  const std::int64_t count = source_bytes / kFloat / operation.columns;
  return {count, operation.columns, count / operation.terms_of_each};
}

std::vector<std::int64_t> indices(const Rows& sizes, std::uint64_t seed) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(sizes.count));
  verify::fill_small_integers<std::int64_t>(all, seed, 0, static_cast<int>(sizes.rows - 1));
  return all;
}

std::vector<float> sums(const Rows& sizes, const std::vector<float>& source, const std::vector<std::int64_t>& index) {
  std::vector<float> all(static_cast<std::size_t>(sizes.rows * sizes.columns));
  for (std::int64_t i = 0; i < sizes.count; ++i) {
    const float* from = source.data() + i * sizes.columns;
    float* to = all.data() + index[static_cast<std::size_t>(i)] * sizes.columns;
    for (std::int64_t c = 0; c < sizes.columns; ++c) to[c] += from[c];
  }
  return all;
}

// The inputs and sums of rows, which take the host longer than the device is measured: made once a process and size,
// for both ways.
struct RowSums {
  Rows sizes;
  std::vector<float> source;
  std::vector<std::int64_t> index;
  std::vector<float> sums;
};

RowSums row_sums(std::int64_t columns, std::int64_t terms_of_each, std::int64_t source_bytes, std::uint64_t seed) {
  RowSums all;
  all.sizes = rows_of({columns, terms_of_each}, source_bytes);
  all.source = terms(all.sizes.count * columns, seed);
  all.index = indices(all.sizes, seed + 1);
  all.sums = sums(all.sizes, all.source, all.index);
  return all;
}

void require_equal(const cuda::DeviceBuffer<float>& seen, const std::vector<float>& expected) {
  const std::vector<float> host = seen.to_host();
  const auto [wrong, right] = std::ranges::mismatch(host, expected);
  if (wrong == host.end()) return;
  harness::require(false, "sum " + std::to_string(wrong - host.begin()) + " is " + std::to_string(*wrong) + ", not " +
                              std::to_string(*right));
}

void clear(cuda::DeviceBuffer<float>& sums, cudaStream_t stream) {
  cuda::check(cudaMemsetAsync(sums.data(), 0, sums.size_bytes(), stream));
}

enum class By { atomics, sorting };

harness::Body add_rows(const Operation& operation, By by) {
  return [=](State& state) {
    const RowSums& host = harness::memoized<row_sums>(operation.columns, operation.terms_of_each, state.range(0),
                                                      harness::options().seed);
    const Rows& sizes = host.sizes;
    const cuda::DeviceBuffer<float> source{std::span<const float>(host.source)};
    const cuda::DeviceBuffer<std::int64_t> index{std::span<const std::int64_t>(host.index)};
    cuda::DeviceBuffer<float> out(static_cast<std::size_t>(sizes.rows * sizes.columns));
    kernels::scatter::SortWorkspace workspace(by == By::sorting ? sizes.count : 0);
    const record::Workload work{.bytes_read = state.range(0) + sizes.count * kIndex,
                                .bytes_written = sizes.rows * sizes.columns * kFloat,
                                .items = sizes.count * sizes.columns};

    timing::set_memory_limit(work);
    timing::sample_device(
        state, work,
        [&](cudaStream_t stream) {
          clear(out, stream);
          if (by == By::atomics) {
            kernels::scatter::add_rows_by_atomics(sizes, source.data(), index.data(), out.data(), stream);
          } else {
            kernels::scatter::add_rows_by_sorting(sizes, source.data(), index.data(), workspace, out.data(), stream);
          }
        },
        {.launches = by == By::atomics ? 2 : kSortLaunches});

    require_equal(out, host.sums);
  };
}

Upsampling upsampling_of(std::int64_t result_bytes) {
  constexpr std::int64_t kSide = 32;
  return {.planes = result_bytes / kFloat / (4 * kSide * kSide), .height = kSide, .width = kSide};
}

std::vector<float> gradient(const Upsampling& sizes, const std::vector<float>& d_out) {
  std::vector<float> all(static_cast<std::size_t>(sizes.in_count()));
  const std::int64_t height = 2 * sizes.height, width = 2 * sizes.width;
  for (std::int64_t i = 0; i < sizes.out_count(); ++i) {
    const std::int64_t line = i / width, plane = line / height;
    const auto y = kernels::scatter::taps(line % height, sizes.height);
    const auto x = kernels::scatter::taps(i % width, sizes.width);
    const auto add = [&](std::int64_t row, std::int64_t column, float share) {
      all[static_cast<std::size_t>((plane * sizes.height + row) * sizes.width + column)] +=
          share * d_out[static_cast<std::size_t>(i)];
    };
    add(y.first, x.first, (1 - y.weight) * (1 - x.weight));
    add(y.first, x.second, (1 - y.weight) * x.weight);
    add(y.second, x.first, y.weight * (1 - x.weight));
    add(y.second, x.second, y.weight * x.weight);
  }
  return all;
}

struct Gradients {
  std::vector<float> d_out, d_in;
};

Gradients gradients(std::int64_t result_bytes, std::uint64_t seed) {
  const Upsampling sizes = upsampling_of(result_bytes);
  Gradients all{.d_out = terms(sizes.out_count(), seed), .d_in = {}};
  all.d_in = gradient(sizes, all.d_out);
  return all;
}

harness::Body upsample_backward(bool gathers) {
  return [=](State& state) {
    const Upsampling sizes = upsampling_of(state.range(0));
    const Gradients& host = harness::memoized<gradients>(state.range(0), harness::options().seed);
    const cuda::DeviceBuffer<float> d_out{std::span<const float>(host.d_out)};
    cuda::DeviceBuffer<float> d_in(static_cast<std::size_t>(sizes.in_count()));
    const record::Workload work{
        .bytes_read = state.range(0), .bytes_written = sizes.in_count() * kFloat, .items = sizes.out_count()};

    timing::set_memory_limit(work);
    timing::sample_device(state, work, [&](cudaStream_t stream) {
      if (gathers) return kernels::scatter::upsample_backward_by_gathering(sizes, d_out.data(), d_in.data(), stream);
      clear(d_in, stream);
      kernels::scatter::upsample_backward_by_atomics(sizes, d_out.data(), d_in.data(), stream);
    });

    require_equal(d_in, host.d_in);
  };
}

harness::Definition& add(const std::string& name, harness::Body body) {
  return harness::add("memory/scatter/" + name, std::move(body))
      .from(harness::Profile::standard)
      .sweep("bytes", {.quick = {1_MiB, 64_MiB}, .full = {64_KiB, 8_MiB}})
      .memory([](const std::vector<std::int64_t>& args) {
        return harness::Memory{.device_bytes = 12 * args[0], .host_bytes = 5 * args[0]};
      })
      .duration([](const std::vector<std::int64_t>& args) {
        return harness::Duration{.call_s = 0, .round_s = 3e-9 * static_cast<double>(args[0])};
      });
}

}  // namespace

// Upsampling that is to give the same bits in every run goes another way in a framework: a sum by index for each of
// four neighbours. Gathering is what a kernel can do that is made for it, so it stands beside and decides nothing.
void register_scatter() {
  for (const auto& [name, operation] : {std::pair{"op:scatter_add", kScatterAdd}, {"op:index_add", kIndexAdd}}) {
    const std::string where = name;
    add(where + "/by:atomics", add_rows(operation, By::atomics)).advice("deterministic", Role::before, where);
    add(where + "/by:sorting", add_rows(operation, By::sorting)).advice("deterministic", Role::after, where);
  }
  add("op:upsample/by:atomics", upsample_backward(false)).advice("deterministic", Role::before, "op:upsample");
  add("op:upsample/by:gathering", upsample_backward(true))
      .advice("deterministic", Role::variant, "op:upsample", "by_gathering");
}

}  // namespace cupel::bench::memory
