// The same for programs: base units, nothing rounded, absent what has no value.
#include <fmt/core.h>

#include <cmath>

#include "cupel/advice/matrix.hpp"
#include "cupel/report/advise/parts.hpp"
#include "cupel/report/text/escape.hpp"

namespace cupel::report {
namespace {

using advice::AdviceCurve;
using advice::AdvicePoint;
using advice::AdviceResult;

// An object, member by member; what is empty is left out.
class Object {
 public:
  Object& raw(const char* key, const std::string& json) {
    text_ += (text_.empty() ? "" : ", ") + json_string(key) + ": " + json;
    return *this;
  }
  Object& string(const char* key, const std::string& value) {
    return value.empty() ? *this : raw(key, json_string(value));
  }
  Object& number(const char* key, const std::optional<double>& value) {
    return value && std::isfinite(*value) ? raw(key, fmt::format("{}", *value)) : *this;
  }
  Object& count(const char* key, const std::optional<int>& value) {
    return value ? raw(key, std::to_string(*value)) : *this;
  }
  Object& flag(const char* key, bool value) { return raw(key, value ? "true" : "false"); }
  std::string str() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

template <class List, class Write>
std::string array(const List& list, const Write& write, const std::string& indent = "") {
  std::string text;
  const std::string between = indent.empty() ? ", " : ",\n" + indent;
  for (const auto& element : list) text += (text.empty() ? "" : between) + write(element);
  return indent.empty() || text.empty() ? "[" + text + "]" : "[\n" + indent + text + "]";
}

std::string point_json(const advice::AdvicePoint& point, const advice::AdviceMetric& metric) {
  Object object;
  object.number("size", point.size).string("scenario", point.scenario);
  object.string("before", point.before_name).string("after", point.after_name);
  object.string("verdict", to_string(point.verdict)).string("reason", point.reason);
  if (point.mode) object.string("mode", record::to_string(*point.mode));
  if (point.gain) {
    object.number("gain", point.gain->ratio).number("low", point.gain->low).number("high", point.gain->high);
    if (point.gain->low) object.number("level", point.gain->level).flag("exact", point.gain->exact);
    const bool is_time = metric.is_time();
    object.number(is_time ? "before_s" : "before_value", point.before);
    object.number(is_time ? "after_s" : "after_value", point.after);
    if (is_time) object.number("saved_s", point.before - point.after);
    object.count("processes", point.processes).count("left_out", point.left_out);
  }
  return object.count("processes_needed", point.needed).str();
}

std::string curve_json(const advice::AdviceCurve& curve, const AdviceResult& result) {
  Object object;
  object.string("scenario", curve.scenario).string("variant", curve.variant).flag("recommended", curve.recommended);
  object.string("axis", curve.axis).string("holds", holds(curve, result.kind));
  const auto write = [&](const advice::AdvicePoint& point) { return point_json(point, result.metric); };
  return object.raw("points", array(curve.points, write, "          ")).str();
}

std::string strings_json(const std::vector<std::string>& texts) {
  return array(texts, [](const std::string& text) { return json_string(text); });
}

void add_catalogue_row(Object& object, const catalogue::CatalogueRow& row) {
  object.string("advice", row.advice).string("claim", row.claim).string("source", row.source);
  object.string("before", row.before).string("after", row.after);
  object.string("pytorch", row.pytorch).string("cuda", row.cuda).string("backfires", row.backfires);
  object.raw("patterns", strings_json(row.patterns));
}

std::string metric_json(const advice::AdviceMetric& metric) {
  return Object()
      .string("metric", metric.is_time() ? "time" : metric.counter)
      .string("unit", metric.unit)
      .string("better", record::to_string(metric.better))
      .str();
}

std::string result_json(const AdviceResult& result, const catalogue::Catalogue& catalogue,
                        const AdviseOptions& options) {
  Object object;
  object.string("id", result.id).string("kind", to_string(result.kind)).string("verdict", to_string(result.verdict));
  object.raw("judged_by", metric_json(result.metric));
  object.string("holds", holds(result)).string("reason", result.reason);
  object.number("gain", result.gain).number("loss", result.loss).number("typical", result.typical);
  object.raw("points", Object()
                           .count("pays", result.pays)
                           .count("harms", result.harms)
                           .count("no_difference", result.same)
                           .count("undecided", result.undecided)
                           .count("not_measurable", result.not_measurable)
                           .str());
  if (options.benchmarked) object.flag("has_benchmark", options.benchmarked->count(result.id) > 0);
  if (const catalogue::CatalogueRow* row = catalogue.find(result.id)) add_catalogue_row(object, *row);
  const auto write = [&](const advice::AdviceCurve& curve) { return curve_json(curve, result); };
  return object.raw("curves", array(result.curves, write, "        ")).str();
}

std::string cause_json(const figures::Cause& cause) {
  return Object().string("id", cause.id).string("what", cause.what).string("remedy", cause.remedy).str();
}

std::string file_json(const AdvisedFile& file, const catalogue::Catalogue& catalogue, const AdviseOptions& options) {
  Object object;
  object.string("file", file.path).string("machine", machine_name(file.context));
  if (file.context.device) object.string("device", file.context.device->name);
  object.string("cpu", file.context.host.cpu).string("started", file.context.run.started);
  object.count("processes", file.context.run.processes);
  object.raw("causes", array(file.causes, cause_json, "      "));
  std::vector<const AdviceResult*> chosen;
  for (const AdviceResult& result : file.advice) {
    if (options.only.empty() || result.id == options.only) chosen.push_back(&result);
  }
  const auto write = [&](const AdviceResult* result) { return result_json(*result, catalogue, options); };
  return object.raw("advice", array(chosen, write, "      ")).str();
}

std::string matrix_json(const std::vector<AdvisedFile>& files, const AdviseOptions& options) {
  std::vector<std::vector<AdviceResult>> machines;
  for (const AdvisedFile& file : files) machines.push_back(file.advice);
  std::vector<advice::AdviceMatrixRow> rows = advice::advice_matrix(machines);
  if (!options.only.empty()) std::erase_if(rows, [&](const auto& row) { return row.id != options.only; });
  const auto rank = [](const advice::AdviceCell& cell) {
    return cell.rank > 0 ? std::to_string(cell.rank) : std::string("null");
  };
  const auto write = [&](const advice::AdviceMatrixRow& row) {
    return Object()
        .string("id", row.id)
        .flag("verdict_differs", row.verdict_differs)
        .flag("rank_differs", row.rank_differs)
        .raw("ranks", array(row.cells, rank))
        .str();
  };
  return array(rows, write, "    ");
}

}  // namespace

std::string advise_json(const std::vector<AdvisedFile>& files, const catalogue::Catalogue& catalogue,
                        const AdviseOptions& options) {
  const auto write = [&](const AdvisedFile& file) { return file_json(file, catalogue, options); };
  std::string text = "{\n  \"cupel_advise\": 1,\n";
  text += fmt::format("  \"tolerance\": {},\n  \"level\": {},\n", options.rules.tolerance, options.rules.level);
  text += "  \"files\": " + array(files, write, "    ");
  if (files.size() > 1) text += ",\n  \"matrix\": " + matrix_json(files, options);
  return text + "\n}\n";
}

}  // namespace cupel::report
