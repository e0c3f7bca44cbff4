// The same for programs: base units, nothing rounded, absent what has no value.
#include "cupel/advice/matrix.hpp"
#include "cupel/advice/words.hpp"
#include "cupel/figures/machine.hpp"
#include "cupel/record/data.hpp"
#include "cupel/report/advise/parts.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::report {

using namespace record::detail;
namespace {

using advice::AdviceCurve;
using advice::AdvicePoint;
using advice::AdviceResult;

Json point_json(const AdvicePoint& point, const advice::AdviceMetric& metric) {
  Json object = object_of({{"size", point.size},
                           {"scenario", point.scenario},
                           {"before", point.before_name},
                           {"after", point.after_name},
                           {"verdict", to_string(point.verdict)},
                           {"reason", point.reason},
                           {"mode", point.mode ? record::to_string(*point.mode) : ""}});
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
  const auto point = [&](const AdvicePoint& one) { return point_json(one, result.metric); };
  return object_of({{"scenario", curve.scenario},
                    {"variant", curve.variant},
                    {"recommended", curve.recommended},
                    {"counted", curve.counts()},
                    {"axis", curve.axis},
                    {"holds", holds(curve, result.kind)},
                    {"points", list_of(curve.points, point)}});
}

Json row_json(const catalogue::CatalogueRow& row) {
  return object_of({{"advice", row.advice},
                    {"claim", row.claim},
                    {"source", row.source},
                    {"before", row.before},
                    {"after", row.after},
                    {"pytorch", row.pytorch},
                    {"cuda", row.cuda},
                    {"backfires", row.backfires},
                    {"patterns", row.patterns}});
}

Json metric_json(const advice::AdviceMetric& metric) {
  return object_of({{"metric", metric.is_time() ? "time" : metric.counter},
                    {"unit", metric.unit},
                    {"better", record::to_string(metric.better)}});
}

Json result_json(const AdviceResult& result) {
  Json object = object_of({{"id", result.id},
                           {"kind", to_string(result.kind)},
                           {"verdict", to_string(result.verdict)},
                           {"judged_by", metric_json(result.metric)},
                           {"holds", holds(result)},
                           {"alternatives", alternatives(result)},
                           {"reason", result.reason}});
  if (result.place.rank > 0) put(object, "rank", result.place.rank);
  put(object, "cause", result.place.cause);
  put(object, "group", to_string(result.place.group));
  put(object, "gain", result.gains.least_gain);
  put(object, "gains", list_of(result.gains.parts, [](const advice::PartGain& one) {
        return Json{{"family", one.family}, {"precision", one.precision}, {"least", one.least}, {"most", one.most}};
      }));
  put(object, "loss", result.gains.least_loss);
  if (result.gains.in_step) {
    object["in_step"] = {{"step", result.gains.in_step->step},
                         {"change", result.gains.in_step->change},
                         {"gain", result.gains.in_step->ratio},
                         {"saved_s", result.gains.in_step->saved_s()}};
  }
  if (!result.unusual.empty()) object["unusual"] = true;
  put(object, "claim_held", claim_text(result));
  put(object, "typical", result.gains.typical);
  put(object, "points",
      {{"pays", result.counts.pays},
       {"harms", result.counts.harms},
       {"no_difference", result.counts.same},
       {"undecided", result.counts.undecided},
       {"not_measurable", result.counts.not_measurable}});
  if (const catalogue::CatalogueRow* row = catalogue::built_in().find(result.id)) object.update(row_json(*row));
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
          {"largest_batch", or_null(knee.largest)},
          {"largest_trained", knee.trained ? Json(knee.trained->size) : Json()},
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
  const auto chosen =
      units::filtered(file.advice, [&](const auto& one) { return options.only.empty() || one.id == options.only; });
  return object_of({{"file", file.path},
                    {"machine", figures::machine_name(file.context)},
                    {"device", file.context.device ? file.context.device->name : ""},
                    {"cpu", file.context.host.cpu},
                    {"started", file.context.run.started},
                    {"processes", file.context.run.processes},
                    {"causes", list_of(file.causes, cause_json)},
                    {"unusual", bands::names_of(file.board.benchmarks)},
                    {"bottlenecks", list_of(file.bottlenecks, bottleneck_json)},
                    {"knees", list_of(file.knees, knee_json)},
                    {"steps", list_of(figures::waterfalls_of(file.figures), step_json)},
                    {"advice", list_of(chosen, [](const AdviceResult* result) { return result_json(*result); })}});
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
