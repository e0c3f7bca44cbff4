#include <fmt/core.h>
#include <fmt/ranges.h>

#include "cupel/figures/warning.hpp"
#include "cupel/report/html/sections.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report::html {

namespace {

std::string marks() {
  std::string text;
  for (std::size_t i = 0; i < names_of(figures::Warning()).size(); ++i) {
    const auto warning = static_cast<figures::Warning>(i);
    text += std::string(to_string(warning)) + ": " + figures::meaning_of(warning) + ". ";
  }
  return text;
}

// Each source once, with its limits: "NVIDIA H100 architecture white paper: fp16 at 1980 MHz, tf32 at 1980 MHz".
std::string sources(const std::vector<Family>& families) {
  struct Source {
    std::string source;
    std::vector<std::string> limits;
  };
  std::vector<Source> all;
  for (const Family& family : families) {
    for (const DeviceFigure* one : members_of(family)) {
      if (const std::optional<record::Limit>& limit = one->figure.limit; limit && !limit->source.empty())
        units::add_once(units::entry(all, limit->source, &Source::source).limits, limit->name);
    }
  }
  std::string text;
  for (const Source& source : all) {
    const std::string limits = fmt::format("{}", fmt::join(source.limits, ", "));
    units::append(text, units::shorten(source.source) + ": " + units::shorten(limits, 1000), "; ");
  }
  return text.empty() ? "" : " Sources: " + text + ".";
}

}  // namespace

Blocks method_blocks(const std::vector<Family>& families) {
  return {
      Fields{
          {{"Figures",
            "A point, bar or dot is the median over processes. A band around a line and a line across a bar or dot are "
            "its interval, or range; a dashed line and an upright stroke are limits. n: processes / samples of each "
            "point. "
            "Round marks are of cold or host times, diamonds of hot ones, where a figure has both."},
           {"Time of a call",
            "Device work is timed by events around it, the stream held until all of it is enqueued, so that launch "
            "latency stays out; the cost of the event pair is taken off. Every figure is a burst on a clock that has "
            "recovered, unless the run says sustained. cold: the L2 is flushed before each call. hot: a batch back to "
            "back, divided by its length. host: the host's monotonic clock."},
           {"Location",
            "A process gives one location, the mean of the middle half of its samples. A point is the median of the "
            "processes' locations, because processes differ by more than samples inside one."},
           {"Interval",
            "An interval of that median is by order statistics, whatever the distribution; the level that it has is "
            "said with it, 95 % or more. Fewer than six processes have none: their range stands in its place, named "
            "so, and is not drawn where others have intervals. A single process has that of its location, from batch "
            "means, which says nothing of other processes."},
           {"Gain of advice",
            "Time before / time after, measured in the same process, one ratio a process; above 1 the advice pays. The "
            "interval is over processes, and of fewer than six their range stands in its place. Advice that is about "
            "something else than time is held against that, as its figure says. pays and harms: the whole interval is "
            "beyond 3 %, the shaded stretch; mixed: some points pay and some harm; no difference: all of it is within; "
            "undecided: neither."},
           {"Comparison",
            "Hodges-Lehmann ratio with its exact interval, Mann-Whitney test, Holm's adjustment over all rows. SAME is "
            "only said where a difference of 3 % would have been seen."},
           {"Limits",
            "Physical peaks, from the device's own data and published tables. "
            "Arithmetic is held against the peak at the SM clock that was read while the work ran, or at the greatest "
            "clock where the work took under 0.2 ms. Bytes are counted by the algorithm: each input once, each output "
            "once; a copy inside the device is read and written. GB = 1e9 bytes, KiB = 1024 bytes; a multiply-add "
            "counts as two operations." +
                sources(families)},
           {"Marks", marks() + "Marked results are shown."}}},
      Paragraph{"In full: docs/method.md (timing), docs/statistics.md (statistics), docs/report.md (this page) in "
                "cupel's source."}};
}

}  // namespace cupel::report::html
