// A step on the device against the same one in double on the host: loss and every gradient, by the norm.
//
// The bounds come from runs in double whose tensors were rounded as they are stored, filters and activations of tf32 to
// 11 bits. Gradients of the smooth nets (GELU) are then off by 3e-7 in fp32, 2e-3 in tf32, 2e-2 in fp16 (of a pool's
// equal numbers another is the largest) and 4e-2 in bf16 at most, those of tokens by 1e-7, 6e-4 and 6e-3. Where ReLUs
// are, some numbers near 0 change sides, and a gradient is off by 0.1 to 0.2 whatever the precision. Sums in fp32 are
// off by 1e-5 or so. A product that is left out, or a tensor that another one was written over, is off by 0.5 and more.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/step/device_machine.hpp"
#include "bench/step/host_machine.hpp"
#include "bench/step/nets.hpp"
#include "bench/step/values.hpp"
#include "cupel/verify/compare.hpp"

namespace cupel::bench::step {
namespace {

using Values = std::vector<double>;

struct Result {
  double loss = 0;
  std::vector<Values> gradients;
};

// 65536, from which a training starts, is too much for fp16 where gradients are as large as 1.
constexpr float kLossScale = 1024;

// Running statistics are others than 0 and 1, of which an error would not be seen.
std::vector<float> start_values(const Program& program, int id) {
  std::vector<float> values = first_values(program, id, 1);
  const Home home = program.tensor(id).home;
  if (home == Home::parameter) return values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] =
        home == Home::running_mean ? 0.02f * static_cast<float>(i) - 0.1f : 0.05f * static_cast<float>(i) + 0.5f;
  }
  return values;
}

Result on_host(const Net& net, const Options& options) {
  const Program program = make_program(net, options);
  const Plan plan = make_plan(program, lifetimes(program));
  HostMachine machine(program, plan);
  machine.loss_scale = static_cast<double>(kLossScale);
  for (const Home home : {Home::parameter, Home::running_mean, Home::running_variance}) {
    for (const int id : program.of(home)) machine.set(id, start_values(program, id));
  }
  const Batch batch = make_batch(program, 1);
  machine.set(program.of(Home::image).front(), batch.images);
  machine.set_labels(batch.labels);
  machine.run();
  Result result{machine.loss(), {}};
  for (const int id : program.of(Home::gradient)) result.gradients.push_back(machine.get(id));
  return result;
}

std::vector<float> floats_at(const char* data, std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  cuda::check(cudaMemcpy(values.data(), data, values.size() * sizeof(float), cudaMemcpyDeviceToHost));
  return values;
}

template <class T>
void to_device(void* data, std::span<const T> values) {
  cuda::check(cudaMemcpy(data, values.data(), values.size_bytes(), cudaMemcpyHostToDevice));
}
template <class T>
void to_device(void* data, const std::vector<T>& values) {
  to_device(data, std::span(values));
}

struct OnDevice {
  OnDevice(const Net& net, const Options& options, Pool pool = Pool::planned)
      : program(make_program(net, options)),
        state(make_plan(program, lifetimes(program))),
        machine(program, lifetimes(program), state, pool) {
    for (const Home home : {Home::parameter, Home::running_mean, Home::running_variance}) {
      for (const int id : program.of(home)) to_device(machine.data(id), start_values(program, id));
    }
    to_device(machine.loss_scale(), std::vector<kernels::training::LossScale>{{.scale = kLossScale}});
    const Batch batch = make_batch(program, 1);
    load(batch.images, batch.labels);
  }

  void load(std::span<const float> images, std::span<const std::int32_t> labels) {
    to_device(machine.data(program.of(Home::image).front()), images);
    to_device(machine.labels(), labels);
  }

  Result run() {
    const cuda::Stream stream;
    machine.run(stream);
    stream.synchronize();
    return result();
  }

  Result result() {
    Result all{static_cast<double>(floats_at(machine.data(program.of(Home::loss).front()), 1)[0]), {}};
    for (const int id : program.of(Home::gradient)) {
      const std::vector<float> values = floats_at(machine.data(id), program.tensor(id).count);
      all.gradients.emplace_back(values.begin(), values.end());
    }
    return all;
  }

  Program program;
  DeviceState state;
  DeviceMachine machine;
};

struct Bounds {
  double loss, gradient;
};

