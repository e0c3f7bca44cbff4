#include "kernels/optimizer/optimizer.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "kernels/common/argument.hpp"
#include "kernels/common/vector.cuh"

namespace cupel::kernels::optimizer {
namespace {

constexpr int kBlock = 256;
constexpr int kVectorFloats = 4;  // 16 bytes of the fp32 arrays, 8 of the 16-bit ones
constexpr int kEach = 2;          // vectors of a thread and array in flight: Adam has eight loads of 16 bytes under way
constexpr std::int64_t kTile = std::int64_t{kBlock} * kVectorFloats * kEach;
// A block's chunk: long enough that the two look-ups at its start (chunk, then tensor: some 1.5 us) hide behind the
// other blocks of the SM (four of them, 14 us a chunk at 4.4 TB/s over 132 SMs), short enough that 25 million
// parameters are 6250 chunks, twelve rounds of the device, of which a last one that is not full costs little.
constexpr std::int64_t kChunk = 2 * kTile;

template <int N, class T>
__device__ void read(const T* from, float (&to)[N]) {
  const Pack<T, N> pack = load_pack<N>(from);
#pragma unroll
  for (int e = 0; e < N; ++e) to[e] = to_float(pack.values[e]);
}

template <int N, class T>
__device__ void write(T* to, const float (&from)[N]) {
  Pack<T, N> pack;
#pragma unroll
  for (int e = 0; e < N; ++e) pack.values[e] = from_float<T>(from[e]);
  store_pack<N>(to, pack);
}

// N elements of every array that the operation uses.
template <int N>
struct Run {
  float parameter[N], gradient[N], m[N], v[N], scratch[N];
};

template <class Operation, class T, int N>
__device__ void load(const Tensor& t, std::int64_t i, Run<N>& run) {
  constexpr unsigned kReads = Operation::kReads;
  if constexpr ((kReads & kParameter) != 0) read(t.parameter + i, run.parameter);
  if constexpr ((kReads & kGradient) != 0) read(static_cast<const T*>(t.gradient) + i, run.gradient);
  if constexpr ((kReads & kM) != 0) read(t.m + i, run.m);
  if constexpr ((kReads & kV) != 0) read(t.v + i, run.v);
  if constexpr ((kReads & kScratch) != 0) read(t.scratch + i, run.scratch);
}

template <class Operation, int N>
__device__ void apply(const Operation& operation, float inverse_scale, Run<N>& run) {
#pragma unroll
  for (int e = 0; e < N; ++e) {
    Element<float> element{run.parameter[e], run.gradient[e] * inverse_scale, run.m[e], run.v[e], run.scratch[e]};
    operation(element);
    run.parameter[e] = element.parameter;
    run.gradient[e] = element.gradient;
    run.m[e] = element.m;
    run.v[e] = element.v;
    run.scratch[e] = element.scratch;
  }
}

template <class Operation, class T, int N>
__device__ void store(const Tensor& t, std::int64_t i, const Run<N>& run) {
  constexpr unsigned kWrites = Operation::kWrites;
  if constexpr ((kWrites & kParameter) != 0) write(t.parameter + i, run.parameter);
  if constexpr ((kWrites & kGradient) != 0) write(static_cast<T*>(t.gradient) + i, run.gradient);
  if constexpr ((kWrites & kM) != 0) write(t.m + i, run.m);
  if constexpr ((kWrites & kV) != 0) write(t.v + i, run.v);
  if constexpr ((kWrites & kScratch) != 0) write(t.scratch + i, run.scratch);
  if constexpr ((kWrites & kCopy) != 0 && sizeof(T) == 2) {
    if (t.copy != nullptr) write(static_cast<T*>(t.copy) + i, run.parameter);
  }
}

// All arrays of the tensor start where a vector of theirs may; so do its chunks then.
template <class T>
__device__ bool takes_vectors(const Tensor& t) {
  const auto floats = reinterpret_cast<std::uintptr_t>(t.parameter) | reinterpret_cast<std::uintptr_t>(t.m) |
                      reinterpret_cast<std::uintptr_t>(t.v) | reinterpret_cast<std::uintptr_t>(t.scratch);
  const auto others = reinterpret_cast<std::uintptr_t>(t.gradient) | reinterpret_cast<std::uintptr_t>(t.copy);
  return floats % 16 == 0 && others % (kVectorFloats * sizeof(T)) == 0;
}

template <int N, class Operation, class T>
__device__ void one_run(const Tensor& t, std::int64_t i, const Operation& operation, float inverse_scale) {
  Run<N> run{};
  load<Operation, T>(t, i, run);
  apply(operation, inverse_scale, run);
  store<Operation, T>(t, i, run);
}

// Elements [begin, end) of a tensor by one block.
template <class Operation, class T>
__device__ void work_on(const Tensor& t, std::int64_t begin, std::int64_t end, const Operation& operation,
                        float inverse_scale) {
  std::int64_t i = begin;
  if (takes_vectors<T>(t)) {
#pragma unroll 1  // the loads of one tile are enough; those of four make registers spill
    for (; i + kTile <= end; i += kTile) {
      Run<kVectorFloats> runs[kEach]{};
#pragma unroll
      for (int k = 0; k < kEach; ++k) load<Operation, T>(t, i + (k * kBlock + threadIdx.x) * kVectorFloats, runs[k]);
#pragma unroll
      for (int k = 0; k < kEach; ++k) {
        apply(operation, inverse_scale, runs[k]);
        store<Operation, T>(t, i + (k * kBlock + threadIdx.x) * kVectorFloats, runs[k]);
      }
    }
    const std::int64_t vectors_end = begin + (end - begin) / kVectorFloats * kVectorFloats;
#pragma unroll 1
    for (i += threadIdx.x * kVectorFloats; i < vectors_end; i += kBlock * kVectorFloats) {
      one_run<kVectorFloats, Operation, T>(t, i, operation, inverse_scale);
    }
    i = vectors_end;
  }
#pragma unroll 1
  for (i += threadIdx.x; i < end; i += kBlock) one_run<1, Operation, T>(t, i, operation, inverse_scale);
}

__device__ bool must_skip(const LossScale& scale) { return scale.found_inf != nullptr && *scale.found_inf != 0; }
__device__ float factor_of(const LossScale& scale) { return scale.inverse == nullptr ? 1.0f : *scale.inverse; }

// Tells the compiler what it cannot see where addresses come from memory. Without it every access is a generic one.
__device__ Tensor in_global_memory(const Tensor& tensor) {
  __builtin_assume(__isGlobal(tensor.parameter));
  __builtin_assume(__isGlobal(tensor.gradient));
  __builtin_assume(__isGlobal(tensor.m));
  __builtin_assume(__isGlobal(tensor.v));
  __builtin_assume(__isGlobal(tensor.scratch));
  __builtin_assume(__isGlobal(tensor.copy));
  return tensor;
}

// An operation of Adam whose constants a kernel has put into device memory.
template <class Operation>
struct FromMemory {
  const AdamConstants* constants;
};

template <class Operation>
__device__ Operation resolved(const Operation& operation) {
  return operation;
}
template <class Operation>
__device__ Operation resolved(const FromMemory<Operation>& operation) {
  return Operation{*operation.constants};
}

template <class Operation, class T>
__global__ void __launch_bounds__(kBlock)
    over_list(const Tensor* tensors, const TensorList::Chunk* chunks, Operation operation, LossScale scale) {
  const TensorList::Chunk chunk = chunks[blockIdx.x];
  if (must_skip(scale)) return;
  const Tensor tensor = in_global_memory(tensors[chunk.tensor]);
  const std::int64_t begin = chunk.index * kChunk;
  const std::int64_t end = begin + kChunk < tensor.count ? begin + kChunk : tensor.count;
  const auto resolved_operation = resolved(operation);
  work_on<std::remove_const_t<decltype(resolved_operation)>, T>(tensor, begin, end, resolved_operation,
                                                                factor_of(scale));
}

template <class Operation, class T>
__global__ void __launch_bounds__(kBlock) over_tensor(Tensor tensor, Operation operation, LossScale scale) {
  if (must_skip(scale)) return;
  const std::int64_t begin = blockIdx.x * kChunk;
  const std::int64_t end = begin + kChunk < tensor.count ? begin + kChunk : tensor.count;
  const auto resolved_operation = resolved(operation);
  work_on<std::remove_const_t<decltype(resolved_operation)>, T>(tensor, begin, end, resolved_operation,
                                                                factor_of(scale));
}

// Makes the constants that change from step to step; in double, as AdamConstants makes it.
__global__ void count_step(AdamCount* count, AdamConstants first, Adam adam, LossScale scale) {
  if (must_skip(scale)) return;
  const auto step = static_cast<double>(++count->steps);
  first.step_size = static_cast<float>(adam.learning_rate / (1 - pow(adam.beta1, step)));
  first.inverse_root_correction = static_cast<float>(1 / sqrt(1 - pow(adam.beta2, step)));
  count->constants = first;
}

template <class T>
__global__ void __launch_bounds__(kBlock) unscale_kernel(const Tensor* tensors, const TensorList::Chunk* chunks,
                                                         const float* inverse_scale, float* found_inf) {
  const TensorList::Chunk chunk = chunks[blockIdx.x];
  const Tensor tensor = in_global_memory(tensors[chunk.tensor]);
  const std::int64_t begin = chunk.index * kChunk;
  const std::int64_t end = begin + kChunk < tensor.count ? begin + kChunk : tensor.count;
  const float factor = *inverse_scale;
  auto* gradient = static_cast<T*>(tensor.gradient);
  bool found = false;
  const auto unscale_run = [&](auto width, std::int64_t i) {
    constexpr int N = decltype(width)::value;
    float values[N];
    read(gradient + i, values);
#pragma unroll
    for (int e = 0; e < N; ++e) {
      values[e] = to_float(from_float<T>(values[e] * factor));
      found = found || !isfinite(values[e]);
    }
    write(gradient + i, values);
  };
  std::int64_t i = begin;
  constexpr int N = kVector<T>;
  if (reinterpret_cast<std::uintptr_t>(gradient) % kVectorBytes == 0) {
    const std::int64_t vectors_end = begin + (end - begin) / N * N;
#pragma unroll 4
    for (i += threadIdx.x * N; i < vectors_end; i += kBlock * N) unscale_run(std::integral_constant<int, N>(), i);
    i = vectors_end;
  }
  for (i += threadIdx.x; i < end; i += kBlock) unscale_run(std::integral_constant<int, 1>(), i);
  // All that write it write the same.
  if (__syncthreads_or(found) && threadIdx.x == 0) *found_inf = 1;
}

// One operation over all tensors, in one launch or in one each.
class Launcher {
 public:
  Launcher(bool one_by_one, const TensorList& tensors, const LossScale& scale, cudaStream_t stream)
      : one_by_one_(one_by_one), tensors_(tensors), scale_(scale), stream_(stream) {}

