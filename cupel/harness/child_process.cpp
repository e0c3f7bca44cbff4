#include "cupel/harness/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <thread>

#include "cupel/record/descriptor.hpp"

namespace cupel::harness {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  result.reserve(strings.size() + 1);
  for (const std::string& string : strings) result.push_back(const_cast<char*>(string.c_str()));
  result.push_back(nullptr);
  return result;
}

// Started with `output` as its stdout.
pid_t start(const std::string& program, const std::vector<std::string>& arguments,
            const std::vector<std::string>& environment, int output) {
  std::vector<std::string> command = {program};
  command.insert(command.end(), arguments.begin(), arguments.end());

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  pid_t child = 0;
  const int error =
      posix_spawn(&child, program.c_str(), &actions, nullptr, pointers(command).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("cannot start " + program + ": " + std::strerror(error));
  return child;
}

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return left > 0 ? static_cast<int>(left) + 1 : 0;
}

// All of `input` to its end; false if the deadline came first.
bool read_all(int input, Clock::time_point deadline, std::string& text) {
  char block[4096];
  for (;;) {
    pollfd waiting = {input, POLLIN, 0};
    const int ready = poll(&waiting, 1, milliseconds_until(deadline));
    if (ready == 0) return false;
    if (ready < 0 && errno == EINTR) continue;
    const ssize_t got = read(input, block, sizeof(block));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    text.append(block, static_cast<std::size_t>(got));
  }
}

constexpr int kSignal = 128;  // added to a signal's number

// Nothing if the deadline came first; a child may live on when it has closed its output.
std::optional<int> exit_code_of(pid_t child, Clock::time_point deadline) {
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return WIFSIGNALED(status) ? kSignal + WTERMSIG(status) : WEXITSTATUS(status);
    if (ended < 0 && errno != EINTR) throw std::runtime_error(std::string("waitpid: ") + std::strerror(errno));
    if (Clock::now() >= deadline) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void end_now(pid_t child) {
  kill(child, SIGKILL);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

std::string beside_this_program(const std::string& name) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
}

std::vector<std::string> environment() {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) entries.emplace_back(*entry);
  return entries;
}

std::vector<std::string> environment_with(const std::string& variable, const char* value) {
  std::vector<std::string> entries = environment();
  std::erase_if(entries, [&](const std::string& entry) { return entry.starts_with(variable + "="); });
  if (value != nullptr) entries.push_back(variable + "=" + value);
  return entries;
}

ChildOutput run_child(const std::string& program, const std::vector<std::string>& arguments,
                      const std::vector<std::string>& environment, double limit_s) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
  const record::Descriptor input(ends[0]);
  record::Descriptor output(ends[1]);
  const auto deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limit_s));
  const pid_t child = start(program, arguments, environment, output.get());
  output.close();

  ChildOutput result;
  const bool is_read = read_all(input.get(), deadline, result.text);
  const std::optional<int> exit_code = is_read ? exit_code_of(child, deadline) : std::nullopt;
  if (!exit_code) {
    end_now(child);
    throw std::runtime_error(program + " did not end in time and was killed");
  }
  result.exit_code = *exit_code;
  return result;
}

std::string ending_of(const ChildOutput& output) {
  if (output.exit_code <= kSignal) return "ended with " + std::to_string(output.exit_code);
  const int signal = output.exit_code - kSignal;
  return "was killed by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
}

}  // namespace cupel::harness
