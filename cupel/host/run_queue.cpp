#include "cupel/host/run_queue.hpp"

#include <fstream>

namespace cupel::host {

std::optional<double> waited_for_cpu_s(const std::filesystem::path& root) {
  namespace fs = std::filesystem;
  std::optional<double> sum_s;
  std::error_code error;
  for (fs::directory_iterator task(root / "proc/self/task", error), end; !error && task != end; task.increment(error)) {
    std::ifstream file(task->path() / "schedstat");
    double ran_ns = 0, waited_ns = 0;
    if (file >> ran_ns >> waited_ns) sum_s = sum_s.value_or(0) + waited_ns * 1e-9;
  }
  return sum_s;
}

}  // namespace cupel::host
