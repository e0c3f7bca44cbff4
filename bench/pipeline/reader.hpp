// How samples come from storage: one interface, and a way of reading behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/pipeline/data_set.hpp"
#include "bench/pipeline/file.hpp"
#include "cupel/host/shared_library.hpp"

namespace cupel::bench::pipeline {

enum class ReadBy {
  file,         ///< open, read, close a file a sample
  packed_read,  ///< neighbours in one file by one large read
  pread,        ///< one read a sample of one open file
  mmap,         ///< one file, mapped; copied from there
  lmdb,         ///< a database, mapped
  tar,          ///< neighbours in an archive by one large read, header by header
  io_uring,     ///< all samples of a call asked for at once
  direct,       ///< one read a sample of one open file, past the page cache
};

/// The ways that read through the page cache.
inline constexpr ReadBy kCachedReaders[] = {ReadBy::file, ReadBy::packed_read, ReadBy::pread,   ReadBy::mmap,
                                            ReadBy::lmdb, ReadBy::tar,         ReadBy::io_uring};

const char* to_string(ReadBy by);

/// Used by one thread at a time, and by no other process than the one that opened it.
class Reader {
 public:
  virtual ~Reader() = default;

  /// Copies the samples to `out`, one behind the other in the order of `indices`; `out` has exactly their bytes. Throws
  /// std::runtime_error that names the file, the offset and what was expected.
  virtual void read(std::span<const std::int64_t> indices, std::span<std::byte> out) = 0;
};

/// Throws std::runtime_error where a file cannot be opened, or Unsupported where the machine lacks what it takes.
/// `data` must outlive the reader.
std::unique_ptr<Reader> open_reader(ReadBy by, const DataSet& data);

/// The kernel does not let this process read so.
class Unsupported : public host::Unavailable {
 public:
  using host::Unavailable::Unavailable;
};

/// The files that this way of reading reads these samples from.
std::vector<std::filesystem::path> files_read(ReadBy by, const DataSet& data, std::span<const std::int64_t> indices);

/// Bytes of the samples.
std::int64_t bytes_of(const DataSet& data, std::span<const std::int64_t> indices);

/// How many neighbours stay together when the order is shuffled: those that read neighbours at once shuffle blocks, as
/// loaders of shards do; the others single samples.
std::int64_t shuffled_block(ReadBy by);

// Each in a file of its own.
std::unique_ptr<Reader> open_file_reader(const DataSet& data);
std::unique_ptr<Reader> open_packed_reader(const DataSet& data);
std::unique_ptr<Reader> open_pread_reader(const DataSet& data);
std::unique_ptr<Reader> open_mmap_reader(const DataSet& data);
std::unique_ptr<Reader> open_lmdb_reader(const DataSet& data);
std::unique_ptr<Reader> open_tar_reader(const DataSet& data);
std::unique_ptr<Reader> open_io_uring_reader(const DataSet& data);
std::unique_ptr<Reader> open_direct_reader(const DataSet& data);

}  // namespace cupel::bench::pipeline
