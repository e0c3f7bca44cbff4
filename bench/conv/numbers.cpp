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

kernels::dot::DotErrors Numbers::errors(const verify::DotBound& bound, double step, std::int64_t samples,
                                        std::uint64_t look_seed) {
  const auto element = operand_element(problem_.precision);
  return checker_.convolution(problem_.shape, problem_.pass, layouts_of(problem_.layout, problem_.shape),
                              {left_.data(), element, step}, {right_.data(), element, step},
                              {result_.data(), result_element(problem_.precision), step * step},
                              {bound, samples, look_seed}, cudaStreamLegacy);
}

bool Numbers::exact_on_signs(std::int64_t samples, std::uint64_t look_seed, const Again& again) {
  const auto element = operand_element(problem_.precision);
  const double density = density_of_exact_signs(problem_);
  left_.signs(element, problem_.left_count(), 2 * seed_, density);
  right_.signs(element, problem_.right_count(), 2 * seed_ + 1, density);
  poison();
  const cuda::Stream stream;
  again(stream);
  stream.synchronize();
  const bool exact = errors(verify::DotBound{}, 1, samples, look_seed).passed();
  fill_normal();
  return exact;
}

Finding Numbers::examine(const Notes& notes, std::int64_t samples, std::uint64_t look_seed, const Again& again) {
  const double step = step_of(problem_.precision);
  const Finding found{errors(bound(problem_, notes), step, samples, look_seed)};
  if (found.passed()) return found;
  const auto wide = bound_of_rounded_parts(problem_, notes);
  if (!wide) return found;
  const Finding rounding{errors(*wide, step, samples, look_seed), true};
  return rounding.passed() && exact_on_signs(samples, look_seed, again) ? rounding : found;
}

}  // namespace cupel::bench::conv
