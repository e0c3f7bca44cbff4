// Inputs, result, workload and check of one product, or of a batch of equal ones. The memory is the process's: it grows
// to the largest product and is filled anew when another benchmark had it.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "bench/gemm/matmul.hpp"
#include "bench/gemm/precision.hpp"
#include "bench/gemm/shapes.hpp"
#include "bench/gemm/workload.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/record/workload.hpp"

namespace cupel::bench::gemm {

enum class Content { normal, zeros };

class Problem {
 public:
  /// Random operands and a poisoned result. Throws Skip where the device lacks the precision, OutOfMemory.
  Problem(Precision precision, const Shape& shape, std::int64_t batch = 1, Content content = Content::normal);

  Precision precision() const { return precision_; }
  const Shape& shape() const { return shape_; }

  /// Operands and result of product `index` of the batch.
  Operands operands(std::int64_t index = 0) const;

  /// The operands of a single product, for one call of it: with the copy of the weights whose turn it is (places.hpp).
  Operands operands_in_turn() const;

  record::Workload work() const { return workload(precision_, shape_, batch_); }

  /// Sets limit and intensity of the benchmark that runs, and the places of its weights where they are several.
  void set_roof_limit() const;

  /// Computes elements of the result again, others in each round, from the weights that the copies were made of; sets
  /// the benchmark's errors. Throws CheckFailed.
  void require_right() const;

 private:
  void copy_weights() const;
  std::int64_t count_a() const { return shape_.m * shape_.k; }
  std::int64_t count_b() const { return shape_.k * shape_.n; }
  std::int64_t count_c() const { return shape_.m * shape_.n; }

  Precision precision_;
  Shape shape_;
  std::int64_t batch_;
  int places_;  // of the weights
};

/// Whether batches of calls are measured too. Above 4096 cubed the cache state is less than a hundredth of the time,
/// and a batch is no news; the quick profile has batches only of what is short enough to be told from launches by them.
bool measured_hot(const Shape& shape);

/// The body that most benchmarks of the family are: one product, by cuBLAS where it has the precision.
harness::Body multiply(Precision precision, std::function<Shape(const benchmark::State&)> shape,
                       Content content = Content::normal);

}  // namespace cupel::bench::gemm
