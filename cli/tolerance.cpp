#include "cli/tolerance.hpp"

#include <fmt/core.h>

#include "cli/commands.hpp"
#include "cupel/units/format.hpp"

namespace cupel::cli {

void require_room_for_same(double tolerance, double target, const std::string& where) {
  if (tolerance < target) return;
  throw UsageError(
      fmt::format("the tolerance of {} is not below the target of {}{}: nothing could be called SAME; "
                  "lower the tolerance or raise the target (--target)",
                  units::format_percent(tolerance), units::format_percent(target), where));
}

}  // namespace cupel::cli