  template <class Operation>
  void operator()(const Operation& operation) const {
    if (tensors_.chunks() == 0) return;
    with_type(tensors_.type(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      if (one_by_one_) {
        for (const Tensor& tensor : tensors_.tensors()) launch_one<T>(tensor, operation);
      } else {
        over_list<Operation, T><<<static_cast<unsigned>(tensors_.chunks()), kBlock, 0, stream_>>>(
            tensors_.device_tensors(), tensors_.device_chunks(), operation, scale_);
        cuda::check(cudaGetLastError());
      }
    });
  }

 private:
  template <class T, class Operation>
  void launch_one(const Tensor& tensor, const Operation& operation) const {
    if (tensor.count == 0) return;
    const auto blocks = static_cast<unsigned>((tensor.count + kChunk - 1) / kChunk);
    over_tensor<Operation, T><<<blocks, kBlock, 0, stream_>>>(tensor, operation, scale_);
    cuda::check(cudaGetLastError());
  }

  bool one_by_one_;
  const TensorList& tensors_;
  LossScale scale_;
  cudaStream_t stream_;
};

void require_tensor(const Tensor& tensor, DType type, std::size_t place) {
  const std::string which = "tensor " + std::to_string(place) + ": ";
  const auto require = [&](const void* array, std::int64_t bytes, const char* name) {
    require_array(array, tensor.count, bytes, "TensorList", which + name);
  };
  require(tensor.parameter, 4, "parameter");
  require(tensor.gradient, size_of(type), "gradient");
  require(tensor.m, 4, "m");
  if (tensor.v != nullptr) require(tensor.v, 4, "v");
  if (tensor.scratch != nullptr) require(tensor.scratch, 4, "scratch");
  if (tensor.copy != nullptr) require(tensor.copy, size_of(type), "copy");
  require_argument(tensor.copy == nullptr || type != DType::fp32, "TensorList", which + "copy",
                   "null where gradients are fp32");
}

void require_all(const TensorList& tensors, float* Tensor::*array, const char* name) {
  // Every step pays for this: a text is made only where it is needed.
  for (const Tensor& tensor : tensors.tensors()) {
    if (tensor.count == 0 || tensor.*array != nullptr) continue;
    require_argument(false, "step", std::string("tensors: ") + name, "there in every tensor");
  }
}

void require_no_inverse(Way way, const LossScale& scale) {
  require_argument(way == Way::fused || scale.inverse == nullptr, "step", "scale.inverse", "null unless fused");
}

template <class Operation>
struct Tag {
  using type = Operation;
};

// constants: of any step; make(Tag<Operation>()): the operation with those of this one.
template <class Make>
void launch_adam(Way way, const Launcher& launch, const TensorList& tensors, const AdamConstants& constants,
                 const Make& make) {
  if (way == Way::fused) return launch(make(Tag<AdamStep>()));
  require_all(tensors, &Tensor::scratch, "scratch");
  if (constants.keep != 1) launch(make(Tag<AdamKeep>()));
  if (constants.gradient_decay != 0) launch(make(Tag<AdamDecayGradient>()));
  launch(make(Tag<AdamScaleM>()));
  launch(make(Tag<AdamAddToM>()));
  launch(make(Tag<AdamScaleV>()));
  launch(make(Tag<AdamAddToV>()));
  launch(make(Tag<AdamRoot>()));
  launch(make(Tag<AdamCorrect>()));
  launch(make(Tag<AdamAddEpsilon>()));
  launch(make(Tag<AdamMove>()));
}

}  // namespace

const char* to_string(Way way) {
  switch (way) {
    case Way::foreach:
      return "foreach";
    case Way::fused:
      return "fused";
    case Way::loop:
      break;
  }
  return "loop";
}

TensorList::TensorList(DType gradient_type, std::vector<Tensor> tensors)
    : type_(gradient_type), tensors_(std::move(tensors)) {
  std::vector<Chunk> chunks;
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    require_tensor(tensors_[i], type_, i);
    count_ += tensors_[i].count;
    const std::int64_t of_tensor = (tensors_[i].count + kChunk - 1) / kChunk;
    for (std::int64_t k = 0; k < of_tensor; ++k) chunks.push_back({static_cast<int>(i), static_cast<int>(k)});
  }
  chunks_ = static_cast<std::int64_t>(chunks.size());
  if (chunks_ == 0) return;
  device_tensors_ = cuda::DeviceBuffer<Tensor>(std::span<const Tensor>(tensors_));
  device_chunks_ = cuda::DeviceBuffer<Chunk>(std::span<const Chunk>(chunks));
}

