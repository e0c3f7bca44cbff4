// cuDNN's interface of before the graphs: an enumeration of seven or so algorithms a pass, which cuDNN can rank by
// guess or by measuring. Its headers call it deprecated; the .cpp alone includes it.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/conv/graph.hpp"
#include "bench/conv/problem.hpp"

namespace cupel::bench::conv {

struct Algorithm {
  int number = 0;     ///< of its enumeration
  int math = 0;       ///< cudnnMathType_t: the same algorithm may be there with tensor cores and without
  std::string name;   ///< with its math, which tells entries of one number apart
  double time_s = 0;  ///< as cuDNN measured it; 0 when it guessed
  std::int64_t workspace_bytes = 0;
  Notes notes;
};

class LegacyConvolution {
 public:
  /// A convolution of planes. Throws NotSupported for volumes, CudnnError.
  explicit LegacyConvolution(const Problem& problem);
  ~LegacyConvolution();

  /// cudnnGetConvolution...Algorithm_v7: ranked without running anything, best first.
  std::vector<Algorithm> guess() const;

  /// cudnnFindConvolution...AlgorithmEx: ranked by running each, with this workspace. Overwrites the result.
  std::vector<Algorithm> find(const Tensors& tensors, void* workspace, std::int64_t workspace_bytes) const;

  /// Enqueues. Throws CudnnError.
  void execute(const Algorithm& algorithm, const Tensors& tensors, void* workspace, cudaStream_t stream) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cupel::bench::conv
