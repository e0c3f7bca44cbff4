// When something was: days and times as programs write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cupel::units {

/// The time in UTC, "2026-11-20T04:35:00Z", of a day and a time as programs write them: "2026-11-20T06:35:00+02:00",
/// "2026-11-20T06:35:00Z", "2026-11-20 06:35", "2026/11/20-06:35:00" (Google Benchmark before 1.5). A time that does
/// not say how far it is from UTC is taken for UTC. Of a day alone the day. Nothing where it is no date.
std::optional<std::string> utc_of(std::string_view date);

}  // namespace cupel::units