void step(Way way, const Adam& adam, std::int64_t step, const TensorList& tensors, const LossScale& scale,
          cudaStream_t stream) {
  require_argument(step >= 1, "step", "step", "1 or more");
  require_all(tensors, &Tensor::v, "v");
  require_no_inverse(way, scale);
  const AdamConstants c(adam, step);
  launch_adam(way, Launcher(way == Way::loop, tensors, scale, stream), tensors, c,
              [&](auto tag) { return typename decltype(tag)::type{c}; });
}

void counted_step(Way way, const Adam& adam, AdamCount* count, const TensorList& tensors, const LossScale& scale,
                  cudaStream_t stream) {
  require_array(count, 1, alignof(AdamCount), "counted_step", "count");
  require_argument(count != nullptr, "counted_step", "count", "there");
  require_all(tensors, &Tensor::v, "v");
  require_no_inverse(way, scale);
  const AdamConstants first(adam, 1);
  count_step<<<1, 1, 0, stream>>>(count, first, adam, scale);
  cuda::check(cudaGetLastError());
  launch_adam(way, Launcher(way == Way::loop, tensors, scale, stream), tensors, first,
              [&](auto tag) { return FromMemory<typename decltype(tag)::type>{&count->constants}; });
}

void step(Way way, const Sgd& sgd, const TensorList& tensors, const LossScale& scale, cudaStream_t stream) {
  require_no_inverse(way, scale);
  const SgdConstants c(sgd);
  const Launcher launch(way == Way::loop, tensors, scale, stream);
  if (way == Way::fused) return launch(SgdStep{c});
  if (c.gradient_decay != 0) launch(SgdDecayGradient{c});
  launch(SgdScaleM{c});
  launch(SgdAddToM{c});
  launch(SgdMove{c});
}

void unscale(const TensorList& tensors, const float* inverse_scale, float* found_inf, cudaStream_t stream) {
  require_array(inverse_scale, 1, 4, "unscale", "inverse_scale");
  require_array(found_inf, 1, 4, "unscale", "found_inf");
  if (tensors.chunks() == 0) return;
  with_type(tensors.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    unscale_kernel<T><<<static_cast<unsigned>(tensors.chunks()), kBlock, 0, stream>>>(
        tensors.device_tensors(), tensors.device_chunks(), inverse_scale, found_inf);
  });
  cuda::check(cudaGetLastError());
}

}  // namespace cupel::kernels::optimizer
