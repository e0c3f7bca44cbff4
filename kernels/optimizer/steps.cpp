#include "kernels/optimizer/steps.hpp"

namespace cupel::kernels::optimizer {

AdamConstants::AdamConstants(const Adam& adam, std::int64_t step)
    : beta1(static_cast<float>(adam.beta1)),
      one_minus_beta1(static_cast<float>(1 - adam.beta1)),
      beta2(static_cast<float>(adam.beta2)),
      one_minus_beta2(static_cast<float>(1 - adam.beta2)),
      epsilon(static_cast<float>(adam.epsilon)),
      step_size(static_cast<float>(adam.learning_rate / (1 - std::pow(adam.beta1, static_cast<double>(step))))),
      inverse_root_correction(static_cast<float>(1 / std::sqrt(1 - std::pow(adam.beta2, static_cast<double>(step))))),
      gradient_decay(adam.decoupled ? 0.0f : static_cast<float>(adam.weight_decay)),
      keep(adam.decoupled ? static_cast<float>(1 - adam.learning_rate * adam.weight_decay) : 1.0f) {}

SgdConstants::SgdConstants(const Sgd& sgd)
    : learning_rate(static_cast<float>(sgd.learning_rate)),
      momentum(static_cast<float>(sgd.momentum)),
      gradient_decay(static_cast<float>(sgd.weight_decay)) {}

}  // namespace cupel::kernels::optimizer
