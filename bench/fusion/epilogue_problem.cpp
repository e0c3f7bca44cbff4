#include "bench/fusion/epilogue_problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>

#include "bench/fusion/all_products.hpp"
#include "bench/fusion/arrays.hpp"
#include "bench/fusion/epilogue_product.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/device/peaks.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/limits.hpp"
#include "kernels/common/convert.hpp"
#include "kernels/common/fill.hpp"
#include "kernels/pointwise/gradients.hpp"
#include "kernels/pointwise/pointwise.hpp"

namespace cupel::bench::fusion {
namespace {

using cuda::check;
using kernels::DType;
using kernels::size_of;
using kernels::pointwise::Activation;
namespace pointwise = kernels::pointwise;

constexpr std::int64_t kBlock = 16;  // elements of a block to a side
constexpr int kNaNByte = 0xFF;

// Memory beside the arrays of the family. Never destroyed: the driver may be gone before statics are.
struct Buffers {
  cuda::DeviceBuffer<unsigned char> kept;  // before the activation, or of ReLU behind it
  cuda::DeviceBuffer<unsigned char> mask;
  cuda::DeviceBuffer<float> partial;
};
Buffers& buffers() {
  static auto& all = *new Buffers;
  return all;
}

template <class T>
void reserve(cuda::DeviceBuffer<T>& buffer, std::int64_t size) {
  if (static_cast<std::int64_t>(buffer.size()) >= size) return;
  buffer = {};  // before the larger piece is made: both at once may not fit
  buffer = cuda::DeviceBuffer<T>(static_cast<std::size_t>(size));
}

template <class T>
void poison(cuda::DeviceBuffer<T>& buffer) {
  if (buffer.size() > 0) check(cudaMemset(buffer.data(), kNaNByte, buffer.size_bytes()));
}

bool is_forward(Operation operation) {
  return operation == Operation::bias || operation == Operation::bias_relu || operation == Operation::bias_gelu;
}

bool has_activation(Operation operation) {
  return operation != Operation::bias && operation != Operation::bias_gradient;
}

bool is_relu(Operation operation) { return operation == Operation::bias_relu || operation == Operation::relu_gradient; }

Activation activation_of(Operation operation) { return is_relu(operation) ? Activation::relu : Activation::gelu_tanh; }

// The bias, or its gradient, has an element for each feature of the inner layer.
std::int64_t features(Operation operation, const ProductShape& shape) {
  return operation == Operation::bias_gradient ? shape.n : shape.m;
}

cublasLtEpilogue_t epilogue_of(Operation operation, bool keeps) {
  switch (operation) {
    case Operation::bias:
      return CUBLASLT_EPILOGUE_BIAS;
    case Operation::bias_relu:
      return keeps ? CUBLASLT_EPILOGUE_RELU_AUX_BIAS : CUBLASLT_EPILOGUE_RELU_BIAS;
    case Operation::bias_gelu:
      return keeps ? CUBLASLT_EPILOGUE_GELU_AUX_BIAS : CUBLASLT_EPILOGUE_GELU_BIAS;
    case Operation::relu_gradient:
      return CUBLASLT_EPILOGUE_DRELU_BGRAD;
    case Operation::gelu_gradient:
      return CUBLASLT_EPILOGUE_DGELU_BGRAD;
    case Operation::bias_gradient:
      break;
  }
  return CUBLASLT_EPILOGUE_BGRADB;
}

// The arrays, there once a problem has been made.
const void* a() { return device_memory(Slot::other, 0); }
const void* b() { return device_memory(Slot::input, 0); }
void* bias() { return device_memory(Slot::columns, 0); }
void* bias_sums() { return device_memory(Slot::more_columns, 0); }
void* out() { return device_memory(Slot::out, 0); }

void require_within(const Expected& expected, double seen, const std::string& what, std::int64_t row,
                    std::int64_t column) {
  if (std::fabs(seen - expected.value) <= expected.allowed) return;  // false for NaN
  harness::require(false, what + ": element (" + std::to_string(row) + ", " + std::to_string(column) + ") is " +
                              std::to_string(seen) + ", not " + std::to_string(expected.value) + " within " +
                              std::to_string(expected.allowed));
}

}  // namespace

EpilogueProblem::EpilogueProblem(Operation operation, DType type, std::int64_t hidden, std::int64_t tokens)
    : operation_(operation),
      type_(type),
      shape_(shape_of(operation, hidden, tokens)),
      scale_(scale_of(operation, shape_.k)) {
  timing::require_arithmetic(kernels::to_string(type), arithmetic_of(type));
  const std::int64_t wide = features(operation, shape_);
  input(Slot::other, type, shape_.count_a());
  input(Slot::input, type, shape_.count_b());
  input(Slot::columns, type, wide);
  device_memory(Slot::more_columns, wide * size_of(type));
  device_memory(Slot::out, shape_.count_c() * size_of(type));
  reserve(buffers().partial, pointwise::kBiasStrips * wide);
  if (has_activation(operation)) reserve(buffers().kept, shape_.count_c() * size_of(type));
  if (is_relu(operation)) reserve(buffers().mask, mask_bytes(shape_));
  if (!is_forward(operation) && has_activation(operation)) make_activations();
}

// GELU's input is random; ReLU's output and mask come from a forward pass of the same shape.
void EpilogueProblem::make_activations() const {
  const cuda::Stream stream;
  if (is_relu(operation_)) {
    ProductShape shape = shape_;
    shape.transpose_a = true;
    const EpilogueProduct product({.type = type_,
                                   .shape = shape,
                                   .scale = scale_of(Operation::bias_relu, shape.k),
                                   .epilogue = CUBLASLT_EPILOGUE_RELU_AUX_BIAS,
                                   .bias = bias(),
                                   .kept = buffers().mask.data()});
    product.multiply(a(), b(), buffers().kept.data(), stream);
  } else {
    kernels::fill_uniform(type_, buffers().kept.data(), shape_.count_c(), harness::options().seed * 8 + 7, -4, 4,
                          stream);
  }
  stream.synchronize();
}

Work EpilogueProblem::work(Way way, bool keeps) const {
  result(type_, shape_.count_c());
  check(cudaMemset(bias_sums(), kNaNByte, static_cast<std::size_t>(features(operation_, shape_) * size_of(type_))));
  if (is_forward(operation_)) {
    poison(buffers().kept);
    poison(buffers().mask);
  }
  check(cudaDeviceSynchronize());
  return way == Way::separate ? separate() : fused(keeps);
}

Work EpilogueProblem::separate() const {
  const auto product =
      std::make_shared<EpilogueProduct>(ProductDescription{.type = type_, .shape = shape_, .scale = scale_});
  const DType type = type_;
  const ProductShape shape = shape_;
  const Activation activation = activation_of(operation_);
  void* kept = buffers().kept.data();
  float* partial = buffers().partial.data();
  switch (operation_) {
    case Operation::bias:
      return {[=](cudaStream_t stream) {
                product->multiply(a(), b(), out(), stream);
                pointwise::add_bias(type, out(), bias(), out(), shape.n, shape.m, stream);
              },
              2, product->algorithm()};
    case Operation::bias_relu:
    case Operation::bias_gelu:
      return {[=](cudaStream_t stream) {
                product->multiply(a(), b(), kept, stream);
                pointwise::add_bias(type, kept, bias(), kept, shape.n, shape.m, stream);
                pointwise::activate(type, activation, kept, out(), shape.count_c(), stream);
              },
              3, product->algorithm()};
    case Operation::relu_gradient:
    case Operation::gelu_gradient:
      return {[=](cudaStream_t stream) {
                product->multiply(a(), b(), out(), stream);
                pointwise::activation_gradient(type, activation, kept, out(), out(), shape.count_c(), stream);
                pointwise::bias_gradient(type, out(), bias_sums(), partial, shape.n, shape.m, stream);
              },
              4, product->algorithm()};
    case Operation::bias_gradient:
      break;
  }
  return {[=](cudaStream_t stream) {
            product->multiply(a(), b(), out(), stream);
            pointwise::bias_gradient(type, b(), bias_sums(), partial, shape.k, shape.n, stream);
          },
          3, product->algorithm()};
}

Work EpilogueProblem::fused(bool keeps) const {
  ProductDescription description{
      .type = type_, .shape = shape_, .scale = scale_, .epilogue = epilogue_of(operation_, keeps)};
  description.bias = is_forward(operation_) ? bias() : bias_sums();
  const bool has_kept = has_activation(operation_) && (keeps || !is_forward(operation_));
  if (has_kept) description.kept = is_relu(operation_) ? buffers().mask.data() : buffers().kept.data();
  const auto product = std::make_shared<EpilogueProduct>(description);
  return {[=](cudaStream_t stream) { product->multiply(a(), b(), out(), stream); }, 1, product->algorithm()};
}

record::Workload EpilogueProblem::workload() const {
  const std::int64_t bytes = size_of(type_);
  return {.bytes_read = bytes * (shape_.count_a() + shape_.count_b()),
          .bytes_written = bytes * shape_.count_c(),
          .flops = 2 * shape_.m * shape_.n * shape_.k};
}

void EpilogueProblem::set_roof_limit() const { timing::set_roof_limit(arithmetic_of(type_), workload()); }

// Column by column.
std::vector<double> EpilogueProblem::block(const void* array, std::int64_t leading, std::int64_t row, std::int64_t rows,
                                           std::int64_t column, std::int64_t columns) const {
  return kernels::with_type(type_, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto width = static_cast<std::size_t>(rows) * sizeof(T);
    std::vector<T> raw(static_cast<std::size_t>(rows * columns));
    check(cudaDeviceSynchronize());
    check(cudaMemcpy2D(raw.data(), width, static_cast<const T*>(array) + column * leading + row,
                       static_cast<std::size_t>(leading) * sizeof(T), width, static_cast<std::size_t>(columns),
                       cudaMemcpyDeviceToHost));
    std::vector<double> values;
    for (const T& x : raw) values.push_back(static_cast<double>(kernels::to_float(x)));
    return values;
  });
}

