// Softmax and its gradient by the textbook, an operation a kernel, against one kernel that reads each row once.
#include <cstdint>
#include <vector>

#include "bench/fusion/norm_operation.hpp"
#include "bench/fusion/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "kernels/norm/norm.hpp"
#include "kernels/norm/reference.hpp"

namespace cupel::bench::fusion {
namespace {

using benchmark::State;
using harness::Profile;
using kernels::norm::Shape;
using Impl = NormImpl;
namespace norm = kernels::norm;
namespace reference = kernels::norm::reference;

const double kUnit = kernels::unit_roundoff(kNormType);
constexpr double kSubnormal = 0x1p-25;  // to which the smallest numbers of fp16 are rounded

// Shares: the textbook rounds differences of at most 4 before the exponential makes a relative error of that.
Tolerance of_shares(Impl impl) {
  return {1.01 * kSubnormal, impl == Impl::single_pass ? 1.01 * kUnit + 1e-5 : 8 * kUnit};
}

// Gradients are a share, of at most 16 / columns, times differences below 4. The textbook's sum has lost up to a
// subnormal rounding a column, which a share then scales.
Tolerance of_gradients(Impl impl, std::int64_t columns) {
  const double share = 16.0 / static_cast<double>(columns);
  if (impl == Impl::single_pass) return {1e-5 * share + 1.01 * kSubnormal, 1.01 * kUnit};
  return {share * (6 * 4 * kUnit + static_cast<double>(columns) * kSubnormal) + 4 * kSubnormal, 0};
}

void softmax(State& state, Impl impl) {
  const Shape shape = norm_shape(state);
  const std::int64_t count = shape.rows * shape.columns;
  const void* in = input(Slot::input, kNormType, count);
  void* out = result(kNormType, count);
  norm::TextbookWorkspace workspace = norm_workspace(impl, shape);

  NormOperation operation;
  operation.bytes_read = operation.bytes_written = norm_bytes(shape);
  operation.launches = impl == Impl::textbook ? 5 : 1;
  operation.run = [&](cudaStream_t stream) {
    if (impl == Impl::textbook) {
      norm::softmax_textbook(kNormType, in, out, workspace, shape, stream);
    } else {
      norm::softmax(kNormType, in, out, shape, stream);
    }
  };
  operation.check = [&] {
    for (const std::int64_t r : looked_at(shape.rows)) {
      std::vector<double> expected(static_cast<std::size_t>(shape.columns));
      reference::softmax(row_of(Slot::input, shape, r), expected, shape.columns);
      require_row(shape, out, r, expected, of_shares(impl), "softmax");
    }
    require_all_rows({.kind = Rowwise::Kind::softmax, .in = in}, shape, out, of_shares(impl), "softmax");
  };
  measure_norm(state, shape, operation);
}

void softmax_backward(State& state, Impl impl) {
  const Shape shape = norm_shape(state);
  const std::int64_t count = shape.rows * shape.columns;
  const void* d_out = input(Slot::other, kNormType, count);
  input(Slot::input, kNormType, count);
  void* y = device_memory(Slot::input, norm_bytes(shape));
  const cuda::Stream setup;
  norm::softmax(kNormType, y, y, shape, setup);
  setup.synchronize();
  void* d_in = result(kNormType, count);
  norm::TextbookWorkspace workspace = norm_workspace(impl, shape);

  NormOperation operation;
  operation.bytes_read = 2 * norm_bytes(shape);
  operation.bytes_written = norm_bytes(shape);
  operation.launches = impl == Impl::textbook ? 4 : 1;
  operation.run = [&](cudaStream_t stream) {
    if (impl == Impl::textbook) {
      norm::softmax_backward_textbook(kNormType, y, d_out, d_in, workspace, shape, stream);
    } else {
      norm::softmax_backward(kNormType, y, d_out, d_in, shape, stream);
    }
  };
  operation.check = [&] {
    for (const std::int64_t r : looked_at(shape.rows)) {
      std::vector<double> expected(static_cast<std::size_t>(shape.columns));
      reference::softmax_backward(elements(kNormType, y, r * shape.columns, shape.columns),
                                  row_of(Slot::other, shape, r), expected, shape.columns);
      require_row(shape, d_in, r, expected, of_gradients(impl, shape.columns), "softmax backward");
    }
    require_all_rows({.kind = Rowwise::Kind::softmax_backward, .in = y, .d_out = d_out}, shape, d_in,
                     of_gradients(impl, shape.columns), "softmax backward");
  };
  measure_norm(state, shape, operation);
}

// From the widths of attention heads to those of vocabularies.
NormPlace place(Profile smallest, std::int64_t arrays) {
  return {{.quick = {4096}, .standard = {32, 65536}, .full = {256, 1024, 16384}}, smallest, arrays};
}

}  // namespace

void register_softmax() {
  register_norm_operation("softmax", softmax, "fusion/norm/op:softmax/impl:textbook",
                          "fusion/norm/op:softmax/impl:single_pass", place(Profile::quick, 4));
  register_norm_operation("softmax_backward", softmax_backward, "fusion/norm/op:softmax_backward/impl:textbook",
                          "fusion/norm/op:softmax_backward/impl:single_pass", place(Profile::standard, 5));
}

}  // namespace cupel::bench::fusion
