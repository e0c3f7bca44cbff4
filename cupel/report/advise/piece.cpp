// One piece of advice, and the way to it from a symptom.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cupel/advice/words.hpp"
#include "cupel/report/advise/parts.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/parse.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {
namespace {

using advice::AdviceCurve;
using advice::AdvicePoint;
using advice::AdviceResult;
using catalogue::AdviceKind;

constexpr std::size_t kLongestCurve = 200, kLongestPoint = 304;

std::string size_text(const AdviceCurve& curve, const AdvicePoint& point) {
  if (!point.size) return "";
  const std::string text = advice::readable_size(curve.axis, *point.size);
  return text.starts_with(curve.axis + ":") ? text.substr(curve.axis.size() + 1) : text;
}

// "2.92x (64 KiB)"
std::string gain_at(const AdviceCurve& curve, const AdvicePoint& point, const AdviceResult& result) {
  const std::string size = size_text(curve, point);
  return gain_of(point, result) + (size.empty() ? "" : " (" + size + ")");
}

const char* figure_title(const AdviceResult& result) { return result.kind == AdviceKind::cost ? "longer" : "gain"; }

// Behind the name of a curve that does not count.
std::string mark_of(const AdviceCurve& curve) {
  return curve.counts() ? "" : curve.recommended ? "(not counted)" : "(variant)";
}

// Curves over sizes: their ends, and where they are best, among the sizes that are usual for the board.
void add_swept(Page& page, const AdviceResult& result, const std::vector<const AdviceCurve*>& curves) {
  Table table({right("smallest"), right("largest"), right(result.kind == AdviceKind::cost ? "dearest" : "best")});
  table.badges = advice_badges();
  for (const AdviceCurve* curve : curves) {
    const std::string mark = mark_of(*curve);
    table.group(units::shorten(curve_name(*curve) + (mark.empty() ? "" : " ") + mark, kLongestCurve) + ":",
                advice::holds(*curve, result.kind));
    const auto points =
        units::filtered(curve->points, [](const AdvicePoint& point) { return point.gain && !point.unusual; });
    if (points.empty()) continue;  // nothing of it could be measured, or all of it is unusual
    const auto ratio = [](const AdvicePoint* point) { return point->gain->ratio; };
    const AdvicePoint& best = **(result.kind == AdviceKind::cost ? std::ranges::min_element(points, {}, ratio)
                                                                 : std::ranges::max_element(points, {}, ratio));
    const bool is_single = points.size() == 1;
    table.row({gain_at(*curve, *points.front(), result), is_single ? "" : gain_at(*curve, *points.back(), result),
               is_single ? "" : gain_at(*curve, best, result)});
  }
  page.add(std::move(table));
}

std::vector<std::string> parts_of(const AdviceCurve& curve) {
  return units::split(advice::readable_scenario(curve.scenario), '/');
}

// The parts that all their scenarios have; nothing of a single one.
std::vector<std::string> common_parts(const std::vector<const AdviceCurve*>& curves) {
  if (curves.size() < 2) return {};
  std::vector<std::string> common = parts_of(*curves.front());
  for (const AdviceCurve* curve : curves) {
    const std::vector<std::string> parts = parts_of(*curve);
    std::erase_if(common, [&](const std::string& part) { return !units::contains(parts, part); });
  }
  return common;
}

std::string point_name(const AdviceCurve& curve, const std::vector<std::string>& common) {
  std::vector<std::string> parts = parts_of(curve);
  std::erase_if(parts, [&](const std::string& part) { return units::contains(common, part); });
  if (!curve.variant.empty()) parts.push_back("[" + curve.variant + "]");
  if (!curve.counts()) parts.push_back(mark_of(curve));
  return parts.empty() ? "-" : units::joined(parts, " ");
}

// Curves of one point: a line each.
void add_single(Page& page, const AdviceResult& result, const std::vector<const AdviceCurve*>& curves) {
  const std::vector<std::string> common = common_parts(curves);
  if (!common.empty()) page.paragraph("all with " + units::shorten(units::joined(common, " "), kLongestPoint));
  Table table({left("scenario", Fold::wrapped), right(figure_title(result)), left("of"), verdicts("holds")});
  table.badges = advice_badges();
  for (const AdviceCurve* curve : curves) {
    const AdvicePoint& point = curve->points.front();
    table.row({units::shorten(point_name(*curve, common), kLongestPoint), gain_of(point, result),
               point.mode ? record::to_string(*point.mode) : "", advice::holds(*curve, result.kind)});
  }
  page.add(std::move(table));
}

void add_curves(Page& page, const AdviceResult& result) {
  std::vector<const AdviceCurve*> swept, single;
  for (const AdviceCurve& curve : result.curves) (curve.points.size() > 1 ? swept : single).push_back(&curve);
  if (!swept.empty()) add_swept(page, result, swept);
  if (!single.empty()) add_single(page, result, single);
}

std::string processes_text(const AdvicePoint& point) {
  if (!point.gain) return "";
  return std::to_string(point.processes) + (point.left_out > 0 ? fmt::format(" (-{})", point.left_out) : "");
}

std::string verdict_text(const AdvicePoint& point, AdviceKind kind) {
  std::string text = advice::verdict_word(point.verdict, kind);
  if (!point.reason.empty()) text += ": " + point.reason;
  if (point.needed) text += fmt::format("; about {} processes would decide", *point.needed);
  return units::shorten(text, 200);
}

void add_points(Page& page, const AdviceResult& result) {
  if (result.curves.empty()) return;
  Table table({left("point"),
               left("mode"),
               right("before"),
               right("after"),
               {figure_title(result), Align::right, Fold::wrapped},
               left(advice::spread_title(result), Fold::wrapped),
               right("n"),
               verdicts("verdict", Fold::prose)});
  table.badges = advice_badges();
  const auto amount_of = [&](const AdvicePoint& point, double amount) {
    return point.processes > 0 ? amount_text(amount, result.metric) : "";
  };
  for (const AdviceCurve& curve : result.curves) {
    table.group(units::shorten(curve_name(curve), kLongestCurve),
                curve.recommended ? mark_of(curve) : "(variant, not counted)");
    for (const AdvicePoint& point : curve.points) {
      const std::string size = size_text(curve, point);
      table.row({size.empty() ? "-" : size, point.mode ? record::to_string(*point.mode) : "",
                 amount_of(point, point.before), amount_of(point, point.after), gain_of(point, result),
                 spread_text(point, result), processes_text(point), verdict_text(point, result.kind)});
    }
  }
  page.add(std::move(table));
}

// Nothing of time, which is the rule.
std::string judged_by(const advice::AdviceMetric& metric) {
  if (metric.is_time()) return "";
  const std::string what = advice::readable_metric(metric);
  if (metric.better == record::Better::none) return what;
  return what + (metric.better == record::Better::higher ? ": more is better" : ": less is better");
}

// The pieces of that verdict that are a remedy for it, of what harms what is warned of: "graphs 1.07x to 2x (host),
// ...".
std::string remedies(const AdvisedFile& file, const catalogue::Pattern& pattern, advice::AdviceVerdict verdict) {
  const bool costs = verdict == advice::AdviceVerdict::harms;
  const auto found = units::filtered(file.advice, [&](const AdviceResult& result) {
    const catalogue::CatalogueRow* row = catalogue::built_in().find(result.id);
    return row != nullptr && (row->kind == AdviceKind::cost) == costs && result.verdict == verdict &&
           units::contains(row->patterns, pattern.id);
  });
  return units::joined(found | std::views::transform([](const AdviceResult* result) {
                         const std::string headline = headline_text(*result);
                         if (headline.empty()) return result->id + " (" + unusual_here(*result) + ")";
                         return result->id + " " + group_remark(*result) + headline;
                       }));
}

// "C++: Thrust": what was measured in the place of the line of PyTorch.
std::string measured_text(const catalogue::MeasuredCalls& measured) {
  std::vector<std::string> parts;
  for (const auto& [program, call] : {std::pair("C++", measured.in_cpp), std::pair("PyTorch", measured.in_pytorch),
                                      std::pair("a model of yours", measured.in_a_model)}) {
    if (!call.empty()) parts.push_back(fmt::format("{}: {}", program, call));
  }
  return units::joined(parts, "; ");
}

std::string title_of(const AdviceResult& result, const catalogue::CatalogueRow* row) {
  const std::string headline = key_text(result);
  std::string title = result.id + (headline.empty() ? "" : ", " + headline);
  if (row != nullptr) title += ": " + row->advice;
  return title;
}

}  // namespace

