// The products of a transformer: its linear layers, their two backward products, and the same layers for a few tokens
// at a time, as in generation, where reading the weights is all that takes time.
#include <benchmark/benchmark.h>

#include <string>
#include <utility>

#include "bench/gemm/operations.hpp"
#include "bench/gemm/product.hpp"
#include "cupel/harness/registry.hpp"

namespace cupel::bench::gemm {
namespace {

using benchmark::State;
using harness::add;
using harness::Definition;
using harness::Profile;
using harness::Sweep;
using record::Role;

using ShapeOf = Shape (*)(std::int64_t out, std::int64_t in, std::int64_t tokens);

// name: complete but for hidden size and tokens, which are swept in this order.
Definition& define(const std::string& name, Precision precision, const char* layer_name, ShapeOf shape_of) {
  const Layer& layer = transformer_layer(layer_name);
  const auto shape = [&layer, shape_of](std::int64_t hidden, std::int64_t tokens) {
    return shape_of(layer.out(hidden), layer.in(hidden), tokens);
  };
  return add(name, multiply(precision, [shape](const State& state) { return shape(state.range(0), state.range(1)); }))
      .memory([shape, precision](const auto& sizes) {
        return harness::Memory{.device_bytes = memory_bytes(precision, shape(sizes[0], sizes[1]))};
      });
}

Sweep hidden() { return {.quick = {4096}, .full = {8192}}; }
Sweep tokens() { return {.quick = {2048}, .full = {8192}}; }
Sweep few_tokens() { return {.quick = {1, 16}, .standard = {4, 64}, .full = {2, 8, 32}}; }

struct Advised {
  Precision precision;
  Role role;
  const char* variant;
};

constexpr Advised kFp32{Precision::fp32, Role::before, ""};
constexpr Advised kTf32{Precision::tf32, Role::after, "tf32"};
constexpr Advised kFp16{Precision::fp16, Role::after, "fp16"};
constexpr Advised kBf16{Precision::bf16, Role::after, "bf16"};
constexpr Advised kFp8{Precision::fp8_e4m3, Role::after, "fp8_e4m3"};

void register_forward(const std::string& name, const Advised& advised, const char* layer, Profile smallest) {
  define(name, advised.precision, layer, linear)
      .from(smallest)
      .sweep("hidden", hidden())
      .sweep("tokens", tokens())
      .advice("mixed-precision", advised.role, std::string("transformer/layer:") + layer, advised.variant);
}

void register_backward(const std::string& name, const Advised& advised, const char* pass, const char* layer,
                       ShapeOf shape_of, Profile smallest) {
  define(name, advised.precision, layer, shape_of)
      .from(smallest)
      .sweep("hidden", hidden())
      .sweep("tokens", tokens())
      .advice("mixed-precision", advised.role, std::string("backward/pass:") + pass + "/layer:" + layer,
              advised.variant);
}

void register_few(const std::string& name, const Advised& advised, const char* layer, Profile smallest) {
  define(name, advised.precision, layer, linear)
      .from(smallest)
      .sweep("hidden", hidden())
      .sweep("tokens", few_tokens())
      .advice("mixed-precision", advised.role, std::string("skinny/layer:") + layer, advised.variant);
}

}  // namespace

void register_layers() {
  register_forward("gemm/transformer/layer:mlp_up/precision:fp32", kFp32, "mlp_up", Profile::quick);
  register_forward("gemm/transformer/layer:mlp_up/precision:tf32", kTf32, "mlp_up", Profile::full);
  register_forward("gemm/transformer/layer:mlp_up/precision:fp16", kFp16, "mlp_up", Profile::full);
  register_forward("gemm/transformer/layer:mlp_up/precision:bf16", kBf16, "mlp_up", Profile::quick);
  register_forward("gemm/transformer/layer:mlp_up/precision:fp8_e4m3", kFp8, "mlp_up", Profile::standard);

  register_forward("gemm/transformer/layer:qkv/precision:fp32", kFp32, "qkv", Profile::standard);
  register_forward("gemm/transformer/layer:qkv/precision:bf16", kBf16, "qkv", Profile::standard);
  register_forward("gemm/transformer/layer:qkv/precision:fp8_e4m3", kFp8, "qkv", Profile::standard);
  register_forward("gemm/transformer/layer:attention_out/precision:fp32", kFp32, "attention_out", Profile::full);
  register_forward("gemm/transformer/layer:attention_out/precision:bf16", kBf16, "attention_out", Profile::full);
  register_forward("gemm/transformer/layer:attention_out/precision:fp8_e4m3", kFp8, "attention_out", Profile::full);
  register_forward("gemm/transformer/layer:mlp_down/precision:fp32", kFp32, "mlp_down", Profile::full);
  register_forward("gemm/transformer/layer:mlp_down/precision:bf16", kBf16, "mlp_down", Profile::full);
  register_forward("gemm/transformer/layer:mlp_down/precision:fp8_e4m3", kFp8, "mlp_down", Profile::full);
  register_forward("gemm/transformer/layer:lm_head/precision:fp32", kFp32, "lm_head", Profile::full);
  register_forward("gemm/transformer/layer:lm_head/precision:bf16", kBf16, "lm_head", Profile::full);
  register_forward("gemm/transformer/layer:lm_head/precision:fp8_e4m3", kFp8, "lm_head", Profile::full);

  register_backward("gemm/backward/pass:dgrad/layer:mlp_up/precision:fp32", kFp32, "dgrad", "mlp_up",
                    linear_backward_data, Profile::standard);
  register_backward("gemm/backward/pass:dgrad/layer:mlp_up/precision:tf32", kTf32, "dgrad", "mlp_up",
                    linear_backward_data, Profile::full);
  register_backward("gemm/backward/pass:dgrad/layer:mlp_up/precision:bf16", kBf16, "dgrad", "mlp_up",
                    linear_backward_data, Profile::standard);
  register_backward("gemm/backward/pass:wgrad/layer:mlp_up/precision:fp32", kFp32, "wgrad", "mlp_up",
                    linear_backward_filter, Profile::standard);
  register_backward("gemm/backward/pass:wgrad/layer:mlp_up/precision:tf32", kTf32, "wgrad", "mlp_up",
                    linear_backward_filter, Profile::full);
  register_backward("gemm/backward/pass:wgrad/layer:mlp_up/precision:bf16", kBf16, "wgrad", "mlp_up",
                    linear_backward_filter, Profile::standard);

  register_few("gemm/skinny/layer:mlp_up/precision:fp32", kFp32, "mlp_up", Profile::quick);
  register_few("gemm/skinny/layer:mlp_up/precision:bf16", kBf16, "mlp_up", Profile::quick);
  register_few("gemm/skinny/layer:mlp_up/precision:fp8_e4m3", kFp8, "mlp_up", Profile::full);
}

}  // namespace cupel::bench::gemm
