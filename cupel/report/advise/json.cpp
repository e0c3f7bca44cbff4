// The same for programs: base units, nothing rounded, absent what has no value.
#include "cupel/advice/matrix.hpp"
#include "cupel/figures/machine.hpp"
#include "cupel/record/data.hpp"
#include "cupel/record/fields.hpp"
#include "cupel/report/advise/fields.hpp"
#include "cupel/report/advise/parts.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::report {

using namespace record::detail;
namespace {

using advice::AdviceResult;

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
                    {"causes", encode(file.causes)},
                    {"unusual", bands::names_of(file.board.benchmarks)},
                    {"bottlenecks", encode(file.bottlenecks)},
                    {"knees", encode(file.knees)},
                    {"steps", list_of(figures::waterfalls_of(file.figures), step_json)},
                    {"advice", list_of(chosen, [](const AdviceResult* result) { return encode(*result); })}});
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