// Bounds are shares of the largest gradient's norm: a gradient that is nearly 0, as of a key's bias, has no digits of
// its own.
void expect_near(const Program& program, const Result& expected, const Result& seen, const Bounds& bounds) {
  EXPECT_NEAR(seen.loss, expected.loss, bounds.loss * expected.loss);
  const auto norm = [](const Values& values) {
    double squares = 0;
    for (const double x : values) squares += x * x;
    return std::sqrt(squares);
  };
  double largest = 0;
  for (const Values& gradient : expected.gradients) largest = std::max(largest, norm(gradient));
  const std::vector<int> ids = program.of(Home::gradient);
  for (std::size_t p = 0; p < ids.size(); ++p) {
    Values difference = expected.gradients[p];
    for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= seen.gradients[p][i];
    const double allowed = bounds.gradient * std::max(norm(expected.gradients[p]), 0.01 * largest);
    EXPECT_LE(norm(difference), allowed) << program.tensor(ids[p]).name << ", whose norm is "
                                         << norm(expected.gradients[p]);
  }
}

void expect_the_hosts(const Net& net, const Options& options, const Bounds& bounds) {
  SCOPED_TRACE(net.name + " " + to_string(options.precision) +
               (options.layout == Layout::channels_last ? " nhwc" : " nchw"));
  const Result expected = on_host(net, options);
  OnDevice device(net, options);
  expect_near(device.program, expected, device.run(), bounds);
}

Net with_gelu_for(Kind kind, Net net) {
  for (Layer& layer : net.layers) {
    if (layer.kind == kind) layer.kind = Kind::gelu;
  }
  return net;
}

Net smooth_images() { return with_gelu_for(Kind::relu, net_of("toy_images")); }

struct Case {
  Precision precision;
  double loss, smooth, kinked;
};
constexpr Case kCases[] = {{Precision::fp32, 1e-5, 1e-4, 1e-3},
                           {Precision::tf32, 5e-3, 2e-2, 0.3},
                           {Precision::amp_fp16, 5e-3, 5e-2, 0.3},
                           {Precision::amp_bf16, 1e-2, 1e-1, 0.3}};

TEST(DeviceMachine, ComputesTheGradientsOfTheHostInEveryPrecisionAndLayout) {
  for (const Layout layout : {Layout::channels_first, Layout::channels_last}) {
    for (const auto& [precision, loss, smooth, kinked] : kCases) {
      const Options options{.batch = 16, .precision = precision, .layout = layout};
      expect_the_hosts(smooth_images(), options, {loss, smooth});
      expect_the_hosts(net_of("toy_images"), options, {loss, kinked});
    }
  }
}

TEST(DeviceMachine, ComputesTheGradientsOfATransformerBlock) {
  for (const auto& [precision, loss, smooth, kinked] : kCases) {
    expect_the_hosts(net_of("toy_tokens"), {.batch = 4, .precision = precision, .layout = Layout::channels_last},
                     {loss, smooth});
  }
}

// With heads of a usual size; half formats only.
TEST(DeviceMachine, ComputesTheGradientsOfATransformerWhoseAttentionIsFused) {
  for (const auto& [precision, loss, smooth, kinked] : kCases) {
    if (product_type(precision) == DType::fp32) continue;
    expect_the_hosts(transformer("tokens", 128, 2, 64),
                     {.batch = 2, .precision = precision, .layout = Layout::channels_last, .fused_attention = true},
                     {loss, smooth});
  }
}

TEST(DeviceMachine, ComputesTheGradientsOfFrozenNorms) {
  expect_the_hosts(smooth_images(), {.batch = 16, .layout = Layout::channels_last, .frozen_norms = true}, {1e-5, 1e-4});
}

TEST(DeviceMachine, ComputesTheGradientsOfBiasesBeforeNorms) {
  Net net = smooth_images();
  for (Layer& layer : net.layers) layer.bias = layer.kind == Kind::convolution;
  expect_the_hosts(net, {.batch = 16, .layout = Layout::channels_last}, {1e-5, 1e-4});
}

