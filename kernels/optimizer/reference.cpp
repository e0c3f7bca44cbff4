#include "kernels/optimizer/reference.hpp"

#include <cmath>
#include <cstddef>

namespace cupel::kernels::optimizer::reference {

void adam(const Adam& adam, std::int64_t step, const Tensor& tensor) {
  const double correction1 = 1 - std::pow(adam.beta1, static_cast<double>(step));
  const double correction2 = 1 - std::pow(adam.beta2, static_cast<double>(step));
  for (std::size_t i = 0; i < tensor.parameter.size(); ++i) {
    double& parameter = tensor.parameter[i];
    double gradient = tensor.gradient[i];
    if (adam.decoupled) {
      parameter -= adam.learning_rate * adam.weight_decay * parameter;
    } else {
      gradient += adam.weight_decay * parameter;
    }
    tensor.m[i] = adam.beta1 * tensor.m[i] + (1 - adam.beta1) * gradient;
    tensor.v[i] = adam.beta2 * tensor.v[i] + (1 - adam.beta2) * gradient * gradient;
    const double m_hat = tensor.m[i] / correction1, v_hat = tensor.v[i] / correction2;
    parameter -= adam.learning_rate * m_hat / (std::sqrt(v_hat) + adam.epsilon);
  }
}

void sgd(const Sgd& sgd, const Tensor& tensor) {
  for (std::size_t i = 0; i < tensor.parameter.size(); ++i) {
    const double gradient = tensor.gradient[i] + sgd.weight_decay * tensor.parameter[i];
    tensor.m[i] = sgd.momentum * tensor.m[i] + gradient;
    tensor.parameter[i] -= sgd.learning_rate * tensor.m[i];
  }
}

bool unscale(double factor, std::span<double> gradient) {
  bool found = false;
  for (double& g : gradient) {
    g *= factor;
    found = found || !std::isfinite(g);
  }
  return found;
}

}  // namespace cupel::kernels::optimizer::reference
