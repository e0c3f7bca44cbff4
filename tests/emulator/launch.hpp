// How rewritten .cu files launch kernels.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace cupel::emulator {

/// As <<<>>> does: what is refused is told by cudaGetLastError(). handle: of a kernel that asks for shared memory.
void launch_body(const char* kernel, const void* handle, dim3 blocks, dim3 threads, std::size_t shared_bytes,
                 cudaStream_t stream, std::function<void()> body);

/// `call` calls the kernel with its arguments, which are evaluated and copied now, as at a launch.
template <class Call, class... Arguments>
void launch(const char* kernel, const void* handle, Call call, dim3 blocks, dim3 threads, std::size_t shared_bytes,
            cudaStream_t stream, Arguments... arguments) {
  launch_body(kernel, handle, blocks, threads, shared_bytes, stream,
              [call, values = std::tuple<Arguments...>(arguments...)] { std::apply(call, values); });
}

/// Makes one thread's work out of the array of pointers that cudaLaunchKernel takes.
using Unpack = std::function<void()> (*)(const void* kernel, void** arguments);
void know_kernel(const void* kernel, Unpack unpack);

template <class... Parameters, std::size_t... I>
std::function<void()> unpacked(void (*kernel)(Parameters...), void** arguments, std::index_sequence<I...>) {
  return [kernel, values = std::tuple<std::remove_cv_t<Parameters>...>(
                      *static_cast<std::remove_cv_t<Parameters>*>(arguments[I])...)] { std::apply(kernel, values); };
}

/// What stands for a kernel where the runtime takes a `const void*`.
template <class... Parameters>
const void* handle_of(void (*kernel)(Parameters...)) {
  const void* handle = reinterpret_cast<const void*>(kernel);
  know_kernel(handle, [](const void* known, void** arguments) {
    using Kernel = void (*)(Parameters...);
    return unpacked(reinterpret_cast<Kernel>(const_cast<void*>(known)), arguments,
                    std::index_sequence_for<Parameters...>());
  });
  return handle;
}

/// The warps of a block are whole, or end with it; a mask must name all of the warp's lanes.
void require_whole_warp(unsigned mask);

}  // namespace cupel::emulator

/// As nvcc has them. The symbol is a variable of the program.
template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, std::size_t bytes, std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol(static_cast<const void*>(&symbol), from, bytes, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(to, static_cast<const void*>(&symbol), bytes, offset, kind);
}
template <class... Parameters>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*kernel)(Parameters...)) {
  return ::cudaFuncGetAttributes(attributes, cupel::emulator::handle_of(kernel));
}
template <class... Parameters>
cudaError_t cudaFuncSetAttribute(void (*kernel)(Parameters...), cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute(cupel::emulator::handle_of(kernel), attribute, value);
}
