#include "bench/conv/data.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/limits.hpp"
#include "cupel/timing/this_device.hpp"
#include "cupel/vendor/cudnn.hpp"
#include "kernels/dot/number_buffer.hpp"
#include "kernels/dot/sampling.hpp"

namespace cupel::bench::conv {
namespace {

// Index arithmetic makes these dearer than the products of a matrix. A search checks many plans: each with fewer. Both
// with as many elements as the bound of the norm is asked of.
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
  Numbers numbers;
  kernels::dot::NumberBuffer workspace;
};
Buffers& buffers() {
  static auto& all = *new Buffers;
  return all;
}

}  // namespace

Data::Data(const Problem& problem) : problem_(problem) {
  vendor::require_cudnn();
  timing::require_arithmetic(to_string(problem.precision), arithmetic(problem.precision));
  // The run's seed, not the benchmark's: all precisions and layouts have the same numbers, in their own order.
  buffers().numbers.prepare(problem, harness::options().seed);
}

void Data::poison() const { buffers().numbers.poison(); }

Tensors Data::tensors() const { return buffers().numbers.tensors(); }

void Data::set_roof_limit() const {
  const record::Workload work = problem_.work();
  timing::set_roof_limit(arithmetic(problem_.precision), work);
  timing::count_intensity(work);
}

Again Data::again(const Graph& graph, const Candidate& candidate) const {
  return [this, &graph, &candidate](cudaStream_t stream) {
    graph.execute(candidate, tensors(), workspace(graph.workspace_bytes(candidate)), stream);
  };
}

Finding Data::examine(const Notes& notes, std::int64_t products, const Again& again) const {
  return buffers().numbers.examine(notes, samples(problem_, products), harness::look_seed(), again);
}

Finding Data::glance(const Graph& graph, const Candidate& candidate) const {
  return examine(candidate.notes, kGlancedProducts, again(graph, candidate));
}

Finding Data::require_right(const Graph& graph, const Candidate& candidate) const {
  return require_right(candidate.notes, again(graph, candidate));
}

Finding Data::require_right(const Notes& notes, const Again& again) const {
  const Finding found = examine(notes, kCheckedProducts, again);
  harness::require(found.passed(), std::string("convolution, ") + kernels::dot::to_string(problem_.pass) + " in " +
                                       to_string(problem_.precision) + ": " + found.message());
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

}  // namespace cupel::bench::conv
