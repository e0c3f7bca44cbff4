#include "tests/foretell/score.hpp"

#include <algorithm>
#include <cmath>

#include "cupel/figures/waterfall.hpp"
#include "cupel/stats/quantile.hpp"

namespace cupel::foretell {
namespace {

using figures::Figure;
using record::StepProfile;

const StepProfile* profile_of(std::span<const StepProfile> profiles, const Figure& figure) {
  const auto found = std::ranges::find(profiles, figure.name, &StepProfile::benchmark);
  return found == profiles.end() ? nullptr : &*found;
}

std::vector<const Rule*> changes(const StepProfile& before, const StepProfile& after) {
  std::vector<const Rule*> all;
  for (const Rule& rule : rules()) {
    if (!rule.is_on(before) && rule.is_on(after)) all.push_back(&rule);
  }
  return all;
}

// From the ratio of both times over processes.
Estimate measured(const Figure& after, const stats::Shift& shift) {
  const stats::Interval interval = shift.ratio_interval();
  const double after_s = after.time->location_s;
  return {after_s * (shift.ratio() - 1), after_s * (interval.low - 1), after_s * (interval.high - 1)};
}

// Foretells a change, from the profile of the step that lacks it to that of the step that has it.
void foretell_change(CheckedChange& change, const StepProfile& before, const StepProfile& after, const Micro& micro) {
  const std::vector<const Rule*> pieces = changes(before, after);
  for (const Rule* piece : pieces) change.pieces.emplace_back(piece->piece);
  try {
    change.foretold_s = gain_of(Step(before, micro), pieces);
  } catch (const Silence& silence) {
    change.silent = silence.what();
  }
}

}  // namespace

bool CheckedChange::matters() const { return std::abs(measured_s.value) > kSmall * before_s; }

bool CheckedChange::sign_is_right() const { return foretold_s.value * measured_s.value > 0; }

double CheckedChange::error() const {
  return std::abs(foretold_s.value - measured_s.value) / std::abs(measured_s.value);
}

Tally tally_of(std::span<const CheckedChange> checked) {
  Tally tally;
  std::vector<double> errors;
  for (const CheckedChange& one : checked) {
    if (!one.silent.empty()) {
      ++tally.silent;
      continue;
    }
    ++tally.foretold;
    if (!one.matters()) continue;
    ++tally.matter;
    if (one.sign_is_right()) ++tally.right;
    errors.push_back(one.error());
  }
  if (!errors.empty()) tally.error = stats::median(errors);
  return tally;
}

std::vector<CheckedChange> checked_changes(std::span<const Figure> figures, std::span<const StepProfile> profiles,
                                           const Micro& micro) {
  std::vector<CheckedChange> all;
  const auto add = [&](const std::string& where, const std::string& change, const Figure& before, const Figure& after,
                       const stats::Shift& gain) {
    const StepProfile *const profile = profile_of(profiles, before), *const tuned = profile_of(profiles, after);
    if (profile == nullptr) return;
    CheckedChange& checked = all.emplace_back(CheckedChange{
        .where = where, .change = change, .before_s = before.time->location_s, .measured_s = measured(after, gain)});
    if (tuned != nullptr) {
      foretell_change(checked, *profile, *tuned, micro);
    } else {
      checked.silent = "there is no profile of " + after.name;
    }
  };
  for (const figures::Waterfall& waterfall : figures::waterfalls_of(figures)) {
    const Figure* before = nullptr;
    for (const figures::Rung& rung : waterfall.rungs) {
      if (rung.gain) add(waterfall.where, "add:" + rung.change, *before, *rung.with, *rung.gain);
      before = rung.with;
    }
  }
  for (const figures::Drop& drop : figures::drops_of(figures)) {
    add(drop.where, "drop:" + drop.change, *drop.without, *drop.whole, drop.gain);
  }
  return all;
}

}  // namespace cupel::foretell
