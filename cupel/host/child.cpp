#include "cupel/host/child.hpp"

#include <fcntl.h>
#include <poll.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "cupel/files/descriptor.hpp"
#include "cupel/host/cpu_wait.hpp"
#include "cupel/host/interrupt.hpp"
#include "cupel/units/clock.hpp"
#include "cupel/units/format.hpp"

namespace cupel::host {
namespace {

using files::Descriptor;
using units::Clock;
using units::seconds_since;

constexpr int kPollMilliseconds = 50;

struct Pipe {
  Descriptor read, write;
};

std::optional<Pipe> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

// One output stream of the child: what is read is kept up to a bound.
class Stream {
 public:
  // take_line: is given each whole line.
  Stream(Descriptor from, std::size_t keep_bytes, bool keep_head,
         std::function<void(const std::string&)> take_line = {})
      : from_(std::move(from)), keep_bytes_(keep_bytes), keep_head_(keep_head), take_line_(std::move(take_line)) {
    if (from_.is_open()) fcntl(from_.get(), F_SETFL, O_NONBLOCK);
  }

  int descriptor() const { return from_.get(); }

  // Reads what is there. Closes at the end of the stream.
  void drain() {
    std::array<char, 1 << 16> buffer;
    while (from_.is_open()) {
      const ssize_t got = read(from_.get(), buffer.data(), buffer.size());
      if (got > 0) {
        keep(buffer.data(), static_cast<std::size_t>(got));
        if (take_line_) give_lines({buffer.data(), static_cast<std::size_t>(got)});
      } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
        from_.close();
      } else if (errno == EAGAIN) {
        return;
      }
      if (got > 0 && ++reads_ % 64 == 0) return;  // a child that floods must not keep us from its time limit
    }
  }

  std::string take() {
    if (!keep_head_ && text_.size() > keep_bytes_) text_.erase(0, text_.size() - keep_bytes_);
    return std::move(text_);
  }
  bool cut() const { return cut_; }

 private:
  void keep(const char* data, std::size_t size) {
    if (text_.size() + size > keep_bytes_) cut_ = true;
    if (keep_head_) {
      text_.append(data, std::min(size, keep_bytes_ - std::min(keep_bytes_, text_.size())));
      return;
    }
    text_.append(data, size);
    if (text_.size() > 2 * keep_bytes_ + (1 << 16)) text_.erase(0, text_.size() - keep_bytes_);
  }

  // A line longer than what is kept is given in pieces.
  void give_lines(std::string_view text) {
    for (const char letter : text) {
      if (letter != '\n') line_ += letter;
      if (letter == '\n' || line_.size() >= keep_bytes_) take_line_(std::exchange(line_, {}));
    }
  }

  Descriptor from_;
  std::size_t keep_bytes_;
  bool keep_head_;
  std::function<void(const std::string&)> take_line_;
  std::string line_;
  bool cut_ = false;
  std::string text_;
  unsigned reads_ = 0;
};

// Between fork and exec: only calls that are safe there. Never returns.
[[noreturn]] void become(const ChildCommand& command, char* const* arguments, char* const* environment, pid_t parent,
                         int empty, int out, int err, int failure) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // the parent died before the line above
#else
  (void)parent;
#endif
  if (!command.inherit) setpgid(0, 0);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_DFL);
  dup2(empty, STDIN_FILENO);
  if (!command.inherit) {
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
  }
  execve(command.program.c_str(), arguments, environment);
  const int reason = errno;
  [[maybe_unused]] const ssize_t told = write(failure, &reason, sizeof reason);
  _exit(127);
}

ChildResult not_started(const std::string& why) {
  ChildResult result;
  result.error_text = why;
  return result;
}

// Signals the child, and its whole group where it has one.
void send(pid_t pid, bool group, int signal) {
  if (group) kill(-pid, signal);
  kill(pid, signal);
}

void wait_for_output(const Stream& out, const Stream& err) {
  std::array<pollfd, 2> streams{{{out.descriptor(), POLLIN, 0}, {err.descriptor(), POLLIN, 0}}};
  poll(streams.data(), streams.size(), kPollMilliseconds);  // a negative descriptor is passed over
}

// Asks the child to end when there is reason to, and ends it when it does not.
class Warden {
 public:
  Warden(const ChildCommand& command, pid_t pid, const std::function<bool()>& watch)
      : command_(command), pid_(pid), watch_(watch) {
    if (command.accounts_cpu_wait) cpu_wait_ = CpuWait::of_child(pid);
  }

  /// How the child's end is to be called, given its wait status.
  Ending ending(int status) const {
    if (asking_) return asked_;
    return WIFEXITED(status) ? Ending::exited : Ending::signalled;
  }

