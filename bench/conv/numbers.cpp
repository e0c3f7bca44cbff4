#include "bench/conv/numbers.hpp"

#include "cupel/cuda/cuda.hpp"

namespace cupel::bench::conv {

void Numbers::prepare(const Problem& problem, std::uint64_t seed) {
  require_valid(problem.shape);
  problem_ = problem;
  seed_ = seed;
  fill_normal();
  poison();
}

void Numbers::fill_normal() {
  const auto element = operand_element(problem_.precision);
  const double step = step_of(problem_.precision);
  left_.normal(element, problem_.left_count(), 2 * seed_, step);
  right_.normal(element, problem_.right_count(), 2 * seed_ + 1, step);
}

void Numbers::poison() { result_.poison(size_bytes(result_element(problem_.precision), problem_.result_count())); }

Tensors Numbers::tensors() {
  switch (problem_.pass) {
    case Pass::forward:
      return {left_.data(), right_.data(), result_.data()};
    case Pass::backward_data:
      return {result_.data(), right_.data(), left_.data()};
    case Pass::backward_filter:
      break;
  }
  return {right_.data(), result_.data(), left_.data()};
}

std::string Finding::message() const {
  return errors.message() + (wrong_otherwise ? ", and sums of numbers that need no rounding are wrong, too" : "");
}

kernels::dot::DotErrors Numbers::errors(const verify::DotBound& bound, double step, const Look& look) {
  const auto element = operand_element(problem_.precision);
  return checker_.convolution(problem_.shape, problem_.pass, layouts_of(problem_.layout, problem_.shape),
                              {left_.data(), element, step}, {right_.data(), element, step},
                              {result_.data(), result_element(problem_.precision), step * step},
                              {bound, look.samples, look.seed}, cudaStreamLegacy);
}

kernels::dot::DotErrors Numbers::errors_of(const kernels::dot::Sparse& left, const kernels::dot::Sparse& right,
                                           const verify::DotBound& bound, const Look& look, const Again& again) {
  const auto element = operand_element(problem_.precision);
  left_.sparse(element, problem_.left_count(), 2 * seed_, left);
  right_.sparse(element, problem_.right_count(), 2 * seed_ + 1, right);
  poison();
  const cuda::Stream stream;
  again(stream);
  stream.synchronize();
  return errors(bound, 1, look);
}

// To the bit: rounded once, to nearest.
bool Numbers::sums_in_fp32(const Look& look, const Again& again) {
  const double unit = bound(problem_, {}).of_value;
  const auto whole = exact_operands(problem_).in_fp32;
  return errors_of(whole, whole, {.of_value = unit, .frobenius = unit}, look, again).passed();
}

bool Numbers::right_but_for_parts(const Look& look, const Again& again) {
  const ExactOperands operands = exact_operands(problem_);
  constexpr verify::DotBound kExact{};
  if (!errors_of(operands.in_format, operands.in_format, kExact, look, again).passed()) return false;
  // Sums of two products and more may be rounded: 0.7 % of all, while 12 % are not 0.
  const auto few = [](const kernels::dot::DotErrors& found) {
    constexpr double kShare = 0.03;
    constexpr std::int64_t kAnyway = 5;
    return found.wrong <= kAnyway + static_cast<std::int64_t>(kShare * static_cast<double>(found.checked));
  };
  return few(errors_of(operands.alone, operands.by_sign, kExact, look, again)) &&
         few(errors_of(operands.by_sign, operands.alone, kExact, look, again));
}

Finding Numbers::examine(const Notes& notes, std::int64_t samples, std::uint64_t look_seed, const Again& again) {
  const double step = step_of(problem_.precision);
  const Look look{samples, look_seed};
  const bool half = is_half(problem_.precision);
  Finding found{errors(bound(problem_, notes), step, look)};
  if (found.passed() && (!half || found.errors.relative_frobenius <= error_of_one_rounding(problem_))) return found;
  if (notes.winograd || notes.fft || problem_.precision == Precision::fp8_e4m3) return found;
  const kernels::dot::DotErrors of_chain = errors(bound_of_one_chain(problem_), step, look);
  const auto wide = bound_of_rounded_parts(problem_);
  const kernels::dot::DotErrors of_parts = wide ? errors(*wide, step, look) : found.errors;
  if (sums_in_fp32(look, again)) {
    if (of_chain.passed()) found.errors = of_chain;
  } else if (half) {
    found.rounds_parts = true;
    if (of_parts.passed()) found.errors = of_parts;
    found.wrong_otherwise = !right_but_for_parts(look, again);
  } else {
    found.wrong_otherwise = true;
  }
  fill_normal();
  return found;
}

}  // namespace cupel::bench::conv
