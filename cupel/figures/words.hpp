// The parts of a figure as people read them: the same words on every surface.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cupel/figures/figure.hpp"
#include "cupel/units/format.hpp"

namespace cupel::figures {

/// Returns how times of the mode are taken: "device time of calls back to back".
std::string mode_meaning(record::Mode mode);

/// Returns the meaning of the modes as text: "host: on the host's clock."; empty for none.
std::string modes_mean(const std::set<record::Mode>& modes);

/// Lists modes in order, each once: "cold", "host and cold".
std::string modes_text(const std::vector<record::Mode>& modes);

/// Returns a counter with its name as text: "page_faults 4096", "cpu_time 1.20 us".
std::string counter_text(const CounterValue& counter);

/// Returns the value of a counter as text: "4096", "1.20 us".
std::string amount_text(const CounterValue& counter);

/// Returns "fp16" of "fp16 at 1980 MHz": the share that is shown is that of the peak at the clock that was seen.
std::string limit_text(const Figure& figure);

/// Returns a rate with its unit as text: "55.4 GB/s".
std::string rate_text(const std::string& quantity, double per_second);

/// Returns the unit of a rate of "bytes", "flops" or "items".
units::Unit unit_of_rate(const std::string& quantity);

}  // namespace cupel::figures