Blocks details_of(const AdvisedFile& file, const AdviceResult& result) {
  Fields fields{
      {{"here", holds_text(result)}, {"most", most_text(result)}, {"same cause", same_cause(file.advice, result)}},
      false,
      advice_badges(),
      {"here"}};
  if (const catalogue::CatalogueRow* row = catalogue::built_in().find(result.id)) {
    fields.labelled.insert(fields.labelled.end(), {{"before", row->before},
                                                   {"after", row->after},
                                                   {"judged by", judged_by(result.metric)},
                                                   {"PyTorch", row->pytorch},
                                                   {"measured", measured_text(row->measured)},
                                                   {row->kind == catalogue::AdviceKind::tool ? "told by" : "CUDA", row->cuda},
                                                   {"backfires", row->backfires},
                                                   {"claimed", row->claim + " (" + row->source + ")"},
                                                   {"the claim", claim_text(result)},
                                                   {"not so", row->refuted}});
  }
  Blocks blocks{std::move(fields)};
  if (List all{alternatives(result)}; !all.items.empty()) blocks.push_back(std::move(all));
  return blocks;
}

void add_piece(Page& page, const AdvisedFile& file, const AdviceResult& result, bool points) {
  page.heading(units::shorten(title_of(result, catalogue::built_in().find(result.id)), 160), 3);
  page.add(details_of(file, result));
  if (!result.reason.empty() && result.counts.decided() == 0) page.paragraph(units::shorten(result.reason, 300));
  points ? add_points(page, result) : add_curves(page, result);
}

void add_symptoms(Page& page, const AdvisedFile& file) {
  if (!file.context.device) return;  // all patterns are of a GPU's profile
  bool is_first = true;
  for (const catalogue::Pattern& pattern : catalogue::built_in().patterns) {
    const std::string pays = remedies(file, pattern, advice::AdviceVerdict::pays);
    const std::string mixed = remedies(file, pattern, advice::AdviceVerdict::mixed);
    const std::string costs = remedies(file, pattern, advice::AdviceVerdict::harms);
    if (pays.empty() && mixed.empty() && costs.empty()) continue;
    if (std::exchange(is_first, false)) page.heading("From symptom to remedy");
    page.heading(pattern.symptom, 3);
    page.fields({{"cause", pattern.cause},
                 {"remedy", pattern.remedy},
                 {"pays here", pays},
                 {"mixed here", mixed},
                 {"costs here", costs}});
  }
}

}  // namespace cupel::report
