// Equal copies of a product's weights at several places of device memory, read in turn, so that a figure is not of the
// place where a process happened to get its memory. Host code only.
//
// What reading takes depends on the place. A product in bf16 of 16 tokens, 4096 -> 16384 (134 MB of weights), takes
// 35.8 to 38.0 us by that alone on an H200: of 12 equal arrays in one process 37.4 37.2 37.8 37.5 37.2 37.3 37.5 36.3
// 36.0 37.0 36.8 36.2 us (a standard deviation of 1.6 %), the same again when asked again, others when all were moved
// by 2 MiB. Where the other operand and the result lie makes no difference. With one place a process had a level of its
// own: from process to process the standard deviation was 1.0 to 1.25 %.
#pragma once

#include <cstdint>

#include "bench/gemm/precision.hpp"
#include "bench/gemm/shapes.hpp"
#include "cupel/record/forward.hpp"

namespace cupel::bench::gemm {

/// The mean over six independent places leaves 0.65 % of 1.6 %, over four 0.8 %. Each round of the quick profile, seven
/// samples, still goes round once; and the search of gemm/choice calls each candidate six times, so that all are timed
/// at the same places.
inline constexpr int kMostPlaces = 6;

/// Places of the weights, the first operand, of one product on this device. More than one where reading them is all
/// that takes time: products of at most 64 tokens, of an intensity that memory binds, with weights of twice the L2
/// cache and more. Smaller ones stay in it, in part, when a hot batch reads them again and again; taking turns would
/// make them cold. All copies together are at most 4 GiB.
int places(Precision precision, const Shape& shape, const record::DeviceInfo& device);

/// As many as there are on any device: for planning memory without one.
int most_places(Precision precision, const Shape& shape);

/// From one copy to the next, in bytes: whole pages, and seven more. Arrays that lie one after the other, each a power
/// of two long, resemble each other (above, the first seven and the last five). With an odd number of pages between
/// them the low bits of their pages' addresses differ, too, as when all were moved by one page.
std::int64_t place_stride_bytes(Precision precision, const Shape& shape);

/// Deals out turns among equal copies.
class Turn {
 public:
  /// 0, 1, ... count - 1, 0, ... Goes on where the last benchmark or round left off: one that began anew each round
  /// would favour the first places.
  int next(int count) { return static_cast<int>(calls_++ % static_cast<std::uint64_t>(count)); }

 private:
  std::uint64_t calls_ = 0;
};

}  // namespace cupel::bench::gemm
