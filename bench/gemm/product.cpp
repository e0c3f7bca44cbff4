#include "bench/gemm/product.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "bench/gemm/places.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/record/row.hpp"
#include "cupel/timing/limits.hpp"
#include "cupel/timing/sample_device.hpp"
#include "cupel/timing/this_device.hpp"
#include "cupel/vendor/cublas.hpp"
#include "cupel/verify/dot_bound.hpp"
#include "kernels/dot/check.hpp"
#include "kernels/dot/number_buffer.hpp"
#include "kernels/dot/sampling.hpp"

namespace cupel::bench::gemm {
namespace {

using kernels::dot::Element;

// A few milliseconds of double precision on a data centre GPU.
constexpr std::int64_t kCheckedProducts = std::int64_t{1} << 30;

// Never destroyed: the driver may be gone before statics are.
struct Buffers {
  kernels::dot::NumberBuffer a, b, c;
  Turn turn;
};
Buffers& buffers() {
  static auto& all = *new Buffers;
  return all;
}

kernels::dot::DotChecker& checker() {
  static auto& checker = *new kernels::dot::DotChecker;
  return checker;
}

void* at(void* data, Element element, std::int64_t index) {
  return static_cast<char*>(data) + kernels::dot::size_bytes(element, index);
}

void* place(Precision precision, const Shape& shape, int index) {
  return static_cast<char*>(buffers().a.data()) + index * place_stride_bytes(precision, shape);
}

void set_errors(const kernels::dot::DotErrors& errors) {
  harness::set_counter("relative_error", {errors.relative_frobenius, "1", record::Better::lower});
  harness::set_counter("maximum_error", {errors.maximum, "1", record::Better::lower});
}

}  // namespace

Problem::Problem(Precision precision, const Shape& shape, std::int64_t batch, Content content)
    : precision_(precision),
      shape_(shape),
      batch_(batch),
      places_(batch == 1 ? places(precision, shape, timing::this_device()) : 1) {
  const Traits& t = traits(precision);
  vendor::require_cublas();
  timing::require_arithmetic(t.name, t.arithmetic);
  // The run's seed, not the benchmark's: all precisions multiply the same numbers.
  const std::uint64_t seed = harness::options().seed;
  const bool zeros = content == Content::zeros || harness::options().zeros;
  if (zeros) harness::set_unusual(record::kOfZeros);
  const auto operand = [zeros](kernels::dot::NumberBuffer& buffer, Element element, std::int64_t count,
                               std::uint64_t operand_seed) {
    if (zeros) {
      buffer.zeros(element, count);
    } else {
      buffer.normal(element, count, operand_seed, step_of(element));
    }
  };
  if (places_ > 1) {
    buffers().a.reserve((places_ - 1) * place_stride_bytes(precision, shape) +
                        kernels::dot::size_bytes(t.a, count_a()));
  }
  operand(buffers().a, t.a, batch * count_a(), 2 * seed);
  operand(buffers().b, t.b, batch * count_b(), 2 * seed + 1);
  buffers().c.poison(kernels::dot::size_bytes(t.c, batch * count_c()));
  if (places_ > 1) copy_weights();
}

// Every time: the buffer may have had another benchmark's numbers there, and a copy takes a tenth of a millisecond.
void Problem::copy_weights() const {
  const auto bytes = static_cast<std::size_t>(kernels::dot::size_bytes(traits(precision_).a, count_a()));
  for (int i = 1; i < places_; ++i) {
    cuda::check(cudaMemcpyAsync(place(precision_, shape_, i), buffers().a.data(), bytes, cudaMemcpyDeviceToDevice,
                                cudaStreamLegacy));
  }
  cuda::check(cudaDeviceSynchronize());  // before other streams read them
}

Operands Problem::operands(std::int64_t index) const {
  const Traits& t = traits(precision_);
  return {at(buffers().a.data(), t.a, index * count_a()), at(buffers().b.data(), t.b, index * count_b()),
          at(buffers().c.data(), t.c, index * count_c())};
}

Operands Problem::operands_in_turn() const {
  Operands operands = this->operands();
  operands.a = place(precision_, shape_, buffers().turn.next(places_));
  return operands;
}

void Problem::set_roof_limit() const {
  const record::Workload work = this->work();
  timing::set_roof_limit(traits(precision_).arithmetic, work);
  timing::count_intensity(work);
  if (places_ > 1)
    harness::set_counter("places", {.value = static_cast<double>(places_), .unit = "count", .exact = true});
}

void Problem::require_right() const {
  const Traits& t = traits(precision_);
  const double step_a = step_of(t.a), step_b = step_of(t.b);
  // fp8's steps are the scales that the library is given; other products are of the stored numbers.
  const bool scaled_by_library = t.a == Element::fp8_e4m3 || t.a == Element::fp8_e5m2;
  kernels::dot::Look look;
  look.bound = verify::dot_bound(shape_.k, rounding(precision_));
  look.samples = kernels::dot::samples_within(kCheckedProducts / batch_, shape_.k, count_c());

  kernels::dot::DotErrors worst;
  for (std::int64_t i = 0; i < batch_; ++i) {
    const Operands operands = this->operands(i);
    look.seed = harness::look_seed();
    const auto errors = checker().gemm(
        {{operands.a, t.a, step_a}, shape_.transpose_a ? shape_.k : 1, shape_.transpose_a ? 1 : shape_.m},
        {{operands.b, t.b, step_b}, shape_.transpose_b ? shape_.n : 1, shape_.transpose_b ? 1 : shape_.k},
        {{operands.c, t.c, scaled_by_library ? 1 : step_a * step_b}, 1, shape_.m}, shape_.m, shape_.n, shape_.k, look,
        cudaStreamLegacy);
    harness::require(errors.passed(), std::string(t.name) + " product: " + errors.message());
    if (errors.relative_frobenius >= worst.relative_frobenius) worst = errors;
  }
  set_errors(worst);
}

bool measured_hot(const Shape& shape) {
  constexpr std::int64_t kShort = std::int64_t{1024} * 1024 * 1024, kLong = std::int64_t{4096} * 4096 * 4096;
  return shape.products() <= (harness::options().profile == harness::Profile::quick ? kShort : kLong);
}

harness::Body multiply(Precision precision, std::function<Shape(const benchmark::State&)> shape, Content content) {
  return [precision, shape = std::move(shape), content](benchmark::State& state) {
    const Problem problem(precision, shape(state), 1, content);
    problem.set_roof_limit();
    const timing::DeviceSampling how{.hot = measured_hot(problem.shape())};
    if (traits(precision).needs_lt) {
      const LtProduct product(precision, problem.shape());
      const cublasLtMatmulAlgo_t first = product.choices(1).front();
      timing::sample_device(
          state, problem.work(),
          [&](cudaStream_t stream) { product.multiply(problem.operands_in_turn(), first, stream); }, how);
    } else {
      timing::sample_device(
          state, problem.work(),
          [&](cudaStream_t stream) {
            multiply_by_cublas(precision, problem.shape(), problem.operands_in_turn(), stream);
          },
          how);
    }
    problem.require_right();
  };
}

}  // namespace cupel::bench::gemm
