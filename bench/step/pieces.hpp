// The pieces of the waterfall, from the naive step to the tuned one, in the order in which they are added. Host code
// only.
#pragma once

#include <string>
#include <vector>

#include "bench/step/recipe.hpp"

namespace cupel::bench::step {

struct Piece {
  const char* name;
  void (*apply)(Recipe& recipe);
  const char* needs = "";  ///< another piece, without which this one cannot be
};

/// In order.
const std::vector<Piece>& pieces();

/// Nothing of what the documents advise: pageable copies that the host waits for, the loss read back and waited for in
/// each step, fp32 without TF32, channels first, an optimizer a tensor and operation at a time, gradients filled with
/// zeros and added to, and a pool that is emptied after each step.
Recipe naive(const std::string& net, std::int64_t batch);

/// PyTorch's defaults: convolutions in TF32, channels first, the optimizer by operation, gradients replaced, memory in
/// one planned block; pageable copies and the loss read in each step, as plain loops have them.
Recipe by_default(const std::string& net, std::int64_t batch);

/// naive() with the pieces up to this one; all of them with the last. Throws std::invalid_argument on another name.
Recipe with_pieces_up_to(const std::string& net, std::int64_t batch, const std::string& last);

/// All pieces but this one and those that need it.
Recipe without_piece(const std::string& net, std::int64_t batch, const std::string& dropped);

/// All of them.
Recipe tuned(const std::string& net, std::int64_t batch);

/// The change of the rung that is the naive step.
inline constexpr const char* kNothing = "nothing";

/// A step of a waterfall.
struct Rung {
  std::string change;  ///< the piece that it adds or drops; kNothing: the naive step
  bool adds = true;
  std::string name;  ///< of the benchmark, but for the batch
  Recipe recipe;     ///< but for the batch
};

/// Nothing, each piece added in order, and each dropped from the whole. With channels first, channels_last is no piece.
std::vector<Rung> rungs(const std::string& net, Layout layout = Layout::channels_last, Host host = Host::native);

/// A variant from autocast on: in bfloat16, which has no loss scale. The first adds "amp_bf16" in the place of
/// "amp_fp16", which has one, as PyTorch's GradScaler.
std::vector<Rung> rungs_in_bf16(const std::string& net);

}  // namespace cupel::bench::step
