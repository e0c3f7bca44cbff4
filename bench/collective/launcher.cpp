#include "bench/collective/launcher.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "bench/collective/patience.hpp"
#include "cupel/host/child.hpp"

namespace cupel::bench::collective {
namespace {

constexpr int kNotStarted = 127;

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// The files that NCCL has in /dev/shm for a process. It takes the names away itself once both ranks have the memory.
std::set<std::string> segments_of(pid_t process) {
  std::set<std::string> paths;
  std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::size_t path = line.find("/dev/shm/nccl-");
    if (path != line.npos && !line.ends_with(" (deleted)")) paths.insert(line.substr(path));
  }
  return paths;
}

// A process that is killed, with its group, and reaped when this ends.
class RankProcess {
 public:
  explicit RankProcess(const RankProgram& rank) {
    std::vector<std::string> words{rank.program};
    words.insert(words.end(), rank.arguments.begin(), rank.arguments.end());
    std::vector<std::string> variables = host::environment_with(rank.environment);
    const std::vector<char*> argv = pointers_to(words), envp = pointers_to(variables);
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ < 0) throw CollectiveFailed(std::string("a rank cannot be started: ") + std::strerror(errno));
    if (pid_ > 0) {
      setpgid(pid_, pid_);  // here, too: it may be asked to end before it has run
      return;
    }
    // Only what may be called between fork and exec in a program of several threads.
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(kNotStarted);  // it died before it was asked to tell
    execve(argv[0], argv.data(), envp.data());
    _exit(kNotStarted);
  }
  ~RankProcess() {
    if (pid_ <= 0) return;
    const std::set<std::string> left = status_ ? std::set<std::string>() : segments_of(pid_);
    kill(-pid_, SIGKILL);  // what it started is in its group
    if (!status_) waitpid(pid_, nullptr, 0);
    for (const std::string& segment : left) unlink(segment.c_str());
  }
  RankProcess(RankProcess&& other) noexcept : pid_(std::exchange(other.pid_, -1)), status_(other.status_) {}
  RankProcess(const RankProcess&) = delete;
  RankProcess& operator=(const RankProcess&) = delete;

  // Its status once it has ended.
  const std::optional<int>& look() {
    int status = 0;
    if (!status_ && waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
    return status_;
  }

 private:
  pid_t pid_ = -1;
  std::optional<int> status_;
};

std::string ending_of(int status) {
  if (WIFSIGNALED(status)) return std::string("was ended by a signal: ") + strsignal(WTERMSIG(status));
  if (WEXITSTATUS(status) == kNotStarted) return "could not be started";
  return "ended with " + std::to_string(WEXITSTATUS(status));
}

// A failure that a rank told comes first: one that waited for that rank may have ended before it.
void look_for_failure(std::vector<RankProcess>& processes, const Rendezvous& rendezvous, Look& seen) {
  for (std::size_t i = 0; i < processes.size() && !seen.error; ++i) {
    const std::optional<int>& status = processes[i].look();
    if (status && *status != 0) seen.error = "rank " + std::to_string(i) + " " + ending_of(*status);
  }
  if (const std::optional<RankFailure> told = rendezvous.failure()) {
    seen.error = "rank " + std::to_string(told->rank) + ": " + told->why;
    seen.cannot_run = told->cannot_run;
  }
}

}  // namespace

void run_ranks(const std::vector<RankProgram>& ranks, const Rendezvous& rendezvous, double limit_s) {
  std::vector<RankProcess> processes;
  for (const RankProgram& rank : ranks) processes.emplace_back(rank);
  const auto look = [&]() -> Look {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    Look seen{true, std::nullopt};
    for (RankProcess& process : processes) seen.done = process.look().has_value() && seen.done;
    look_for_failure(processes, rendezvous, seen);
    return seen;
  };
  wait_or_abort(
      look, [] {}, limit_s);  // what still runs is ended on the way out
}

}  // namespace cupel::bench::collective
