// What the kernels of this family do, in plain C++. Arrays are host memory.
#pragma once

#include <span>

namespace cupel::kernels::FAMILY::reference {

/// out[i] = factor * in[i], in double. Sizes are equal; in may be out.
void scale(std::span<const float> in, std::span<float> out, float factor);

}  // namespace cupel::kernels::FAMILY::reference
