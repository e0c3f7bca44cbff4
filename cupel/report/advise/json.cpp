// The same for programs: base units, nothing rounded, absent what has no value.
#include "cupel/advice/matrix.hpp"
#include "cupel/report/advise/parts.hpp"
#include "cupel/report/advise/words.hpp"
#include "cupel/report/text/data.hpp"
#include "cupel/report/text/lists.hpp"
#include "cupel/report/text/machine.hpp"

namespace cupel::report {
namespace {

using advice::AdviceCurve;
using advice::AdvicePoint;
using advice::AdviceResult;
using record::detail::lines;
using record::detail::put;

Json point_json(const AdvicePoint& point, const advice::AdviceMetric& metric) {
  Json object;
  put(object, "size", point.size);
  put(object, "scenario", point.scenario);
  put(object, "before", point.before_name);
  put(object, "after", point.after_name);
  put(object, "verdict", to_string(point.verdict));
  put(object, "reason", point.reason);
  if (point.mode) put(object, "mode", record::to_string(*point.mode));
  if (point.gain) {
    put(object, "gain", point.gain->ratio);
    put(object, point.gain->is_interval ? "low" : "least", point.gain->low);
    put(object, point.gain->is_interval ? "high" : "greatest", point.gain->high);
    if (point.gain->is_interval) put(object, "level", point.gain->level);
    const bool is_time = metric.is_time();
    put(object, is_time ? "before_s" : "before_value", point.before);
    put(object, is_time ? "after_s" : "after_value", point.after);
    if (is_time) put(object, "saved_s", point.before - point.after);
    put(object, "processes", point.processes);
    put(object, "left_out", point.left_out);
  }
  put(object, "processes_needed", point.needed);
  return object;
}

Json curve_json(const AdviceCurve& curve, const AdviceResult& result) {
  Json object;
  put(object, "scenario", curve.scenario);
  put(object, "variant", curve.variant);
  put(object, "recommended", curve.recommended);
  put(object, "counted", curve.counts());
  put(object, "axis", curve.axis);
  put(object, "holds", holds(curve, result.kind));
  put(object, "points",
      list_of(curve.points, [&](const AdvicePoint& point) { return point_json(point, result.metric); }));
  return object;
}

void put_catalogue_row(Json& object, const catalogue::CatalogueRow& row) {
  put(object, "advice", row.advice);
  put(object, "claim", row.claim);
  put(object, "source", row.source);
  put(object, "before", row.before);
  put(object, "after", row.after);
  put(object, "pytorch", row.pytorch);
  put(object, "cuda", row.cuda);
  put(object, "backfires", row.backfires);
  put(object, "patterns", row.patterns);
}

Json metric_json(const advice::AdviceMetric& metric) {
  Json object;
  put(object, "metric", metric.is_time() ? "time" : metric.counter);
  put(object, "unit", metric.unit);
  put(object, "better", record::to_string(metric.better));
  return object;
}

Json result_json(const AdviceResult& result) {
  Json object;
  put(object, "id", result.id);
  put(object, "kind", to_string(result.kind));
  put(object, "verdict", to_string(result.verdict));
  put(object, "judged_by", metric_json(result.metric));
  put(object, "holds", holds(result));
  put(object, "alternatives", alternatives(result));
  put(object, "reason", result.reason);
  if (result.rank > 0) put(object, "rank", result.rank);
  put(object, "cause", result.cause);
  put(object, "group", to_string(result.group));
  put(object, "gain", result.gain);
  put(object, "gains", list_of(result.gains, [](const advice::PartGain& one) {
        return Json{{"family", one.family}, {"precision", one.precision}, {"least", one.least}, {"most", one.most}};
      }));
  put(object, "loss", result.loss);
  if (result.in_step) {
    object["in_step"] = {{"step", result.in_step->step},
                         {"change", result.in_step->change},
                         {"gain", result.in_step->ratio},
                         {"saved_s", result.in_step->saved_s}};
  }
  if (!result.unusual.empty()) object["unusual"] = true;
  put(object, "claim_held", claim_text(result));
  put(object, "typical", result.typical);
  put(object, "points",
      {{"pays", result.pays},
       {"harms", result.harms},
       {"no_difference", result.same},
       {"undecided", result.undecided},
       {"not_measurable", result.not_measurable}});
  if (const catalogue::CatalogueRow* row = catalogue::built_in().find(result.id)) put_catalogue_row(object, *row);
  put(object, "curves", list_of(result.curves, [&](const AdviceCurve& curve) { return curve_json(curve, result); }));
  return object;
}

Json cause_json(const figures::Cause& cause) {
  return {{"id", cause.id}, {"what", cause.what}, {"remedy", cause.remedy}};
}

Json bottleneck_json(const advice::Bottleneck& bottleneck) {
  return {{"stage", bottleneck.stage}, {"change", bottleneck.change}, {"benchmarks", bottleneck.names}};
}

Json knee_json(const advice::Knee& knee) {
  const auto size = [](const advice::BatchSize& one) {
    return Json{{"size", one.size}, {"samples_per_second", one.per_second}, {"gpu_busy", one.busy}};
  };
  return {{"operation", knee.operation},
          {"knee", knee.reached() ? Json(knee.sizes[knee.at].size) : Json()},
          {"largest_batch", record::detail::or_null(knee.largest)},
          {"sizes", list_of(knee.sizes, size)}};
}

Json step_json(const figures::Waterfall& step) {
  const auto change_json = [](const figures::Rung* rung) {
    return Json{{"change", rung->change},
                {"advice", catalogue::built_in().made_by(rung->change)},
                {"added", rung->gain->ratio()},
                {"alone", rung->alone ? Json(rung->alone->ratio()) : Json()}};
  };
  return {{"step", step.operation + " " + step.where}, {"changes", list_of(changes_of(step), change_json)}};
}

Json file_json(const AdvisedFile& file, const AdviseOptions& options) {
  Json object;
  put(object, "file", file.path);
  put(object, "machine", machine_name(file.context));
  if (file.context.device) put(object, "device", file.context.device->name);
  put(object, "cpu", file.context.host.cpu);
  put(object, "started", file.context.run.started);
  put(object, "processes", file.context.run.processes);
  put(object, "causes", list_of(file.causes, cause_json));
  put(object, "unusual", file.unusual);
  put(object, "bottlenecks", list_of(file.bottlenecks, bottleneck_json));
  put(object, "knees", list_of(file.knees, knee_json));
  put(object, "steps", list_of(figures::waterfalls_of(file.figures), step_json));
  const auto chosen =
      those(file.advice, [&](const auto& one) { return options.only.empty() || one.id == options.only; });
  put(object, "advice", list_of(chosen, [](const AdviceResult* result) { return result_json(*result); }));
  return object;
}

Json matrix_json(const std::vector<AdvisedFile>& files, const AdviseOptions& options) {
  std::vector<std::vector<AdviceResult>> machines;
  for (const AdvisedFile& file : files) machines.push_back(file.advice);
  std::vector<advice::AdviceMatrixRow> rows = advice::advice_matrix(machines);
  if (!options.only.empty()) std::erase_if(rows, [&](const auto& row) { return row.id != options.only; });
  const auto rank = [](const advice::AdviceCell& cell) { return cell.rank > 0 ? Json(cell.rank) : Json(); };
  return list_of(rows, [&](const advice::AdviceMatrixRow& row) {
    return Json{{"id", row.id},
                {"verdict_differs", row.verdict_differs},
                {"rank_differs", row.rank_differs},
                {"ranks", list_of(row.cells, rank)}};
  });
}

}  // namespace

std::string advise_json(const std::vector<AdvisedFile>& files, const AdviseOptions& options) {
  Json root{{"cupel_advise", 1}, {"tolerance", options.rules.tolerance}, {"level", options.rules.level}};
  put(root, "files", list_of(files, [&](const AdvisedFile& file) { return file_json(file, options); }));
  if (files.size() > 1) put(root, "matrix", matrix_json(files, options));
  constexpr int kToAPiece = 4;  // files, file, advice, piece
  return lines(root, kToAPiece) + "\n";
}

}  // namespace cupel::report
