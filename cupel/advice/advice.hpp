// Which advice pays on the machine that a result file is from: rows tagged with a piece of advice are paired, before
// against after, and judged point by point, along their sizes, and as a whole. docs/advise.md says how.
#pragma once

#include <array>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/catalogue/catalogue.hpp"
#include "cupel/record/counter.hpp"
#include "cupel/record/forward.hpp"
#include "cupel/record/series.hpp"

namespace cupel::advice {

enum class AdviceVerdict {
  pays,            ///< the interval of the gain lies above 1 + tolerance
  mixed,           ///< of a whole piece: some points pay and some harm
  harms,           ///< below 1 / (1 + tolerance)
  no_difference,   ///< between the two
  undecided,       ///< across one of them, or nothing that may decide
  not_measurable,  ///< before or after did not run here: `reason` says why
  not_compared,    ///< of a whole piece: figures without a before and an after
  not_measured,    ///< of a whole piece: nothing in the file is tagged with it
};

constexpr auto names_of(AdviceVerdict) {
  return std::array{"pays",      "mixed",          "harms",        "no difference",
                    "undecided", "not measurable", "not compared", "not measured"};
}
using catalogue::AdviceGroup;
using record::to_string;

/// Pays, is mixed, harms, or makes no difference.
constexpr bool is_decided(AdviceVerdict verdict) { return verdict < AdviceVerdict::undecided; }

struct AdviceOptions {
  double tolerance = 0.03;  ///< a smaller gain or loss is no difference
  double level = 0.95;      ///< of the intervals
  std::string net = {};     ///< pieces are ranked by the nearest step of it, "resnet18_224"; empty: by that of any
  /// Benchmarks that are not what other boards of the model measure: points of them are shown, and no headline is.
  std::span<const std::string> unusual = {};
};

/// The number that before and after are compared by: their time, or a counter that both have.
struct AdviceMetric {
  std::string counter;  ///< its name; empty: the time
  std::string unit = "s";
  record::Better better = record::Better::lower;

  bool is_time() const { return counter.empty(); }
  /// A share of a whole, such as usable_share.
  bool is_share() const { return unit == "1" && counter.ends_with("_share"); }
};

/// By how much the after is better, as a ratio above 1: before / after where less is better, as of time, after / before
/// where more is.
struct Gain {
  double ratio = 1;
  std::optional<double> low, high;  ///< of the interval, else of the range of processes; nothing with one process
  double level = 0;                 ///< of the interval; 0 of a range
  bool is_interval = false;         ///< by ranks; a range where there are too few processes for one of that level
};

/// One before against one after, at one size.
struct AdvicePoint {
  std::string scenario;  ///< as tagged
  std::string before_name, after_name;
  std::optional<double> size;  ///< on the axis of its curve
  AdviceVerdict verdict = AdviceVerdict::undecided;
  std::string reason;                ///< of undecided and not measurable
  std::optional<record::Mode> mode;  ///< of times
  std::optional<Gain> gain;
  double before = 0, after = 0;                       ///< the figures of both, in the unit of the metric
  int processes = 0;                                  ///< that the gain is from
  int left_out = 0;                                   ///< throttled, shared, unsettled or too short to be told
  std::optional<double> beside_before, beside_after;  ///< the counter that stands beside the time
  bool beside_agrees = true;                          ///< no process has less of it where another has more
  bool unusual = false;                               ///< before or after is, on this board
  bool in_headline = false;                           ///< the gain of the whole piece is of it and its like
  std::optional<int> needed;  ///< of undecided: processes that would decide; nothing if unknown or beyond 1000

