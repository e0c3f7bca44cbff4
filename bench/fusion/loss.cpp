// Cross entropy of a vocabulary's scores: log-softmax of the whole row, then the label's element of it, an operation a
// kernel; against one kernel that reads each row once and writes a number. And its gradient.
#include <cstdint>
#include <span>
#include <vector>

#include "bench/fusion/norm_operation.hpp"
#include "bench/fusion/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/verify/generator.hpp"
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

// As a loss scale makes it of 1 / rows: shares of a large vocabulary are subnormal numbers in fp16 as they are.
constexpr float kScale = 1;

const double kUnit = kernels::unit_roundoff(kNormType);
constexpr double kSubnormal = 0x1p-25;  // to which the smallest numbers of fp16 are rounded

// One for each row, on both sides.
struct Labels {
  explicit Labels(const Shape& shape) : host(static_cast<std::size_t>(shape.rows)) {
    const verify::Generator random(harness::options().seed);
    for (std::size_t r = 0; r < host.size(); ++r) {
      host[r] = static_cast<std::int32_t>(random.bits(r) % static_cast<std::uint64_t>(shape.columns));
    }
    device = cuda::DeviceBuffer<std::int32_t>(std::span<const std::int32_t>(host));
  }
  // As the reference takes them.
  std::span<const std::int32_t> of_row(std::int64_t r) const { return {&host[static_cast<std::size_t>(r)], 1}; }

  std::vector<std::int32_t> host;
  cuda::DeviceBuffer<std::int32_t> device;
};

// The textbook's loss is a difference that was rounded, twice, when it was below 16: half of 2^-7 each. Its sum of
// exponentials has lost less than a rounding. In fp32 a loss of at most 16 is off by some roundings, and by those of
// the sum, which the logarithm makes absolute.
Tolerance of_losses(Impl impl) { return {impl == Impl::single_pass ? 3e-5 : 3e-5 + (2 * 8 + 4) * kUnit, 0}; }

// Shares: the textbook rounds an exponent between 8 and 16, which the exponential makes a relative error of, and rounds
// twice more.
Tolerance of_gradients(Impl impl) {
  if (impl == Impl::single_pass) return {1.01 * kSubnormal, 1.01 * kUnit + 3e-5};
  return {4 * kSubnormal, (8 + 3) * kUnit};
}

void cross_entropy(State& state, Impl impl) {
  const Shape shape = norm_shape(state);
  const void* in = input(Slot::input, kNormType, shape.rows * shape.columns);
  const Labels labels(shape);
  auto* loss = static_cast<float*>(result(kernels::DType::fp32, shape.rows));
  cuda::DeviceBuffer<float> log_sum = floats(shape.rows);
  norm::TextbookWorkspace workspace = norm_workspace(impl, shape);

  NormOperation operation;
  operation.bytes_read = norm_bytes(shape) + words(shape.rows);
  operation.bytes_written = words(shape.rows);
  operation.launches = impl == Impl::textbook ? 7 : 1;
  operation.run = [&](cudaStream_t stream) {
    if (impl == Impl::textbook) {
      norm::cross_entropy_textbook(kNormType, in, labels.device.data(), loss, workspace, shape, stream);
    } else {
      norm::cross_entropy(kNormType, in, labels.device.data(), loss, log_sum.data(), shape, stream);
    }
  };
  operation.check = [&] {
    for (const std::int64_t r : looked_at(shape.rows)) {
      std::vector<double> expected(1);
      reference::cross_entropy(row_of(Slot::input, shape, r), labels.of_row(r), expected, shape.columns);
      require_close(expected, elements(kernels::DType::fp32, loss, r, 1), of_losses(impl), r, "cross entropy");
    }
    cuda::DeviceBuffer<double> right(static_cast<std::size_t>(shape.rows));
    const cuda::Stream stream;
    row_losses(kNormType, in, labels.device.data(), shape, right.data(), stream);
    require_close(right.to_host(), elements(kernels::DType::fp32, loss, 0, shape.rows), of_losses(impl), 0,
                  "cross entropy");
  };
  measure_norm(state, shape, operation);
}

// The logarithm of each row's sum of exponentials is the forward pass's.
void cross_entropy_backward(State& state, Impl impl) {
  const Shape shape = norm_shape(state);
  const void* in = input(Slot::input, kNormType, shape.rows * shape.columns);
  const Labels labels(shape);
  cuda::DeviceBuffer<float> loss = floats(shape.rows), log_sum = floats(shape.rows);
  const cuda::Stream setup;
  norm::cross_entropy(kNormType, in, labels.device.data(), loss.data(), log_sum.data(), shape, setup);
  setup.synchronize();
  void* d_in = result(kNormType, shape.rows * shape.columns);

  NormOperation operation;
  operation.bytes_read = norm_bytes(shape) + words(2 * shape.rows);
  operation.bytes_written = norm_bytes(shape);
  operation.launches = impl == Impl::textbook ? 4 : 1;
  operation.run = [&](cudaStream_t stream) {
    const auto backward = impl == Impl::textbook ? norm::cross_entropy_backward_textbook : norm::cross_entropy_backward;
    backward(kNormType, in, labels.device.data(), log_sum.data(), kScale, d_in, shape, stream);
  };
  operation.check = [&] {
    for (const std::int64_t r : looked_at(shape.rows)) {
      std::vector<double> expected(static_cast<std::size_t>(shape.columns));
      reference::cross_entropy_backward(row_of(Slot::input, shape, r), labels.of_row(r), static_cast<double>(kScale),
                                        expected, shape.columns);
      require_row(shape, d_in, r, expected, of_gradients(impl), "cross entropy backward");
    }
    require_all_rows({.kind = Rowwise::Kind::cross_entropy_backward,
                      .in = in,
                      .labels = labels.device.data(),
                      .scale = static_cast<double>(kScale)},
                     shape, d_in, of_gradients(impl), "cross entropy backward");
  };
  measure_norm(state, shape, operation);
}

// GPT-2's vocabulary of 50257 is no multiple of anything; padded to 50304 its rows are aligned.
NormPlace place(Profile smallest, std::int64_t arrays) {
  return {{.quick = {65536}, .full = {32, 256, 1024, 32768, 50257, 50304}}, smallest, arrays};
}

}  // namespace

void register_loss() {
  register_norm_operation("cross_entropy", cross_entropy, "fusion/norm/op:cross_entropy/impl:textbook",
                          "fusion/norm/op:cross_entropy/impl:single_pass", place(Profile::standard, 3));
  register_norm_operation("cross_entropy_backward", cross_entropy_backward,
                          "fusion/norm/op:cross_entropy_backward/impl:textbook",
                          "fusion/norm/op:cross_entropy_backward/impl:single_pass", place(Profile::full, 2));
}

}  // namespace cupel::bench::fusion