  /// Once the child has ended, and before it is reaped.
  std::optional<double> cpu_wait() {
    if (!cpu_wait_) return std::nullopt;
    account();
    return cpu_wait_->share();
  }

  /// The time limit begins anew.
  void begin_anew() { start_ = Clock::now(); }

  void look() {
    if (cpu_wait_ && seconds_since(accounted_) >= kLookEvery_s) account();
    if (!asking_) {
      if (const std::optional<Ending> why = reason_to_end()) {
        asking_ = true;
        asked_ = *why;
        asked_at_ = Clock::now();
        send(pid_, !command_.inherit, SIGTERM);
        send(pid_, !command_.inherit, SIGCONT);
      }
    } else if (!killed_ && (interrupts() > 1 || seconds_since(asked_at_) > command_.grace_s)) {
      killed_ = true;
      send(pid_, !command_.inherit, SIGKILL);
    }
  }

 private:
  std::optional<Ending> reason_to_end() {
    if (interrupts() > 0) return Ending::interrupted;
    if (command_.time_limit_s > 0 && seconds_since(start_) > command_.time_limit_s) return Ending::timed_out;
    if (watch_ && seconds_since(watched_) >= kLookEvery_s) {
      watched_ = Clock::now();
      if (!watch_()) return Ending::cancelled;
    }
    return std::nullopt;
  }

  void account() {
    accounted_ = Clock::now();
    cpu_wait_->look();
  }

  static constexpr double kLookEvery_s = 0.1;

  const ChildCommand& command_;
  pid_t pid_;
  const std::function<bool()>& watch_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point watched_ = start_;
  Clock::time_point accounted_ = start_;
  std::optional<CpuWait> cpu_wait_;
  Clock::time_point asked_at_{};
  Ending asked_ = Ending::cancelled;  ///< why it was asked to end, if it was
  bool asking_ = false;
  bool killed_ = false;
};

bool has_ended(pid_t pid) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == pid;
}

// Serves the streams until the child has ended; ends what it left behind in its group, then reaps it (in this order:
// the number of the group is not given to another while its leader is unreaped). Returns the wait status.
int serve(pid_t pid, bool group, Stream& out, Stream& err, Warden& warden, std::optional<double>& cpu_wait) {
  while (!has_ended(pid)) {
    warden.look();
    if (out.descriptor() >= 0 || err.descriptor() >= 0) {
      wait_for_output(out, err);
    } else {
      poll(nullptr, 0, 5);  // both closed: the child is about to end, or has closed them to go on
    }
    out.drain();
    err.drain();
  }
  out.drain();
  err.drain();
  cpu_wait = warden.cpu_wait();
  if (group) kill(-pid, SIGKILL);
  int status = 0;
  waitpid(pid, &status, 0);
  return status;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// By somebody else than us.
bool was_asked_to_end(const ChildResult& child) {
  constexpr int kInterrupted = 130;  // as a shell has it, and our own programs
  if (child.ending == Ending::exited) return child.code == kInterrupted;
  return child.ending == Ending::signalled && (child.code == SIGTERM || child.code == SIGINT || child.code == SIGHUP);
}

// A scheduler takes a job away by a signal to each of its processes, and a child may have it before we do: what it was
// in has not failed.
void wait_for_interrupt() {
  constexpr std::chrono::milliseconds kStep(5), kMost(500);
  for (auto waited = kStep; waited < kMost && interrupts() == 0; waited += kStep) std::this_thread::sleep_for(kStep);
}

}  // namespace

std::vector<std::string> environment_with(const std::map<std::string, std::string>& changes) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!changes.contains(text.substr(0, text.find('=')))) all.push_back(text);
  }
  for (const auto& [name, value] : changes) {
    if (!value.empty()) all.push_back(name + "=" + value);
  }
  return all;
}

std::filesystem::path beside_this_program(const std::string& name) {
  return std::filesystem::read_symlink("/proc/self/exe").replace_filename(name);
}

