// Result files of any Google Benchmark program, 1.5 to 1.9, as they are met in the wild.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "cupel/record/record.hpp"

namespace cupel::record {

/// What names the work, without what names how it was measured: /iterations:N, /repeats:N, /min_time:X,
/// /min_warmup_time:X, /manual_time, /real_time and /process_time are dropped; /threads:N stays.
std::string canonical_name(std::string_view name);

/// text: what --benchmark_out or --benchmark_format=json wrote. More is taken than JSON allows, because Google
/// Benchmark writes it: NaN and Infinity (the field is left out), 1,000 and 1,5e+00 of a locale, a key that occurs
/// twice (the first counts), bytes that are not UTF-8, and a file cut short (complete rows are kept; run.interrupted
/// says so and run.notes why).
///
/// A benchmark becomes one row of process 0: its repetitions are the samples, in order, of one series of mode host,
/// since they share a process. Each is the mean of `iterations` calls. Aggregates are left out, as they are computed
/// from the samples; only where the file has no repetitions of a benchmark (ReportAggregatesOnly) its median, else its
/// mean, is the one sample, and the note says so. Counters are means over the repetitions and are never judged, as
/// nothing says which way is better; the CPU time is the counter cpu_time_s. Two benchmarks whose canonical names are
/// equal keep their whole names; of one whose whole name is another's too, the row is skipped with that reason.
///
/// Throws ReadError: not a Google Benchmark file, or a field that cannot be used, or nothing but spreads.
ResultSet from_google_benchmark(std::string_view text, const std::string& origin);

/// The same of a file. It has no samples, and so is small: kLargestForeign, or ReadError.
inline constexpr std::int64_t kLargestForeign = std::int64_t{128} << 20;
ResultSet read_google_benchmark(const std::filesystem::path& path, const std::string& origin);

}  // namespace cupel::record
