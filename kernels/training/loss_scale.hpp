// The scale that keeps fp16 gradients from vanishing, and how it is found: for kernels and the host alike.
#pragma once

#include "cupel/verify/host_device.hpp"

namespace cupel::kernels::training {

/// Source: Micikevicius et al. (2018), "Mixed Precision Training", section 3.2; the numbers are those of PyTorch's
/// GradScaler.
struct LossScaleRule {
  float growth = 2;
  float backoff = 0.5f;
  int interval = 2000;  ///< steps without an infinity after which it grows
};

struct LossScale {
  float scale = 65536;
  float inverse = 1.0f / 65536;
  int good_steps = 0;  ///< since it changed last

  CUPEL_HOST_DEVICE void update(bool found_inf, const LossScaleRule& rule) {
    if (found_inf) {
      scale *= rule.backoff;
      good_steps = 0;
    } else if (++good_steps == rule.interval) {
      scale *= rule.growth;
      good_steps = 0;
    }
    inverse = 1 / scale;
  }
};

}  // namespace cupel::kernels::training
