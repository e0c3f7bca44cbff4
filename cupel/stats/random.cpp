#include "cupel/stats/random.hpp"

#include <bit>
#include <cmath>
#include <numbers>

#include "cupel/verify/generator.hpp"

namespace cupel::stats {

Random::Random(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = verify::mix(seed += verify::kStep);
}

Random::result_type Random::operator()() {
  auto& [a, b, c, d] = state_;
  const std::uint64_t result = std::rotl(a + d, 23) + a;
  const std::uint64_t shifted = b << 17;
  c ^= a;
  d ^= b;
  b ^= c;
  a ^= d;
  c ^= shifted;
  d = std::rotl(d, 45);
  return result;
}

double Random::uniform() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

std::size_t Random::below(std::size_t n) { return static_cast<std::size_t>((((*this)() >> 32) * n) >> 32); }

double Random::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

double Random::exponential() { return -std::log(1 - uniform()); }

}  // namespace cupel::stats
