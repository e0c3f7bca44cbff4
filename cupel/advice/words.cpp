#include "cupel/advice/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <set>

#include "cupel/advice/claim.hpp"
#include "cupel/advice/net.hpp"
#include "cupel/advice/order.hpp"
#include "cupel/catalogue/catalogue.hpp"
#include "cupel/figures/words.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/parse.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::advice {

using catalogue::AdviceKind;

namespace {

constexpr std::size_t kLongestName = 200;

bool has_interval(const AdviceResult& result) {
  return std::ranges::any_of(result.curves, [](const AdviceCurve& curve) { return advice::has_interval(curve); });
}

bool has_mixed_verdict(const AdviceResult& result) { return result.verdict == AdviceVerdict::mixed; }

// The counter that stands beside the time: "activations 1.59x smaller". Nothing where no point has it on both sides.
std::string beside_text(const AdviceResult& result) {
  std::vector<double> ratios;
  bool differs = false;
  for (const AdvicePoint* point : result.headline()) {
    if (!point->beside_before.value_or(0) || !point->beside_after.value_or(0)) continue;
    if (point->beside_agrees) ratios.push_back(*point->beside_before / *point->beside_after);
    differs = differs || !point->beside_agrees;
  }
  if (result.beside.is_time() || (ratios.empty() && !differs)) return "";
  const std::string text = readable_metric(result.beside);
  const char* const kDiffers = "more in some processes and less in others";
  if (ratios.empty()) return text + " " + kDiffers;
  const auto [least, greatest] = std::ranges::minmax(ratios);
  return text + " " + gain_range_text(least, greatest, AdviceKind::gain, result.beside) +
         (differs ? std::string(", elsewhere ") + kDiffers : "");
}

// The gain of each part, where there are several.
std::string parts_text(const AdviceResult& result) {
  if (result.gains.parts.size() < 2) return "";
  std::set<std::string> families, precisions;
  for (const PartGain& one : result.gains.parts) {
    families.insert(one.family);
    precisions.insert(one.precision);
  }
  std::vector<std::string> parts;
  for (const PartGain& one : result.gains.parts) {
    std::string part = families.size() > 1 ? one.family + "/*" : one.precision.empty() ? "other" : "";
    if (precisions.size() > 1 && !one.precision.empty()) part += (part.empty() ? "" : " ") + one.precision;
    parts.push_back(part + " " + gain_range_text(one.least, one.most, result.kind, result.metric));
  }
  return "on the largest work " + units::joined(parts);
}

// By which scenarios it is told, and where others pay, or cost; nothing where there are no others.
std::string told_text(const AdviceResult& result) {
  if (result.told_by.empty()) return "";
  const bool is_cost = result.kind == catalogue::AdviceKind::cost;
  const AdviceVerdict wanted = is_cost ? AdviceVerdict::harms : AdviceVerdict::pays;
  int held = 0, all = 0;
  for (const AdviceCurve& curve : result.curves) {
    if (!curve.recommended || curve.is_told_by) continue;
    for (const AdvicePoint& point : curve.points) {
      held += point.verdict == wanted ? 1 : 0;
      all += point.gain ? 1 : 0;
    }
  }
  if (all == 0) return "";
  const bool is_in_pytorch = result.told_by.starts_with("pytorch/");
  const std::string judge = is_in_pytorch ? "its points in PyTorch" : readable_scenario(result.told_by);
  return fmt::format("judged by {}; {} shown, but {} not decide ({} {}{})", judge,
                     all == 1 ? "1 other is" : fmt::format("{} others are", all), all == 1 ? "does" : "do", held,
                     is_cost ? "cost" : "pay", held == 1 ? "s" : "");
}

// Names the points that the headline of a piece is of, where they are some of its points alone.
std::string headline_of(const AdviceResult& result) {
  if (has_mixed_verdict(result)) return "";
  using enum AdviceVerdict;
  const AdviceVerdict told = result.verdict == harms ? harms : pays;
  std::string text;
  if (result.gains.pays_at_largest() && result.gains.largest_told < result.gains.largest_sizes &&
      result.counts.decided() + result.counts.undecided > result.gains.largest_sizes) {
    text = fmt::format("{} at {} of {} largest sizes", verdict_word(told, result.kind), result.gains.largest_told,
                       result.gains.largest_sizes);
  }
  if (!result.gains.pays_at_largest() && result.verdict == AdviceVerdict::pays) text = "not at the largest size";
  units::append(text, parts_text(result), "; ");
  return text;
}

// The point that pays most. One that is undecided may well show more, and proves nothing.
const AdvicePoint* most_of(std::vector<const AdvicePoint*> points) {
  std::erase_if(points, [](const AdvicePoint* point) { return point->verdict != AdviceVerdict::pays; });
  const auto ratio = [](const AdvicePoint* point) { return point->gain->ratio; };
  return points.empty() ? nullptr : *std::ranges::max_element(points, {}, ratio);
}

// "at h2d/bytes:4 KiB: 7.00x (host), range of processes 6.99x to 7.01x, 3 processes"
std::string point_text(const AdvicePoint& point, const AdviceResult& result) {
  return fmt::format("at {}: {}{}, {}, {}", units::shorten(readable_scenario(point.scenario), kLongestName),
                     gain_of(point, result), point.mode ? fmt::format(" ({})", record::to_string(*point.mode)) : "",
                     interval_text(point, result), units::counted(point.processes, "process", "processes"));
}

// Why the piece is undecided, how many processes would decide it, and whether it is unusual here.
std::string undecided_text(const AdviceResult& result) {
  std::set<std::string> reasons;
  std::optional<int> needed;
  for (const AdviceCurve& curve : result.counted()) {
    for (const AdvicePoint& point : curve.points) {
      if (point.verdict != AdviceVerdict::undecided) continue;
      reasons.insert(point.reason);
      if (point.needed) needed = std::max(needed.value_or(0), *point.needed);
    }
  }
  std::vector<std::string> parts(reasons.begin(), reasons.end());
  if (needed) parts.push_back(fmt::format("about {} processes would decide", *needed));
  return units::joined(parts, "; ") + unusual_text(result);
}

}  // namespace

