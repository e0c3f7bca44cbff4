// The pages of a file that the kernel keeps in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "bench/pipeline/file.hpp"

namespace cupel::bench::pipeline {

/// Share of a file's pages that are in memory, 0 to 1, as mincore says; an empty file's is 0. Throws
/// std::runtime_error where the system does not say.
double share_in_memory(const InputFile& file);

/// Asks the kernel to drop the file's pages, where some stay once more when they are written. Gives the share that it
/// keeps all the same, as of a file on tmpfs or one that somebody has mapped. Throws as share_in_memory.
double drop_from_memory(const InputFile& file);

/// Drops the pages of all of them, or skips the benchmark with the share of one that stays. Nobody may have them
/// mapped.
void make_cold_or_skip(const std::vector<std::filesystem::path>& files);

/// Bytes that storage has given to this process so far, as /proc/self/io says: what came from the page cache is not
/// among them. Throws std::runtime_error where the system does not say.
std::int64_t bytes_from_storage();

}  // namespace cupel::bench::pipeline
