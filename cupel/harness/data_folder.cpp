#include "cupel/harness/data_folder.hpp"

#include <fcntl.h>

#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include "cupel/files/descriptor.hpp"
#include "cupel/files/output_file.hpp"
#include "cupel/harness/run.hpp"

namespace cupel::harness {
namespace {

// The lock of this process and of the workers that it forks. The kernel lets go of it however they end.
files::Descriptor& held() {
  static files::Descriptor descriptor;
  return descriptor;
}

files::Descriptor opened() {
  return files::Descriptor(::open(data_folder().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

// Asks again and again, since a call that waits is begun anew after Ctrl-C. False where it was asked to end.
bool lock_when_free(const files::Descriptor& folder, files::Hold how) {
  constexpr auto kPause = std::chrono::milliseconds(20);
  for (; files::lock(folder.get(), how) == files::Lock::anothers; std::this_thread::sleep_for(kPause)) {
    if (asked_to_end()) return false;
  }
  return true;  // also where this file system cannot say
}

}  // namespace

void use_data_folder() {
  while (!held().is_open() && !asked_to_end()) {
    files::make_folders(data_folder());
    files::Descriptor folder = opened();
    if (!folder.is_open() || !lock_when_free(folder, files::Hold::shared)) return;
    if (files::leads_to(data_folder(), folder.get())) held() = std::move(folder);  // else it was cleaned meanwhile
  }
}

void clean_data_folder() {
  if (!held().is_open()) held() = opened();
  std::error_code ignored;
  if (held().is_open() && lock_when_free(held(), files::Hold::alone) && files::leads_to(data_folder(), held().get())) {
    std::filesystem::remove_all(data_folder(), ignored);
  }
  held().close();
}

}  // namespace cupel::harness
