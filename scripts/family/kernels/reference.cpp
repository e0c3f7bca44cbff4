#include "kernels/FAMILY/reference.hpp"

#include <cstddef>

namespace cupel::kernels::FAMILY::reference {

void scale(std::span<const float> in, std::span<float> out, float factor) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = static_cast<float>(double{factor} * double{in[i]});
}

}  // namespace cupel::kernels::FAMILY::reference
