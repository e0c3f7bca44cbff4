#include "bench/step/recipes.hpp"

namespace cupel::bench::step {

Recipe small_images() {
  Recipe recipe{.net = "resnet18_32", .loading = Loading::resident};
  recipe.options.batch = 128;
  recipe.options.precision = Precision::amp_bf16;
  recipe.options.layout = Layout::channels_last;
  return recipe;
}

Recipe small_images_with_bias(bool conv_bias) {
  Recipe recipe = small_images();
  recipe.conv_bias = conv_bias;
  return recipe;
}

Recipe transformer_of_blocks(Launch launch, bool fused_attention) {
  Recipe recipe{.net = "transformer_1024x12",
                .rule = Rule::adamw,
                .update = Update::fused,
                .launch = launch,
                .loading = Loading::resident};
  recipe.options.precision = Precision::amp_bf16;
  recipe.options.layout = Layout::channels_last;
  recipe.options.fused_attention = fused_attention;
  return recipe;
}

}  // namespace cupel::bench::step
