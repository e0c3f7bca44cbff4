// Samples in an LMDB database: a B+ tree in a mapped file.
#include <cstring>

#include "bench/pipeline/lmdb.hpp"
#include "bench/pipeline/reader.hpp"
#include "bench/pipeline/runs.hpp"

namespace cupel::bench::pipeline {
namespace {

class LmdbReader : public Reader {
 public:
  explicit LmdbReader(const DataSet& data)
      : data_(data), where_(data.lmdb().string()), environment_(open_lmdb(data.lmdb())) {
    LmdbTransaction transaction = begin_lmdb(environment_.get(), MDB_RDONLY, where_);
    check_lmdb(mdb_dbi_open(transaction.get(), nullptr, MDB_INTEGERKEY, &database_), where_);
    check_lmdb(mdb_txn_commit(transaction.release()), where_);
  }

  void read(std::span<const std::int64_t> indices, std::span<std::byte> out) override {
    const LmdbTransaction transaction = begin_lmdb(environment_.get(), MDB_RDONLY, where_);
    for (const std::int64_t index : indices) {
      const Sample& sample = data_.sample(index);
      auto number = static_cast<std::size_t>(index);
      MDB_val key{sizeof number, &number}, value{};
      check_lmdb(mdb_get(transaction.get(), database_, &key, &value), where_ + ": sample " + std::to_string(index));
      if (static_cast<std::int64_t>(value.mv_size) != sample.bytes) {
        throw std::runtime_error(where_ + ": sample " + std::to_string(index) + " has " +
                                 std::to_string(value.mv_size) + " bytes, " + std::to_string(sample.bytes) +
                                 " were expected");
      }
      std::memcpy(take_front(out, sample.bytes).data(), value.mv_data, value.mv_size);
    }
  }

 private:
  const DataSet& data_;
  std::string where_;
  LmdbEnvironment environment_;
  MDB_dbi database_ = 0;
};

}  // namespace

std::unique_ptr<Reader> open_lmdb_reader(const DataSet& data) { return std::make_unique<LmdbReader>(data); }

}  // namespace cupel::bench::pipeline
