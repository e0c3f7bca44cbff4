// cuDNN's norms and softmax beside the kernels of norm.cpp: the same rows, the same formulas.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "bench/fusion/arrays.hpp"
#include "bench/fusion/cudnn_norm_graph.hpp"
#include "bench/fusion/cudnn_norm_softmax.hpp"
#include "bench/fusion/guarded.hpp"
#include "bench/fusion/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/sample_device.hpp"
#include "cupel/vendor/cudnn.hpp"
#include "kernels/norm/norm.hpp"
#include "kernels/norm/reference.hpp"

namespace cupel::bench::fusion {
namespace {

using benchmark::State;
using harness::add;
using harness::Profile;
using kernels::DType;
using kernels::size_of;
using record::Role;
namespace reference = kernels::norm::reference;

constexpr DType kType = DType::fp16;
constexpr std::int64_t kElements = std::int64_t{1} << 25;  // as norm.cpp has it
constexpr float kEpsilon = 1e-5f;

const double kUnit = kernels::unit_roundoff(kType);
constexpr double kSubnormal = 0x1p-25;  // to which the smallest numbers of fp16 are rounded
// Sums in fp32 of up to 65536 terms, added by many threads: a few hundred roundings in a row at most.
constexpr double kFp32Sums = 5e-5;

enum class Norm { layer, rms };

std::int64_t columns_of(const State& state) { return state.range(0); }
std::int64_t rows_of(const State& state) { return kElements / state.range(0); }

// Once a process: a plan may be compiled when it is made.
const CudnnPlan& plan_of(Norm norm, bool training, std::int64_t columns) {
  static auto& known = *new std::map<std::tuple<Norm, bool, std::int64_t>, CudnnPlan>;
  const std::tuple key(norm, training, columns);
  auto entry = known.find(key);
  if (entry == known.end()) {
    const NormGraph graph{kElements / columns, columns, kEpsilon, training};
    entry = known.emplace(key, norm == Norm::layer ? layer_norm_plan(graph) : rms_norm_plan(graph)).first;
  }
  return entry->second;
}

using Rows = std::function<std::vector<double>(std::int64_t row)>;

void measure(State& state, std::int64_t inputs, const std::function<void(cudaStream_t)>& work, const Rows& expected,
             const Tolerance& tolerance, const void* out, const std::string& what) {
  const std::int64_t bytes = kElements * size_of(kType), columns = columns_of(state), rows = rows_of(state);
  hold_against_memory();
  timing::sample_device(state, {.bytes_read = inputs * bytes, .bytes_written = bytes, .items = kElements}, work);
  for (const std::int64_t row : {std::int64_t{0}, rows / 2, rows - 1}) {
    require_close(expected(row), elements(kType, out, row * columns, columns), tolerance, row * columns, what);
  }
}

std::vector<double> row_of(Slot slot, std::int64_t row, std::int64_t columns) {
  return inputs(slot, kType, row * columns, columns);
}

std::vector<double> parameter(Slot slot, std::int64_t columns) { return inputs(slot, DType::fp32, 0, columns); }

// What a backward pass reads: the mean of each row, of a layer norm, and one over its deviation.
void require_statistics(Norm norm, const float* mean, const float* inverse_deviation, std::int64_t rows,
                        std::int64_t columns) {
  for (const std::int64_t row : {std::int64_t{0}, rows / 2, rows - 1}) {
    double sum = 0, squares = 0;
    for (const double x : row_of(Slot::input, row, columns)) {
      sum += x;
      squares += x * x;
    }
    const auto n = static_cast<double>(columns);
    const double center = norm == Norm::layer ? sum / n : 0;
    const double deviation = std::sqrt(squares / n - center * center + static_cast<double>(kEpsilon));
    const Tolerance tolerance{kFp32Sums, kFp32Sums};
    if (norm == Norm::layer) {
      require_close({center}, elements(DType::fp32, mean, row, 1), tolerance, row, "cuDNN: mean");
    }
    require_close({1 / deviation}, elements(DType::fp32, inverse_deviation, row, 1), tolerance, row,
                  "cuDNN: inverse deviation");
  }
}

void norm(State& state, Norm which, bool training) {
  vendor::require_cudnn();
  const std::int64_t columns = columns_of(state), rows = rows_of(state);
  const CudnnPlan& plan = plan_of(which, training, columns);
  const void* in = input(Slot::input, kType, kElements);
  const void *gamma = input(Slot::columns, DType::fp32, columns),
             *beta = input(Slot::more_columns, DType::fp32, columns);
  void* out = result(kType, kElements);
  cuda::DeviceBuffer<float> statistics(static_cast<std::size_t>(training ? 2 * rows : 1));
  float *mean = statistics.data(), *inverse_deviation = training ? mean + rows : mean;
  const std::int64_t bytes = plan.workspace_bytes();
  void* workspace = bytes == 0 ? nullptr : device_memory(Slot::other, bytes);
  const std::unordered_map<std::int64_t, void*> tensors = {{kNormInput, const_cast<void*>(in)},
                                                           {kNormGamma, const_cast<void*>(gamma)},
                                                           {kNormBeta, const_cast<void*>(beta)},
                                                           {kNormOutput, out},
                                                           {kNormMean, mean},
                                                           {kNormInverseDeviation, inverse_deviation}};

  const Rows expected = [&](std::int64_t row) {
    std::vector<double> values(static_cast<std::size_t>(columns));
    const std::vector<double> x = row_of(Slot::input, row, columns), scale = parameter(Slot::columns, columns);
    if (which == Norm::layer) {
      reference::layer_norm(x, scale, parameter(Slot::more_columns, columns), static_cast<double>(kEpsilon), values,
                            columns);
    } else {
      reference::rms_norm(x, scale, static_cast<double>(kEpsilon), values, columns);
    }
    return values;
  };
  measure(
      state, 1, [&](cudaStream_t stream) { plan.execute(tensors, workspace, stream); }, expected,
      {kFp32Sums, 1.01 * kUnit}, out, which == Norm::layer ? "cuDNN: layer norm" : "cuDNN: RMS norm");
  if (training) require_statistics(which, mean, inverse_deviation, rows, columns);
  harness::set_note("engine " + plan.engine());
}

void softmax(State& state) {
  const std::int64_t columns = columns_of(state);
  const CudnnSoftmax cudnn(rows_of(state), columns);
  const void* in = input(Slot::input, kType, kElements);
  void* out = result(kType, kElements);
  const Rows expected = [&](std::int64_t row) {
    std::vector<double> values(static_cast<std::size_t>(columns));
    reference::softmax(row_of(Slot::input, row, columns), values, columns);
    return values;
  };
  measure(
      state, 1, [&](cudaStream_t stream) { cudnn.forward(in, out, stream); }, expected,
      {1.01 * kSubnormal, 1.01 * kUnit + kFp32Sums}, out, "cuDNN: softmax");
}

// Gradients are a share, of at most 16 / columns, times differences below 4: as norm.cpp.
void softmax_backward(State& state) {
  const std::int64_t columns = columns_of(state);
  const CudnnSoftmax cudnn(rows_of(state), columns);
  const void* d_out = input(Slot::other, kType, kElements);
  void* y = device_memory(Slot::input, kElements * size_of(kType));
  const cuda::Stream setup;
  kernels::norm::softmax(kType, input(Slot::input, kType, kElements), y, {rows_of(state), columns}, setup);  // in place
  setup.synchronize();
  void* out = result(kType, kElements);
  const Rows expected = [&](std::int64_t row) {
    std::vector<double> values(static_cast<std::size_t>(columns));
    reference::softmax_backward(elements(kType, y, row * columns, columns), row_of(Slot::other, row, columns), values,
                                columns);
    return values;
  };
  const double share = 16.0 / static_cast<double>(columns);
  measure(
      state, 2, [&](cudaStream_t stream) { cudnn.backward(y, d_out, out, stream); }, expected,
      {4 * kFp32Sums * share + 1.01 * kSubnormal, 1.01 * kUnit}, out, "cuDNN: softmax backward");
}

// Where norm.cpp measures our kernels; its textbook rows are what these are held against.
void define(const std::string& name, const std::string& operation, harness::Body body, const std::string& variant,
            Profile smallest) {
  add(name, guarded(std::move(body)))
      .sweep("columns", {.quick = {4096}, .standard = {65536}, .full = {32, 256, 1024, 16384}})
      .memory([](const auto&) { return harness::Memory{.device_bytes = 3 * kElements * size_of(kType)}; })
      .from(smallest)
      .advice("fuse-norm", Role::after, operation, variant);
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
