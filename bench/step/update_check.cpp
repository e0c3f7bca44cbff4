#include "bench/step/update_check.hpp"

#include <cmath>
#include <iomanip>
#include <sstream>

#include "kernels/optimizer/reference.hpp"

namespace cupel::bench::step {
namespace {

constexpr double kRoundings = 0x1p-21;

// One step of the rule, in double.
OptimizedElement updated(const OptimizedElement& before, const UpdateRule& rule) {
  double parameter = before.parameter, m = before.m, v = before.v;
  double gradient = before.gradient * rule.inverse_scale;
  const kernels::optimizer::reference::Tensor one{{&parameter, 1}, {&gradient, 1}, {&m, 1}, {&v, 1}};
  if (rule.adam != nullptr) {
    kernels::optimizer::reference::adam(*rule.adam, rule.adam_step, one);
  } else {
    kernels::optimizer::reference::sgd(*rule.sgd, one);
  }
  return {static_cast<float>(parameter), 0, static_cast<float>(m), static_cast<float>(v)};
}

// Empty where `is` is near enough, and not where it is no number. As many digits as tell two floats apart.
std::string difference(const char* what, float is, float wanted, double scale) {
  if (std::fabs(static_cast<double>(is) - static_cast<double>(wanted)) <= kRoundings * scale) return "";
  std::ostringstream text;
  text << std::setprecision(9) << what << " is " << is << ", not " << wanted;
  return text.str();
}

}  // namespace

std::string wrong_in_update(const OptimizedElement& before, const OptimizedElement& after, const UpdateRule& rule) {
  const OptimizedElement expected = updated(before, rule);
  const double gradient = std::fabs(before.gradient * rule.inverse_scale);
  const double m = std::fabs(static_cast<double>(before.m)) + gradient,
               p = std::fabs(static_cast<double>(before.parameter));
  const double into_moment = m + 1e-4 * p;
  const double moved = std::fabs(static_cast<double>(expected.parameter) - static_cast<double>(before.parameter));
  // Where moment and gradient cancel, the value takes over what their sum was rounded by.
  const double inherited = rule.adam != nullptr ? 0 : rule.sgd->learning_rate * into_moment;
  for (const std::string& wrong :
       {difference("the moment", after.m, expected.m, into_moment),
        difference("the second moment", after.v, expected.v, before.v + gradient * gradient),
        difference("the value", after.parameter, expected.parameter, p + moved + inherited)}) {
    if (!wrong.empty()) return wrong;
  }
  return "";
}

}  // namespace cupel::bench::step
