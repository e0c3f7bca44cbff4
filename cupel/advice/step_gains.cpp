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

// before: the rung that this one is added to; null of the first.
std::optional<StepGain> measured_gain(const Waterfall& step, const Rung& rung, const Rung* before, double tolerance) {
  const bool alone = is_taken_apart(step);
  const std::optional<stats::Shift>& shift = alone ? rung.alone : rung.gain;
  if (!shift) return std::nullopt;
  const figures::Figure& with = alone ? *step.rungs.back().with : *rung.with;
  const figures::Figure& without = alone ? *rung.without : *before->with;
  return StepGain{.step = step_name(step),
                  .change = rung.change,
                  .ratio = shift->ratio(),
                  .without_s = without.time->location_s,
                  .with_s = with.time->location_s,
                  .alone = alone,
                  .pays = shift->interval.level > 0 && shift->interval.low > std::log1p(tolerance),
                  .is_pytorchs = is_of_pytorch(step),
                  .is_of_the_reader = nearness(step) == 3};
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

std::optional<StepGain> of_piece(const Waterfall& step, const std::string& id, const catalogue::Catalogue& catalogue,
                                 double tolerance) {
  std::optional<StepGain> most;
  const Rung* before = nullptr;
  for (const Rung& rung : step.rungs) {
    const Rung* last = std::exchange(before, &rung);
    if (catalogue.made_by(rung.change) != id) continue;
    const std::optional<StepGain> one = measured_gain(step, rung, last, tolerance);
    if (one && (!most || one->saved_s() > most->saved_s())) most = one;
  }
  if (most) most->pays = most->pays && gives_rank(step, catalogue, id);
  return most;
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
  const std::map<std::string, double> added = added_s(step, catalogue);
  for (auto& [id, one] : gains) {
    one.rank = rank_among(is_taken_apart(step) ? alone_s : added, id);
    one.added_rank = rank_among(added, id);
  }
  return gains;
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
      if (found->second.pays && &step == &*key) piece.gains.in_step = found->second;
    }
  }
}

}  // namespace cupel::advice
