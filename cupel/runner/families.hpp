// The benchmark executables, found beside the program, and what each of them would run.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cupel/host/child.hpp"
#include "cupel/record/listing.hpp"
#include "cupel/runner/settings.hpp"

namespace cupel::runner {

struct Family {
  std::string name;
  std::filesystem::path executable;
  record::Listing listing;
  std::string problem;  ///< why it cannot be listed, one line; then the listing is empty
};

/// Why there is no listing in what a child gave that was to list: "killed by SIGSEGV (Segmentation fault) while
/// listing", its last words behind it. Empty where there may be one.
std::string listing_problem(const host::ChildResult& child);

/// The folder of the executables cupel_bench_<family>: `asked` if given, else $CUPEL_BENCH_DIR, else the program's own
/// if it has any, else "../libexec/cupel" from there, else "../bench". Throws std::invalid_argument
/// when a folder that was said is not there, or that names the folders looked at when none is.
std::filesystem::path bench_folder(const std::filesystem::path& program,
                                   const std::optional<std::filesystem::path>& asked);

/// All families in the folder, by name, listings empty. Throws std::invalid_argument when there is none.
std::vector<Family> find_families(const std::filesystem::path& folder);

/// By which a change of what measures the family shows: content_mark() of the executable and, of a family in Python, of
/// its package beside it, cupel_<family>. Empty where they cannot be read.
std::string executable_mark(const std::filesystem::path& executable, const std::string& family);

/// Fills listing or problem. The executable lists with the settings, so that its expected times are theirs.
void fill_listing(Family& family, const Settings& settings);

}  // namespace cupel::runner
