// One convolution to compute: layer, pass, precision and layout, with what a device must have for it, what it costs and
// how far off a right result may be. Host code only.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include "bench/conv/notes.hpp"
#include "cupel/device/peaks.hpp"
#include "cupel/record/workload.hpp"
#include "cupel/verify/dot_bound.hpp"
#include "kernels/dot/convolution.hpp"
#include "kernels/dot/elements.hpp"

namespace cupel::bench::conv {

using kernels::dot::Convolution;
using kernels::dot::Layout;
using kernels::dot::Pass;

enum class Precision {
  fp32,      ///< CUDA cores: no engine that uses tensor cores
  tf32,      ///< fp32 tensors; engines may round what they multiply to 10 bits of fraction
  fp16,      ///< fp32 accumulation is asked for; see bound_of_rounded_parts()
  bf16,      ///< likewise
  fp8_e4m3,  ///< operands; the result is bf16
};

const char* to_string(Precision precision);
const char* to_string(Layout layout);

/// Whether the result is fp16 or bf16, as the operands are.
bool is_half(Precision precision);

/// The elements of the operands, and of the result.
kernels::dot::Element operand_element(Precision precision);
kernels::dot::Element result_element(Precision precision);

/// The arithmetic whose peak it is held against.
device::Arithmetic arithmetic(Precision precision);

/// The factor of the stored operands; 1 but for fp8.
double step_of(Precision precision);

struct Problem {
  Convolution shape;
  Pass pass = Pass::forward;
  Precision precision = Precision::fp32;
  Layout layout = Layout::channels_last;

  std::int64_t left_count() const;    ///< elements of the first operand, as kernels::dot::Product counts them
  std::int64_t right_count() const;   ///< of the second
  std::int64_t result_count() const;  ///< of what is computed

  /// Each operand read once, the result written once; 2 N K P Q C R S / groups operations.
  record::Workload work() const;

  /// Bytes of operands and result.
  std::int64_t memory_bytes() const;

  auto operator<=>(const Problem&) const = default;
};

/// Whether a framework that is asked for this precision takes an engine with these notes.
bool legal(Precision precision, const Notes& notes);

/// How an engine with these notes rounds. Sums are not allowed more than half of what a lost product would do to the
/// norm.
verify::DotBound bound(const Problem& problem, const Notes& notes);

/// How one rounds that transforms nothing and adds all products one after another: tensor cores cut off at each
/// addition, which of millions makes more than a lost product would.
verify::DotBound bound_of_one_chain(const Problem& problem);

/// The norm of the error, more than which one rounding of the result and sums in fp32 do not make of normal operands.
double error_of_one_rounding(const Problem& problem);

/// How an engine rounds that keeps partial sums in the result's format, though fp32 was asked for: some of cuDNN's for
/// fp16 and bf16 do, most without a note that says it. That one is within this is no proof of it: see exact_operands().
std::optional<verify::DotBound> bound_of_rounded_parts(const Problem& problem);

/// Operands of which it can be told what an engine does with them, whatever the length of its sums.
struct ExactOperands {
  kernels::dot::Sparse in_format;  ///< both: every partial sum is a whole number that the result's format has
  kernels::dot::Sparse in_fp32;    ///< both: every partial sum is one that fp32 has, and most are none of the result's
  kernels::dot::Sparse alone;      ///< one: with `by_sign` for the other, most sums are of one product at most,
  kernels::dot::Sparse by_sign;    ///< which is then what it was of
};
ExactOperands exact_operands(const Problem& problem);

}  // namespace cupel::bench::conv
