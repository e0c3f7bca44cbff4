// The times that boards of one GPU model were measured to take. One result of a board says what it does, not whether
// that is what such boards do: for that others are kept here, a time a benchmark a board.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/figures/fingerprint.hpp"
#include "cupel/record/series.hpp"

namespace cupel::figures {
struct Suite;
}

namespace cupel::bands {

/// One benchmark on one board.
struct BoardTime {
  double time_s = 0;   ///< median of the processes' locations
  double between = 0;  ///< sd of the logarithms between processes; 0 of a single one
};

/// One benchmark, in the mode that it is known by, on all boards that have it.
struct Band {
  std::string family;
  record::Mode mode = record::Mode::host;
  std::map<std::string, BoardTime> boards;
};

/// A board, as its newest result describes it.
struct Board {
  std::string measured;  ///< UTC, ISO 8601
  figures::Facts facts;
};

/// Boards of one model. A board is known by the first digits of its UUID as it is published, so that a result is of the
/// same board before and after `cupel submit`.
struct Bands {
  std::string model;  ///< figures::model_of()
  std::map<std::string, Board> boards;
  std::map<std::string, Band> benchmarks;
};

/// As in Bands::boards: one, several of results that were joined, none where there is no GPU or it has no UUID.
std::vector<std::string> boards_of(const record::Context& context);

/// `--zeros`: no time of products is what boards usually do.
bool multiplied_zeros(const record::Context& context);

/// Takes what a board's result has, in place of what was there of that board. Benchmarks that failed, were disturbed or
/// have no time are left out, and those of the family `host`, whose times say nothing of a GPU. Throws
/// std::invalid_argument: the result is of another model, not of one board, of zeros, or of the family `host` alone.
void add(Bands& bands, const figures::Suite& suite);

/// Returns the boards of both, which are of one model; where both have a board, the second's times count. A benchmark
/// that they know in different modes is that of more boards, else the second's.
Bands joined(Bands first, const Bands& second);

std::string to_json(const Bands& bands);

/// Without the family `host`, which older files have. Throws files::ReadError.
Bands bands_from_json(std::string_view text, const std::string& origin);

/// built_in/*.json: a text a model.
const std::vector<std::string_view>& texts();

/// The bands that are built in, of one model where `model` names it (figures::model_of()): of others no more than the
/// name is read.
std::vector<Bands> built_in(const std::optional<std::string>& model = std::nullopt);

}  // namespace cupel::bands
