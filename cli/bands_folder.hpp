// Bands of boards: the ones built in, and a site's own in a folder.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cupel/bands/judge.hpp"

namespace cupel::cli {

/// --bands; `folder` must outlive the parse.
void add_bands_flag(Command& command, std::optional<std::string>& folder);

/// That folder, else $CUPEL_BANDS, else cupel/bands in $XDG_DATA_HOME or ~/.local/share; empty where there is no home.
std::string bands_folder(const std::optional<std::string>& named);

/// The bands of all models: built in, and in the folder where there is one. Throws record::ReadError.
std::vector<bands::Bands> read_bands(const std::string& folder);

/// The result against the bands of its model. Throws record::ReadError.
bands::Judgement judge_board(const record::ResultSet& results, const std::optional<std::string>& folder);

}  // namespace cupel::cli
