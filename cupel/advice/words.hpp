// Figures of advice in words, the same in every format.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cupel/advice/advice.hpp"
#include "cupel/advice/own_step.hpp"
#include "cupel/figures/waterfall.hpp"

namespace cupel::advice {

/// The figure that a piece is ranked by; of one that is mixed its range, of several precisions from least to greatest.
std::string headline_figure(const AdviceResult& result);

/// The same where no column's title says it: "1.03x faster to 1.04x longer" of a cost.
std::string figure_words(const AdviceResult& result);

/// The subject of its ratios: "host", "cold and host" of times, else the counter: "largest block".
std::string modes_text(const AdviceResult& result);

/// The same in words: "2.92x (host)", of a cost "8.30x longer (cold)", and of what where that is not the time: "largest
/// block 2.00x larger".
std::string headline_text(const AdviceResult& result);

/// Where it pays at no more than half of its points: ", at 1 of 6".
std::string few_text(const AdviceResult& result);

/// The ratio that a gain is: "time before / time after", "largest block after / largest block before".
std::string ratio_text(const AdviceMetric& metric);

/// An amount of the metric: "670 us", "508 MiB".
std::string amount_text(double amount, const AdviceMetric& metric);

/// Which alternatives say what, of a piece that is mixed, or that is not about time and not everywhere the same.
std::vector<std::string> alternatives(const AdviceResult& result);

/// From which size on it holds, the gain in each precision where there are several, what it saves in a step, and
/// whether it is unusual here: "pays at all 66: bf16 15.7x, tf32 7.73x".
std::string holds_text(const AdviceResult& result);

/// The same, part by part: first how much of it pays, then by what that is told, the gains, the step.
std::vector<std::string> holds_parts(const AdviceResult& result);

/// Where it pays most: "at h2d/bytes:4 KiB: 7.00x (host), range of processes 6.99x to 7.01x, 3 processes"; where the
/// headline is of the largest sizes and others pay more "of the largest sizes at ...; of all sizes at ...". Empty where
/// it pays nowhere.
std::string most_text(const AdviceResult& result);

/// "interval 2.80x to 3.05x (96.9 %)", "range of processes 2.80x to 3.05x", "no interval".
std::string interval_text(const AdvicePoint& point, const AdviceResult& result);

/// "2.80x to 3.05x", the ends of either; empty where there is neither.
std::string ends_text(const AdvicePoint& point, const AdviceResult& result);

/// "5.44 ms of a step, 2.27x": what it saves in the step that pieces are ranked by; empty where none tells.
std::string step_text(const AdviceResult& result);

/// The alternative that the step takes without it: "channels first".
std::string instead_of(const AdviceResult& result);

/// The verdict of the whole piece as it is said: "pays at some" where it pays at no more than half.
std::string verdict_said(const AdviceResult& result);

/// The key that a piece is ranked by: step_text(), else headline_text().
std::string key_text(const AdviceResult& result);

/// The keys that pieces are ranked by, of those that a step tells and of the others: "ResNet-18 step (224 x 224, batch
/// 64, C++); a row: the step without that change", "sorted by the smallest gain at the largest size". The first is
/// empty where no step tells.
std::string step_key(std::span<const AdviceResult> all);
extern const char* const kGainKey;

/// The host that a ranking by our own step is for: "for a host that needs 4.67 us a launch (a PyTorch eager step
/// needs about 16 to 36 us: see graphs)". Empty where PyTorch's step tells, or none.
std::string host_condition(std::span<const AdviceResult> all, const LaunchHost& host);

/// A step as StepGain names it: "net:resnet18_224 batch:64", "PyTorch net:resnet18_32 batch:128".
std::string step_name(const figures::Waterfall& step);

/// A step of StepGain's, as people name it: "ResNet-18 step (224 x 224, batch 64, PyTorch)", of ours "C++" in that
/// place; "step of your model in PyTorch".
std::string step_words(const std::string& step);

/// A machine, or a run, and its list of advice.
struct NamedAdvice {
  std::string name;
  std::span<const AdviceResult> all;
};

/// "These lists are of different steps: ... A: ResNet-18 step (32 x 32, batch 128, PyTorch). B: ..." Empty where the
/// lists that a step ranks are of one.
std::string different_steps_words(std::span<const NamedAdvice> lists);

/// orders_by_net(), the first three changes of each: "resnet18_224: channels-last 1.90x, pin-memory 1.80x, graphs
/// 1.68x". Nothing of a net where no change pays.
std::vector<std::string> orders_by_net_words(std::span<const AdviceResult> all);

/// orders_by_host(): "By such a host a ResNet-18 step (32 x 32) gains most by graphs, avoid-sync; by one in C++ by
/// mixed-precision." Empty where there are none.
std::string orders_by_host_words(std::span<const AdviceResult> all);

/// The piece that moves farthest from the order of this step by another host: "In C++: graphs 1.10x." Empty where none
/// does.
std::string other_host_words(std::span<const AdviceResult> all, const std::string& step);

/// rank_turns(), by their gains: "graphs 1.63x in PyTorch and 1.10x in C++ (ResNet-18 step, 224 x 224)". Empty where
/// none turns.
std::string rank_turns_words(std::span<const AdviceResult> all, std::size_t most);

/// "Your step: 36.8 ms as it is, 9.93 ms with all changes."
std::string own_step_words(const OwnStep& own);

/// The loader that binds, and what would make it faster.
std::string loader_words(const LoaderAndStep& found);

/// Whether the claim of its source holds: "holds at 1 of 4: 1.08x slower to 2.27x faster", "does not hold: number 3 in
/// a step of net:resnet18_224 batch:64", "not judged: no step was measured"; empty where nothing was claimed that could
/// be told, or nothing was measured.
std::string claim_text(const AdviceResult& result);

/// Pieces that pay and have no rank are told in a table for each group, in this order, titled by both: "These pay at
/// some sizes or cases", ", half of them or fewer".
struct UnrankedTitle {
  AdviceGroup group;
  const char* says;
  const char* more;
};
std::span<const UnrankedTitle> unranked_titles();

/// Where nothing that pays has a rank.
extern const char* const kNoRank;

/// At most so many pieces that pay, where none has a rank; nothing where one has.
std::vector<const AdviceResult*> unranked_pieces(std::span<const AdviceResult> all, std::size_t most);

/// Before the words on a piece that is no single change of a step: "of a whole program: ", "in a loader that is
/// the limit: ", "inside one API call: ", "only if you do the slow thing today: ".
std::string group_remark(const AdviceResult& result);

/// "non-blocking 1.43x (cold)": what pays by the same cause as this piece; may be empty.
std::string same_cause(const std::vector<AdviceResult>& all, const AdviceResult& lead);

/// "up to 2.40 ms": what a call saves (of a cost: takes more) where that is most; empty if nowhere, and of what is not
/// judged by its time.
std::string most_saved(const AdviceResult& result);

/// "95 % interval", or "range of processes" where no point has an interval.
std::string spread_title(const AdviceResult& result);

/// The words beside a verdict in every format: where it holds, or why it is undecided or could not be measured.
std::string verdict_remark(const AdviceResult& result);

/// "2.92x", in the words for the piece; empty where there is none.
std::string gain_of(const AdvicePoint& point, const AdviceResult& result);

/// Whether the spread of some point is one, and not the range of processes.
bool has_interval(const AdviceCurve& curve);

/// "2.80x to 3.05x", with "(range)" behind it if it is one and other points have intervals; empty with one process.
std::string spread_text(const AdvicePoint& point, const AdviceResult& result);

/// "unusual here, as said above" where one of its benchmarks is; else empty.
std::string unusual_here(const AdviceResult& result);

/// "; unusual here, as said above" where one of its benchmarks is; else empty.
std::string unusual_text(const AdviceResult& result);

/// "h2d, by bytes, host", "bytes:1 MiB [one_copy], cold".
std::string curve_name(const AdviceCurve& curve);

}  // namespace cupel::advice
