// Files that hold many samples: a tar archive and an LMDB database, as they are written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "bench/pipeline/data_set.hpp"
#include "bench/pipeline/file.hpp"

namespace cupel::bench::pipeline {

inline constexpr std::int64_t kTarBlock = 512;

/// The size of a member of a tar archive: its header and its bytes in whole blocks.
constexpr std::int64_t tar_bytes(std::int64_t bytes) {
  return kTarBlock + (bytes + kTarBlock - 1) / kTarBlock * kTarBlock;
}

/// A member's header. Source: POSIX.1-1988, ustar.
std::array<std::byte, kTarBlock> tar_header(const std::string& name, std::int64_t bytes);

/// Bytes of the member that the header is of. Throws std::runtime_error if it is none, or not of `name`.
std::int64_t tar_member_bytes(std::span<const std::byte> header, const std::string& name);

/// Adds a member to an archive.
void add_to_tar(OutputFile& tar, const std::string& name, std::span<const std::byte> bytes);

/// The two empty blocks at an archive's end.
void end_tar(OutputFile& tar);

/// Bytes of an archive of these samples.
std::int64_t tar_size(std::span<const Sample> samples);

/// Writes a database of all samples, read from the packed file; keys are indices. Calls `each` ahead of each sample,
/// which may throw. Throws std::runtime_error.
void write_lmdb(const std::filesystem::path& path, const InputFile& packed, std::span<const Sample> samples,
                const std::function<void()>& each);

}  // namespace cupel::bench::pipeline
