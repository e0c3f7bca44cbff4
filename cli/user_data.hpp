// The folders of the user: bands and runs that lie outside of a checkout.
#pragma once

#include <filesystem>
#include <string>

namespace cupel::cli {

/// An environment variable that is an absolute path, else empty.
std::string absolute_variable(const char* name);

/// cupel/<name> in $XDG_DATA_HOME or ~/.local/share; empty where there is no home.
std::string data_folder(const std::string& name);

/// The folder that runs without --output go to: results/runs where there is a folder results here, as in a checkout,
/// else the user's.
std::filesystem::path runs_folder();

/// The result file there that was written last, which is said on stderr. Throws UsageError, which says what to type,
/// where there is none.
std::string newest_run();

}  // namespace cupel::cli
