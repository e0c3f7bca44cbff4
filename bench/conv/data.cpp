#include "bench/conv/data.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "cupel/cuda/cuda.hpp"
#include "cupel/device/peaks.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/this_device.hpp"
#include "cupel/vendor/cudnn.hpp"
#include "kernels/dot/number_buffer.hpp"
#include "kernels/dot/sampling.hpp"

namespace cupel::bench::conv {
namespace {

// Index arithmetic makes these dearer than the products of a matrix, about 15 ms for 2^28. A search checks many plans:
// each with fewer. Both with as many elements as the bound of the norm is asked of.
constexpr std::int64_t kCheckedProducts = std::int64_t{1} << 26;
constexpr std::int64_t kGlancedProducts = std::int64_t{1} << 24;

std::int64_t samples(const Problem& problem, std::int64_t products) {
  const std::int64_t total = problem.result_count();
  const std::int64_t affordable =
      kernels::dot::samples_within(products, reduction_length(problem.shape, problem.pass), total);
  return std::max(affordable, std::min(total, kernels::dot::DotErrors::kMany));
}

// Never destroyed: the driver may be gone before statics are.
struct Buffers {
  kernels::dot::NumberBuffer left, right, result, workspace;
  kernels::dot::DotChecker checker;
};
Buffers& buffers() {
  static auto& all = *new Buffers;
  return all;
}

}  // namespace

Data::Data(const Problem& problem) : problem_(problem) {
  const std::string reason = lacking(problem.precision, timing::this_device());
  if (!reason.empty()) harness::skip(reason);
  require_valid(problem.shape);
  const auto element = operand_element(problem.precision);
  const double step = step_of(problem.precision);
  // The run's seed, not the benchmark's: all precisions and layouts have the same numbers, in their own order.
  const std::uint64_t seed = harness::options().seed;
  buffers().left.normal(element, problem.left_count(), 2 * seed, step);
  buffers().right.normal(element, problem.right_count(), 2 * seed + 1, step);
  poison();
}

void Data::poison() const {
  buffers().result.poison(size_bytes(result_element(problem_.precision), problem_.result_count()));
}

Tensors Data::tensors() const {
  Buffers& all = buffers();
  switch (problem_.pass) {
    case Pass::forward:
      return {all.left.data(), all.right.data(), all.result.data()};
    case Pass::backward_data:
      return {all.result.data(), all.right.data(), all.left.data()};
    case Pass::backward_filter:
      break;
  }
  return {all.right.data(), all.result.data(), all.left.data()};
}

void Data::hold_against_roof() const {
  const record::Workload work = problem_.work();
  if (const auto limit = device::roof(timing::this_device(), arithmetic(problem_.precision), work)) {
    harness::set_limit(*limit);
  }
  harness::set_counter("arithmetic_intensity",
                       {.value = static_cast<double>(work.flops) / static_cast<double>(work.bytes()),
                        .unit = "flop/byte",
                        .exact = true});
}

Finding Data::glance(const Notes& notes) const { return look(notes, kGlancedProducts); }

Finding Data::look(const Notes& notes, std::int64_t products) const {
  const auto element = operand_element(problem_.precision);
  const double step = step_of(problem_.precision);
  kernels::dot::Look look;
  look.samples = samples(problem_, products);
  look.seed = harness::look_seed();
  const auto held_against = [&](const verify::DotBound& bound) {
    look.bound = bound;
    return buffers().checker.convolution(
        problem_.shape, problem_.pass, layouts_of(problem_.layout, problem_.shape),
        {buffers().left.data(), element, step}, {buffers().right.data(), element, step},
        {buffers().result.data(), result_element(problem_.precision), step * step}, look, cudaStreamLegacy);
  };
  const Finding found{held_against(bound(problem_, notes))};
  if (found.passed()) return found;
  const auto wide = bound_of_rounded_parts(problem_, notes);
  if (!wide) return found;
  const Finding again{held_against(*wide), true};
  return again.passed() ? again : found;
}

Finding Data::require_right(const Notes& notes) const {
  const Finding found = look(notes, kCheckedProducts);
  harness::require(found.passed(), std::string("convolution, ") + kernels::dot::to_string(problem_.pass) + " in " +
                                       to_string(problem_.precision) + ": " + found.errors.message());
  harness::set_counter("relative_error", {found.errors.relative_frobenius, "1", record::Better::lower});
  harness::set_counter("maximum_error", {found.errors.maximum, "1", record::Better::lower});
  if (found.rounds_parts) harness::set_counter("rounds_partial_sums", {.value = 1, .unit = "1"});
  return found;
}

void* workspace(std::int64_t bytes) { return bytes == 0 ? nullptr : buffers().workspace.reserve(bytes); }

std::int64_t workspace_available() {
  std::size_t free = 0, total = 0;
  cuda::check(cudaMemGetInfo(&free, &total));
  return (static_cast<std::int64_t>(free) + buffers().workspace.size_bytes()) / 2;
}

void release_workspace() { buffers().workspace = {}; }

harness::Body guarded(harness::Body body) {
  return [body = std::move(body)](benchmark::State& state) {
    try {
      vendor::require_cudnn();
      body(state);
    } catch (const vendor::Unavailable& error) {
      harness::skip(error.what());
    } catch (const NotSupported& error) {
      harness::skip(error.what());
    } catch (const vendor::CudnnError& error) {
      if (error.status() == CUDNN_STATUS_NOT_SUPPORTED) harness::skip(std::string("not supported: ") + error.what());
      throw;
    }
  };
}

}  // namespace cupel::bench::conv
