#include "bench/sync/child_report.hpp"

#include <charconv>
#include <cmath>
#include <stdexcept>

namespace cupel::bench::sync {
namespace {

constexpr std::string_view kHead = "cupel-sync-child 1";
// More than any child is asked for: a number that is garbage must not become an allocation.
constexpr std::uint64_t kMaxSamples = 1 << 20;

template <class Number>
std::string shortest(Number number) {
  char text[64];
  const std::to_chars_result end = std::to_chars(text, text + sizeof(text), number);
  return std::string(text, end.ptr);
}

class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  // The next line without its end. One that does not end is one that was cut.
  std::string_view next() {
    ++number_;
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) fail(rest_.empty() ? "missing" : "cut off");
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return line;
  }

  std::string_view value_of(std::string_view key) {
    const std::string_view line = next();
    if (!line.starts_with(key) || line.size() <= key.size() + 1 || line[key.size()] != ' ') {
      fail("not '" + std::string(key) + " VALUE'");
    }
    return line.substr(key.size() + 1);
  }

  template <class Number>
  Number number_from(std::string_view text) const {
    Number number{};
    const std::from_chars_result end = std::from_chars(text.data(), text.data() + text.size(), number);
    if (end.ec != std::errc{} || end.ptr != text.data() + text.size()) fail("not a number");
    return number;
  }

  bool at_end() const { return rest_.empty(); }

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error("cupel_sync_child: line " + std::to_string(number_) + " of its output is " + what);
  }

 private:
  std::string_view rest_;
  int number_ = 0;
};

}  // namespace

std::string to_text(const ChildReport& report) {
  std::string text = std::string(kHead) + '\n';
  text += "blocking " + std::string(report.blocking ? "1" : "0") + '\n';
  text += "launched " + shortest(report.launched) + '\n';
  text += "ran " + shortest(report.ran) + '\n';
  text += "launches_per_sample " + shortest(report.launches_per_sample) + '\n';
  text += "samples " + shortest(report.samples_s.size()) + '\n';
  for (const double sample_s : report.samples_s) text += shortest(sample_s) + '\n';
  return text;
}

ChildReport child_report_from(std::string_view text) {
  Lines lines(text);
  if (lines.next() != kHead) lines.fail("not '" + std::string(kHead) + "'");

  ChildReport report;
  const std::string_view blocking = lines.value_of("blocking");
  if (blocking != "0" && blocking != "1") lines.fail("neither 'blocking 0' nor 'blocking 1'");
  report.blocking = blocking == "1";
  report.launched = lines.number_from<std::uint64_t>(lines.value_of("launched"));
  report.ran = lines.number_from<std::uint64_t>(lines.value_of("ran"));
  report.launches_per_sample = lines.number_from<std::int64_t>(lines.value_of("launches_per_sample"));
  if (report.launches_per_sample < 1) lines.fail("not a positive number");
  const auto samples = lines.number_from<std::uint64_t>(lines.value_of("samples"));
  if (samples > kMaxSamples) lines.fail("more samples than a child takes");
  for (std::uint64_t i = 0; i < samples; ++i) {
    const auto sample_s = lines.number_from<double>(lines.next());
    if (!std::isfinite(sample_s) || sample_s <= 0) lines.fail("not a time");
    report.samples_s.push_back(sample_s);
  }
  if (!lines.at_end()) lines.fail("followed by more than was announced");
  return report;
}

}  // namespace cupel::bench::sync
