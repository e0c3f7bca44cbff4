// A site's own boards: a folder with a file of bands a model. What is built in counts beside them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cupel/bands/bands.hpp"
#include "cupel/bands/judge.hpp"

namespace cupel::bands {

/// Reads the bands of all models, or of one (figures::model_of()): built in, and in the folder where there is one. A
/// folder without a name is none. Throws files::ReadError.
std::vector<Bands> read_bands(const std::filesystem::path& folder,
                              const std::optional<std::string>& model = std::nullopt);

/// Reads the bands of a model; without boards where there are none. Throws files::ReadError.
Bands bands_of_model(const std::filesystem::path& folder, const std::string& model);

/// Judges a result by the bands of its model; a result without a device has no judgement. Throws files::ReadError.
Judgement judge(const std::filesystem::path& folder, const record::ResultSet& results);

/// Adds a board to its model's file in a folder that is there, and returns the file. Others may add at the same time.
/// Throws as add(), files::ReadError, files::WriteError.
std::filesystem::path keep_board(const std::filesystem::path& folder, const figures::Suite& suite);

}  // namespace cupel::bands
