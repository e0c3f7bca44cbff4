#include "bench/collective/buckets.hpp"

#include <numeric>

namespace cupel::bench::collective {

std::vector<Bucket> buckets_of(std::span<const std::int64_t> sizes, std::int64_t bytes) {
  std::vector<Bucket> buckets;
  std::int64_t end = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  std::int64_t begin = end;
  for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
    begin -= *size;
    if ((end - begin) * 4 < bytes && begin > 0) continue;
    buckets.push_back({begin, end - begin});
    end = begin;
  }
  return buckets;
}

}  // namespace cupel::bench::collective
