#include "cupel/stats/distribution.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "cupel/stats/reference/test_reference.hpp"

namespace cupel::stats {
namespace {

using reference::expect_equal;

TEST(Normal, QuantilesEqualScipys) {
  for (const auto& c : reference::kNormal) expect_equal(normal_quantile(c.p), c.z);
}

TEST(Normal, CdfInvertsTheQuantile) {
  for (const auto& c : reference::kNormal) {
    // A relative error e of z moves the lower tail by z^2 e.
    expect_equal(normal_cdf(normal_quantile(c.p)), c.p);
  }
}

TEST(Student, ProbabilitiesEqualScipys) {
  for (const auto& c : reference::kStudent) {
    const double loss = c.freedom > 1000 ? 10 : 1;
    expect_equal(student_cdf(c.t, c.freedom), c.p, loss * c.p);
  }
}

TEST(Student, QuantilesEqualScipys) {
  for (const auto& c : reference::kStudentQuantiles) expect_equal(student_quantile(c.p, c.freedom), c.t, 1e-3);
}

TEST(Student, IsCauchyAtOneDegreeOfFreedom) { expect_equal(student_quantile(0.75, 1), 1); }

TEST(Student, RefusesWhatHasNoQuantile) {
  EXPECT_THROW(student_quantile(0, 9), std::invalid_argument);
  EXPECT_THROW(student_quantile(0.5, 0), std::invalid_argument);
  EXPECT_THROW(student_cdf(1, -1), std::invalid_argument);
  EXPECT_THROW(normal_quantile(1.5), std::invalid_argument);
}

}  // namespace
}  // namespace cupel::stats