ChildResult run_child(const ChildCommand& command, const std::function<bool()>& watch) {
  std::optional<Pipe> out = make_pipe(), err = make_pipe(), failure = make_pipe();
  const Descriptor empty(open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!out || !err || !failure || !empty.is_open()) return not_started(std::strerror(errno));
  std::vector<std::string> words{command.program.string()}, variables = command.environment;
  words.insert(words.end(), command.arguments.begin(), command.arguments.end());
  const std::vector<char*> arguments = pointers_to(words), environment = pointers_to(variables);

  const auto start = Clock::now();
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) return not_started(std::strerror(errno));
  if (pid == 0) {
    become(command, arguments.data(), environment.data(), parent, empty.get(), out->write.get(), err->write.get(),
           failure->write.get());
  }
  if (!command.inherit) setpgid(pid, pid);  // here too: whoever is first, it is done before anything is signalled
  out->write.close();
  err->write.close();
  failure->write.close();

  int reason = 0;
  ssize_t told = 0;
  do {
    told = read(failure->read.get(), &reason, sizeof reason);
  } while (told < 0 && errno == EINTR);
  if (told > 0) {
    waitpid(pid, nullptr, 0);
    return not_started(std::strerror(reason));
  }

  Stream out_stream(std::move(out->read), command.keep_bytes, command.keep_head);
  Warden warden(command, pid, watch);
  std::function<void(const std::string&)> hear;
  if (command.hears) {
    hear = [&](const std::string& line) {
      if (command.hears(line)) warden.begin_anew();
    };
  }
  Stream err_stream(std::move(err->read), command.keep_bytes, false, std::move(hear));
  ChildResult result;
  const int status = serve(pid, !command.inherit, out_stream, err_stream, warden, result.cpu_wait);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
  result.ending = warden.ending(status);
  result.output_text = out_stream.take();
  result.error_text = err_stream.take();
  result.output_cut = out_stream.cut();
  result.wall_s = seconds_since(start);
  if (was_asked_to_end(result)) wait_for_interrupt();
  return result;
}

ChildResult run_listing(const std::filesystem::path& program, std::vector<std::string> arguments,
                        std::optional<double> limit_s) {
  return run_child({.program = program,
                    .arguments = std::move(arguments),
                    .time_limit_s = limit_s.value_or(kListingLimit_s),
                    .keep_bytes = kLargestListing,
                    .keep_head = true});
}

bool exited_with(const ChildResult& child, int code) { return child.ending == Ending::exited && child.code == code; }

std::string signal_name(int signal) {
  struct Name {
    int signal;
    const char* name;
  };
  static constexpr Name kNames[] = {
      {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},   {SIGHUP, "SIGHUP"},   {SIGILL, "SIGILL"},
      {SIGINT, "SIGINT"},   {SIGKILL, "SIGKILL"}, {SIGPIPE, "SIGPIPE"}, {SIGSEGV, "SIGSEGV"}, {SIGSYS, "SIGSYS"},
      {SIGTERM, "SIGTERM"}, {SIGTRAP, "SIGTRAP"}, {SIGXCPU, "SIGXCPU"}, {SIGXFSZ, "SIGXFSZ"}};
  for (const Name& known : kNames) {
    if (known.signal == signal) return std::string(known.name) + " (" + strsignal(signal) + ")";
  }
  return "signal " + std::to_string(signal);
}

std::string ending_text(const ChildResult& child, const std::string& by_itself) {
  switch (child.ending) {
    case Ending::not_started:
      return "cannot be started: " + child.error_text;
    case Ending::signalled:
      return "killed by " + signal_name(child.code);
    case Ending::timed_out:
      return "not done within the time limit, ended after " + units::format_duration(child.wall_s);
    case Ending::interrupted:
    case Ending::cancelled:
      return "interrupted";
    case Ending::exited:
      break;
  }
  return by_itself.empty() ? fmt::format("ended with exit code {}", child.code) : by_itself;
}

std::string with_last_words(const std::string& why, const ChildResult& child) {
  const std::string words = last_line(child.error_text);
  const bool are_the_reason = child.ending == Ending::not_started;
  return words.empty() || are_the_reason ? why : why + "; last words: " + words;
}

std::string bad_ending(const ChildResult& child, std::initializer_list<int> codes) {
  if (child.ending == Ending::interrupted || child.ending == Ending::cancelled) return "";
  if (child.ending == Ending::exited && std::ranges::find(codes, child.code) != codes.end()) return "";
  return with_last_words(ending_text(child) + " after its last result", child);
}

std::string usage_words(const ChildCommand& command, const ChildResult& child) {
  std::string words = child.error_text;
  if (const std::string name = command.program.string() + ": "; words.starts_with(name)) words.erase(0, name.size());
  std::erase_if(words, [](unsigned char c) { return c != '\n' && (c < 0x20 || c >= 0x7f); });
  return words.substr(0, words.find_last_not_of('\n') + 1);
}

std::string last_line(const std::string& text) {
  constexpr std::size_t kLongest = 200;
  const std::size_t end = text.find_last_not_of(" \t\r\n\f\v");
  if (end == std::string::npos) return "";
  const std::size_t before = text.find_last_of("\r\n", end);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  std::string line;
  for (std::size_t i = begin; i <= end; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x20 && byte != 0x7f) line += byte < 0x80 ? text[i] : '?';
  }
  return line.size() > kLongest ? line.substr(0, kLongest) + "..." : line;
}

}  // namespace cupel::host
