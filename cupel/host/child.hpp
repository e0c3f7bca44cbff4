// One child process: started in a process group of its own, watched against a time limit, and gone when we are gone.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cupel::host {

/// This process's environment with these changes: an empty value takes the variable out.
std::vector<std::string> environment_with(const std::map<std::string, std::string>& changes);

/// The path of `name` in the folder of this program's own file, symbolic links resolved.
std::filesystem::path beside_this_program(const std::string& name);

struct ChildCommand {
  std::filesystem::path program;
  std::vector<std::string> arguments;
  std::vector<std::string> environment = environment_with({});  ///< "NAME=value" each
  double time_limit_s = 0;                                      ///< 0: none
  double grace_s = 2;                 ///< between asking to end (SIGTERM) and ending (SIGKILL)
  std::size_t keep_bytes = 64 << 10;  ///< of each output stream; what is over is read and dropped
  bool keep_head = false;             ///< keep the first bytes instead of the last ones
  /// The child has our streams and our process group, so that a profiler or a terminal sees it as ours. Nothing is
  /// kept.
  bool inherit = false;
  bool accounts_cpu_wait = false;  ///< fills ChildResult::cpu_wait
  /// Called with each whole line of its stderr while it runs, without the line's end. True: the child is at work, and
  /// its time limit begins anew. Must not throw.
  std::function<bool(const std::string& line)> hears = {};
};

enum class Ending {
  exited,       ///< by itself; code is its exit code
  signalled,    ///< by a signal that we did not send; code is the signal
  timed_out,    ///< by us: the time limit had passed
  interrupted,  ///< by us: interrupts() had become positive
  cancelled,    ///< by us: `watch` said so
  not_started   ///< never ran; error_text says why
};

struct ChildResult {
  Ending ending = Ending::not_started;
  int code = 0;
  std::string output_text;  ///< of stdout, at most keep_bytes
  std::string error_text;   ///< of stderr, likewise
  bool output_cut = false;  ///< stdout was longer than keep_bytes
  double wall_s = 0;
  std::optional<double> cpu_wait = std::nullopt;  ///< see CpuWait::share()
};

/// Runs the child to its end. Its stdin is empty, its streams are read all the time so that it never blocks on them,
/// and it is killed by the kernel should this process die. What it started in its group is killed when it has ended.
///
/// A child that ends by a signal which asks programs to end may have had it before this process: then up to half a
/// second passes for interrupts() to tell.
///
/// watch: called about ten times a second while the child runs; false ends the child. Must not throw.
ChildResult run_child(const ChildCommand& command, const std::function<bool()>& watch = {});

/// A child that lists what it has, in 64 MiB. The default limit is enough also where it loads the math libraries of
/// CUDA from a cold disk.
inline constexpr double kListingLimit_s = 60;
inline constexpr std::size_t kLargestListing = 64 << 20;
ChildResult run_listing(const std::filesystem::path& program, std::vector<std::string> arguments,
                        std::optional<double> limit_s = std::nullopt);

/// Whether it ended by itself, with this exit code.
bool exited_with(const ChildResult& child, int code);

/// "SIGSEGV (Segmentation fault)".
std::string signal_name(int signal);

/// How the child ended: "killed by SIGSEGV (Segmentation fault)". by_itself: what to say of one that exited; empty:
/// "ended with exit code 4".
std::string ending_text(const ChildResult& child, const std::string& by_itself = {});

/// `why`, with the last line that the child wrote to stderr behind it, if it wrote one.
std::string with_last_words(const std::string& why, const ChildResult& child);

/// How a child ended that gave all that it was asked for and then did not end as it should: "killed by SIGABRT
/// (Aborted) after its last result". Empty where it ended by itself with one of these exit codes, or was ended for an
/// interrupt.
std::string bad_ending(const ChildResult& child, std::initializer_list<int> codes);

/// All that a child wrote to stderr, of its wrong use, without its own name before it and control characters but the
/// ends of lines.
std::string usage_words(const ChildCommand& command, const ChildResult& child);

/// The last line that is not blank, at most 200 bytes of it, fit for a record: control characters are removed, and what
/// is not ASCII, and so may be no text at all, is a '?'.
std::string last_line(const std::string& text);

}  // namespace cupel::host
