// A reader's own step, whether a loader binds it, and whose host it is: what is told beside single pieces.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/advice/advice.hpp"
#include "cupel/figures/figure.hpp"

namespace cupel::advice {

/// The step of a model of the reader's (`cupel run --model`), as it is and with all changes: of two, plain and
/// compiled, the one with more changes.
struct OwnStep {
  double before_s = 0, after_s = 0;
};
std::optional<OwnStep> own_step(std::span<const figures::Figure> figures);

/// The most that a loader gives, and what a step could take of it, in images a second.
struct LoaderAndStep {
  double loader_per_s = 0, step_per_s = 0;
  std::string workers;          ///< of that loader
  bool loader_is_busy = false;  ///< its threads waited for a CPU: it may give more
  std::string step;             ///< the tuned step: "net:resnet18_224 batch:64"
  double step_s = 0;            ///< what it takes
  bool loader_is_pytorchs = false, step_is_pytorchs = false;
  bool are_the_readers = false;  ///< both are of the reader's own function (`cupel run --model`); `step` is empty then
  std::string decoder;           ///< the fastest that was measured where it gives more than the loader; else empty
  double decoder_per_s = 0;

  bool loader_binds() const { return loader_per_s < step_per_s; }
  /// So many workers, each as fast as those that were measured, would give what the step could take.
  int workers_wanted() const;
};

/// The net whose images loaders are measured with.
inline constexpr const char* kLoadedNet = "resnet18_224";

/// The reader's own where both were measured, else PyTorch's, else cupel's (pipeline/load, step/waterfall); nothing
/// where either is lacking. net: of the step, whose images are of 224 x 224, as those of the loaders.
std::optional<LoaderAndStep> loader_and_step(std::span<const figures::Figure> figures,
                                             const std::string& net = kLoadedNet);

/// The loader that binds the step that pieces are ranked by, where that takes the loader's images; of smaller images,
/// or without a rank, that of ResNet-18 at 224 x 224. Nothing where none binds, and of a net that takes no images.
std::optional<LoaderAndStep> loader_that_binds(std::span<const AdviceResult> all,
                                               std::span<const figures::Figure> figures);
bool loader_binds(std::span<const AdviceResult> all, const record::ResultSet& results);

/// Seconds that hosts spend on enqueueing one operation.
struct LaunchHost {
  std::optional<double> native_s;            ///< a launch of ours; nothing where it was not measured
  double eager_low_s = 0, eager_high_s = 0;  ///< PyTorch's eager host, from the least to the most of its operations
  bool is_assumed = true;                    ///< PyTorch's was not measured here
};
LaunchHost launch_host(std::span<const figures::Figure> figures);
LaunchHost launch_host(const record::ResultSet& results);

/// A piece that has another rank in the same step by another host.
struct RankTurn {
  std::string id;
  StepGain here, there;  ///< by the host of the step that pieces are ranked by, and by the other
  int here_rank = 0, there_rank = 0;
};

/// The pieces that make a step of ours faster by 5 % or more, by one of two hosts, the greatest saving first.
struct HostOrder {
  std::string step;
  std::vector<std::string> ids;
};

/// The orders of one step of ours by a native host and by one as slow as PyTorch's eager one: of the pair that
/// rank_turns() looks at. Nothing where pieces are ranked by PyTorch's step, or where one of the two was not measured.
std::vector<HostOrder> orders_by_host(std::span<const AdviceResult> all);

/// The pieces that pay in a step of a net, the greatest saving first.
struct NetOrder {
  struct Piece {
    std::string id;
    StepGain gain;
  };
  std::string net;  ///< "resnet18_224"
  std::vector<Piece> pieces;
};

/// The order by each net that AdviceOptions::net could name, but for the one that pieces are ranked by.
std::vector<NetOrder> orders_by_net(std::span<const AdviceResult> all);

/// The nets of all measured steps, in the file's order.
std::vector<std::string> measured_nets(std::span<const AdviceResult> all);

/// Pieces that change places between two steps of the same work by two hosts, ours beside PyTorch's or an eager host's
/// beside a native one: each saves a tenth more than the other in one of them. The one is the step that pieces are
/// ranked by, else the first of its host that has such a pair. Only gains of changes that were taken out of both
/// steps are held beside each other, or added to both of ours, whose order is one: a change that was added in turn has
/// the gains of those before it in it. A piece that makes less than 5 % in both is none. Those that move farthest
/// first, at most so many.
std::vector<RankTurn> rank_turns(std::span<const AdviceResult> all, std::size_t most);

}  // namespace cupel::advice
