#include "bench/fusion/elementwise_check.hpp"

#include "cupel/harness/run.hpp"

namespace cupel::bench::fusion {

void require_all(const Elementwise& right, kernels::DType type, const void* out, std::int64_t count,
                 const Tolerance& tolerance, const std::string& what) {
  const Wrong wrong = find_wrong(right, type, out, count, tolerance.absolute, tolerance.relative);
  harness::require(wrong.elements == 0, what + ": " + std::to_string(wrong.elements) + " of " + std::to_string(count) +
                                            " elements are wrong, the first is " + std::to_string(wrong.first));
}

}  // namespace cupel::bench::fusion
