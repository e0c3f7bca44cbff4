// Bands of boards: the ones built in, and a site's own in a folder.
#pragma once

#include <optional>
#include <string>
#include <string>

#include "cli/command_line.hpp"
#include "cupel/bands/bands.hpp"
#include "cupel/bands/judge.hpp"

namespace cupel::cli {

/// --bands; `folder` must outlive the parse.
void add_bands_flag(Command& command, std::optional<std::string>& folder);

/// The result against the bands of its model, of those built in and those in the folder: --bands, else $CUPEL_BANDS,
/// else cupel/bands in $XDG_DATA_HOME or ~/.local/share. Throws files::ReadError.
bands::Judgement judge_board(const record::ResultSet& results, const std::optional<std::string>& folder);

/// The bands of a model, by name (figures::model_of()), of those; without boards where there are none. Throws
/// files::ReadError.
bands::Bands bands_of_model(const std::string& model, const std::optional<std::string>& folder);

}  // namespace cupel::cli
