// Libraries of a real device's are not for the emulated one: to the program they are not installed.
#include <dlfcn.h>

#include <string_view>

extern "C" void* __real_dlopen(const char* file, int flags);

extern "C" void* __wrap_dlopen(const char* file, int flags) {
  using namespace std::literals;
  if (file != nullptr) {
    for (const std::string_view name :
         {"libcuda"sv, "libcublas"sv, "libcudnn"sv, "libcupti"sv, "libnvidia-"sv, "libnccl"sv}) {
      if (std::string_view(file).find(name) != std::string_view::npos) {
        return __real_dlopen("libnot-on-the-emulated-device.so", flags);  // for the error that dlerror() tells
      }
    }
  }
  return __real_dlopen(file, flags);
}