const char* const kNoRank = "Nothing measured here is ranked: the ranking needs cupel run step on a GPU.";
const char* const kGainKey = "sorted by the smallest gain at the largest size";

std::string unusual_here(const AdviceResult& result) {
  return result.unusual.empty() ? "" : "unusual here, as said above";
}

std::string unusual_text(const AdviceResult& result) {
  return result.unusual.empty() ? "" : "; " + unusual_here(result);
}

std::string step_text(const AdviceResult& result) {
  if (!result.gains.in_step) return "";
  return fmt::format("{} of a step, {}", units::format(result.gains.in_step->saved_s(), units::Unit::seconds),
                     gain_text(result.gains.in_step->ratio, result.kind));
}

std::string instead_of(const AdviceResult& result) {
  const catalogue::CatalogueRow* row = catalogue::built_in().find(result.id);
  return row == nullptr ? "" : row->instead_of;
}

std::string verdict_said(const AdviceResult& result) {
  if (result.verdict == AdviceVerdict::pays && result.place.group == AdviceGroup::few) return "pays at some";
  return verdict_word(result.verdict, result.kind);
}

std::string key_text(const AdviceResult& result) {
  return result.gains.in_step ? step_text(result) : headline_text(result);
}

std::string step_key(std::span<const AdviceResult> all) {
  if (all.empty() || !all.front().gains.in_step) return "";
  const StepGain& step = *all.front().gains.in_step;
  return step_words(step.step) +
         (step.alone ? "; a row: the step without that change" : "; a row: the step with one more change");
}

std::string host_condition(std::span<const AdviceResult> all, const LaunchHost& host) {
  if (all.empty() || !all.front().gains.in_step || all.front().gains.in_step->is_pytorchs) return "";
  const std::string native =
      host.native_s ? "that needs " + units::format(*host.native_s, units::Unit::seconds) + " a launch" : "in C++";
  const std::string low = fmt::format("{:.0f}", 1e6 * host.eager_low_s);
  const std::string high = fmt::format("{:.0f}", 1e6 * host.eager_high_s);
  return fmt::format("for a host {} (a PyTorch eager step needs about {} us an operation{}: see graphs)", native,
                     low == high ? low : low + " to " + high, host.is_assumed ? ", assumed" : "");
}

