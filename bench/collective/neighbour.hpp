// The work that a collective runs beside: matrix products, and how much it slows them.
#pragma once

#include <functional>

#include "bench/collective/sampling.hpp"

namespace cupel::bench::collective {

/// A sample is of so many products on Rank::beside.
HeldSampling timing_products(int products);

/// How many calls last three times as long as what is timed beside them, by their times alone: either may slow the
/// other down. 1 to `most`.
int calls_that_cover(double timed_s, double call_s, int most);

/// Counter `product_slowdown`: the time of a product beside this work, which outlasts it, by its time alone. Nothing
/// where there is no cuBLAS. work: about a millisecond or more of it, a hundred operations at most, enqueued on
/// Rank::stream and done before. Throws as held_once().
void count_product_slowdown(const std::function<void()>& work);

}  // namespace cupel::bench::collective
