#include "cupel/foretell/foretell.hpp"

#include <algorithm>
#include <tuple>

#include "cupel/catalogue/catalogue.hpp"

namespace cupel::foretell {
namespace {

Foretold foretold(const Step& step, const Rule& rule) {
  if (rule.is_on(step.profile())) return {.rule = &rule, .state = State::on};
  try {
    return {.rule = &rule, .state = State::foretold, .gain_s = step.gain(rule.saving(step))};
  } catch (const NoRows& none) {
    return {.rule = &rule, .state = State::silent, .reason = none.what(), .lacks_rows = true};
  } catch (const Silence& silence) {
    return {.rule = &rule, .state = State::silent, .reason = silence.what()};
  }
}

}  // namespace

bool surely_gains(const Foretold& piece) { return piece.state == State::foretold && piece.gain_s.low > 0; }

std::string name_of(const Rule& rule) {
  const auto id_of = [](const Rule& one) { return catalogue::built_in().made_by(one.piece); };
  const std::string id = id_of(rule);
  if (id.empty() || id == rule.piece) return rule.piece;
  return std::ranges::count(rules(), id, id_of) > 1 ? id + " (" + rule.piece + ")" : id;
}

std::string how_in_pytorch(const Rule& rule) {
  if (rule.pytorch != nullptr) return rule.pytorch;
  const catalogue::Catalogue& catalogue = catalogue::built_in();
  const catalogue::CatalogueRow* piece = catalogue.find(catalogue.made_by(rule.piece));
  return piece == nullptr ? "" : piece->one_line;
}

std::vector<Foretold> foretell(const Step& step) {
  std::vector<Foretold> all;
  for (const Rule& rule : rules()) {
    if (rule.is_of == nullptr || rule.is_of(step.profile())) all.push_back(foretold(step, rule));
  }
  const auto rank = [](const Foretold& f) {
    return std::tuple(f.state == State::on, f.state == State::silent, !surely_gains(f), -f.gain_s.value);
  };
  std::ranges::stable_sort(all, {}, rank);
  return all;
}

Estimate gain_of(const Step& step, std::span<const Rule* const> pieces) {
  Saving all;
  for (const Rule* piece : pieces) all = all + piece->saving(step);
  return step.gain(all);
}

}  // namespace cupel::foretell
