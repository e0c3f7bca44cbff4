#include "cupel/stats/distribution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace cupel::stats {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

double normal_density(double z) {
  return std::exp(-0.5 * z * z) * 0.5 * std::numbers::inv_sqrtpi * std::numbers::sqrt2;
}

// The term m (from 1) of the continued fraction of DLMF 8.17.22.
double beta_fraction_term(int index, double a, double b, double x) {
  const int half = index / 2;
  const double m = half;
  if (index % 2 == 0) return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
  return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
}

// 1 + d1 / (1 + d2 / (1 + ...)) from its front (modified Lentz: a zero denominator becomes tiny).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  const auto away_from_zero = [](double v) { return std::abs(v) < kTiny ? kTiny : v; };
  double value = 1;
  double numerator = 1;
  double denominator = 0;
  // Converges in O(sqrt(max(a, b))) terms where x < (a + 1) / (a + b + 2).
  for (int i = 1; i < 100000; ++i) {
    const double term = beta_fraction_term(i, a, b, x);
    denominator = 1 / away_from_zero(1 + term * denominator);
    numerator = away_from_zero(1 + term / numerator);
    const double step = numerator * denominator;
    value *= step;
    if (std::abs(step - 1) <= kEpsilon) break;
  }
  return value;
}

// Gamma(a + 1/2) / Gamma(a). The difference of two lgamma loses digits as a grows, so above 64 the asymptotic series of
// the ratio (DLMF 5.11.13) is summed; its first term left out is 7e-16 there.
double gamma_half_step(double a) {
  if (a < 64) return std::tgamma(a + 0.5) / std::tgamma(a);
  const double u = 1 / a;
  return std::sqrt(a) *
         (1 + u * (-1.0 / 8 + u * (1.0 / 128 + u * (5.0 / 1024 + u * (-21.0 / 32768 + u * (-399.0 / 262144))))));
}

// 1 / B(a, b). One of the arguments is 1/2 for Student's t.
double inverse_beta(double a, double b) {
  if (b == 0.5) return gamma_half_step(a) / std::sqrt(std::numbers::pi);
  if (a == 0.5) return gamma_half_step(b) / std::sqrt(std::numbers::pi);
  return std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b));
}

// x^a with y = 1 - x given: near 1 the rounding of x would be magnified by a.
double power_below_one(double x, double y, double a) { return x > 0.5 ? std::exp(a * std::log1p(-y)) : std::pow(x, a); }

// The regularised incomplete beta function I_x(a, b), with y = 1 - x given, so that neither loses digits near 1.
// Source: NIST DLMF 8.17.22 (continued fraction), evaluated by the modified Lentz algorithm.
double incomplete_beta(double a, double b, double x, double y) {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  const double front = power_below_one(x, y, a) * power_below_one(y, x, b) * inverse_beta(a, b);
  if (x < (a + 1) / (a + b + 2)) return front / (a * beta_fraction(a, b, x));
  return 1 - front / (b * beta_fraction(b, a, y));
}

// P(T > t) for t >= 0.
double student_upper(double t, double freedom) {
  const double square = t * t;
  return 0.5 * incomplete_beta(0.5 * freedom, 0.5, freedom / (freedom + square), square / (freedom + square));
}

double student_density(double t, double freedom) {
  const double constant = gamma_half_step(0.5 * freedom) / std::sqrt(freedom * std::numbers::pi);
  return constant * std::exp(-0.5 * (freedom + 1) * std::log1p(t * t / freedom));
}

// A t > 0 with P(T > t) above `upper`, and one with P below: doubling from 1.
double student_bracket(double upper, double freedom) {
  double t = 1;
  while (student_upper(t, freedom) > upper) t *= 2;
  return t;
}

}  // namespace

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

double normal_quantile(double p) {
  if (!(p >= 0 && p <= 1)) throw std::invalid_argument("stats: a probability lies in [0, 1]");
  if (p == 0 || p == 1)
    return p == 0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  if (p > 0.5) return -normal_quantile(1 - p);
  if (p == 0.5) return 0;
  // Start: Abramowitz and Stegun 26.2.22, off by at most 3e-3. Halley's step then cubes the error: two reach 1e-16.
  const double r = std::sqrt(-2 * std::log(p));
  double z = -(r - (2.30753 + 0.27061 * r) / (1 + r * (0.99229 + 0.04481 * r)));
  for (int i = 0; i < 3; ++i) {
    const double error = (normal_cdf(z) - p) / normal_density(z);
    z -= error / (1 + 0.5 * z * error);
  }
  return z;
}

double student_cdf(double t, double freedom) {
  if (!(freedom > 0)) throw std::invalid_argument("stats: Student's t wants degrees of freedom above 0");
  const double upper = student_upper(std::abs(t), freedom);
  return t > 0 ? 1 - upper : upper;
}

namespace {

double find_student_quantile(double p, double freedom) {
  if (p == 0.5) return 0;
  const double upper = std::min(p, 1 - p);
  double high = student_bracket(upper, freedom);
  double low = 0;
  double t = 0.5 * high;
  // Newton's step, or half the bracket where the step leaves it.
  for (int i = 0; i < 200; ++i) {
    const double excess = student_upper(t, freedom) - upper;
    (excess > 0 ? low : high) = t;
    double next = t + excess / student_density(t, freedom);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - t) <= kEpsilon * next) break;
    t = next;
  }
  return p < 0.5 ? -t : t;
}

}  // namespace

// A file asks for few of them, and for those a hundred thousand times.
double student_quantile(double p, double freedom) {
  if (!(p > 0 && p < 1) || !(freedom > 0)) {
    throw std::invalid_argument("stats: quantile of Student's t wants 0 < p < 1 and degrees of freedom above 0");
  }
  thread_local std::map<std::pair<double, double>, double> known;
  constexpr std::size_t kMostKnown = 1024;
  if (known.size() >= kMostKnown) known.clear();
  if (const auto found = known.find({p, freedom}); found != known.end()) return found->second;
  return known[{p, freedom}] = find_student_quantile(p, freedom);
}

}  // namespace cupel::stats
