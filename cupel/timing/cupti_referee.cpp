#include "cupel/timing/cupti_referee.hpp"

#include <cupti.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "cupel/host/shared_library.hpp"

namespace cupel::timing {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{8} << 20;
constexpr std::size_t kBufferAlignment = 8;  // what CUPTI asks for

struct Span {
  std::uint64_t start_ns = UINT64_MAX;
  std::uint64_t end_ns = 0;
  DeviceRecord of = {.records = 0};

  double seconds() const { return static_cast<double>(end_ns - start_ns) * 1e-9; }
};

void describe(DeviceRecord&, const CUpti_ActivityKernel10&) {}

void describe(DeviceRecord& record, const CUpti_ActivityMemcpy6& copy) {
  using What = DeviceRecord::What;
  const bool in = copy.copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_HTOD,
             out = copy.copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
  record.what = in ? What::host_to_device : out ? What::device_to_host : What::device_to_device;
  record.is_pageable = (in ? copy.srcKind : copy.dstKind) == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE && (in || out);
  record.bytes += static_cast<std::int64_t>(copy.bytes);
}

void describe(DeviceRecord& record, const CUpti_ActivityMemset4& fill) {
  record.what = DeviceRecord::What::fill;
  record.bytes += static_cast<std::int64_t>(fill.bytes);
}

// The names that it may have: the linker's, then the toolkit's own folders, which no linker knows by itself.
std::vector<std::string> sonames() {
  const std::string name = "libcupti.so." + std::to_string(CUPTI_API_VERSION / 10000);
  std::vector<std::string> found{name};
  const char* named = std::getenv("CUDA_PATH");
  for (const std::string& toolkit : {std::string(named == nullptr ? "" : named), std::string("/usr/local/cuda")}) {
    if (toolkit.empty()) continue;
    for (const char* folder : {"/extras/CUPTI/lib64/", "/lib64/"}) found.push_back(toolkit + folder + name);
  }
  return found;
}

// The library's entries that are used.
struct Library {
  decltype(&cuptiActivityRegisterCallbacks) register_callbacks;
  decltype(&cuptiActivityEnable) enable;
  decltype(&cuptiActivityFlushAll) flush_all;
  decltype(&cuptiActivityGetNextRecord) next_record;
  decltype(&cuptiActivityPushExternalCorrelationId) push_id;
  decltype(&cuptiActivityPopExternalCorrelationId) pop_id;
  decltype(&cuptiGetResultString) result_string;
};

Library load() {
  static host::SharedLibrary library("CUPTI", sonames());
  try {
    return {
        .register_callbacks = library.get<decltype(cuptiActivityRegisterCallbacks)>("cuptiActivityRegisterCallbacks"),
        .enable = library.get<decltype(cuptiActivityEnable)>("cuptiActivityEnable"),
        .flush_all = library.get<decltype(cuptiActivityFlushAll)>("cuptiActivityFlushAll"),
        .next_record = library.get<decltype(cuptiActivityGetNextRecord)>("cuptiActivityGetNextRecord"),
        .push_id =
            library.get<decltype(cuptiActivityPushExternalCorrelationId)>("cuptiActivityPushExternalCorrelationId"),
        .pop_id = library.get<decltype(cuptiActivityPopExternalCorrelationId)>("cuptiActivityPopExternalCorrelationId"),
        .result_string = library.get<decltype(cuptiGetResultString)>("cuptiGetResultString")};
  } catch (const host::Unavailable& e) {
    throw CuptiError(std::string(e.what()) +
                     ". It comes with the CUDA toolkit (its lib64 or extras/CUPTI/lib64): add "
                     "that folder to LD_LIBRARY_PATH, or use --timer=events");
  }
}

}  // namespace

struct CuptiReferee::State {
  Library cupti = load();
  std::uint64_t next_sample = 1;
  std::uint64_t first_sample = 1;                                     // since forget()
  std::mutex mutex;                                                   // records arrive on CUPTI's own thread
  std::unordered_map<std::uint32_t, std::uint64_t> sample_of_launch;  // correlation id -> sample
  std::unordered_map<std::uint32_t, Span> span_of_launch;

  void check(CUptiResult result, const char* what) const {
    if (result == CUPTI_SUCCESS) return;
    const char* text = nullptr;
    cupti.result_string(result, &text);
    throw CuptiError(std::string("CUPTI: ") + what + ": " + (text ? text : "unknown error"));
  }

