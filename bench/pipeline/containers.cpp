#include "bench/pipeline/containers.hpp"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "bench/pipeline/lmdb.hpp"

namespace cupel::bench::pipeline {
namespace {

// Where fields of a header lie, and how long they are.
constexpr std::size_t kName = 0, kNameBytes = 100, kMode = 100, kSize = 124, kSizeDigits = 11, kTime = 136, kSum = 148,
                      kSumBytes = 8, kType = 156, kMagic = 257;

unsigned sum_of(std::span<const char> header) {
  unsigned sum = 0;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const bool in_sum = i >= kSum && i < kSum + kSumBytes;  // counts as spaces
    sum += in_sum ? unsigned{' '} : static_cast<unsigned char>(header[i]);
  }
  return sum;
}

}  // namespace

std::array<std::byte, kTarBlock> tar_header(const std::string& name, std::int64_t bytes) {
  std::array<char, kTarBlock> text{};
  if (name.size() >= kNameBytes) throw std::invalid_argument("tar_header: the name is too long: " + name);
  std::memcpy(text.data() + kName, name.data(), name.size());
  std::memcpy(text.data() + kMode, "0000644", 7);
  std::snprintf(text.data() + kSize, kSizeDigits + 1, "%011llo", static_cast<unsigned long long>(bytes));
  std::memcpy(text.data() + kTime, "00000000000", 11);
  text[kType] = '0';
  std::memcpy(text.data() + kMagic, "ustar\00000", 8);
  std::snprintf(text.data() + kSum, kSumBytes - 1, "%06o", sum_of(text));
  text[kSum + kSumBytes - 1] = ' ';
  std::array<std::byte, kTarBlock> header;
  std::memcpy(header.data(), text.data(), text.size());
  return header;
}

std::int64_t tar_member_bytes(std::span<const std::byte> header, const std::string& name) {
  std::array<char, kTarBlock> text;
  std::memcpy(text.data(), header.data(), text.size());
  unsigned sum = 0;
  std::int64_t bytes = 0;
  std::from_chars(text.data() + kSum, text.data() + kSum + kSumBytes, sum, 8);
  const auto [end, error] = std::from_chars(text.data() + kSize, text.data() + kSize + kSizeDigits, bytes, 8);
  if (std::memcmp(text.data() + kMagic, "ustar", 5) != 0 || sum != sum_of(text) || error != std::errc() ||
      name != std::string(text.data() + kName, strnlen(text.data() + kName, kNameBytes))) {
    throw std::runtime_error("not the header of a tar archive's member " + name);
  }
  return bytes;
}

void add_to_tar(OutputFile& tar, const std::string& name, std::span<const std::byte> bytes) {
  tar.write(tar_header(name, static_cast<std::int64_t>(bytes.size())));
  tar.write(bytes);
  const auto size = static_cast<std::int64_t>(bytes.size());
  tar.write(std::vector<std::byte>(static_cast<std::size_t>(tar_bytes(size) - kTarBlock - size)));
}

void end_tar(OutputFile& tar) { tar.write(std::vector<std::byte>(2 * kTarBlock)); }

std::int64_t tar_size(std::span<const Sample> samples) {
  std::int64_t bytes = 2 * kTarBlock;
  for (const Sample& sample : samples) bytes += tar_bytes(sample.bytes);
  return bytes;
}

void write_lmdb(const std::filesystem::path& path, const InputFile& packed, std::span<const Sample> samples,
                const std::function<void()>& each) {
  const std::string where = path.string();
  std::size_t bytes = 64 << 20;  // of the map: room for the tree
  for (const Sample& sample : samples) bytes += static_cast<std::size_t>(sample.bytes) + 8192;
  const LmdbEnvironment environment = make_lmdb_environment(where);
  check_lmdb(mdb_env_set_mapsize(environment.get(), bytes), where);
  check_lmdb(mdb_env_open(environment.get(), path.c_str(), MDB_NOSUBDIR | MDB_NOLOCK, 0644), where);
  LmdbTransaction transaction = begin_lmdb(environment.get(), 0, where);
  MDB_dbi database = 0;
  check_lmdb(mdb_dbi_open(transaction.get(), nullptr, MDB_INTEGERKEY, &database), where);
  std::vector<std::byte> content;
  for (std::size_t index = 0; index < samples.size(); ++index) {
    each();
    content.resize(static_cast<std::size_t>(samples[index].bytes));
    packed.read(samples[index].offset, content);
    std::size_t number = index;
    MDB_val key{sizeof number, &number};
    MDB_val value{content.size(), content.data()};
    check_lmdb(mdb_put(transaction.get(), database, &key, &value, MDB_APPEND), where);
  }
  check_lmdb(mdb_txn_commit(transaction.release()), where);
}

}  // namespace cupel::bench::pipeline