namespace {

// "ResNet-18 step" and {"224 x 224", "batch 64"}, of "net:resnet18_224 batch:64".
struct StepParts {
  std::string net;
  std::vector<std::string> sizes;
};

StepParts step_parts(const std::string& step) {
  StepParts parts;
  for (const std::string& part : units::split(step, ' ')) {
    const std::size_t colon = std::min(part.find(':'), part.size());
    const std::string name = part.substr(0, colon), value = part.substr(std::min(colon + 1, part.size()));
    if (name != "net") {
      parts.sizes.push_back(name + " " + value);
      continue;
    }
    const Net* const known = find_net(value);
    parts.net = known == nullptr ? "step of " + value : fmt::format("{} step", known->words);
    if (known != nullptr && !known->images.empty()) parts.sizes.emplace_back(known->images);
  }
  return parts;
}

}  // namespace

std::string step_name(const figures::Waterfall& step) {
  const bool is_compiled = step.where.find("compiler:") != std::string::npos;
  if (step.operation == "pytorch/model")
    return is_compiled ? "your model in PyTorch, compiled" : "your model in PyTorch";
  return step.operation.starts_with("pytorch/") ? "PyTorch " + step.where : step.where;
}

// "ResNet-18 step (224 x 224, batch 64, C++)"
std::string step_words(const std::string& step) {
  constexpr std::string_view kPyTorch = "PyTorch ";
  const bool is_pytorchs = step.starts_with(kPyTorch);
  if (step.empty()) return "training step (C++)";
  if (!is_pytorchs && step.find("net:") == step.npos) return "step of " + step;
  StepParts parts = step_parts(is_pytorchs ? step.substr(kPyTorch.size()) : step);
  parts.sizes.emplace_back(is_pytorchs ? "PyTorch" : "C++");
  return fmt::format("{} ({})", parts.net, units::joined(parts.sizes));
}

std::string different_steps_words(std::span<const NamedAdvice> lists) {
  std::vector<std::pair<std::string, std::string>> names_by_step;
  for (const NamedAdvice& list : lists) {
    if (list.all.empty() || !list.all.front().gains.in_step) continue;
    const std::string step = step_words(list.all.front().gains.in_step->step);
    const auto found = std::ranges::find(names_by_step, step, &std::pair<std::string, std::string>::first);
    if (found == names_by_step.end()) {
      names_by_step.emplace_back(step, list.name);
    } else {
      found->second += ", " + list.name;
    }
  }
  if (names_by_step.size() < 2) return "";
  std::string text = "These lists are of different steps: the order differs by the step, too, not by the GPU alone.";
  for (const auto& [step, names] : names_by_step) text += fmt::format(" {}: {}.", names, step);
  return text;
}

// "ResNet-18" of "ResNet-18 step (224 x 224, batch 64, C++)", "other" of "step of other (batch 8, C++)".
static std::string net_words(const std::string& step) {
  std::string words = step_words(step);
  words.resize(std::min(words.find(" ("), words.size()));
  if (words.ends_with(" step")) words.resize(words.size() - std::string_view(" step").size());
  return words.starts_with("step of ") ? words.substr(std::string_view("step of ").size()) : words;
}

static std::string host_name(const StepGain& gain) {
  if (gain.is_pytorchs) return "PyTorch";
  return gain.step.find("host:eager") == std::string::npos ? "C++" : "C++ by an eager host";
}

std::vector<std::string> orders_by_net_words(std::span<const AdviceResult> all) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> lines;
  for (const NetOrder& order : orders_by_net(all)) {
    const auto words = [](const NetOrder::Piece& piece) {
      return piece.id + " " + gain_text(piece.gain.ratio, AdviceKind::gain);
    };
    const std::string first = units::joined(order.pieces | std::views::take(kMost) | std::views::transform(words));
    if (!first.empty()) lines.push_back(order.net + ": " + first);
  }
  return lines;
}