  template <typename Activity>
  void add_span(const CUpti_Activity* record) {
    const auto* activity = reinterpret_cast<const Activity*>(record);
    if (activity->start == 0 || activity->end == 0) return;  // a forced flush hands over unfinished records too
    Span& span = span_of_launch[activity->correlationId];
    span.start_ns = std::min<std::uint64_t>(span.start_ns, activity->start);
    span.end_ns = std::max<std::uint64_t>(span.end_ns, activity->end);
    ++span.of.records;
    describe(span.of, *activity);
  }

  void take(const CUpti_Activity* record) {
    switch (record->kind) {
      case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: {
        const auto* tie = reinterpret_cast<const CUpti_ActivityExternalCorrelation*>(record);
        sample_of_launch[tie->correlationId] = tie->externalId;
        break;
      }
      case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        add_span<CUpti_ActivityKernel10>(record);
        break;
      case CUPTI_ACTIVITY_KIND_MEMCPY:
        add_span<CUpti_ActivityMemcpy6>(record);
        break;
      case CUPTI_ACTIVITY_KIND_MEMSET:
        add_span<CUpti_ActivityMemset4>(record);
        break;
      default:
        break;
    }
  }
};

CuptiReferee& CuptiReferee::get() {
  // Never destroyed: CUPTI hands its last buffers over while the process ends.
  static CuptiReferee& referee = *new CuptiReferee;
  return referee;
}

CuptiReferee::CuptiReferee() : state_(new State) {
  static State* receiver = nullptr;  // CUPTI's callbacks carry no pointer of the caller's
  receiver = state_;
  const auto request = [](std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(kBufferAlignment, kBufferBytes));
    *size = *buffer == nullptr ? 0 : kBufferBytes;
    *most_records = 0;
  };
  const auto complete = [](CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
    const std::lock_guard<std::mutex> lock(receiver->mutex);
    CUpti_Activity* record = nullptr;
    while (receiver->cupti.next_record(buffer, valid, &record) == CUPTI_SUCCESS) receiver->take(record);
    std::free(buffer);
  };
  state_->check(state_->cupti.register_callbacks(request, complete), "registering the callbacks");
  // A tie to a sample is written ahead of the record of an API call, so those are on too, though nothing reads them.
  for (const CUpti_ActivityKind kind :
       {CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER,
        CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET}) {
    state_->check(state_->cupti.enable(kind), "turning records on");
  }
}

CuptiReferee::Watch::Watch(CuptiReferee* referee) : referee_(referee) {
  if (referee_ == nullptr) return;
  State& state = *referee_->state_;
  state.check(state.cupti.push_id(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, state.next_sample++), "marking a sample");
}

CuptiReferee::Watch::~Watch() {
  if (referee_ == nullptr) return;
  std::uint64_t id = 0;
  referee_->state_->cupti.pop_id(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &id);
}

std::vector<double> CuptiReferee::collect(std::size_t samples) {
  State& state = *state_;
  state.check(state.cupti.flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "reading the records");
  const std::lock_guard<std::mutex> lock(state.mutex);
  std::map<std::uint64_t, Span> span_of_sample;
  for (const auto& [launch, sample] : state.sample_of_launch) {
    const auto found = state.span_of_launch.find(launch);
    if (found == state.span_of_launch.end()) continue;
    Span& span = span_of_sample[sample];
    span.start_ns = std::min(span.start_ns, found->second.start_ns);
    span.end_ns = std::max(span.end_ns, found->second.end_ns);
  }
  std::vector<double> spans_s;
  for (std::uint64_t sample = state.next_sample - samples; sample < state.next_sample; ++sample) {
    const auto found = span_of_sample.find(sample);
    if (found == span_of_sample.end()) throw CuptiError("CUPTI left no record of a sample");
    spans_s.push_back(found->second.seconds());
  }
  state.sample_of_launch.clear();
  state.span_of_launch.clear();
  return spans_s;
}

std::vector<DeviceRecord> CuptiReferee::records() {
  State& state = *state_;
  state.check(state.cupti.flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "reading the records");
  const std::lock_guard<std::mutex> lock(state.mutex);
  std::vector<DeviceRecord> all;
  for (const auto& [launch, span] : state.span_of_launch) {
    const auto tie = state.sample_of_launch.find(launch);
    if (tie == state.sample_of_launch.end() || tie->second < state.first_sample) continue;
    DeviceRecord& record = all.emplace_back(span.of);
    record.watch = tie->second - state.first_sample;
    record.time_s = span.seconds();
  }
  return all;
}

void CuptiReferee::forget() {
  State& state = *state_;
  state.check(state.cupti.flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "reading the records");
  const std::lock_guard<std::mutex> lock(state.mutex);
  state.first_sample = state.next_sample;
  state.sample_of_launch.clear();
  state.span_of_launch.clear();
}

}  // namespace cupel::timing
