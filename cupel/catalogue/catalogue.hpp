// The catalogue of advice: docs/advice/*.md, built in. What each piece says, what is measured for it, and how it is
// applied; the measurements carry its id.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cupel::catalogue {

enum class AdviceKind {
  gain,    ///< after is what is recommended: a ratio before / after above 1 is the gain
  cost,    ///< after is what is warned of, or has its price: a ratio below 1 is the cost
  figure,  ///< measured, without a before
  tool,    ///< not measured: done by doctor, telemetry, compare, ...
};

const char* to_string(AdviceKind kind);

/// The thing that a piece saves where it pays: gains of different things have no common order, so each group has its
/// own table.
enum class AdviceGroup {
  step,      ///< time of a step, or of work that makes up most of one, from what frameworks start with: ranked
  whole,     ///< time of a whole program or loader, of all pieces at once: no single change
  few,       ///< time, at no more than half of the points or of the largest sizes
  stage,     ///< time of a loader alone, of one stage of it, or of once an epoch: a step gains only where that binds
  one_call,  ///< time inside one API call: how much of a step that is, only the program knows
  chosen,    ///< time, where somebody chose the before: no framework starts with it
  counted,   ///< what it is judged by, a counter: bytes
};

const char* to_string(AdviceGroup group);

/// The calls that were measured in the place of a piece's line of PyTorch, by program; empty: that line.
struct MeasuredCalls {
  std::string in_cpp;      ///< cupel's own programs
  std::string in_pytorch;  ///< steps of the family pytorch
  std::string in_a_model;  ///< the step of a model of the reader's
};

struct CatalogueRow {
  std::string id;      ///< of record::AdviceTag
  std::string advice;  ///< one sentence
  AdviceKind kind = AdviceKind::gain;
  std::string claim;   ///< the figure of the source, or why there is none
  std::string source;  ///< kinds of document that give the advice
  std::vector<std::string> families;
  std::string before, after;  ///< what is measured
  std::string judged_by;      ///< the counter that before and after are compared by; empty: their time
  std::string beside;         ///< the counter that stands beside the time, or "time" beside a counter; empty: none
  std::string told_by;        ///< how scenarios begin that the headline is of, where they were measured; the others
                              ///< are a part of such work; empty: all
  std::vector<std::string> counted;      ///< variants that the verdict counts although they were measured beside
  std::vector<std::string> not_counted;  ///< variants that are shown and not counted
  std::vector<std::string> not_shown;    ///< variants of older files that say nothing beside this before
  bool is_default = true;                ///< the before is what frameworks start with; false: somebody has to choose it
  bool is_padded = false;                ///< the after does more work, and that is the advice
  bool shown_as_time = false;            ///< the work is incidental: a rate of its bytes or operations would mislead
  std::vector<std::string> in_a_step;    ///< changes of step/waterfall that make it; of foretell's rules too
  std::string instead_of;                ///< what that step does without it
  bool is_steps_default = true;          ///< a framework's step does so, too; false: the step's gain gives no rank
  std::optional<AdviceGroup> group;      ///< whole, stage or one call, whatever is measured; nothing: a step's time
  std::string cause;                     ///< that it removes, as others do, so that their gains do not add up; or empty
  std::string silence;                   ///< id of why foretell says nothing of it; empty: foretell has a rule for it
  std::string claim_says;                ///< what of the claim can be held against gains: advice/claim.hpp
  std::string pytorch, cuda;             ///< how it is applied
  std::string one_line;                  ///< the same in PyTorch, in a line of a terminal: what to type first
  /// By a change of a step: its line, where it is another.
  std::map<std::string, std::string> line_by_change;
  MeasuredCalls measured;             ///< what was measured where it is not that line
  std::string backfires;              ///< when it harms, or gives nothing
  std::string refuted;                ///< sentences of sources about it that are false, each with why; or empty
  std::vector<std::string> patterns;  ///< symptoms that it is a remedy for
};

/// A symptom in a profile, and the cause that it points to.
struct Pattern {
  std::string id, symptom, cause, remedy;
};

/// Why the profile of a step foretells nothing of pieces.
struct Silence {
  std::string id, why;
  std::vector<std::string> pieces;  ///< in the catalogue's order
};

struct Catalogue {
  std::vector<CatalogueRow> rows;
  std::vector<Pattern> patterns;
  std::vector<Silence> silences;

  /// Null where there is none of that id.
  const CatalogueRow* find(std::string_view id) const;

  /// Id of the piece that a change of a step makes; empty where it is no piece of its own.
  std::string made_by(std::string_view change) const;
};

/// texts: Markdown files. "## id" begins an entry, "- Field: text" lines follow, a text goes on in lines that begin
/// with two spaces. An entry with a Symptom is a pattern, one with a Silence a reason that rows name, every other a
/// row. Throws std::invalid_argument, with id and field, when a field is missing, unknown or given twice, an id is
/// given twice, or a row names a pattern or a silence that is not there.
Catalogue read_catalogue(const std::vector<std::string_view>& texts);

/// The files, built in.
const std::vector<std::string_view>& texts();

/// read_catalogue(texts()), once, with what was added.
const Catalogue& built_in();

/// Pieces of families that are no part of this project, in texts as read_catalogue() takes them. Before the first
/// built_in() only, else throws std::logic_error.
void add(std::vector<std::string> texts);

}  // namespace cupel::catalogue
