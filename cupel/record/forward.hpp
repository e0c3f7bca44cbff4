// The structs of a result, declared: for headers that only pass them on, so that a new field rebuilds nobody but its
// readers.
#pragma once

namespace cupel::record {

struct AdviceTag;
struct Build;
struct Calibration;
struct Context;
struct Counter;
struct DeviceInfo;
struct HostInfo;
struct Library;
struct Limit;
struct ResultSet;
struct Row;
struct RunInfo;
struct Series;
struct Telemetry;
struct Workload;

}  // namespace cupel::record