void EpilogueProblem::require_right(Way way, bool keeps) const {
  const std::int64_t last_row = std::max<std::int64_t>(shape_.m - kBlock, 0);
  const std::int64_t last_column = std::max<std::int64_t>(shape_.n - kBlock, 0);
  require_all(way);
  require_block(way, keeps, 0, 0);
  require_block(way, keeps, last_row / 2, last_column / 2);
  require_block(way, keeps, last_row, last_column);
  if (!is_forward(operation_)) require_bias_gradient(way);
}

void EpilogueProblem::require_all(Way way) const {
  check(cudaDeviceSynchronize());
  const bool is_whole = operation_ == Operation::bias_gradient;  // the product is stored once, either way
  const RightProducts right{.operation = operation_,
                            .rounding = {is_whole ? Way::fused : way, type_, shape_.k},
                            .shape = shape_,
                            .scale = static_cast<double>(scale_),
                            .a = a(),
                            .b = b(),
                            .bias = bias(),
                            .kept = buffers().kept.data(),
                            .forward_scale = scale_of(Operation::bias_relu, shape_.k)};
  const Wrong wrong = find_wrong(right, out());
  harness::require(wrong.elements == 0, std::to_string(wrong.elements) + " of " + std::to_string(shape_.count_c()) +
                                            " elements are wrong, the first is " + std::to_string(wrong.first));
}

