// Result files that are parts of one: what was measured on machines alike, family by family.
#pragma once

#include <string>
#include <vector>

#include "cupel/record/record.hpp"

namespace cupel::figures {

/// Results with the names of the files that they are from.
struct NamedResults {
  std::vector<std::string> files;  ///< one, or those that were joined
  record::ResultSet results;
};

/// Joins files that have no benchmark in common and are from machines alike, in the place of the first. Alike: no
/// hard difference of fingerprint(), the same driver and the same CPU; it need not be the same board. Files that
/// measured the same benchmarks stay apart, so that before and after a change, or two machines, are still held against
/// each other.
///
/// The joined context is the first file's, with the earliest start and the latest end, the calibrations of all, the
/// fewest processes, all families and profiles, interrupted where one was, and the numbers of CPUs of each host where
/// they are not the same.
std::vector<NamedResults> join_parts(std::vector<NamedResults> files);

/// Joins files of Google Benchmark, each of one process of a program, to one result: file k is process k. They must be
/// of one program, machine (the host's name, CPUs and caches) and day, as far as they say. Throws std::invalid_argument
/// that names the first file that is not as the first one, and in what.
record::ResultSet join_processes(std::vector<NamedResults> files);

}  // namespace cupel::figures
