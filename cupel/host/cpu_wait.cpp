#include "cupel/host/cpu_wait.hpp"

#ifdef __linux__
#include <sched.h>
#endif

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

namespace cupel::host {
namespace {

namespace fs = std::filesystem;

constexpr double kLeastCounted_s = 0.1;

// How long each thread has waited, by its number.
std::map<std::string, double> read_waited_s(const fs::path& tasks) {
  std::map<std::string, double> waited_s;
  std::error_code error;
  for (fs::directory_iterator task(tasks, error), end; !error && task != end; task.increment(error)) {
    std::ifstream file(task->path() / "schedstat");
    double ran_ns = 0, waited_ns = 0;
    if (file >> ran_ns >> waited_ns) waited_s.emplace(task->path().filename().string(), waited_ns * 1e-9);
  }
  return waited_s;
}

// Running, or waiting for a CPU. Source: proc(5), /proc/<pid>/stat: the state follows the name, which may hold
// anything.
bool is_ready(const fs::path& task) {
  std::ifstream file(task / "stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = text.rfind(')');
  return name_end != std::string::npos && text.substr(name_end + 1, 2) == " R";
}

int cpus_of([[maybe_unused]] pid_t process) {
#ifdef __linux__
  cpu_set_t allowed;
  if (sched_getaffinity(process, sizeof allowed, &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
#endif
  return 1;
}

fs::path proc() {
  const char* elsewhere = std::getenv(kProcVariable);
  return elsewhere != nullptr && *elsewhere != '\0' ? elsewhere : "/proc";
}

}  // namespace

std::optional<double> waited_for_cpu_s(const fs::path& root) {
  std::optional<double> sum_s;
  for (const auto& [thread, waited_s] : read_waited_s(root / "proc/self/task")) sum_s = sum_s.value_or(0) + waited_s;
  return sum_s;
}

CpuWait::CpuWait(fs::path tasks, int cpus, Clock::time_point now)
    : tasks_(std::move(tasks)), cpus_(cpus), waited_s_(read_waited_s(tasks_)), looked_(now) {}

CpuWait CpuWait::of_child(pid_t child) { return {proc() / std::to_string(child) / "task", cpus_of(child)}; }

void CpuWait::look(Clock::time_point now) {
  std::map<std::string, double> waited_s = read_waited_s(tasks_);
  if (waited_s.empty()) return;
  double more_s = 0;
  int ready = 0;
  for (const auto& [thread, seconds] : waited_s) {
    const auto before = waited_s_.find(thread);
    more_s += std::max(0.0, seconds - (before == waited_s_.end() ? 0 : before->second));
    ready += is_ready(tasks_ / thread) ? 1 : 0;
  }
  waited_s_ = std::move(waited_s);
  const double elapsed_s = std::chrono::duration<double>(now - std::exchange(looked_, now)).count();
  if (ready > 1 && ready >= cpus_) return;
  sum_s_ += more_s;
  counted_s_ += elapsed_s;
}

std::optional<double> CpuWait::share() const {
  if (counted_s_ < kLeastCounted_s) return std::nullopt;
  return sum_s_ / counted_s_;
}

}  // namespace cupel::host
