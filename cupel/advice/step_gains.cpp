#include "cupel/advice/stages.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "cupel/advice/net.hpp"
#include "cupel/advice/words.hpp"
#include "cupel/figures/waterfall.hpp"
#include "cupel/record/record.hpp"

namespace cupel::advice {
namespace {

using figures::Rung;
using figures::Waterfall;

// The rows of waterfalls alone: figures of all others would be made for nothing.
record::ResultSet steps_in(const record::ResultSet& results) {
  record::ResultSet steps{results.context, {}};
  std::ranges::copy_if(results.rows, std::back_inserter(steps.rows), [](const record::Row& row) {
    return std::ranges::any_of(row.params,
                               [](const auto& param) { return param.first == "add" || param.first == "drop"; });
  });
  return steps;
}

// The nearer a step is to the reader's program, the sooner pieces are ranked by it: the reader's own model, PyTorch's
// step, ours. A loop around a loader is of no piece alone.
int nearness(const Waterfall& step) {
  if (step.operation == "pytorch/model") return 3;
  if (step.operation == "pytorch/step") return 2;
  return step.operation.starts_with("pytorch/") ? 0 : 1;
}

bool is_of_pytorch(const Waterfall& step) { return nearness(step) != 1; }

bool is_taken_apart(const Waterfall& step) {
  return std::ranges::any_of(step.rungs, [](const Rung& rung) { return rung.alone.has_value(); });
}

StepGain gain_in(const Waterfall& step, const std::string& change, const figures::Figure& without,
                 const figures::Figure& with, const stats::Shift& shift, double tolerance) {
  return {.step = step_name(step),
          .change = change,
          .ratio = shift.ratio(),
          .without_s = without.time->location_s,
          .with_s = with.time->location_s,
          .pays = shift.interval.level > 0 && shift.interval.low > std::log1p(tolerance),
          .is_pytorchs = is_of_pytorch(step),
          .is_of_the_reader = nearness(step) == 3};
}

std::optional<StepGain> greatest(const std::vector<StepGain>& gains) {
  const auto most = std::ranges::max_element(gains, {}, &StepGain::saved_s);
  return most == gains.end() ? std::nullopt : std::optional(*most);
}

// No framework does what our step does without some pieces, whose gains there give no rank.
bool gives_rank(const Waterfall& step, const catalogue::Catalogue& catalogue, const std::string& id) {
  const catalogue::CatalogueRow* piece = catalogue.find(id);
  return piece != nullptr && (piece->is_steps_default || is_of_pytorch(step));
}

// The seconds that all changes of each piece that may rank saved as they were added in turn.
std::map<std::string, double> added_s(const Waterfall& step, const catalogue::Catalogue& catalogue) {
  std::map<std::string, double> saved_s;
  for (std::size_t i = 1; i < step.rungs.size(); ++i) {
    const figures::Figure *with = step.rungs[i].with, *before = step.rungs[i - 1].with;
    if (with != nullptr && before != nullptr)
      saved_s[catalogue.made_by(step.rungs[i].change)] += before->time->location_s - with->time->location_s;
  }
  std::erase_if(saved_s, [&](const auto& one) { return !gives_rank(step, catalogue, one.first); });
  return saved_s;
}

int rank_among(const std::map<std::string, double>& saved_s, const std::string& id) {
  const auto own = saved_s.find(id);
  if (own == saved_s.end()) return 0;
  return 1 +
         static_cast<int>(std::ranges::count_if(saved_s, [&](const auto& one) { return one.second > own->second; }));
}

// Each change of the piece, left out of the tuned step.
std::optional<StepGain> left_out(const Waterfall& step, const std::string& id, const catalogue::Catalogue& catalogue,
                                 double tolerance) {
  std::vector<StepGain> gains;
  for (const Rung& rung : step.rungs) {
    if (!rung.alone || catalogue.made_by(rung.change) != id) continue;
    gains.push_back(gain_in(step, rung.change, *rung.without, *step.rungs.back().with, *rung.alone, tolerance));
    gains.back().alone = true;
  }
  return greatest(gains);
}

// Changes of one piece that follow each other count together, up to the one with which they saved the most.
std::optional<StepGain> added(const Waterfall& step, const std::string& id, const catalogue::Catalogue& catalogue,
                              double tolerance) {
  std::vector<StepGain> gains;
  const figures::Figure* without = nullptr;  // the rung ahead of the piece's first
  for (const Rung& rung : step.rungs) {
    const bool is_own = catalogue.made_by(rung.change) == id;
    if (!is_own || rung.with == nullptr) without = rung.with;
    if (is_own && rung.with != nullptr && without != nullptr)
      gains.push_back(
          gain_in(step, rung.change, *without, *rung.with, figures::gain_between(*without, *rung.with), tolerance));
  }
  return greatest(gains);
}

std::optional<StepGain> of_piece(const Waterfall& step, const std::string& id, const catalogue::Catalogue& catalogue,
                                 double tolerance) {
  std::optional<StepGain> gain =
      is_taken_apart(step) ? left_out(step, id, catalogue, tolerance) : added(step, id, catalogue, tolerance);
  if (gain) gain->pays = gain->pays && gives_rank(step, catalogue, id);
  return gain;
}

// piece -> its gain in the step, with its ranks among them all.
std::map<std::string, StepGain> gains_in(const Waterfall& step, std::span<const AdviceResult> pieces,
                                         const catalogue::Catalogue& catalogue, double tolerance) {
  std::map<std::string, StepGain> gains;
  std::map<std::string, double> alone_s;
  for (const AdviceResult& piece : pieces) {
    const std::optional<StepGain> one = of_piece(step, piece.id, catalogue, tolerance);
    if (!one) continue;
    gains.emplace(piece.id, *one);
    if (gives_rank(step, catalogue, piece.id)) alone_s.emplace(piece.id, one->saved_s());
  }
  const std::map<std::string, double> in_turn_s = added_s(step, catalogue);
  for (auto& [id, one] : gains) {
    one.rank = rank_among(is_taken_apart(step) ? alone_s : in_turn_s, id);
    one.added_rank = rank_among(in_turn_s, id);
  }
  return gains;
}

// Another host's step that was built up alone is held beside this.
void keep_as_added(AdviceResult& piece, const Waterfall& step, int rank, const catalogue::Catalogue& catalogue,
                   double tolerance) {
  if (std::optional<StepGain> gain = added(step, piece.id, catalogue, tolerance)) {
    gain->rank = gain->added_rank = rank;
    piece.gains.as_added.push_back(*gain);
  }
}

}  // namespace

void set_step_gains(std::vector<AdviceResult>& pieces, const record::ResultSet& results,
                    const catalogue::Catalogue& catalogue, const AdviceOptions& options) {
  const std::vector<figures::Figure> figures = figures::figures_of(steps_in(results));
  const std::vector<Waterfall> steps = figures::waterfalls_of(figures);
  // The nearest step of the net that was asked for wins; among equally near ones those that were taken apart win, then
  // the most pieces, then the first.
  const auto key = std::ranges::max_element(steps, {}, [&](const Waterfall& step) {
    const auto tells = [&](const AdviceResult& piece) {
      return of_piece(step, piece.id, catalogue, options.tolerance).has_value();
    };
    return std::tuple(!options.net.empty() && net_of(step_name(step)) == options.net, nearness(step),
                      is_taken_apart(step), std::ranges::count_if(pieces, tells));
  });
  for (const Waterfall& step : steps) {
    const auto gains = gains_in(step, pieces, catalogue, options.tolerance);
    for (AdviceResult& piece : pieces) {
      const auto found = gains.find(piece.id);
      if (found == gains.end()) continue;
      piece.gains.in_steps.push_back(found->second);
      if (is_taken_apart(step)) keep_as_added(piece, step, found->second.added_rank, catalogue, options.tolerance);
      if (found->second.pays && &step == &*key) piece.gains.in_step = found->second;
    }
  }
}

}  // namespace cupel::advice
