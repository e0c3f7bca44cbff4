// How a net is trained: everything that a piece of advice may change. The default is what PyTorch does unless told
// otherwise. Host code only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/step/plan.hpp"
#include "kernels/optimizer/steps.hpp"
#include "bench/step/program.hpp"

namespace cupel::bench::step {

/// How a batch comes to the device.
enum class Loading {
  pageable,  ///< a copy from pageable memory, which the host waits for
  pinned,    ///< from pinned memory, on the stream of the step; the host goes on
  ahead,     ///< the same on a stream of its own, while the step before computes
  resident,  ///< it is there
};

enum class Rule { sgd, adamw };

/// Kernels of the optimizer: one for each operation and tensor, for each operation, or for all.
enum class Update { loop, foreach, fused };

/// The handling of amp_fp16's loss scale beside the optimizer.
enum class Scaler {
  as_frameworks,  ///< gradients are unscaled and looked through; the host looks at what was found unless the optimizer
                  ///< is fused, and the scale moves
  host_looks,     ///< the same, and the host looks in any case
  folded,         ///< nothing: the optimizer takes a scale off that stays; it has to be fused
};

enum class Launch { eager, graph };

/// Who enqueues.
enum class Host {
  native,
  eager,  ///< as slowly as PyTorch's eager host: EagerHost
};

/// Where the memory of a step's tensors comes from.
enum class Pool {
  planned,  ///< one block, made once, in which each has its place
  kept,     ///< a pool that each is taken from as it is wanted and goes back to
  emptied,  ///< the same, and after the step the pool's memory goes back to the system
};

struct Recipe {
  std::string net = "resnet18_224";
  bool conv_bias = false;  ///< of ResNets
  Options options = {};
  std::vector<std::int64_t> sizes =
      {};  ///< of batches, in turn, none larger than options.batch, the first as large; none: that one
  Rule rule = Rule::sgd;
  Update update = Update::foreach;
  Scaler scaler = Scaler::as_frameworks;
  Launch launch = Launch::eager;  ///< graph: all of a step but the copies and what waits
  Loading loading = Loading::pageable;
  int reads_loss_every = 0;  ///< steps: the host waits for the loss; 0: never
  bool fills_gradients = false;
  Pool pool = Pool::planned;
  bool keeps_all = false;  ///< in evaluation: as where a backward pass may follow
  Host host = Host::native;
};

/// The recipe with what follows from it. Throws std::invalid_argument for what does not go together.
Recipe checked(Recipe recipe);

/// Whether the host waits in each step to see if a scaled gradient was infinite.
bool host_looks_at_scale(const Recipe& recipe);

/// Rule::sgd of a recipe. Updates by fewer than kFullRateSamples learn in proportion to their samples, by the linear
/// scaling rule (Goyal et al. 2017, arXiv:1706.02677): at the full rate a step of 8 images is so long that the error of
/// rounding grows from step to step beyond what tells it from a fault.
kernels::optimizer::Sgd sgd_of(const Recipe& recipe);
inline constexpr std::int64_t kFullRateSamples = 32;

Net net_of(const Recipe& recipe);
std::vector<std::int64_t> sizes_of(const Recipe& recipe);
Program program_of(const Recipe& recipe, std::int64_t batch);
std::vector<Lifetime> lifetimes_of(const Program& program, const Recipe& recipe);
Plan plan_of(const Program& program, const Recipe& recipe);

/// Device memory that a recipe wants, in bytes: state, tensors and images, without what cuDNN works in.
std::int64_t planned_bytes(const Recipe& recipe);

}  // namespace cupel::bench::step
