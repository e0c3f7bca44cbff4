// A model's parameters, gradients and moments in device memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "kernels/optimizer/optimizer.hpp"
#include "kernels/training/models.hpp"

namespace cupel::bench::optimizer {

using kernels::training::Sizes;
using kernels::training::sizes_of;

class TrainingState {
 public:
  explicit TrainingState(const Sizes& sizes);  ///< all arrays in fp32

  const kernels::optimizer::TensorList& tensors() const { return tensors_; }

  /// Seeded random values, always the same. Blocks.
  void reset();

  /// Resets, calls `step` once on a stream and throws CheckFailed unless parameters and moments are what `reference`
  /// makes of the same values in double: first, middle and last elements of each tensor by the host, all elements by
  /// the device. `what` names it.
  void require_step(const std::function<void(cudaStream_t)>& step, const kernels::optimizer::Adam* adam,
                    const kernels::optimizer::Sgd* sgd, double inverse_scale, const std::string& what);

  static constexpr std::int64_t kStep = 10;  ///< of Adam, whose corrections depend on it

 private:
  struct Arena {
    explicit Arena(std::int64_t bytes) : buffer(static_cast<std::size_t>(bytes)) {}
    cuda::DeviceBuffer<unsigned char> buffer;
  };
  kernels::optimizer::TensorList list();
  void require_tensor(std::size_t tensor, const kernels::optimizer::Adam* adam, const kernels::optimizer::Sgd* sgd,
                      double inverse_scale, const std::string& what) const;

  void require_all_elements(const kernels::optimizer::Adam* adam, const kernels::optimizer::Sgd* sgd,
                            double inverse_scale, const std::string& what) const;

  Sizes sizes_;
  std::vector<std::int64_t> firsts_;  ///< where each tensor starts in its arena, in elements
  std::int64_t elements_ = 0;
  Arena parameter_, gradient_, m_, v_, scratch_;
  kernels::optimizer::TensorList tensors_;
};

/// Device memory that a model takes.
std::int64_t bytes_of(const Sizes& sizes);

}  // namespace cupel::bench::optimizer
