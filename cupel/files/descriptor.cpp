#include "cupel/files/descriptor.hpp"

#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>

namespace cupel::files {

Lock lock(int descriptor, Hold how) {
  const int operation = (how == Hold::shared ? LOCK_SH : LOCK_EX) | LOCK_NB;
  int result = 0;
  do {
    result = ::flock(descriptor, operation);
  } while (result != 0 && errno == EINTR);
  if (result == 0) return Lock::ours;
  return errno == EWOULDBLOCK ? Lock::anothers : Lock::unknown;
}

bool leads_to(const std::filesystem::path& path, int descriptor) {
  struct stat there {
  }, here{};
  return ::stat(path.c_str(), &there) == 0 && ::fstat(descriptor, &here) == 0 && there.st_ino == here.st_ino &&
         there.st_dev == here.st_dev;
}

}  // namespace cupel::files
