// Libraries of a real device's are not for the emulated one. cuBLAS is tests/emulator/cublas.cpp; the others are, to
// the program, not installed.
#include <dlfcn.h>

#include <array>
#include <string_view>

extern "C" void* __real_dlopen(const char* file, int flags);

extern "C" void* __wrap_dlopen(const char* file, int flags) {
  constexpr std::array<std::string_view, 5> kMissing = {"libcuda", "libcudnn", "libcupti", "libnvidia-", "libnccl"};
  const std::string_view name = file == nullptr ? "" : file;
  if (name.find("libcublas") != std::string_view::npos) return __real_dlopen(CUPEL_EMULATED_CUBLAS, flags);
  for (const std::string_view missing : kMissing) {
    // By a name that nothing has, for the error that dlerror() tells.
    if (name.find(missing) != std::string_view::npos) return __real_dlopen("libnot-on-the-emulated-device.so", flags);
  }
  return __real_dlopen(file, flags);
}
