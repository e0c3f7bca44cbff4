#include "bench/optimizer/all_elements.hpp"

#include <cmath>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/uniform.hpp"

namespace cupel::bench::optimizer {
namespace {

constexpr int kBlock = 256;

// Adam's and SGD's formulas, as kernels/optimizer/reference.cpp has them.
struct Rule {
  bool is_adam = false;
  double learning_rate = 0, decay = 0;
  bool decoupled = false;
  double beta1 = 0;                                                 // SGD's momentum
  double beta2 = 0, epsilon = 0, correction1 = 1, correction2 = 1;  // of Adam
};

Rule rule_of(const CheckedStep& step) {
  Rule rule;
  if (step.adam == nullptr) {
    rule.learning_rate = step.sgd->learning_rate;
    rule.decay = step.sgd->weight_decay;
    rule.beta1 = step.sgd->momentum;
    return rule;
  }
  const kernels::optimizer::Adam& adam = *step.adam;
  rule.is_adam = true;
  rule.learning_rate = adam.learning_rate;
  rule.decay = adam.weight_decay;
  rule.decoupled = adam.decoupled;
  rule.beta1 = adam.beta1;
  rule.beta2 = adam.beta2;
  rule.epsilon = adam.epsilon;
  rule.correction1 = 1 - std::pow(adam.beta1, static_cast<double>(step.adam_step));
  rule.correction2 = 1 - std::pow(adam.beta2, static_cast<double>(step.adam_step));
  return rule;
}

struct Values {
  double parameter, m, v;
};

__device__ Values after(const Rule& rule, double parameter, double gradient, double m, double v) {
  if (rule.decoupled) {
    parameter -= rule.learning_rate * rule.decay * parameter;
  } else {
    gradient += rule.decay * parameter;
  }
  if (!rule.is_adam) {
    m = rule.beta1 * m + gradient;
    return {parameter - rule.learning_rate * m, m, v};
  }
  m = rule.beta1 * m + (1 - rule.beta1) * gradient;
  v = rule.beta2 * v + (1 - rule.beta2) * gradient * gradient;
  const double m_hat = m / rule.correction1, v_hat = v / rule.correction2;
  return {parameter - rule.learning_rate * m_hat / (sqrt(v_hat) + rule.epsilon), m, v};
}

__device__ double value_at(const Start& start, std::int64_t i) {
  return kernels::uniform(verify::Generator(start.seed), i, start.low, start.high - start.low);
}

// False for what is no number.
__device__ bool is_near(float seen, double expected, double allowed) { return fabs(seen - expected) <= allowed; }

__global__ void __launch_bounds__(kBlock)
    find_wrong_kernel(CheckedStep step, Rule rule, Stepped arrays, unsigned long long* found) {
  const std::int64_t place = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
  if (place >= arrays.count) return;
  const std::int64_t i = arrays.first + place;
  const Values expected = after(rule, value_at(step.parameter, i), value_at(step.gradient, i) * step.inverse_scale,
                                value_at(step.m, i), value_at(step.v, i));
  const bool is_right = is_near(arrays.parameter[i], expected.parameter, step.allowed) &&
                        is_near(arrays.m[i], expected.m, step.allowed) &&
                        (arrays.v == nullptr || is_near(arrays.v[i], expected.v, step.allowed));
  if (is_right) return;
  atomicAdd(found, 1ull);
  atomicMin(found + 1, static_cast<unsigned long long>(i));
}

}  // namespace

void find_wrong(const CheckedStep& step, const Stepped& arrays, unsigned long long* found, cudaStream_t stream) {
  if (arrays.count == 0) return;
  const auto blocks = static_cast<unsigned>((arrays.count + kBlock - 1) / kBlock);
  find_wrong_kernel<<<blocks, kBlock, 0, stream>>>(step, rule_of(step), arrays, found);
  cuda::check(cudaGetLastError());
}

}  // namespace cupel::bench::optimizer