void EpilogueProblem::require_block(Way way, bool keeps, std::int64_t row, std::int64_t column) const {
  const std::int64_t rows = std::min(kBlock, shape_.m), columns = std::min(kBlock, shape_.n);
  const auto stored = [this](Slot slot) { return [this, slot](std::int64_t i) { return input_at(slot, type_, i); }; };
  const std::vector<Dot> products = dots(shape_, stored(Slot::other), stored(Slot::input), row, rows, column, columns);
  const std::vector<double> seen = block(out(), shape_.m, row, rows, column, columns);
  const bool forwards = is_forward(operation_), activates = has_activation(operation_);
  const std::vector<double> kept =
      activates ? block(buffers().kept.data(), shape_.m, row, rows, column, columns) : std::vector<double>(seen.size());
  const bool keeps_input = forwards && activates && (way == Way::separate || (keeps && !is_relu(operation_)));

  const Rounding rounding{way, type_, shape_.k};
  for (std::size_t e = 0; e < seen.size(); ++e) {
    const std::int64_t i = row + static_cast<std::int64_t>(e) % rows, j = column + static_cast<std::int64_t>(e) / rows;
    const auto scale = static_cast<double>(scale_);
    const Dot product{scale * products[e].sum, scale * products[e].magnitude};
    if (forwards) {
      const double added = input_at(Slot::columns, type_, i);
      require_within(forward(operation_, rounding, product, added), seen[e], "product with bias", i, j);
      if (keeps_input) require_within(with_bias(rounding, product, added), kept[e], "input of activation", i, j);
    } else if (activates) {
      require_within(backward(operation_, rounding, product, kept[e]), seen[e], "gradient", i, j);
    } else {
      const Rounding whole{Way::fused, type_, shape_.k};  // the product is stored once, either way
      require_within(with_bias(whole, product, 0), seen[e], "gradient of the weights", i, j);
    }
  }
}

// Against the columns that were found, or given: they are the same but for their roundings.
void EpilogueProblem::require_bias_gradient(Way way) const {
  const bool of_operand = operation_ == Operation::bias_gradient;
  const std::int64_t wide = features(operation_, shape_), tokens = of_operand ? shape_.k : shape_.n;
  const std::int64_t count = std::min(kBlock, wide), first = (wide - count) / 2;
  const std::vector<double> values = block(of_operand ? b() : out(), wide, first, count, 0, tokens);
  const std::vector<double> sums = block(bias_sums(), wide, first, count, 0, 1);
  for (std::int64_t c = 0; c < count; ++c) {
    std::vector<double> column;
    for (std::int64_t t = 0; t < tokens; ++t) column.push_back(values[static_cast<std::size_t>(t * count + c)]);
    const bool exact = of_operand || way == Way::separate;
    require_within(column_sum(type_, column, exact), sums[static_cast<std::size_t>(c)], "gradient of the bias",
                   first + c, 0);
  }
}

harness::Memory memory_of(Operation operation, DType type, std::int64_t hidden, std::int64_t tokens) {
  const ProductShape shape = shape_of(operation, hidden, tokens);
  const std::int64_t results = has_activation(operation) ? 2 : 1;
  const std::int64_t mask = is_relu(operation) ? mask_bytes(shape) : 0;
  return {.device_bytes =
              size_of(type) * (shape.count_a() + shape.count_b() + results * shape.count_c()) + mask +
              features(operation, shape) * (pointwise::kBiasStrips * std::int64_t{sizeof(float)} + 2 * size_of(type))};
}

}  // namespace cupel::bench::fusion