std::string rank_turns_words(std::span<const AdviceResult> all, std::size_t most) {
  const auto gain = [](const StepGain& step) { return gain_text(step.ratio, AdviceKind::gain); };
  std::vector<std::string> parts;
  std::string step;
  for (const RankTurn& one : rank_turns(all, most)) {
    parts.push_back(fmt::format("{} {} in {} and {} in {}", one.id, gain(one.here), host_name(one.here),
                                gain(one.there), host_name(one.there)));
    const StepParts work = step_parts((one.here.is_pytorchs ? one.there : one.here).step);
    step = work.net + (work.sizes.empty() ? "" : ", " + work.sizes.front());
  }
  return parts.empty() ? "" : fmt::format("{} ({})", units::joined(parts), step);
}

std::string other_host_words(std::span<const AdviceResult> all, const std::string& step) {
  const std::vector<RankTurn> turns = rank_turns(all, 1);
  if (turns.empty() || turns.front().here.step != step) return "";
  const RankTurn& one = turns.front();
  return fmt::format("In {}: {} {}.", host_name(one.there), one.id, gain_text(one.there.ratio, AdviceKind::gain));
}

std::string orders_by_host_words(std::span<const AdviceResult> all) {
  constexpr std::size_t kMost = 3;
  const auto first = [&](const HostOrder& order) {
    return order.ids.empty() ? "nothing" : units::joined(order.ids | std::views::take(kMost));
  };
  const std::vector<HostOrder> orders = orders_by_host(all);
  if (orders.empty()) return "";
  const StepParts work = step_parts(orders.front().step);
  return fmt::format("A {}{} gains most by such a host from {}; by one in C++ from {}.", work.net,
                     work.sizes.empty() ? "" : " (" + work.sizes.front() + ")", first(orders.back()),
                     first(orders.front()));
}

std::string own_step_words(const OwnStep& own) {
  return fmt::format("Your step: {} as it is, {} with all changes.", units::format(own.before_s, units::Unit::seconds),
                     units::format(own.after_s, units::Unit::seconds));
}

static std::string decoder_words(const LoaderAndStep& found) {
  if (found.decoder.empty()) return "a faster decoder";
  if (found.decoder == "nvjpeg_hardware") return "nvJPEG's hardware";
  return found.decoder == "nvjpeg" ? "nvJPEG" : "the decoder " + found.decoder;
}

std::string loader_words(const LoaderAndStep& found) {
  if (found.are_the_readers)
    return fmt::format(
        "Your loader gives {} a second by {}{}, your step could take {} ({}): the loader first. Set num_workers to "
        "your "
        "CPUs; with fewer than {} CPUs, make what it does to a sample cheaper.",
        units::format_significant(found.loader_per_s), units::counted(std::stol(found.workers), "worker"),
        found.loader_is_busy ? " (busy)" : "", units::format_significant(found.step_per_s),
        units::format(found.step_s, units::Unit::seconds), found.workers_wanted());
  return fmt::format(
      "{} loader limits the {}: {}{} workers load {} images/s, the step takes {} ({}). Set num_workers to your "
      "CPUs; with fewer than {} CPUs, use smaller images or {}.",
      found.loader_is_pytorchs ? "PyTorch's" : "cupel's",
      step_words(found.step_is_pytorchs ? "PyTorch " + found.step : found.step), found.workers,
      found.loader_is_busy ? " busy" : "", units::format_significant(found.loader_per_s),
      units::format_significant(found.step_per_s), units::format(found.step_s, units::Unit::seconds),
      found.workers_wanted(), decoder_words(found));
}

// The measured steps of the program nearest to the reader's: of a model of theirs, else PyTorch's, else ours.
static std::vector<const StepGain*> nearest_steps(const AdviceResult& result) {
  const auto nearness = [](const StepGain& step) { return int{step.is_pytorchs} + int{step.is_of_the_reader}; };
  const int nearest = nearness(std::ranges::max(result.gains.in_steps, {}, nearness));
  std::vector<const StepGain*> steps;
  for (const StepGain& step : result.gains.in_steps) {
    if (nearness(step) == nearest) steps.push_back(&step);
  }
  return steps;
}