// All kernels of these nets add in one order; cuDNN's first engines for them do, or this fails and says so.
TEST(DeviceMachine, ComputesTheSameWhereLessIsKeptAndWhereThePoolIsEmptied) {
  struct Kind {
    const char* net;
    Precision precision;
    Layout layout;
  };
  for (const auto& [name, precision, layout] : {Kind{"toy_images", Precision::amp_bf16, Layout::channels_last},
                                                Kind{"toy_images", Precision::tf32, Layout::channels_first},
                                                Kind{"toy_images", Precision::amp_fp16, Layout::channels_first},
                                                Kind{"toy_tokens", Precision::amp_bf16, Layout::channels_last},
                                                Kind{"toy_tokens", Precision::tf32, Layout::channels_last},
                                                Kind{"toy_tokens_x3", Precision::amp_bf16, Layout::channels_last}}) {
    SCOPED_TRACE(std::string(to_string(precision)) + " " +
                 (layout == Layout::channels_last ? "channels last" : "channels first"));
    Options options{.batch = 4, .precision = precision, .layout = layout};
    const Net net = net_of(name);
    OnDevice kept(net, options);
    const Result expected = kept.run();
    OnDevice emptied(net, options, Pool::emptied);
    EXPECT_EQ(emptied.run().gradients, expected.gradients) << name;
    for (const Keep keep : {Keep::sqrt, Keep::none}) {
      options.keep = keep;
      OnDevice again(net, options);

      const Result seen = again.run();

      EXPECT_EQ(seen.loss, expected.loss) << name << " " << to_string(keep);
      EXPECT_EQ(seen.gradients, expected.gradients) << name << " " << to_string(keep);
    }
  }
}

TEST(DeviceMachine, RunsAgainFromWhereItsMemoryIs) {
  OnDevice device(net_of("toy_images"), {.batch = 4, .layout = Layout::channels_last});
  const Result first = device.run();

  EXPECT_EQ(device.run().gradients, first.gradients);
}

TEST(DeviceMachine, AddsToGradientsAfterTheFirstPart) {
  OnDevice device(net_of("toy_tokens"), {.batch = 2, .layout = Layout::channels_last, .adds_gradients = true});
  const Result once = device.run();
  const cuda::Stream stream;
  device.machine.run(stream, false);
  stream.synchronize();

  const Result twice = device.result();
  for (std::size_t p = 0; p < once.gradients.size(); ++p) {
    Values expected = once.gradients[p];
    for (double& x : expected) x *= 2;
    EXPECT_EQ(twice.gradients[p], expected);
  }
}

Result in_parts(const Net& net, const Options& whole, std::int64_t parts) {
  Options part = whole;
  part.batch /= parts;
  part.parts = parts;
  part.adds_gradients = true;
  OnDevice device(net, part);
  const Batch batch = make_batch(make_program(net, whole), 1);
  const auto images = static_cast<std::size_t>(device.program.images());
  const auto labels = static_cast<std::size_t>(device.program.labels());
  const cuda::Stream stream;
  double loss = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(parts); ++i) {
    device.load(std::span(batch.images).subspan(i * images, images),
                std::span(batch.labels).subspan(i * labels, labels));
    device.machine.run(stream, i == 0);
    stream.synchronize();
    loss += device.result().loss / static_cast<double>(parts);
  }
  return {loss, device.result().gradients};
}

// In fp32, and with norms frozen, since their statistics would be those of the part. The sums are the same but for
// their order: a few hundred numbers, each rounded to 24 bits, are off by 1e-6 of the norm at most. A convolution may
// run by another engine where the batch is smaller, and has the bound that it has against the host.
TEST(DeviceMachine, PartsOfABatchAddUp) {
  const std::pair<Net, double> cases[] = {{net_of("toy_tokens"), 1e-5}, {smooth_images(), 1e-4}};
  for (const auto& [net, bound] : cases) {
    const Options whole{.batch = 8, .layout = Layout::channels_last, .frozen_norms = true};
    OnDevice device(net, whole);
    const Result expected = device.run();
    for (const std::int64_t parts : {2, 4, 8}) {
      SCOPED_TRACE(net.name + " in " + std::to_string(parts));
      expect_near(device.program, expected, in_parts(net, whole, parts), {1e-5, bound});
    }
  }
}

TEST(DeviceMachine, EvaluatesWithTheRunningStatistics) {
  for (const Layout layout : {Layout::channels_first, Layout::channels_last}) {
    const Options options{.batch = 8, .layout = layout, .trains = false};
    const Result expected = on_host(net_of("toy_images"), options);
    OnDevice device(net_of("toy_images"), options);

    EXPECT_NEAR(device.run().loss, expected.loss, 1e-4 * expected.loss);
  }
}

}  // namespace
}  // namespace cupel::bench::step
