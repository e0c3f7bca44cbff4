#include "cupel/runner/attempt.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>
#include <set>
#include <stdexcept>

#include "cupel/files/errors.hpp"

namespace cupel::runner {
namespace {

namespace fs = std::filesystem;

constexpr double kLimitFactor = 10;
constexpr double kLeastLimit_s = 30;

void write_text(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) throw files::WriteError(fmt::format("cannot write {}; is the disk full?", path.string()));
}

// Follows a journal while it grows, to tell which benchmark runs.
class JournalWatch {
 public:
  explicit JournalWatch(fs::path path) : path_(std::move(path)) {}

  const std::string& running() {
    std::ifstream file(path_, std::ios::binary);
    if (file && file.seekg(read_)) {
      std::string line;
      while (std::getline(file, line) && !file.eof()) {
        read_ += static_cast<std::streamoff>(line.size() + 1);
        running_ = record::begun_in(line).value_or(running_);
      }
    }
    return running_;
  }

 private:
  fs::path path_;
  std::streamoff read_ = 0;
  std::string running_;
};

// Ten times what is expected and half a minute, unless it was said.
double own_limit_s(const AttemptRequest& request) {
  if (request.settings.timeout_s) return *request.settings.timeout_s;
  const std::set<std::string> wanted(request.names.begin(), request.names.end());
  double expected = 0;
  for (const record::ListedBenchmark& benchmark : request.family.benchmarks) {
    if (wanted.count(benchmark.name) > 0) expected += expected_s(benchmark);
  }
  return kLeastLimit_s + kLimitFactor * expected;
}

// When its share is over, slack included.
double share_limit_s(const AttemptRequest& request) {
  return request.share ? request.share->seconds + request.share->slack_s : std::numeric_limits<double>::infinity();
}

// The words of a reader's model are for the terminal alone.
void keep_no_words(Attempt& attempt, const AttemptRequest& request) {
  const std::string words = host::last_line(attempt.child.error_text);
  if (!attempt.complete() && !words.empty()) request.said("last words: " + words);
  attempt.child.error_text.clear();
}

}  // namespace

bool Attempt::complete() const {
  return child.ending == host::Ending::exited && journal.ended && journal.problem.empty() &&
         child.code != record::kChildDeviceLost;
}

std::string Attempt::bad_ending() const {
  return host::bad_ending(
      child, {0, record::kChildNoDevice, record::kChildFailed, record::kChildDeviceLost, record::kChildOutOfTime});
}

std::string Attempt::reason() const {
  std::string why = host::ending_text(
      child, child.code == record::kChildDeviceLost ? fmt::format("device lost (exit code {})", child.code)
             : journal.ended                        ? "the executable gave no result for it"
                                                    : fmt::format("ended early with exit code {}", child.code));
  if (!journal.problem.empty()) why += "; its journal is broken: " + host::last_line(journal.problem);
  return host::with_last_words(why, child);
}

std::string only_these(const std::vector<std::string>& names, const fs::path& scratch) {
  const fs::path only = scratch / "only";
  write_text(only, fmt::format("{}\n", fmt::join(names, "\n")));
  return "--cupel_only=" + only.string();
}

Attempt attempt(const AttemptRequest& request,
                const std::function<bool(const std::filesystem::path&, const std::string&)>& watch) {
  const fs::path journal = request.scratch / "journal";
  std::error_code ignored;
  fs::remove(journal, ignored);
  host::ChildCommand command;
  command.program = request.family.executable;
  command.arguments = child_flags(request.settings);
  command.arguments.push_back(fmt::format("--cupel_process={}", request.process));
  command.arguments.push_back(only_these(request.names, request.scratch));
  command.arguments.push_back("--cupel_journal=" + journal.string());
  command.time_limit_s = std::min(own_limit_s(request), share_limit_s(request));
  if (request.share) {
    command.arguments.push_back(fmt::format("--cupel_budget={:.3f}", request.share->seconds));
    command.grace_s = request.share->slack_s;
  }

  command.hears = [&](const std::string& line) {
    if (!line.starts_with(record::kMeanwhile)) return false;
    request.said(host::last_line(line.substr(std::strlen(record::kMeanwhile))));
    return !request.share;
  };
  JournalWatch progress(journal);
  Attempt result;
  result.child = host::run_child(command, [&] { return watch(journal, progress.running()); });
  result.out_of_time =
      host::exited_with(result.child, record::kChildOutOfTime) ||
      (result.child.ending == host::Ending::timed_out && share_limit_s(request) < own_limit_s(request));
  try {
    result.journal = record::read_journal(journal);
  } catch (const files::ReadError& error) {
    result.journal.problem = host::last_line(error.what());
  }
  if (host::exited_with(result.child, record::kChildUsage) && !result.journal.context) {
    throw std::invalid_argument(host::usage_words(command, result.child));
  }
  if (request.settings.model) keep_no_words(result, request);
  return result;
}

}  // namespace cupel::runner
