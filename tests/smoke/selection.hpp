// Which of a family's benchmarks a smoke run takes, by the listing alone: new ones are chosen from by themselves.
#pragma once

#include <string>
#include <vector>

#include "cupel/record/listing.hpp"

namespace cupel::smoke {

/// A part of what is chosen: of `of` parts of neighbours, as many in each, the one of that number from 1 on.
struct Part {
  std::size_t number = 1, of = 1;
};

/// The names of those that want the least memory among all that differ in numbers only ("bytes:4096", "kernels:10"); of
/// several, the one with the smallest numbers, the first parameter's first. Operations in the order of the listing.
std::vector<std::string> smallest_of_each(const record::Listing& listing, Part part = {});

/// Of all that differ in sizes only, the smallest as above, and behind it for each size the smallest that differs from
/// it in that size alone, or where none does, the next smallest. Sizes are numbers and the names of layers, models and
/// shapes. What has one size only is left out.
///
/// Whoever keeps something for one size and takes it for another, because a parameter is not in its key, shows when
/// these are run in this order: they differ in that parameter alone, and what was made for the small one does not do
/// the whole of the larger one's work.
std::vector<std::string> sizes_in_turn(const record::Listing& listing, Part part = {});

}  // namespace cupel::smoke
