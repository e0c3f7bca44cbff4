// The matrix products of a step on all cores of the host and on the device: ResNet-18's for images of 32 x 32, each
// convolution as the product that it is, forward and for both gradients. All else of a step is left out on both sides.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "bench/step/measure.hpp"
#include "bench/step/nets.hpp"
#include "bench/step/product.hpp"
#include "bench/step/product_check.hpp"
#include "bench/step/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/cpus.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/vendor/blas.hpp"
#include "cupel/verify/generator.hpp"

namespace cupel::bench::step {
namespace {

using benchmark::State;
using record::Role;

// Three of each layer: places x channels forward, and its two gradients.
std::vector<ProductSize> products_of(const Net& net, std::int64_t batch) {
  std::vector<ProductSize> sizes;
  for (const Layer& layer : net.layers) {
    if (layer.kind != Kind::convolution && layer.kind != Kind::linear) continue;
    const std::int64_t places = batch * layer.out.places(), out = layer.out.channels;
    const std::int64_t in = parameter_counts(net, layer).front() / out;
    for (const ProductSize& size :
         {ProductSize{places, out, in}, ProductSize{places, in, out}, ProductSize{out, in, places}})
      sizes.push_back(size);
  }
  return sizes;
}

// Operands as large as the largest product wants, of which each takes the first elements. The same for all rows.
struct Operands {
  std::vector<float> a, b;
};

Operands make_operands(std::int64_t batch, std::uint64_t seed) {
  std::size_t most_a = 0, most_b = 0;
  for (const auto& [m, n, k] : products_of(net_of("resnet18_32"), batch)) {
    most_a = std::max(most_a, static_cast<std::size_t>(m * k));
    most_b = std::max(most_b, static_cast<std::size_t>(n * k));
  }
  Operands all{std::vector<float>(most_a), std::vector<float>(most_b)};
  verify::fill_uniform<float>(all.a, seed, -1, 1);
  verify::fill_uniform<float>(all.b, seed + 1, -1, 1);
  return all;
}

// Where each product's result begins in memory that holds all of them, and where the last one ends.
std::vector<std::int64_t> places_of(const std::vector<ProductSize>& sizes) {
  std::vector<std::int64_t> places = {0};
  for (const auto& [m, n, k] : sizes) places.push_back(places.back() + m * n);
  return places;
}

// All products, side by side on the host's processors.
void require_all(const Operands& operands, const std::vector<float>& c, const std::vector<ProductSize>& sizes,
                 bool tf32) {
  const std::vector<std::int64_t> places = places_of(sizes);
  std::vector<std::string> wrong(sizes.size());
  std::atomic<std::size_t> next = 0;
  const auto check_products = [&] {
    for (std::size_t i = next++; i < sizes.size(); i = next++) {
      const auto first = static_cast<std::size_t>(places[i]), end = static_cast<std::size_t>(places[i + 1]);
      wrong[i] = wrong_in_product(operands.a, operands.b, std::span(c).subspan(first, end - first), sizes[i], tf32,
                                  harness::look_seed());
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < harness::usable_cpu_count(); ++t) threads.emplace_back(check_products);
  }
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    harness::require(wrong[i].empty(), "product " + std::to_string(i) + ": " + wrong[i]);
  }
}

record::Workload work_of(const std::vector<ProductSize>& sizes) {
  record::Workload work;
  for (const auto& [m, n, k] : sizes) work.flops += 2 * m * n * k;
  return work;
}

const Operands& operands_of(std::int64_t batch) {
  return harness::memoized<make_operands>(batch, harness::options().seed);
}

void on_host(State& state) {
  const std::vector<ProductSize> sizes = products_of(net_of("resnet18_32"), state.range(0));
  const Operands& operands = operands_of(state.range(0));
  const std::vector<std::int64_t> places = places_of(sizes);
  std::vector<float> c(static_cast<std::size_t>(places.back()), std::numeric_limits<float>::quiet_NaN());
  harness::set_note("OpenBLAS: " + vendor::host_blas());

  sample_calls(
      state, work_of(sizes),
      [&] {
        for (std::size_t i = 0; i < sizes.size(); ++i) {
          const auto& [m, n, k] = sizes[i];
          vendor::host_product(operands.a.data(), operands.b.data(), c.data() + places[i], m, n, k, true);
        }
      },
      [] {});

  require_all(operands, c, sizes, false);
}

void on_gpu(State& state, bool tf32) {
  const std::vector<ProductSize> sizes = products_of(net_of("resnet18_32"), state.range(0));
  const Operands& operands = operands_of(state.range(0));
  const cuda::DeviceBuffer<float> a{std::span<const float>(operands.a)}, b{std::span<const float>(operands.b)};
  const std::vector<std::int64_t> places = places_of(sizes);
  cuda::DeviceBuffer<float> c(static_cast<std::size_t>(places.back()));
  constexpr int kNaNByte = 0xff;
  cuda::check(cudaMemset(c.data(), kNaNByte, c.size_bytes()));
  const cuda::Stream stream;

  // Rows are columns to cuBLAS: c^T = b a^T.
  sample_calls(
      state, work_of(sizes),
      [&] {
        for (std::size_t i = 0; i < sizes.size(); ++i) {
          const auto& [m, n, k] = sizes[i];
          const Product product{.m = n, .n = m, .k = k, .transpose_a = true, .tf32 = tf32};
          multiply(product, b.data(), a.data(), c.data() + places[i], nullptr, stream);
        }
      },
      [&] { stream.synchronize(); });

  require_all(operands, c.to_host(), sizes, tf32);
}

// Not in the quick profile: a call on 16 processors takes 90 ms.
template <class Run>
harness::Definition& add(const std::string& name, const Run& run) {
  return harness::add(name, run).from(harness::Profile::standard).sweep("batch", {.quick = {16}, .full = {128}});
}

}  // namespace

void register_use_the_gpu() {
  add("step/use_the_gpu/on:host", on_host).advice("use-the-gpu", Role::before, "products_of_a_step");
  add("step/use_the_gpu/on:gpu/precision:fp32", [](State& state) {
    on_gpu(state, false);
  }).advice("use-the-gpu", Role::after, "products_of_a_step", "fp32");
  add("step/use_the_gpu/on:gpu/precision:tf32", [](State& state) {
    on_gpu(state, true);
  }).advice("use-the-gpu", Role::after, "products_of_a_step", "tf32");
}

}  // namespace cupel::bench::step
