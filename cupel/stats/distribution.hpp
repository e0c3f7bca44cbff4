// Normal and Student-t probabilities and quantiles.
#pragma once

namespace cupel::stats {

/// Returns P(Z <= z) of the standard normal distribution, to a few ulp also far down the lower tail.
double normal_cdf(double z);

/// Returns the z with P(Z <= z) = p, to 1e-14 relative. 0 and 1 give the infinities; outside [0, 1] throws
/// std::invalid_argument.
double normal_quantile(double p);

/// Returns P(T <= t) of Student's t, to 1e-12 relative up to 1000 degrees of freedom and 1e-11 at 100,000. freedom need
/// not be whole; throws std::invalid_argument unless it is above 0.
double student_cdf(double t, double freedom);

/// Returns the t with P(T <= t) = p. 0 < p < 1, freedom > 0, else std::invalid_argument.
double student_quantile(double p, double freedom);

}  // namespace cupel::stats
