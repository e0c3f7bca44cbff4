#include "cupel/host/shared_library.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <string_view>
#include <utility>

namespace cupel::host {
namespace {

int flags_of(SharedLibrary::Loading loading) {
  switch (loading) {
    case SharedLibrary::Loading::shared:
      return RTLD_LAZY | RTLD_GLOBAL;
    case SharedLibrary::Loading::own:
      return RTLD_LAZY | RTLD_LOCAL;
    case SharedLibrary::Loading::resident:
      break;
  }
  return RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD;
}

std::string file_of(void* handle) {
  link_map* map = nullptr;
  return dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr ? map->l_name : "";
}

/// Whether two names differ by case alone: a record has "cublas", messages have "cuBLAS".
bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char one, unsigned char other) { return std::tolower(one) == std::tolower(other); });
}

}  // namespace

SharedLibrary::SharedLibrary(std::string name, std::vector<std::string> sonames, Loading loading)
    : name_(std::move(name)), sonames_(std::move(sonames)), loading_(loading) {}

void* SharedLibrary::handle() {
  if (handle_ != nullptr) return handle_;
  std::string why;
  const auto start = std::chrono::steady_clock::now();
  for (const std::string& soname : sonames_) {
    handle_ = dlopen(soname.c_str(), flags_of(loading_));
    if (handle_ != nullptr) break;
    const char* error = dlerror();
    why += (why.empty() ? "" : "; ") + std::string(error == nullptr ? soname : error);
  }
  if (handle_ == nullptr) {
    const std::string wheel = wheel_of(name_);
    const std::string cure =
        wheel.empty() ? "" : "; pip install '" + wheel + "' beside cupel's wheel, or --libraries FOLDER";
    throw Unavailable(name_ + " was not found: " + why + cure);
  }
  load_s_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  file_ = file_of(handle_);
  return handle_;
}

void* SharedLibrary::symbol(const char* function) {
  void* address = dlsym(handle(), function);
  if (address == nullptr) throw Unavailable(name_ + " has no " + function + " (" + file_ + ")");
  return address;
}

void* SharedLibrary::symbol_or_null(const char* function) {
  try {
    return dlsym(handle(), function);
  } catch (const Unavailable&) {
    return nullptr;
  }
}

std::string wheel_of(const std::string& name) {
  constexpr std::pair<std::string_view, std::string_view> kWheels[] = {
      {"cuBLAS", "nvidia-cublas>=13,<14"},   {"cuBLASLt", "nvidia-cublas>=13,<14"},
      {"cuDNN", "nvidia-cudnn-cu13>=9,<10"}, {"NCCL", "nvidia-nccl-cu13>=2,<3"},
      {"nvJPEG", "nvidia-nvjpeg>=13,<14"},   {"CUPTI", "nvidia-cuda-cupti>=13,<14"}};
  for (const auto& [library, wheel] : kWheels) {
    if (same_letters(library, name)) return std::string(wheel);
  }
  return "";
}

}  // namespace cupel::host
