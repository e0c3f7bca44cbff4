#include "cupel/figures/warning.hpp"

namespace cupel::figures {

const char* meaning_of(Warning warning) {
  switch (warning) {
    case Warning::failed:
      return "the benchmark ended with an error, or its result was wrong";
    case Warning::skipped:
      return "the benchmark cannot run here";
    case Warning::below_floor:
      return "too short to be told from the cost of measuring it";
    case Warning::disturbed:
      return "the GPU was throttled by heat, or shared, while measuring";
    case Warning::cut_short:
      return "the run was interrupted in the middle of it";
    case Warning::busy:
      return "the machine was busy: threads waited for a CPU";
    case Warning::unsettled:
      return "the clock had not recovered, memory was still being erased, or the pace varied";
    case Warning::above_limit:
      return "the method needs fewer operations or bytes than are counted (transforms, caches), or the time is wrong";
    case Warning::unusual:
      return "its work differs from that of the others, so lists of best figures leave it out";
    case Warning::two_states:
      return "its rounds form two groups, as when threads or clocks have two states: the figure is one of them, or "
             "lies between";
    case Warning::cold_start:
      return "the first process took that many times as long as any other, as when files were not yet in memory";
  }
  return "";
}

std::string with_meaning(Warning warning) { return std::string(to_string(warning)) + ": " + meaning_of(warning); }

}  // namespace cupel::figures
