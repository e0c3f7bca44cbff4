// Names of Google Benchmark's rows: what of a name says which work it is, what says how it was measured, and which
// names of several programs or files are one benchmark.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cupel::record {

/// Returns a name as rows have it: UTF-8 on one line, whatever a program prints.
std::string name_in_file(std::string_view name);

/// Returns the work's name: /iterations:N, /repeats:N, /min_time:X, /min_warmup_time:X, /manual_time, /real_time and
/// /process_time are dropped, which say how it was measured; /threads:N stays.
std::string canonical_name(std::string_view name);

/// Returns the clock of the time that a row of this name has: kManualClock where the benchmark gives its times itself
/// (/manual_time), else empty: the wall clock. /real_time and /process_time choose the clock that decides the number of
/// iterations, and the reported time is of the wall clock all the same.
std::string clock_of(std::string_view name);

/// The clock of a benchmark that reports its own times.
inline constexpr const char* kManualClock = "manual";

/// Returns the threads of a row of this name: N of /threads:N, else 1.
std::int64_t threads_of(std::string_view name);

/// Tells whether a release of Google Benchmark divides the times of a row of several threads by their number. Releases
/// before 1.9.0 do; files of those before 1.8.4 do not name a release at all. Nothing where the text is no release, as
/// of a build that did not know its own: then the meaning is not known. version: "v1.8.5", or as git describes a build
/// between two releases "v1.8.5-12-ga008bf82"; may be empty. Source: Google Benchmark's history, a008bf82 (#1836) for
/// the times and 17bc235a (#1742) for the version.
std::optional<bool> divides_by_threads(std::string_view version);

/// Returns the names under which the benchmarks of several sides are shown and held against each other: two benchmarks
/// of two sides are one where their names here are equal. sides: of each side the names as its program prints them,
/// none twice; the result has the same order. All sides are looked at together:
///
/// 1. names that are equal are one benchmark;
/// 2. of the others, names that differ in how much was measured (iterations, repetitions, times to measure for);
/// 3. then names that differ in what decides the number of iterations, with one clock;
/// 4. then names of one work with two clocks, so that somebody says so.
///
/// Each only where it is one name on each side: of several nobody can tell which is meant. A benchmark is shown by its
/// canonical name where no other has that, else by the whole name.
std::vector<std::vector<std::string>> common_names(std::span<const std::vector<std::string>> sides);

}  // namespace cupel::record