// "holds at 2 of 5 steps: first in ViT-B/16, GPT of 12 layers; number 3 in the step of PyTorch net:resnet18_32"
static std::string first_in_text(const std::vector<const StepGain*>& steps, const AdviceResult& result) {
  std::size_t held = 0;
  std::vector<std::string> parts, names;
  for (const StepGain* step : steps) {
    if (step->rank != 1) continue;
    ++held;
    if (const std::string name = net_words(step->step); !units::contains(names, name)) names.push_back(name);
  }
  if (held > 0) parts.push_back("first in " + units::joined(names));
  if (const auto& key = result.gains.in_step; key && result.place.rank > 1)
    parts.push_back(fmt::format("number {} in the step of {}", result.place.rank, key->step));
  const std::string at = held == steps.size() ? "all" : (held == 0 ? "none" : std::to_string(held)) + " of";
  return fmt::format("holds at {} {} steps: {}", at, steps.size(), units::joined(parts, "; "));
}

// Judges the claim that nothing is before it: only a step tells, since ranks by gains are of what the files happen to
// hold.
static std::string first_text(const AdviceResult& result) {
  if (result.gains.in_steps.empty()) return result.counts.decided() == 0 ? "" : "not judged: no step was measured";
  const std::vector<const StepGain*> steps = nearest_steps(result);
  if (steps.size() > 1) return first_in_text(steps, result);
  if (!result.gains.in_step) return "does not hold: saves nothing in a step of " + result.gains.in_steps.front().step;
  const StepGain& step = *result.gains.in_step;
  const bool lost = result.place.rank == 1, added = step.alone ? step.added_rank == 1 : lost;
  if (lost == added) {
    return fmt::format("{}: number {} in a step of {}", lost ? "holds" : "does not hold", result.place.rank, step.step);
  }
  return fmt::format(
      "holds in part: number {} when changes are added one after the other, number {} when {} alone is left out of the "
      "tuned step of {}",
      step.added_rank, result.place.rank, step.change, step.step);
}

std::string claim_text(const AdviceResult& result) {
  const catalogue::CatalogueRow* row = catalogue::built_in().find(result.id);
  if (row == nullptr) return "";
  if (row->claim_says == "first") return first_text(result);
  if (row->claim_says == "sign") return result.sign;
  if (result.counts.decided() == 0) return "";
  const std::optional<ClaimCheck> claim = check_claim(result, *row);
  if (!claim) return "";
  const std::string gains = gain_range_text(claim->least, claim->greatest, result.kind, result.metric);
  if (claim->of == 1) return (claim->held == 1 ? "holds: " : "does not hold: ") + gains;
  if (claim->held == 0) return fmt::format("holds at none of {}: {}", claim->of, gains);
  if (claim->held == claim->of) return fmt::format("holds at all {}: {}", claim->of, gains);
  return fmt::format("holds at {} of {}: {}", claim->held, claim->of, gains);
}

// A share of a whole says more than by how much it grew: "0.7 % to 100 %".
static std::string share_figure(const AdviceResult& result) {
  std::vector<double> befores, afters;
  for (const AdvicePoint* point : result.measured()) {
    befores.push_back(point->before);
    afters.push_back(point->after);
  }
  const auto range = [&](const std::vector<double>& shares) {
    const auto [least, most] = std::ranges::minmax(shares);
    const std::string low = amount_text(least, result.metric), high = amount_text(most, result.metric);
    return low == high ? low : low + " ... " + high;
  };
  return befores.empty() ? "" : range(befores) + " to " + range(afters);
}

