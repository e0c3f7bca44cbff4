// The profile of a recipe's step: what the program says of its work, and what was seen on the device. Host code only.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "bench/step/recipe.hpp"
#include "bench/step/watch.hpp"
#include "cupel/record/step_profile.hpp"

namespace cupel::bench::step {

/// Something that the device did for a part of a step.
struct Seen {
  enum class What { kernel, fill, h2d, d2h, d2d };
  What what = What::kernel;
  Part part = Part::operation;
  std::size_t operation = 0;  ///< its place in the program
  double time_s = 0;
  std::int64_t bytes = 0;     ///< of copies and fills
  bool is_pageable = false;   ///< of copies: the host's side
  std::int64_t launches = 1;  ///< that these are
};

/// One operation: its kind, precision, layout, bytes and operations. Without times and calls.
record::StepKernels work_of(const Program& program, const Operation& operation);

/// Returns the part of a profile that is known without a device: switches, waits, allocations, parameters. recipe:
/// checked.
record::StepProfile unseen_profile(const Recipe& recipe);

/// The whole. seen: of `steps` steps, in any order. Times and launches are those of one step.
/// step_s and enqueue_s are left to the caller.
record::StepProfile profile_of(const Recipe& recipe, std::span<const Seen> seen, int steps);

/// Whether a step waits for nothing, so that the time to enqueue it can be seen.
bool never_waits(const Recipe& recipe);

}  // namespace cupel::bench::step
