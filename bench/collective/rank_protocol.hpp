// The requests to a rank in a process of its own: what it is to measure.
#pragma once

#include <cstdint>
#include <span>

#include "bench/collective/launch.hpp"

namespace cupel::bench::collective {

/// The program beside the family's own. Arguments: descriptor of the rendezvous, rank, its device's number, seed, and
/// samples of each size, 1 where NCCL may use multicast, and how many of kLaunches are wanted.
inline constexpr const char* kRankProgram = "cupel_collective_rank";

inline constexpr std::int64_t kTransportBytes[] = {8, 1 << 20, 64 << 20};

/// Each size is measured in these ways, one after the other.
inline constexpr Launch kLaunches[] = {Launch::eager, Launch::graph};

/// Calls in one sample: fewer of what is long.
constexpr int calls_of(std::int64_t bytes) { return bytes <= 1 << 10 ? 100 : bytes <= 1 << 20 ? 40 : 4; }

/// Seconds that ranks wait for each other. Making a communicator takes the longest, a few seconds.
inline constexpr double kMeeting_s = 60;

}  // namespace cupel::bench::collective
