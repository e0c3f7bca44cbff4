// The parts of a figure as people read them: the same words on every surface.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cupel/figures/figure.hpp"
#include "cupel/units/format.hpp"

namespace cupel::figures {

/// Says the meaning of the modes that are there: "host: on the host's clock."; empty of none.
std::string modes_mean(const std::set<record::Mode>& modes);

/// Lists modes in order, each once: "cold", "host and cold".
std::string modes_text(const std::vector<record::Mode>& modes);

/// Says a counter with its name: "page_faults 4096", "cpu_time 1.20 us".
std::string counter_text(const CounterValue& counter);

/// Says its value alone: "4096", "1.20 us".
std::string amount_text(const CounterValue& counter);

/// Returns "fp16" of "fp16 at 1980 MHz": the share that is shown is that of the peak at the clock that was seen.
std::string limit_text(const Figure& figure);

/// Says a rate with its unit: "55.4 GB/s".
std::string rate_text(const std::string& quantity, double per_second);

/// Returns the unit of a rate of "bytes", "flops" or "items".
units::Unit unit_of_rate(const std::string& quantity);

}  // namespace cupel::figures
