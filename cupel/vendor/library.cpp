#include "cupel/vendor/library.hpp"

namespace cupel::vendor {

std::string to_string(const Version& version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor) + "." + std::to_string(version.patch);
}

void require_version(const std::string& name, const Version& wanted, const Version& found, const std::string& file) {
  if (found.major == wanted.major && found.minor >= wanted.minor) return;
  throw Unavailable(name + " " + std::to_string(wanted.major) + "." + std::to_string(wanted.minor) +
                    " or newer is wanted, which this program was built with; found " + to_string(found) + " (" + file +
                    "); --libraries FOLDER takes another");
}

void require_cuda(const std::string& name, int wanted, int found, const std::string& file) {
  if (found / 1000 == wanted / 1000) return;
  throw Unavailable(name + " for CUDA " + std::to_string(wanted / 1000) + " is wanted; found one for CUDA " +
                    std::to_string(found / 1000) + " (" + file +
                    "); install cupel and its extras in an environment of their own, or --libraries FOLDER");
}

}  // namespace cupel::vendor
