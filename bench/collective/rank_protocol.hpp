// What a rank in a process of its own is asked to measure.
#pragma once

#include <cstdint>
#include <span>

namespace cupel::bench::collective {

/// The program beside the family's own. Arguments: descriptor of the rendezvous, rank, its device's number, seed, and
/// samples of each size, and 1 where NCCL may use multicast.
inline constexpr const char* kRankProgram = "cupel_collective_rank";

inline constexpr std::int64_t kTransportBytes[] = {8, 1 << 20, 64 << 20};

/// Calls in one sample: fewer of what is long.
constexpr int calls_of(std::int64_t bytes) { return bytes <= 1 << 20 ? 20 : 4; }

/// Seconds that ranks wait for each other. Making a communicator takes the longest, a few seconds.
inline constexpr double kMeeting_s = 60;

}  // namespace cupel::bench::collective
