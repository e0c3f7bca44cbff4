#include "cupel/verify/generator.hpp"

namespace cupel::verify {

// Known answers, checked wherever this is compiled: files of results name seeds, so the values behind a seed must never
// change. The first two are the published sequence of SplitMix64 from state 0.
static_assert(mix(0x9e3779b97f4a7c15u) == 0xe220a8397b1dcdafu);
static_assert(mix(2 * 0x9e3779b97f4a7c15u) == 0x6e789e6aa1b965f4u);
static_assert(Generator(1).bits(0) != Generator(2).bits(0));
static_assert(Generator(1).small_integer(5, 3, 3) == 3);

}  // namespace cupel::verify
