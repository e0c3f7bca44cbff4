#include "cupel/stats/random.hpp"

#include <cmath>
#include <numbers>

#include "cupel/verify/generator.hpp"

namespace cupel::stats {

Random::Random(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = verify::mix(seed += verify::kStep);
}

double Random::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

double Random::exponential() { return -std::log(1 - uniform()); }

}  // namespace cupel::stats
