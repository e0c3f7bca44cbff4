// The references of the kernels of scatter.hpp, in plain C++ and double. Arrays are host memory.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/scatter/bilinear.hpp"

namespace cupel::kernels::scatter::reference {

/// out[index[i]] += source[i], each a row of `columns`.
void add_rows(std::span<const double> source, std::span<const std::int64_t> index, std::int64_t columns,
              std::span<double> out);

void upsample(std::span<const double> in, std::span<double> out, const Upsampling& sizes);

/// d_in += d_out.
void upsample_backward(std::span<const double> d_out, std::span<double> d_in, const Upsampling& sizes);

}  // namespace cupel::kernels::scatter::reference
