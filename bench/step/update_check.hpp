// An optimizer's update of one element, held against its rule in double.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/optimizer/steps.hpp"

namespace cupel::bench::step {

/// The numbers that the optimizer has for an element of a parameter; v is AdamW's.
struct OptimizedElement {
  float parameter = 0, gradient = 0, m = 0, v = 0;
};

/// One step: of Adam where `adam` is not null, else of SGD.
struct UpdateRule {
  const kernels::optimizer::Adam* adam = nullptr;
  std::int64_t adam_step = 1;
  const kernels::optimizer::Sgd* sgd = nullptr;
  double inverse_scale = 1;  ///< of gradients
};

/// The first number that is not what the rule makes of `before`, with what it should be; empty where all are. A few
/// roundings of what goes in are allowed. A decay of 1e-4 that is left out is 1e-4 of the parameter in the moment, two
/// hundred times what is allowed of it.
std::string wrong_in_update(const OptimizedElement& before, const OptimizedElement& after, const UpdateRule& rule);

}  // namespace cupel::bench::step
