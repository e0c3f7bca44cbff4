// Numbers of channels that are no multiple of 8, which is what tensor cores of half formats are fed in, against the
// next that is: the three of an image, and counts as they are left by pruning and by design.
#include <benchmark/benchmark.h>

#include <string>

#include "bench/conv/layers.hpp"
#include "bench/conv/operations.hpp"
#include "bench/conv/sample_plan.hpp"
#include "bench/conv/search.hpp"
#include "cupel/harness/registry.hpp"

namespace cupel::bench::conv {
namespace {

using benchmark::State;
using harness::add;
using harness::Profile;
using record::Role;

constexpr std::int64_t kBatch = 64;

// A layer with other numbers of channels, in the precision and layout of a framework's default or of mixed precision.
struct Padded {
  const char* layer;
  std::int64_t in_channels, out_channels;
  const char* scenario;  // rows that do the same for a network
  Role role;
};

// The first convolution of networks for images, with an image's three channels padded to four and to eight; and inner
// ones of 60 and of 127 channels in and out.
constexpr Padded kPadded[] = {
    {"stem_7x7", 3, 64, "image_channels:3", Role::before}, {"stem_7x7", 4, 64, "image_channels:3", Role::after},
    {"stem_7x7", 8, 64, "image_channels:3", Role::after},  {"res2_3x3", 60, 60, "channels:60", Role::before},
    {"res2_3x3", 64, 64, "channels:60", Role::after},      {"res3_3x3", 127, 127, "channels:127", Role::before},
    {"res3_3x3", 128, 128, "channels:127", Role::after},
};

void define(const Padded& padded, Precision precision, Layout layout, Profile smallest) {
  Problem problem{shape_of(layer(padded.layer), kBatch), Pass::forward, precision, layout};
  problem.shape.in_channels = padded.in_channels;
  problem.shape.out_channels = padded.out_channels;
  const std::string in_format = std::string("precision:") + to_string(precision) + "/layout:" + to_string(layout);
  const std::string channels = std::to_string(padded.in_channels);
  const auto body = [problem](State& state) {
    const Data data(problem);
    const Plan& plan = first_plan(problem, Heuristic::mode_a);
    sample_plan(state, data, plan.graph, plan.candidate);
  };
  add("conv/channels/layer:" + std::string(padded.layer) + "/" + in_format + "/batch:" + std::to_string(kBatch) +
          "/channels:" + channels,
      body)
      .from(smallest)
      .memory([problem](const auto&) { return harness::Memory{.device_bytes = problem.memory_bytes()}; })
      .advice("multiples-of-8", padded.role, std::string("conv/") + padded.scenario + "/" + in_format,
              padded.role == Role::before ? "" : channels);
}

}  // namespace

void register_channels() {
  for (const Padded& padded : kPadded) {
    const bool of_images = padded.in_channels <= 8;
    define(padded, Precision::fp16, Layout::channels_last, of_images ? Profile::quick : Profile::standard);
    define(padded, Precision::tf32, Layout::channels_first, Profile::full);
  }
}

}  // namespace cupel::bench::conv
