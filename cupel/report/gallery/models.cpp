#include "cupel/report/gallery/models.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <stdexcept>
#include <utility>

#include "cupel/advice/matrix.hpp"
#include "cupel/bands/judge.hpp"
#include "cupel/bands/words.hpp"
#include "cupel/figures/causes.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/record/record.hpp"
#include "cupel/report/advise/advise.hpp"

namespace cupel::report {
namespace {

GalleryRun gallery_run(const std::string& name, const record::ResultSet& results, const bands::Judgement& board) {
  const record::Context& context = results.context;
  GalleryRun shown{.name = name,
                   .board = figures::board_of(context),
                   .measured = record::time_text(context.run),
                   .revision = figures::shortened(context.build.git_revision, 12),
                   .facts = figures::facts_of(context)};
  std::vector<figures::Cause> labels = figures::causes(results);
  std::ranges::move(bands::unusual_causes(board), std::back_inserter(labels));
  for (const figures::Cause& label : labels) shown.labels.push_back(label.what);
  if (const std::string usual = bands::usual_text(board); !usual.empty()) shown.labels.push_back(usual);
  AdvisedFile advised = advised_file("", results, {}, board);
  shown.advice = std::move(advised.advice);
  shown.figures = std::move(advised.figures);
  return shown;
}

std::ptrdiff_t advice_measured(const GalleryRun& run) {
  return std::ranges::count_if(run.advice, advice::was_measured);
}

std::vector<std::string> add_boards(bands::Bands& bands, const std::vector<figures::Suite>& parts) {
  std::vector<std::string> left_out;
  for (const figures::Suite& part : parts) {
    try {
      bands::add(bands, part);
    } catch (const std::invalid_argument& problem) {
      left_out.push_back(part.label + ": its times are left out: it " + problem.what());
    }
  }
  return left_out;
}

}  // namespace

std::string GalleryModels::left_out(const std::string& files, const record::ResultSet& results, bool is_foreign) {
  const std::string copied = seen_.copy_of(files, figures::prints_of(results));
  if (!copied.empty()) return files + ": is a copy of " + copied + " (the same run), and is left out";
  if (is_foreign || !results.context.device || results.rows.empty())
    return files + ": is no result of a GPU, and is left out";
  return "";
}

std::vector<std::string> GalleryModels::add(const std::string& name, const record::ResultSet& results,
                                            const std::vector<figures::Suite>& parts, const bands::Bands& known) {
  const std::string model_name = figures::model_of(results.context);
  const auto [at, is_new] = models_.try_emplace(model_name);
  GalleryModel& model = at->second;
  if (is_new) {
    model.gpu = results.context.device->name;
    model.bands = known;
    model.bands.model = model_name;
  }
  const bands::Judgement board =
      known.model.empty() ? bands::Judgement{} : bands::judge(known, figures::suite_of(results, ""));
  model.runs.push_back(gallery_run(name, results, board));
  return add_boards(model.bands, parts);
}

std::vector<GalleryModel> GalleryModels::models() const {
  std::multiset<std::string> gpus;
  for (const auto& [name, model] : models_) gpus.insert(model.gpu);
  std::vector<GalleryModel> all;
  for (const auto& [name, model] : models_) {
    all.push_back(model);
    std::ranges::stable_sort(all.back().runs, std::ranges::greater{}, advice_measured);
    if (gpus.count(model.gpu) > 1) all.back().gpu = name;
  }
  return all;
}

}  // namespace cupel::report
