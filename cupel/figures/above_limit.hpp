// When a figure is above its limit, and what that means.
#pragma once

namespace cupel::figures {

/// A rate above this many limits is: clocks, and so peaks, are known to a per cent or so.
inline constexpr double kAboveLimit = 1.02;

inline constexpr const char* kAboveLimitMeans =
    "the method needs fewer operations or bytes than are counted (transforms, caches), or the time is wrong";

}  // namespace cupel::figures
