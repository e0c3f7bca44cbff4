// Who closes what LMDB opens.
#pragma once

#include <lmdb.h>

#include <memory>
#include <stdexcept>
#include <string>

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

}  // namespace cupel::bench::pipeline
