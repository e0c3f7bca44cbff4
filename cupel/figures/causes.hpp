// Causes that bear on this machine's numbers, as far as a result file shows them: most make times longer or noisier.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cupel/record/forward.hpp"

namespace cupel::figures {

struct Suite;

/// One cause that bears on the numbers of a result.
struct Cause {
  std::string id;      ///< "throttled", "foreign-process", "pcie-width", ...
  std::string what;    ///< what was seen, with numbers
  std::string remedy;  ///< what to do
};

/// Returns the causes, the most harmful first; empty if there is nothing to say. From the context: code without
/// optimisation, a debug build, an interrupted run, a link narrower or slower than it could be, a power limit below the
/// board's own, the powersave governor, persistence mode. From the rows: throttling, other processes, unsettled clocks,
/// work at the power limit, pinned memory on the far NUMA node, failures.
///
/// An idle link reports a lower generation than it uses: a lower one is only held against a machine on which no copy
/// was faster than that generation allows.
///
/// keep: whether the rows of a name bear on them; empty: all do. How busy the host was for others is no matter of
/// those.
std::vector<Cause> causes(const record::ResultSet& results, const std::function<bool(const std::string&)>& keep = {});

/// Returns the remark that a busy machine took all measurements, and why they do not count; empty where some count, or
/// none was made.
std::string none_counts_text(const record::ResultSet& results);

/// Returns the remark on benchmarks of which a busy machine took all measurements, and what to do; empty where there
/// are none.
std::string busy_text(const Suite& suite);

}  // namespace cupel::figures