  bool decided() const { return is_decided(verdict); }
};

/// A stretch of neighbouring sizes with one verdict, from its first to its last point that says so.
struct AdviceStretch {
  AdviceVerdict verdict = AdviceVerdict::undecided;
  double from = 0, to = 0;
};

/// One before against one after over the sizes of one parameter.
struct AdviceCurve {
  std::string scenario;                  ///< as tagged, without the parameter that varies
  std::string variant;                   ///< of the after; may be empty
  bool recommended = true;               ///< false: a variant, shown and not counted
  std::string axis;                      ///< the parameter that varies; empty with one point
  std::vector<AdvicePoint> points;       ///< in order of size
  std::vector<AdviceStretch> stretches;  ///< in order of size; one without sizes where there is no axis
  std::vector<std::size_t> odd;          ///< decided points that say otherwise than their stretch
  bool is_told_by = true;                ///< false: the piece is told by other scenarios; shown and not counted
  bool counts() const { return recommended && is_told_by; }
};

/// The gain of one family in one precision; those of several are never one number, since products and convolutions
/// start from different baselines.
struct PartGain {
  std::string family;     ///< of the benchmarks
  std::string precision;  ///< as variant or scenario name it; empty where they name none
  double least = 1, most = 1;
};

/// The gain of a change of a training step, measured with it and without it.
struct StepGain {
  std::string step;                  ///< "net:resnet18_224 batch:64"
  std::string change;                ///< as step/waterfall names it; the last of a piece's that were added in turn
  double ratio = 1;                  ///< time without it / time with it
  double without_s = 0, with_s = 0;  ///< the step's times
  bool alone = false;                ///< left out of the tuned step, with what needs it; else added to those before it
  int rank = 0;                      ///< among the pieces that may rank, by what each saves in it
  int added_rank = 0;                ///< the same by what their changes saved as they were added in turn
  bool pays = false;                 ///< by its interval, and may rank
  bool is_pytorchs = false;
  bool is_of_the_reader = false;  ///< a model of theirs, in PyTorch
  double saved_s() const { return without_s - with_s; }
};

/// Points of curves that count, by their verdict.
struct AdviceCounts {
  int pays = 0, harms = 0, same = 0, undecided = 0, not_measurable = 0;
  int decided() const { return pays + harms + same; }
};

/// The gains of a piece, at points and in steps.
struct AdviceGains {
  /// The losses of what harms, else the gains where it pays: at the largest size of each curve, where work is bound by
  /// throughput; over all points where that pays nowhere.
  std::vector<PartGain> parts;
  std::optional<double> least_gain, least_loss;  ///< of the parts: what it is ranked by where no step tells
  std::optional<double> typical;                 ///< the median of all points that are decided, or else of all
  int largest_told = 0, largest_sizes = 0;       ///< curves whose largest size is in the headline, and all of them
  std::vector<StepGain> in_steps;                ///< of each step measured with it and without it, in the file's order
  std::vector<StepGain> as_added;                ///< of those that were taken apart: as its changes were added in turn
  std::optional<StepGain> in_step;               ///< of the step that pieces are ranked by, where it saves time there
  bool pays_at_largest() const { return largest_told > 0; }
};

/// Where a piece stands among the others.
struct AdvicePlace {
  std::string cause;  ///< that it shares with other pieces: "pinned memory"; may be empty
  AdviceGroup group = AdviceGroup::step;
  int rank = 0;        ///< of what to change first, from 1; pieces of one cause share it; 0: it has none
  bool leads = false;  ///< the first of its rank
  int number = 0;      ///< that every page shows: its rank, counted on from the changes of a loader that come first
};

/// All that the file says of one piece of advice.
struct AdviceResult {
  std::string id;
  catalogue::AdviceKind kind = catalogue::AdviceKind::gain;
  AdviceMetric metric;
  AdviceMetric beside;              ///< what stands beside; the time without a name: nothing
  std::string told_by;              ///< how the scenarios that are counted begin; empty: all are
  std::vector<AdviceCurve> curves;  ///< recommended ones first
  std::vector<std::string> names;   ///< of the benchmarks that are tagged with it
  AdviceVerdict verdict = AdviceVerdict::not_measured;
  std::string reason;  ///< of not measurable and not measured
  AdviceCounts counts;
  AdviceGains gains;
  AdvicePlace place;
  std::string sign;     ///< how the sign that its source claims was seen: sign_text()
  std::string unusual;  ///< the benchmark that its headline would be of and that is unusual here

  auto counted() const { return curves | std::views::filter(&AdviceCurve::counts); }
  /// Pays at more than half of its points, and of the largest sizes.
  bool pays_at_most() const {
    return 2 * counts.pays > counts.decided() + counts.undecided && 2 * gains.largest_told > gains.largest_sizes;
  }
  /// Points of curves that count that have a gain, for the greatest and the least.
  std::vector<const AdvicePoint*> measured() const;
  /// The points among measured() that the headline is of; all of them where it is of none, and where the verdict is
  /// mixed. Never unusual ones.
  std::vector<const AdvicePoint*> headline() const;
};

/// A result for every row of the catalogue and every other id in the file: best first. Order: what saves time in a
/// measured step, by that time; what pays, by group and gain; pieces of one cause together; what is mixed; what harms,
/// by its loss; no difference, undecided, not measurable, not compared, not measured; equals in the catalogue's order.
std::vector<AdviceResult> advise(const record::ResultSet& results, const catalogue::Catalogue& catalogue,
                                 const AdviceOptions& options = {});

/// Returns the unusual benchmarks that headlines would be of.
std::set<std::string> unusual_of(const std::vector<AdviceResult>& results);

/// True if at least one row is tagged with a piece of advice.
bool has_advice(const record::ResultSet& results);

/// The verdict as it is said of this kind of advice: what harms as a cost "costs", no difference "costs nothing".
std::string verdict_word(AdviceVerdict verdict, catalogue::AdviceKind kind);

/// A gain as people say it: "2.92x", "1.23x slower" where it is below 1; of a cost how many times longer, "8.00x", or
/// "1.06x faster"; of a counter "254x smaller".
std::string gain_text(double gain, catalogue::AdviceKind kind, const AdviceMetric& metric = {});

/// The same of a range, the worst of a gain and the best of a cost first: "1.20x to 1.31x slower"; once where both ends
/// read alike. Of one on both sides of 1 each end says what it is: "1.23x slower to 15.4x faster", "1.06x faster
/// to 1.3x longer", "1.13x smaller to 1.21x larger".
std::string gain_range_text(double low, double high, catalogue::AdviceKind kind, const AdviceMetric& metric = {});

/// "time"; "largest block" of the counter largest_block.
std::string readable_metric(const AdviceMetric& metric);

/// "pays from 64 KiB on", "pays up to 1 MiB; harms from 16 MiB on", "no difference", in the words for `kind`.
std::string holds(const AdviceCurve& curve, catalogue::AdviceKind kind);

/// The same for the whole piece: what its curves say alike, else "pays at 3, harms at 1 of 4". What is not
/// judged by its time says by what: "by largest block: no difference".
std::string holds(const AdviceResult& result);

/// Which of the curves that count say what, those that say the same together: "instead_of:relu [gelu, silu]: costs up
/// to 4 MiB (1.15x to 1.31x)".
std::vector<std::string> by_alternative(const AdviceResult& result);

/// "h2d/bytes:4096" as people read it: "h2d/bytes:4 KiB".
std::string readable_scenario(std::string_view scenario);

/// A size on an axis: "64 KiB" of bytes, "kernels:10" of another parameter.
std::string readable_size(std::string_view axis, double size);

}  // namespace cupel::advice
