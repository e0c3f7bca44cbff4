#include "bench/pipeline/reader.hpp"

namespace cupel::bench::pipeline {

const char* to_string(ReadBy by) {
  switch (by) {
    case ReadBy::file:
      return "file";
    case ReadBy::packed_read:
      return "packed_read";
    case ReadBy::pread:
      return "pread";
    case ReadBy::mmap:
      return "mmap";
    case ReadBy::lmdb:
      return "lmdb";
    case ReadBy::tar:
      return "tar";
    case ReadBy::io_uring:
      return "io_uring";
    case ReadBy::direct:
      break;
  }
  return "direct";
}

std::unique_ptr<Reader> open_reader(ReadBy by, const DataSet& data) {
  switch (by) {
    case ReadBy::file:
      return open_file_reader(data);
    case ReadBy::packed_read:
      return open_packed_reader(data);
    case ReadBy::pread:
      return open_pread_reader(data);
    case ReadBy::mmap:
      return open_mmap_reader(data);
    case ReadBy::lmdb:
      return open_lmdb_reader(data);
    case ReadBy::tar:
      return open_tar_reader(data);
    case ReadBy::io_uring:
      return open_io_uring_reader(data);
    case ReadBy::direct:
      break;
  }
  return open_direct_reader(data);
}

std::vector<std::filesystem::path> files_read(ReadBy by, const DataSet& data, std::span<const std::int64_t> indices) {
  if (by == ReadBy::lmdb) return {data.lmdb()};
  if (by == ReadBy::tar) return {data.tar()};
  if (by != ReadBy::file) return {data.packed()};
  std::vector<std::filesystem::path> files;
  for (const std::int64_t index : indices) files.push_back(data.file(index));
  return files;
}

std::int64_t bytes_of(const DataSet& data, std::span<const std::int64_t> indices) {
  std::int64_t bytes = 0;
  for (const std::int64_t index : indices) bytes += data.sample(index).bytes;
  return bytes;
}

std::int64_t shuffled_block(ReadBy by) {
  constexpr std::int64_t kBlock = 16;
  return by == ReadBy::packed_read || by == ReadBy::tar ? kBlock : 1;
}

}  // namespace cupel::bench::pipeline
