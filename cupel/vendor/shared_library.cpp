#include "cupel/vendor/shared_library.hpp"

#include <dlfcn.h>
#include <link.h>

#include <chrono>
#include <utility>

namespace cupel::vendor {
namespace {

std::string file_of(void* handle) {
  link_map* map = nullptr;
  return dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr ? map->l_name : "";
}

}  // namespace

std::string to_string(const Version& version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor) + "." + std::to_string(version.patch);
}

void require_version(const std::string& name, const Version& wanted, const Version& found, const std::string& file) {
  if (found.major == wanted.major && found.minor >= wanted.minor) return;
  throw Unavailable(name + " " + std::to_string(wanted.major) + "." + std::to_string(wanted.minor) +
                    " or newer is wanted, which this program was built with; found " + to_string(found) + " (" + file +
                    ")");
}

SharedLibrary::SharedLibrary(std::string name, std::vector<std::string> sonames)
    : name_(std::move(name)), sonames_(std::move(sonames)) {}

void* SharedLibrary::handle() {
  if (handle_ != nullptr) return handle_;
  std::string why;
  const auto start = std::chrono::steady_clock::now();
  for (const std::string& soname : sonames_) {
    handle_ = dlopen(soname.c_str(), RTLD_LAZY | RTLD_GLOBAL);
    if (handle_ != nullptr) break;
    const char* error = dlerror();
    why += (why.empty() ? "" : "; ") + std::string(error == nullptr ? soname : error);
  }
  if (handle_ == nullptr) throw Unavailable(name_ + " was not found: " + why);
  load_s_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  file_ = file_of(handle_);
  return handle_;
}

void* SharedLibrary::symbol(const char* function) {
  void* address = dlsym(handle(), function);
  if (address == nullptr) throw Unavailable(name_ + " has no " + function + " (" + file_ + ")");
  return address;
}

}  // namespace cupel::vendor
