// The first step of advise(): tagged rows become points.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cupel/advice/advice.hpp"

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

}  // namespace cupel::advice
