// The references of the kernels of reduce.hpp, in plain C++ and double.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/reduce/functors.hpp"

namespace cupel::kernels::reduce {
namespace reference {

double reduce(Reduction reduction, std::span<const double> in);

}  // namespace reference

/// How far a reduction by the kernels may lie from the exact one. An element goes through at most count / 1024 + 64
/// additions: those of its thread, which has at most one pack of elements until 2048 threads have one each, and those
/// of the trees above. So a sum is off by at most accumulated_roundoff() of that many times the sum of magnitudes
/// (Higham (2002), equation 4.4; the rounding of a square is one more). Maximum and found-inf are exact.
double error_bound(Reduction reduction, std::span<const double> in);

}  // namespace cupel::kernels::reduce