std::string headline_figure(const AdviceResult& result) {
  if (result.metric.is_share()) return share_figure(result);
  std::vector<double> ratios;
  if (has_mixed_verdict(result) || result.gains.parts.empty()) {
    for (const AdvicePoint* point : result.headline()) ratios.push_back(point->gain->ratio);
  } else {
    for (const PartGain& one : result.gains.parts) ratios.insert(ratios.end(), {one.least, one.most});
  }
  if (ratios.empty()) return "";
  const auto [least, greatest] = std::ranges::minmax(ratios);
  return gain_range_text(least, greatest, result.kind, result.metric);
}

std::string figure_words(const AdviceResult& result) {
  const std::string figure = headline_figure(result);
  const bool is_longer = result.kind == AdviceKind::cost && figure.ends_with('x') && figure != "1.00x";
  return figure + (is_longer ? " longer" : "");
}

std::string modes_text(const AdviceResult& result) {
  if (!result.metric.is_time()) return readable_metric(result.metric);
  std::vector<record::Mode> modes;
  for (const AdvicePoint* point : result.headline()) modes.push_back(*point->mode);
  return figures::modes_text(modes);
}

std::string headline_text(const AdviceResult& result) {
  const std::string figure = headline_figure(result);
  if (figure.empty()) return "";
  if (!result.metric.is_time()) return readable_metric(result.metric) + " " + figure;
  return figure_words(result) + " (" + modes_text(result) + few_text(result) + ")";
}

std::string few_text(const AdviceResult& result) {
  const int all = result.counts.decided() + result.counts.undecided;
  if (result.verdict != AdviceVerdict::pays || 2 * result.counts.pays > all) return "";
  return fmt::format(", at {} of {}", result.counts.pays, all);
}

std::string ratio_text(const AdviceMetric& metric) {
  const std::string what = readable_metric(metric);
  if (metric.better == record::Better::higher) return what + " after / " + what + " before";
  return what + " before / " + what + " after";
}

std::string amount_text(double amount, const AdviceMetric& metric) {
  if (metric.is_share()) return units::format_percent(amount);
  if (const auto unit = units::unit_of(metric.unit)) return units::format(amount, *unit);
  return units::format_significant(amount, 3) + " " + metric.unit;
}

std::vector<std::string> alternatives(const AdviceResult& result) {
  if (!has_mixed_verdict(result) && (result.metric.is_time() || result.counts.decided() == 0)) return {};
  std::vector<std::string> lines = by_alternative(result);
  return lines.size() > 1 ? lines : std::vector<std::string>{};
}

std::vector<std::string> holds_parts(const AdviceResult& result) {
  const std::string step = result.gains.in_step ? step_text(result) + ", instead of " + instead_of(result) : "";
  if (result.measured().empty() && result.gains.in_step) return {step};
  std::vector<std::string> parts{holds(result), told_text(result),   beside_text(result), headline_of(result),
                                 step,          unusual_here(result)};
  std::erase(parts, "");
  return parts;
}

std::string holds_text(const AdviceResult& result) { return units::joined(holds_parts(result), "; "); }

std::string ends_text(const AdvicePoint& point, const AdviceResult& result) {
  if (!point.gain || !point.gain->low || !point.gain->high) return "";
  return gain_range_text(*point.gain->low, *point.gain->high, result.kind, result.metric);
}

std::string interval_text(const AdvicePoint& point, const AdviceResult& result) {
  const std::string ends = ends_text(point, result);
  if (ends.empty()) return "no interval";
  if (!point.gain->is_interval) return "range of processes " + ends;
  return fmt::format("interval {} ({})", ends, units::format_percent(point.gain->level));
}

std::string most_text(const AdviceResult& result) {
  const AdvicePoint* of_headline = most_of(result.headline());
  if (of_headline == nullptr) return "";
  std::vector<const AdvicePoint*> usual = result.measured();
  std::erase_if(usual, [](const AdvicePoint* point) { return point->unusual; });
  const AdvicePoint* of_all = most_of(usual);
  if (gain_of(*of_all, result) == gain_of(*of_headline, result)) return point_text(*of_headline, result);
  return "of the largest sizes " + point_text(*of_headline, result) + "; of all sizes " + point_text(*of_all, result);
}

