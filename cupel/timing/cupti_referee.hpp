// The referee: start and end of every operation by the device's own account, from CUPTI's activity records. It slows
// launches and lengthens event pairs, so it is for checking, not for measuring. The library is loaded at run time.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace cupel::timing {

/// Thrown when CUPTI cannot be used. what(): why and what to do.
class CuptiError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An operation of the device, as CUPTI recorded it.
struct DeviceRecord {
  /// The kind of an operation.
  enum class What { kernel, fill, host_to_device, device_to_host, device_to_device };
  What what = What::kernel;
  std::size_t watch = 0;     ///< the watch that it was enqueued in, counted from the first since forget()
  double time_s = 0;         ///< from its start to its end; of several records of one call, from the first to the last
  std::int64_t bytes = 0;    ///< of copies and fills
  bool is_pageable = false;  ///< the host's side of a copy is pageable
  std::int64_t records = 1;  ///< number of records of the call
};

/// Tells how long operations took by the device's own account (CUPTI), to hold events against. One a process.
class CuptiReferee {
 public:
  /// Loads CUPTI and turns its records on, once a process; before the first CUDA call, or records are lost.
  /// Throws CuptiError.
  static CuptiReferee& get();

  /// Marks a sample: while it lives, operations enqueued by this thread belong to that. With a null referee it does
  /// nothing.
  class Watch {
   public:
    explicit Watch(CuptiReferee* referee);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    CuptiReferee* referee_;
  };

  /// Returns the seconds from the first start to the last end of the operations of each of the last `samples` watches,
  /// in order. The device must be idle. Throws CuptiError where a sample left no record.
  std::vector<double> collect(std::size_t samples);

  /// Returns the device's operations in all watches since forget(), call by call. The device must be idle. Throws
  /// CuptiError.
  std::vector<DeviceRecord> records();

  /// Drops what was watched so far.
  void forget();

 private:
  CuptiReferee();
  struct State;
  State* state_;  // never freed, as CUPTI's thread may still use it
};

}  // namespace cupel::timing
