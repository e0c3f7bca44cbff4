#include "cupel/figures/warning.hpp"
#include "cupel/report/html/sections.hpp"

namespace cupel::report::html {

namespace {

std::string marks() {
  std::string text;
  for (std::size_t i = 0; i < names_of(figures::Warning()).size(); ++i) {
    const auto warning = static_cast<figures::Warning>(i);
    text += "<i>" + std::string(to_string(warning)) + "</i>: " + figures::meaning_of(warning) + ". ";
  }
  return text;
}

}  // namespace

std::string method_section() {
  return R"(<dl class="method">
<dt>Time of a call</dt><dd>Device work is timed by events around it, the stream held until all of it is enqueued, so
that launch latency stays out; what the event pair itself costs is taken off. Every figure is a burst on a clock that has
recovered, unless the run says <i>sustained</i>. <i>cold</i>: the L2 is flushed before
each call. <i>hot</i>: a batch back to back, divided by its length. <i>host</i>: the host's monotonic clock.</dd>
<dt>Location</dt><dd>A process gives one location, the mean of the middle half of its samples. A point is the median of
the processes' locations, because processes differ by more than samples inside one.</dd>
<dt>Interval</dt><dd>Of that median, by order statistics, whatever the distribution; the level that it has is said with
it, 95 % or more. Fewer than six processes have none: their range stands in its place, named so, and is not drawn where others have
intervals. With a single process: of its location, from batch means, which says nothing of other processes.</dd>
<dt>Gain of advice</dt><dd>Time before / time after, measured in the same process, one ratio a process; the interval is
over processes, and of fewer than six their range stands in its place. Advice that is about something else than time is held against that, as its figure says. <i>pays</i> and <i>harms</i>: the whole interval is beyond 3 %; <i>mixed</i>: some points pay and some harm; <i>no difference</i>: all of it is
within; <i>undecided</i>: neither.</dd>
<dt>Comparison</dt><dd>Hodges-Lehmann ratio with its exact interval, Mann-Whitney test, Holm's adjustment over all rows.
SAME is only said where a difference of 3 % would have been seen.</dd>
<dt>Limits</dt><dd>Physical peaks, from the device's own data and published tables; the source stands beside each.
Bytes are counted by the algorithm: each input once, each output once; a copy inside the device is read and written.
GB = 1e9 bytes, KiB = 1024 bytes; a multiply-add counts as two operations.</dd>
<dt>Marks</dt><dd>)" +
         marks() + R"(Marked results are shown.</dd>
</dl>
<p>In full: <code>docs/method.md</code> (timing), <code>docs/statistics.md</code> (statistics),
<code>docs/report.md</code> (this page) in cupel's source.</p>
)";
}

}  // namespace cupel::report::html