std::span<const UnrankedTitle> unranked_titles() {
  static constexpr UnrankedTitle kTitles[] = {
      {AdviceGroup::whole, "These pay", " as all changes of a program or loader together"},
      {AdviceGroup::few, "These pay at some sizes or cases", ", half of them or fewer"},
      {AdviceGroup::stage, "These pay in a loader", "; a step gains only where the loader limits it"},
      {AdviceGroup::one_call, "These pay inside one API call", ""},
      {AdviceGroup::chosen, "These pay only if you do the slow thing today", "; no framework does so by default"},
      {AdviceGroup::counted, "These save memory or energy", ""}};
  return kTitles;
}

std::vector<const AdviceResult*> unranked_pieces(std::span<const AdviceResult> all, std::size_t most) {
  if (!first_changes(all, 1).empty()) return {};
  std::vector<const AdviceResult*> pieces = units::filtered(all, pays_without_rank);
  pieces.resize(std::min(pieces.size(), most));
  return pieces;
}

std::string group_remark(const AdviceResult& result) {
  if (result.place.group == AdviceGroup::stage) return "in a loader that is the limit: ";
  if (result.place.group == AdviceGroup::whole) return "of a whole program: ";
  if (result.place.group == AdviceGroup::one_call) return "inside one API call: ";
  return result.place.group == AdviceGroup::chosen ? "only if you do the slow thing today: " : "";
}

std::string same_cause(const std::vector<AdviceResult>& all, const AdviceResult& lead) {
  const auto others = units::filtered(all, [&](const AdviceResult& other) {
    return lead.place.leads && other.place.rank == lead.place.rank && !other.place.leads;
  });
  return units::joined(
      others | std::views::transform([](const AdviceResult* other) { return other->id + " " + key_text(*other); }));
}

std::string most_saved(const AdviceResult& result) {
  if (!result.metric.is_time()) return "";
  double most_s = 0;
  int counted = 0;
  for (const AdvicePoint* point : result.headline()) {
    if (!point->decided()) continue;
    const double saved_s = point->before - point->after;
    most_s = std::max(most_s, result.verdict == AdviceVerdict::harms ? -saved_s : saved_s);
    ++counted;
  }
  if (most_s <= 0) return "";
  return (counted > 1 ? "up to " : "") + units::format(most_s, units::Unit::seconds);
}

std::string gain_of(const AdvicePoint& point, const AdviceResult& result) {
  return point.gain ? gain_text(point.gain->ratio, result.kind, result.metric) : "";
}

bool has_interval(const AdviceCurve& curve) {
  return std::ranges::any_of(curve.points,
                             [](const AdvicePoint& point) { return point.gain && point.gain->is_interval; });
}

std::string spread_title(const AdviceResult& result) {
  return has_interval(result) ? "95 % interval" : "range of processes";
}

std::string spread_text(const AdvicePoint& point, const AdviceResult& result) {
  if (!point.gain || !point.gain->low || !point.gain->high) return "";
  const std::string text = gain_range_text(*point.gain->low, *point.gain->high, result.kind, result.metric);
  return text + (has_interval(result) && !point.gain->is_interval ? " (range)" : "");
}

std::string verdict_remark(const AdviceResult& result) {
  if (result.verdict == AdviceVerdict::undecided) return undecided_text(result);
  if (!result.measured().empty() || result.gains.in_step) return holds_text(result);
  const bool is_pair = result.kind == AdviceKind::gain || result.kind == AdviceKind::cost;
  return result.reason.empty() && is_pair ? "measured without a before and an after" : result.reason;
}

std::string curve_name(const AdviceCurve& curve) {
  std::string name = readable_scenario(curve.scenario);
  if (!curve.variant.empty()) name += (name.empty() ? "[" : " [") + curve.variant + "]";
  if (!curve.axis.empty()) name += (name.empty() ? "by " : ", by ") + curve.axis;
  std::vector<record::Mode> modes;
  for (const AdvicePoint& point : curve.points) {
    if (point.mode) modes.push_back(*point.mode);
  }
  if (!modes.empty()) name += (name.empty() ? "" : ", ") + figures::modes_text(modes);
  return name;
}

}  // namespace cupel::advice
