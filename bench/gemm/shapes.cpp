#include "bench/gemm/shapes.hpp"

#include <algorithm>
#include <stdexcept>

namespace cupel::bench::gemm {

Shape square(std::int64_t n) { return {.m = n, .n = n, .k = n}; }

Shape linear(std::int64_t out, std::int64_t in, std::int64_t tokens) { return {.m = out, .n = tokens, .k = in}; }

Shape linear_backward_data(std::int64_t out, std::int64_t in, std::int64_t tokens) {
  return {.m = in, .n = tokens, .k = out, .transpose_a = false};
}

Shape linear_backward_filter(std::int64_t out, std::int64_t in, std::int64_t tokens) {
  return {.m = in, .n = out, .k = tokens, .transpose_a = false, .transpose_b = true};
}

const std::vector<Layer>& transformer_layers() {
  static const std::vector<Layer> layers = {
      {"qkv", 3, 1},
      {"attention_out", 1, 1},
      {"mlp_up", 4, 1},
      {"mlp_down", 1, 4},
      {"lm_head", 0, 1, kPaddedVocabulary},
  };
  return layers;
}

const Layer& transformer_layer(const std::string& name) {
  const auto& layers = transformer_layers();
  const auto found = std::ranges::find_if(layers, [&](const Layer& layer) { return layer.name == name; });
  if (found == layers.end()) throw std::invalid_argument("no layer of a transformer is called " + name);
  return *found;
}

}  // namespace cupel::bench::gemm
