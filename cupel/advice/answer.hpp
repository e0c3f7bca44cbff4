// The answer on one screen, as data: a step before and after, the changes to make first, the prices and harms to know
// of, and how much is not known. It holds no words of its own but the place of a change; cupel/report/advise says it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/advice/advice.hpp"
#include "cupel/advice/own_step.hpp"
#include "cupel/figures/figure.hpp"

namespace cupel::advice {

/// The training step that pieces are ranked by, with no change and with all of them.
struct StepEnds {
  std::string step;               ///< as StepGain names it: "PyTorch net:resnet18_224 batch:64"
  bool is_of_the_reader = false;  ///< of a model of the reader's
  bool alone = false;  ///< a change's figure is that of the tuned step without it; else it was added to those before it
  double nothing_s = 0, everything_s = 0;
};

/// The program that a change's figures are from.
enum class MeasuredIn { cpp, pytorch, model_of_the_reader };

/// One change, by the figures that it is ranked by: its step's, else those of the point that gains least where the
/// headline is taken, or of the step that this point is of.
struct Change {
  const AdviceResult* piece = nullptr;
  std::string where;  ///< "in a step", "in a step of resnet18_32", "in a loader, 32 images", "by itself, at 1 of 6"
  double without_s = 0, with_s = 0, ratio = 1;
  MeasuredIn measured_in = MeasuredIn::cpp;
  std::optional<std::string> scenario;  ///< of that point, as tagged; nothing in a step
  std::string change;                   ///< of a step, as StepGain names it; empty at a point
  std::string setting;                  ///< the numbers that its after has in the place of others: "16 workers"

  /// Tells whether it has its rank from the change above, whose cause it shares.
  bool follows() const { return piece->place.rank > 0 && !piece->place.leads; }
};

/// A piece that takes longer or harms, at its worst point.
struct Price {
  const AdviceResult* piece = nullptr;
  const AdvicePoint* worst = nullptr;
  std::string variant;  ///< of the after; may be empty
};

/// The pieces that pay and are not among the changes, by why.
struct OtherGains {
  int by_itself = 0, at_some = 0, in_a_loader = 0, inside_a_call = 0, chosen = 0, memory = 0;
  int all() const { return by_itself + at_some + in_a_loader + inside_a_call + chosen + memory; }
};

/// The pointers are into the results that it was made of.
struct Answer {
  std::optional<LoaderAndStep> loader;  ///< where it binds
  std::optional<StepEnds> step;
  std::vector<Change> changes;  ///< first to last, at most six
  bool is_ranked = false;       ///< some of them have a rank
  OtherGains others;
  std::vector<Price> costs, harms;  ///< those of a step before those inside one call, the dearest first
  int no_difference = 0, undecided = 0, not_measurable = 0, not_measured = 0;
};

inline constexpr std::size_t kMostChanges = 6;

/// The change that a piece makes; nothing of one that pays neither in a step nor at a point of its headline. `where`
/// has no images of a loader.
std::optional<Change> change_of(const AdviceResult& result);

/// all: as advise() orders them.
Answer answer_of(std::span<const AdviceResult> all, std::span<const figures::Figure> figures);

}  // namespace cupel::advice
