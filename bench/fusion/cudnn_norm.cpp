// cuDNN's norms and softmax beside our kernels: the same rows, the same formulas.
#include <cmath>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bench/fusion/cudnn_norm_graph.hpp"
#include "bench/fusion/cudnn_norm_softmax.hpp"
#include "bench/fusion/norm_operation.hpp"
#include "bench/fusion/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/vendor/cudnn.hpp"
#include "kernels/norm/reference.hpp"

namespace cupel::bench::fusion {
namespace {

using benchmark::State;
using harness::Profile;
using kernels::DType;
using kernels::norm::Shape;
namespace reference = kernels::norm::reference;

const double kUnit = kernels::unit_roundoff(kNormType);
constexpr double kSubnormal = 0x1p-25;  // to which the smallest numbers of fp16 are rounded
constexpr double kEpsilon = static_cast<double>(kNormEpsilon);
// Sums in fp32 of up to 65536 terms, added by many threads: a few hundred roundings in a row at most.
constexpr double kFp32Sums = 5e-5;

enum class Norm { layer, rms };

// Once a process: a plan may be compiled when it is made.
const vendor::CudnnPlan& plan_of(Norm norm, bool training, const Shape& shape) {
  const NormGraph graph{shape.rows, shape.columns, kNormEpsilon, training};
  return norm == Norm::layer ? harness::memoized<layer_norm_plan>(graph) : harness::memoized<rms_norm_plan>(graph);
}

// gamma or beta, in fp32 as cuDNN wants them.
std::vector<double> parameter(Slot slot, const Shape& shape) { return inputs(slot, DType::fp32, 0, shape.columns); }

std::vector<double> normalised(Norm norm, const Shape& shape, std::int64_t r) {
  std::vector<double> values(static_cast<std::size_t>(shape.columns));
  const std::vector<double> row = row_of(Slot::input, shape, r), gamma = parameter(Slot::columns, shape);
  if (norm == Norm::layer) {
    reference::layer_norm(row, gamma, parameter(Slot::more_columns, shape), kEpsilon, values, shape.columns);
  } else {
    reference::rms_norm(row, gamma, kEpsilon, values, shape.columns);
  }
  return values;
}

// A backward pass reads the mean of a row, of a layer norm, and one over its deviation.
void require_statistics(Norm norm, const float* mean, const float* inverse_deviation, const Shape& shape,
                        std::int64_t r) {
  double sum = 0, squares = 0;
  for (const double x : row_of(Slot::input, shape, r)) {
    sum += x;
    squares += x * x;
  }
  const auto n = static_cast<double>(shape.columns);
  const double center = norm == Norm::layer ? sum / n : 0;
  const double deviation = std::sqrt(squares / n - center * center + kEpsilon);
  const Tolerance tolerance{kFp32Sums, kFp32Sums};
  if (norm == Norm::layer) {
    require_close({center}, elements(DType::fp32, mean, r, 1), tolerance, r, "cuDNN: mean");
  }
  require_close({1 / deviation}, elements(DType::fp32, inverse_deviation, r, 1), tolerance, r,
                "cuDNN: inverse deviation");
}

void norm(State& state, Norm which, bool training) {
  vendor::require_cudnn();
  const Shape shape = norm_shape(state);
  const std::int64_t count = shape.rows * shape.columns, vectors = which == Norm::layer ? 2 : 1;
  const vendor::CudnnPlan& plan = plan_of(which, training, shape);
  input(Slot::input, kNormType, count);
  input(Slot::columns, DType::fp32, shape.columns);
  input(Slot::more_columns, DType::fp32, shape.columns);
  void* out = result(kNormType, count);
  cuda::DeviceBuffer<float> statistics = floats(training ? 2 * shape.rows : 1);
  float *mean = statistics.data(), *inverse_deviation = training ? mean + shape.rows : mean;
  void* workspace = device_memory(Slot::other, plan.workspace_bytes());
  const std::unordered_map<std::int64_t, void*> tensors = {{kNormInput, device_memory(Slot::input, 0)},
                                                           {kNormGamma, device_memory(Slot::columns, 0)},
                                                           {kNormBeta, device_memory(Slot::more_columns, 0)},
                                                           {kNormOutput, out},
                                                           {kNormMean, mean},
                                                           {kNormInverseDeviation, inverse_deviation}};
  NormOperation operation;
  operation.bytes_read = norm_bytes(shape) + words(vectors * shape.columns);
  operation.bytes_written = norm_bytes(shape) + (training ? words(vectors * shape.rows) : 0);
  operation.run = [&](cudaStream_t stream) { plan.execute(tensors, workspace, stream); };
  operation.check = [&] {
    for (const std::int64_t r : looked_at(shape.rows)) {
      require_row(shape, out, r, normalised(which, shape, r), {kFp32Sums, 1.01 * kUnit}, "cuDNN: norm");
      if (training) require_statistics(which, mean, inverse_deviation, shape, r);
    }
    require_all_rows({.kind = which == Norm::layer ? Rowwise::Kind::layer_norm : Rowwise::Kind::rms_norm,
                      .in = device_memory(Slot::input, 0),
                      .gamma = device_memory(Slot::columns, 0),
                      .beta = device_memory(Slot::more_columns, 0),
                      .is_fp32 = true},
                     shape, out, {kFp32Sums, 1.01 * kUnit}, "cuDNN: norm");
  };
  measure_norm(state, shape, operation);
  harness::set_note("engine " + plan.engine());
}

// In long rows cuDNN rounds exp(x - max) to fp16 (seen on an H200), and then the share. Inputs within [-2, 2) make
// exponentials of e^-4 and more: none is subnormal.
void softmax(State& state) {
  const Shape shape = norm_shape(state);
  const CudnnSoftmax cudnn(shape.rows, shape.columns);
  const void* in = input(Slot::input, kNormType, shape.rows * shape.columns);
  void* out = result(kNormType, shape.rows * shape.columns);
  const Tolerance tolerance{1.01 * kSubnormal, 2 * 1.01 * kUnit + kFp32Sums};

  NormOperation operation;
  operation.bytes_read = operation.bytes_written = norm_bytes(shape);
  operation.run = [&](cudaStream_t stream) { cudnn.forward(in, out, stream); };
  operation.check = [&] {
    for (const std::int64_t r : looked_at(shape.rows)) {
      std::vector<double> expected(static_cast<std::size_t>(shape.columns));
      reference::softmax(row_of(Slot::input, shape, r), expected, shape.columns);
      require_row(shape, out, r, expected, tolerance, "cuDNN: softmax");
    }
    require_all_rows({.kind = Rowwise::Kind::softmax, .in = in}, shape, out, tolerance, "cuDNN: softmax");
  };
  measure_norm(state, shape, operation);
}

// Gradients are a share, of at most 16 / columns, times differences below 4: as softmax.cpp.
void softmax_backward(State& state) {
  const Shape shape = norm_shape(state);
  const std::int64_t count = shape.rows * shape.columns;
  const CudnnSoftmax cudnn(shape.rows, shape.columns);
  const void* d_out = input(Slot::other, kNormType, count);
  input(Slot::input, kNormType, count);
  void* y = device_memory(Slot::input, norm_bytes(shape));
  const cuda::Stream setup;
  kernels::norm::softmax(kNormType, y, y, shape, setup);
  setup.synchronize();
  void* d_in = result(kNormType, count);
  const Tolerance tolerance{4 * kFp32Sums * 16.0 / static_cast<double>(shape.columns) + 1.01 * kSubnormal,
                            1.01 * kUnit};

  NormOperation operation;
  operation.bytes_read = 2 * norm_bytes(shape);
  operation.bytes_written = norm_bytes(shape);
  operation.run = [&](cudaStream_t stream) { cudnn.backward(y, d_out, d_in, stream); };
  operation.check = [&] {
    for (const std::int64_t r : looked_at(shape.rows)) {
      std::vector<double> expected(static_cast<std::size_t>(shape.columns));
      reference::softmax_backward(elements(kNormType, y, r * shape.columns, shape.columns),
                                  row_of(Slot::other, shape, r), expected, shape.columns);
      require_row(shape, d_in, r, expected, tolerance, "cuDNN: softmax backward");
    }
    require_all_rows({.kind = Rowwise::Kind::softmax_backward, .in = y, .d_out = d_out}, shape, d_in, tolerance,
                     "cuDNN: softmax backward");
  };
  measure_norm(state, shape, operation);
}

// Held against the textbook's rows, as our kernels are.
void define(const std::string& name, const std::string& operation, harness::Body body, const std::string& variant,
            Profile smallest) {
  harness::add(name, std::move(body))
      .sweep("columns", {.quick = {4096}, .standard = {65536}, .full = {32, 256, 1024, 16384}})
      .sweep("bytes", norm_sizes())
      .memory([](const std::vector<std::int64_t>& args) { return harness::Memory{.device_bytes = 3 * args[1]}; })
      .from(smallest)
      .advice("fuse-norm", record::Role::after, operation, variant);
}

harness::Body norm_of(Norm which, bool training) {
  return [=](State& state) { norm(state, which, training); };
}

}  // namespace

void register_cudnn_norm() {
  define("fusion/norm/op:layer_norm/impl:cudnn", "layer_norm", norm_of(Norm::layer, false), "cudnn", Profile::standard);
  define("fusion/norm/op:layer_norm/impl:cudnn_training", "layer_norm", norm_of(Norm::layer, true), "cudnn_training",
         Profile::full);
  define("fusion/norm/op:rms_norm/impl:cudnn", "rms_norm", norm_of(Norm::rms, false), "cudnn", Profile::standard);
  define("fusion/norm/op:rms_norm/impl:cudnn_training", "rms_norm", norm_of(Norm::rms, true), "cudnn_training",
         Profile::full);
  define("fusion/norm/op:softmax/impl:cudnn", "softmax", softmax, "cudnn", Profile::standard);
  define("fusion/norm/op:softmax_backward/impl:cudnn", "softmax_backward", softmax_backward, "cudnn", Profile::full);
}

}  // namespace cupel::bench::fusion
