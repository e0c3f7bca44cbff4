#include "cupel/device/libraries.hpp"

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <utility>

#include "cupel/host/private_paths.hpp"
#include "cupel/host/shared_library.hpp"
#include "cupel/units/format.hpp"

#if __has_include(<cublas_v2.h>)
#include <cublas_v2.h>
#endif
#if __has_include(<cudnn_version.h>)
#include <cudnn_version.h>
#endif
#if __has_include(<nccl.h>)
#include <nccl.h>
#endif

namespace cupel::device {
namespace {

std::string compiled_cublas() {
#ifdef CUBLAS_VERSION
  return dotted(CUBLAS_VERSION);
#else
  return {};
#endif
}

std::string compiled_cudnn() {
#ifdef CUDNN_MAJOR
  return dotted(CUDNN_MAJOR * 10000 + CUDNN_MINOR * 100 + CUDNN_PATCHLEVEL);
#else
  return {};
#endif
}

std::string compiled_nccl() {
#ifdef NCCL_VERSION_CODE
  return dotted(NCCL_VERSION_CODE);
#else
  return {};
#endif
}

/// The major version of the library that a soname carries: of the headers, or of this toolkit's generation.
std::string soname(const char* base, const std::string& compiled, const char* otherwise) {
  const std::string major = compiled.substr(0, compiled.find('.'));
  return std::string(base) + ".so." + (major.empty() ? otherwise : major);
}

host::SharedLibrary looked_up(const std::string& soname, Lookup lookup) {
  using Loading = host::SharedLibrary::Loading;
  return {soname, {soname}, lookup == Lookup::resident ? Loading::resident : Loading::own};
}

/// Null if the library is not there, or has no such function.
template <class Function>
Function* entry(const std::string& soname, const char* name, Lookup lookup) {
  return looked_up(soname, lookup).find<Function>(name);
}

/// `loaded`: its version; of one without it the file is nobody's concern.
record::Library library(const char* name, const std::string& compiled, const std::string& loaded,
                        const std::string& soname, Lookup lookup) {
  record::Library library{name, compiled, loaded};
  if (loaded.empty()) return library;
  host::SharedLibrary there = looked_up(soname, lookup);
  there.handle();
  library.file = host::without_private_paths(there.file());
  return library;
}

std::string loaded_cudart() {
  int version = 0;
  return cudaRuntimeGetVersion(&version) == cudaSuccess ? units::cuda_version(version) : std::string();
}

/// cuBLAS and nvJPEG answer part by part, without a handle (and so without a device).
std::string loaded_property(const std::string& name, const char* property, Lookup lookup) {
  auto* get = entry<int(int, int*)>(name, property, lookup);
  int parts[3] = {};  // libraryPropertyType: major, minor, patch level
  for (int i = 0; i < 3; ++i) {
    if (get == nullptr || get(i, &parts[i]) != 0) return {};
  }
  return std::to_string(parts[0]) + "." + std::to_string(parts[1]) + "." + std::to_string(parts[2]);
}

std::string loaded_cudnn(const std::string& name, Lookup lookup) {
  auto* version = entry<std::size_t()>(name, "cudnnGetVersion", lookup);
  return version == nullptr ? std::string() : dotted(static_cast<long>(version()));
}

std::string loaded_nccl(const std::string& name, Lookup lookup) {
  auto* get = entry<int(int*)>(name, "ncclGetVersion", lookup);
  int version = 0;
  if (get == nullptr || get(&version) != 0) return {};
  return dotted(version);
}

std::string loaded_nvrtc(const std::string& name, Lookup lookup) {
  auto* get = entry<int(int*, int*)>(name, "nvrtcVersion", lookup);
  int major = 0, minor = 0;
  if (get == nullptr || get(&major, &minor) != 0) return {};
  return std::to_string(major) + "." + std::to_string(minor);
}

std::string loaded_cupti(const std::string& name, Lookup lookup) {
  auto* get = entry<int(std::uint32_t*)>(name, "cuptiGetVersion", lookup);
  std::uint32_t version = 0;
  return get == nullptr || get(&version) != 0 ? std::string() : dotted(static_cast<long>(version));
}

/// The libraries that only some rows use, of which no headers are asked here: those that this process has loaded.
void add_resident(std::vector<record::Library>& all, const std::string& toolkit) {
  constexpr Lookup kResident = Lookup::resident;
  const std::string jpeg = "libnvjpeg.so." + toolkit, compiler = "libnvrtc.so." + toolkit,
                    referee = "libcupti.so." + toolkit;
  for (record::Library& one :
       std::vector{library("nvjpeg", "", loaded_property(jpeg, "nvjpegGetProperty", kResident), jpeg, kResident),
                   library("nvrtc", "", loaded_nvrtc(compiler, kResident), compiler, kResident),
                   library("cupti", "", loaded_cupti(referee, kResident), referee, kResident)}) {
    if (!one.loaded.empty()) all.push_back(std::move(one));
  }
}

}  // namespace

std::string dotted(long version) {
  if (version <= 0) return {};
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

std::vector<record::Library> libraries(Lookup lookup) {
  const std::string cublas = compiled_cublas(), cudnn = compiled_cudnn(), nccl = compiled_nccl();
  const std::string toolkit = std::to_string(CUDART_VERSION / 1000);
  const std::string blas = soname("libcublas", cublas, toolkit.c_str());
  const std::string blas_lt = soname("libcublasLt", cublas, toolkit.c_str());
  const std::string dnn = soname("libcudnn", cudnn, "9"), ccl = soname("libnccl", nccl, "2");
  std::vector<record::Library> all{
      {"cudart", units::cuda_version(CUDART_VERSION), loaded_cudart()},  // linked in: of no file
      library("cublas", cublas, loaded_property(blas, "cublasGetProperty", lookup), blas, lookup),
      library("cublaslt", cublas, loaded_property(blas_lt, "cublasLtGetProperty", lookup), blas_lt, lookup),
      library("cudnn", cudnn, loaded_cudnn(dnn, lookup), dnn, lookup),
      library("nccl", nccl, loaded_nccl(ccl, lookup), ccl, lookup),
  };
  if (lookup == Lookup::resident) add_resident(all, toolkit);
  return all;
}

}  // namespace cupel::device
