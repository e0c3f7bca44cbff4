// Who closes what LMDB opens.
#pragma once

#include <lmdb.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include "bench/pipeline/file.hpp"

namespace cupel::bench::pipeline {

using LmdbEnvironment = std::unique_ptr<MDB_env, decltype(&mdb_env_close)>;
using LmdbTransaction = std::unique_ptr<MDB_txn, decltype(&mdb_txn_abort)>;

inline void check_lmdb(int result, const std::string& where) {
  if (result != MDB_SUCCESS) throw std::runtime_error(where + ": LMDB: " + mdb_strerror(result));
}

inline LmdbEnvironment make_lmdb_environment(const std::string& where) {
  MDB_env* environment = nullptr;
  check_lmdb(mdb_env_create(&environment), where);
  return {environment, mdb_env_close};
}

inline LmdbTransaction begin_lmdb(MDB_env* environment, unsigned int flags, const std::string& where) {
  MDB_txn* transaction = nullptr;
  check_lmdb(mdb_txn_begin(environment, nullptr, flags, &transaction), where);
  return {transaction, mdb_txn_abort};
}

/// A database to read: without read-ahead, as for data larger than memory; nobody writes, so that no lock is needed.
/// Throws std::runtime_error, also where the file ends before the database does.
inline LmdbEnvironment open_lmdb(const std::filesystem::path& path) {
  const std::string where = path.string();
  LmdbEnvironment environment = make_lmdb_environment(where);
  check_lmdb(mdb_env_open(environment.get(), where.c_str(), MDB_NOSUBDIR | MDB_RDONLY | MDB_NOLOCK | MDB_NORDAHEAD, 0),
             where);
  MDB_envinfo info{};
  MDB_stat pages{};
  check_lmdb(mdb_env_info(environment.get(), &info), where);
  check_lmdb(mdb_env_stat(environment.get(), &pages), where);
  InputFile(path).require_size(static_cast<std::int64_t>((info.me_last_pgno + 1) * pages.ms_psize));
  return environment;
}

}  // namespace cupel::bench::pipeline
