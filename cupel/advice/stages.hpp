// The stages of advise(): tagged rows become points, each point is judged, points of one scenario become a curve over
// the sizes of a parameter, which says from which size on a piece of advice holds, and measured steps say what pieces
// gave to them: kernels gain more than steps do.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "cupel/advice/advice.hpp"
#include "cupel/figures/waterfall.hpp"
#include "cupel/record/advice_tag.hpp"

namespace cupel::advice {

/// The rows of one benchmark, one a process, under one tag.
struct TaggedRows {
  record::AdviceTag tag;
  std::string name;
  std::vector<const record::Row*> rows;
};

/// A point and how its curve is known.
struct PairedPoint {
  AdvicePoint point;
  std::string variant;
  bool recommended = true;
};

/// All that is tagged, by the tag's id, in order of the file.
std::map<std::string, std::vector<TaggedRows>> tagged_rows(const record::ResultSet& results);

/// The counter of that name as the rows have it, without unit and direction where none has it; the time if the name is
/// empty; a column of seconds named so, less of which is better, if it is "time".
AdviceMetric metric_of(const std::vector<TaggedRows>& tagged, const std::string& counter);

/// Each after and variant once, against the before of its scenario and variant, else against the scenario's first: the
/// one without a variant, or by name. Further befores are variants of the first. row: the catalogue's, which also says
/// which variants count. Two that by their counts (items,
/// operations, bytes moved) did unequal work are not measurable, unless the catalogue says that the after's is padded;
/// bytes read and written are not held against each other, since fusion and precision change them. A scenario without a
/// before gives nothing.
std::vector<PairedPoint> pair_rows(const std::vector<TaggedRows>& tagged, const AdviceMetric& metric,
                                   const AdviceOptions& options, const catalogue::CatalogueRow* row = nullptr);

/// Sets the gain and the verdict of a point, and of one that is undecided how many processes would decide it. shifts:
/// the logarithm of the gain in each process, at least one.
void judge(AdvicePoint& point, const std::vector<double>& shifts, const AdviceOptions& options);

/// Groups points by variant and by scenario less one parameter: the last whole-number one that takes more than one
/// value among them. Recommended curves first, else in the order of the points.
std::vector<AdviceCurve> curves_of(const std::vector<PairedPoint>& points);

/// The verdict that each point's stretch has, in order of size: the division into stretches that minimises 5 for each
/// decided point that says otherwise and 3 for each border. So one odd point between others is noise (5 against two
/// borders, 6), two neighbours that agree are not, and a change at either end is believed. Undecided points go with
/// any. All are undecided where no point is decided.
std::vector<AdviceVerdict> smoothed(std::span<const AdviceVerdict> verdicts);

/// Sets in_steps and in_step of each. Pieces are ranked by one step, of the nearest to the reader's program that which
/// tells most pieces: by what leaving changes out one by one costs, where that was measured; else by what adding them
/// gave. A piece that makes several changes has the one that gives most.
void set_step_gains(std::vector<AdviceResult>& pieces, const record::ResultSet& results,
                    const catalogue::Catalogue& catalogue, const AdviceOptions& options);

}  // namespace cupel::advice
