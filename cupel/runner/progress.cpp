#include "cupel/runner/progress.hpp"

#include <fmt/core.h>

#include "cupel/record/row.hpp"
#include "cupel/runner/print.hpp"
#include "cupel/units/colour.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::runner {
namespace {

std::string title(const StepInfo& step) {
  return fmt::format("{}, process {} of {}", units::visible(step.family), step.process + 1, step.processes);
}

std::string summary(const StepCounts& counts, bool colour) {
  std::string text = fmt::format("{} measured", counts.ok);
  const std::string failed = fmt::format("{} failed", counts.failed);
  if (counts.failed > 0) text += ", " + (colour ? units::in_colour(failed, units::Colour::red) : failed);
  if (counts.skipped > 0) text += fmt::format(", {} skipped", counts.skipped);
  return text;
}

}  // namespace

void StepCounts::add(const record::Row& row) {
  ++(row.status == record::Status::ok ? ok : row.status == record::Status::failed ? failed : skipped);
  if (row.status == record::Status::skipped && skipped == 1) skip_reason = row.reason;
}

TerminalProgress::TerminalProgress(std::FILE* stream)
    : stream_(stream), live_(can_rewrite(stream)), colour_(has_colour(stream)) {}

TerminalProgress::~TerminalProgress() { clear(); }

// A gate has many starts, and what fails or is skipped in them is said by itself, once.
void TerminalProgress::stage(const StageInfo& stage) {
  in_stage_ = true;
  if (live_) return;
  print_line(stream_,
             fmt::format("{}: {}, {}{}{}", stage.name,
                         units::counted(static_cast<std::int64_t>(stage.benchmarks), "benchmark"),
                         units::counted(stage.processes, "process", "processes"), stage.sides > 1 ? " a side" : "",
                         stage.expected_s < 0 ? "" : ", about " + units::format_duration(stage.expected_s)));
}

void TerminalProgress::started(const StepInfo& step, double left_s) {
  if (live_) return going(step, "", left_s);
  if (in_stage_) return;
  print_line(stream_, fmt::format("{}: {}{}", title(step),
                                  units::counted(static_cast<std::int64_t>(step.benchmarks), "benchmark"),
                                  left_s < 0 ? "" : fmt::format(", about {} left", units::format_duration(left_s))));
}

void TerminalProgress::going(const StepInfo& step, const std::string& running, double left_s) {
  if (!live_) return;
  const std::string left = left_s < 0 ? "" : units::format_duration(left_s) + " left | ";
  rewrite(fmt::format("{}{}{}{}", left, title(step), running.empty() ? "" : " | ", units::visible(running)));
}

void TerminalProgress::finished(const StepInfo& step, const StepCounts& counts) {
  const bool worth_a_line = counts.failed > 0 || counts.skipped > 0;
  if (in_stage_ || (live_ && !worth_a_line)) return;
  clear();
  print_line(stream_, fmt::format("{}: {}{}", title(step), summary(counts, colour_), reason(counts)));
}

// Why benchmarks were skipped; a reason that was just told is not told again.
std::string TerminalProgress::reason(const StepCounts& counts) {
  if (counts.skip_reason.empty()) return "";
  const bool told = counts.skip_reason == told_reason_;
  told_reason_ = counts.skip_reason;
  return told ? " (for the same reason)" : " (" + units::visible(counts.skip_reason) + ")";
}

void TerminalProgress::said(const std::string& line) {
  clear();
  print_line(stream_, units::visible(line));
}

void TerminalProgress::rewrite(const std::string& line) {
  const std::size_t width = terminal_columns(stream_).value_or(80) - 1;
  print(stream_, fmt::format("\r\033[K{}", line.substr(0, units::bytes_of_columns(line, width))));
  dirty_ = true;
}

void TerminalProgress::clear() {
  if (!dirty_) return;
  print(stream_, "\r\033[K");
  dirty_ = false;
}

}  // namespace cupel::runner
