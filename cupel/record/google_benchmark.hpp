// Result files of any Google Benchmark program, 1.0 to 1.9, as they are met in the wild.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "cupel/record/record.hpp"

namespace cupel::record {

/// Reads a result. text: what --benchmark_out or --benchmark_format=json wrote. More is taken than JSON allows, because
/// Google Benchmark writes it (google_text.hpp), and a key that occurs twice (the first counts). Of a file cut short
/// the complete rows are kept; run.interrupted says so and run.notes why.
///
/// A benchmark becomes one row of process 0, under its canonical name where no other of the file has that
/// (google_names.hpp). Its repetitions are the samples, in order, of one series of mode host, since they share a
/// process. Each is the mean of `iterations` calls, of the wall clock unless Row::clock says otherwise; a release that
/// divides the times of several threads by their number is made good for. Aggregates are left out, as they are computed
/// from the samples; only where the file has no repetitions of a benchmark (ReportAggregatesOnly) its median, else its
/// mean, is the one sample, and the note says so. A time of 0 or below fails the benchmark.
///
/// A name that a program registered twice gives a row for each registration, all of process 0: whoever holds them
/// against another file sees that the name occurs twice. Registrations are told from repetitions by their place in the
/// program, the repetition's index and the number of repetitions; where a file says none of it, as before 1.5, by the
/// aggregates that follow repetitions.
///
/// Counters are means over the repetitions and are never judged; of those that are rates more is better, of others
/// nothing says which way is. The CPU time is the counter cpu_time_s.
///
/// Throws ReadError: not a Google Benchmark file, or a field that cannot be used, or nothing but spreads.
ResultSet from_google_benchmark(std::string_view text, const std::string& origin);

/// The bytes of the largest file that is read; it has no samples, and so is small.
inline constexpr std::int64_t kLargestForeign = std::int64_t{128} << 20;

/// Reads a file of at most kLargestForeign. Throws ReadError.
ResultSet read_google_benchmark(const std::filesystem::path& path, const std::string& origin);

/// An upper bound, for each printed name, on how often it was registered: the rows divided by the number of repetitions
/// that they say, or, where aggregates stand among them, all of the rows.
using Registrations = std::map<std::string, std::int64_t>;

/// Reads such a file, and gives the registrations that it is of, too.
ResultSet read_google_benchmark(const std::filesystem::path& path, const std::string& origin,
                                Registrations& registrations);

/// The key in RunInfo::notes of how long a gate had each benchmark of such a program sampled: "0.05 s".
inline constexpr const char* kSampling = "--benchmark_min_time";

}  // namespace cupel::record
