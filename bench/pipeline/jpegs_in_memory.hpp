// JPEG images as a decoder finds them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/pipeline/data_set.hpp"
#include "bench/pipeline/reader.hpp"

namespace cupel::bench::pipeline {

/// The first `count` images of the data, from the first again where it has fewer.
inline std::vector<std::vector<std::byte>> jpegs_in_memory(const DataSet& data, std::int64_t count) {
  const auto reader = open_reader(ReadBy::pread, data);
  std::vector<std::vector<std::byte>> images;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t index = i % data.size();
    images.emplace_back(static_cast<std::size_t>(data.sample(index).bytes));
    reader->read({&index, 1}, images.back());
  }
  return images;
}

/// Bytes of all of them.
inline std::int64_t bytes_of(const std::vector<std::vector<std::byte>>& images) {
  std::int64_t bytes = 0;
  for (const auto& image : images) bytes += static_cast<std::int64_t>(image.size());
  return bytes;
}

}  // namespace cupel::bench::pipeline
