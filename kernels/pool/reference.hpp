// The references of the kernels of pool.hpp, in plain C++ and double. Arrays are host memory.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/pool/planes.hpp"

namespace cupel::kernels::pool::reference {

void max_pool(std::span<const double> in, std::span<double> out, std::span<std::uint8_t> place, const Windows& windows);
void max_pool_backward(std::span<const double> d_out, std::span<const std::uint8_t> place, std::span<double> d_in,
                       const Windows& windows);
void mean_pool(std::span<const double> in, std::span<double> out, const Planes& planes);
void mean_pool_backward(std::span<const double> d_out, std::span<double> d_in, const Planes& planes);

}  // namespace cupel::kernels::pool::reference
