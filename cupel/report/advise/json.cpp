// The same for programs: base units, nothing rounded, absent what has no value.
#include "cupel/advice/fields.hpp"
#include "cupel/advice/matrix.hpp"
#include "cupel/figures/machine.hpp"
#include "cupel/record/encode.hpp"
#include "cupel/report/advise/parts.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::report {

using namespace record::detail;
namespace {

using advice::AdviceResult;

struct FileOf {
  const AdvisedFile& file;
  const std::string& only;
};

struct StepOf {
  const figures::Waterfall& step;
};

struct AdviseDocument {
  const std::vector<AdvisedFile>& files;
  const AdviseOptions& options;
};

void visit(auto& v, Is<StepOf> auto& of) {
  v("step", of.step.operation + " " + of.step.where);
  v("changes", figures::changes_of(of.step), kAlways);
}

void visit(auto& v, Is<FileOf> auto& of) {
  const AdvisedFile& file = of.file;
  const std::vector<figures::Waterfall> steps = figures::waterfalls_of(file.figures);
  std::vector<StepOf> steps_of;
  for (const figures::Waterfall& step : steps) steps_of.push_back({step});
  v("file", file.path, kWhole);
  v("machine", figures::machine_name(file.context));
  if (file.context.device) v("device", file.context.device->name);
  v("cpu", file.context.host.cpu);
  v("started", file.context.run.started);
  v("processes", file.context.run.processes);
  v("causes", file.causes, kAlways);
  v("unusual", bands::names_of(file.board.benchmarks), kAlways);
  v("bottlenecks", file.bottlenecks, kAlways);
  v("knees", file.knees, kAlways);
  v("steps", steps_of, kAlways);
  v("advice", units::filtered(file.advice, [&](const auto& one) { return of.only.empty() || one.id == of.only; }),
    kAlways);
}

void visit(auto& v, Is<AdviseDocument> auto& of) {
  std::vector<FileOf> files;
  std::vector<std::vector<AdviceResult>> machines;
  for (const AdvisedFile& file : of.files) {
    files.push_back({file, of.options.only});
    machines.push_back(file.advice);
  }
  v("cupel_advise", 1);
  v("tolerance", of.options.rules.tolerance);
  v("level", of.options.rules.level);
  v("files", files, kAlways);
  if (files.size() < 2) return;
  std::vector<advice::AdviceMatrixRow> rows = advice::advice_matrix(machines);
  if (!of.options.only.empty()) std::erase_if(rows, [&](const auto& row) { return row.id != of.options.only; });
  v("matrix", rows, kAlways);
}

}  // namespace

std::string advise_json(const std::vector<AdvisedFile>& files, const AdviseOptions& options) {
  constexpr int kToAPiece = 4;  // files, file, advice, piece
  return lines(encode(AdviseDocument{files, options}), kToAPiece) + "\n";
}

}  // namespace cupel::report
