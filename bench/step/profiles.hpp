// Profiles of the steps of the waterfall, for both nets, three batch sizes and two layouts, and of a few other rows
// that are asked for by name. Parts of cupel_step_profiled.
//
// What a process measures after CUPTI has made records in it is not as before. So a child times all steps and prints
// that as JSON; then this process has CUPTI make records of a few steps of each. A graph's kernels are those of the
// same step without a graph, by which each is tied to its operation.
#pragma once

#include <filesystem>
#include <string>

namespace cupel::bench::step {

/// A file in the folder for each step whose name holds the text, on the first device that is visible. One that does not
/// fit in memory, or that cuDNN has no plan for, is said on stderr and left out. Before the first CUDA call of the
/// process. Throws CuptiError, CudnnError and std::runtime_error.
void write_profiles(const std::filesystem::path& folder, const std::string& text);

/// Returns, as JSON, the child's measurements: the seconds of each such step, and the seconds to enqueue it where it
/// waits for nothing.
std::string measured_times(const std::string& text);

}  // namespace cupel::bench::step
