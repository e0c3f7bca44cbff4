// Recipes that a row times and cupel_step_profiled records, too. Host code only.
#pragma once

#include "bench/step/recipe.hpp"

namespace cupel::bench::step {

/// A ResNet-18 of small images in bf16, channels last: where a step is short, small habits show.
Recipe small_images();

/// The same with a bias in each convolution ahead of a norm, or without.
Recipe small_images_with_bias(bool conv_bias);

/// Twelve transformer blocks in bf16 by a fused AdamW, as people train a small GPT. Attention is one operation or
/// written out.
Recipe transformer_of_blocks(Launch launch, bool fused_attention = true);

}  // namespace cupel::bench::step
