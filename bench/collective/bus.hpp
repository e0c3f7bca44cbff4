// The bytes that a collective moves. They are counted as nccl-tests counts "bus bandwidth", so that figures of any
// operation and number of ranks can be held against the link: what each rank must send at least, over its own link.
// Source: nccl-tests, doc/PERFORMANCE.md.
#pragma once

#include <cstdint>

namespace cupel::bench::collective {

enum class Operation { all_reduce, reduce_scatter, all_gather, broadcast, all_to_all };

constexpr const char* name_of(Operation operation) {
  switch (operation) {
    case Operation::all_reduce:
      return "all_reduce";
    case Operation::reduce_scatter:
      return "reduce_scatter";
    case Operation::all_gather:
      return "all_gather";
    case Operation::broadcast:
      return "broadcast";
    case Operation::all_to_all:
      break;
  }
  return "all_to_all";
}

/// bytes: of the whole array, as nccl-tests names sizes. Each rank has all of it before and after all_reduce and
/// broadcast, before reduce_scatter, after all_gather, and before and after all_to_all, a part of it for each rank.
constexpr std::int64_t bus_bytes(Operation operation, std::int64_t bytes, int ranks) {
  const std::int64_t from_others = bytes * (ranks - 1) / ranks;
  if (operation == Operation::all_reduce) return 2 * from_others;
  return operation == Operation::broadcast ? bytes : from_others;
}

/// Where the operation gives each rank a part of the array, or takes one: elements of it. Sizes are as nccl-tests has
/// them: rounded down to whole elements for every rank, one at least.
constexpr std::int64_t part_count(std::int64_t bytes, int ranks) {
  const std::int64_t count = bytes / 4 / ranks;
  return count > 0 ? count : 1;
}

}  // namespace cupel::bench::collective
