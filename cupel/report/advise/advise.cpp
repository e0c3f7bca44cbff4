#include "cupel/report/advise/advise.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <ranges>

#include "cupel/advice/answer.hpp"
#include "cupel/advice/digest.hpp"
#include "cupel/advice/order.hpp"
#include "cupel/advice/words.hpp"
#include "cupel/bands/words.hpp"
#include "cupel/figures/fingerprint.hpp"
#include "cupel/figures/process.hpp"
#include "cupel/record/record.hpp"
#include "cupel/report/advise/parts.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {
namespace {

using advice::AdviceResult;
using advice::AdviceVerdict;

constexpr std::size_t kDetailed = 5;

std::vector<const AdviceResult*> detailed(const AdvisedFile& file, const AdviseOptions& options) {
  if (!options.all) {
    const auto first = advice::first_changes(file.advice, kDetailed);
    return first.empty() ? advice::unranked_pieces(file.advice, kDetailed) : first;
  }
  return units::filtered(file.advice,
                         [](const AdviceResult& result) { return result.verdict < AdviceVerdict::not_measured; });
}

void add_one_piece(Page& page, const AdvisedFile& file, const std::string& id) {
  add_machine(page, file);
  for (const AdviceResult& result : file.advice) {
    if (result.id == id) add_piece(page, file, result, true);
  }
}

void add_whole(Page& page, const AdvisedFile& file, const AdviseOptions& options) {
  add_machine(page, file);
  add_verdicts(page, file, options);
  add_steps(page, file);
  const std::vector<const AdviceResult*> pieces = detailed(file, options);
  if (!pieces.empty())
    page.heading(options.all                      ? "Each piece"
                 : pieces.front()->place.rank > 0 ? "How to apply the first changes"
                                                  : "How to apply what pays");
  for (const AdviceResult* result : pieces) add_piece(page, file, *result, options.all);
  add_bottlenecks(page, file);
  add_knees(page, file);
  add_symptoms(page, file);
}

Page notes_page(const std::vector<AdvisedFile>& files) {
  Page page;
  page.heading("What bears on these numbers", 1);
  for (const AdvisedFile& file : files) add_machine(page, file);
  return page;
}

Page legend_page(const std::vector<AdvisedFile>& files, const AdviseOptions& options) {
  Page page;
  page.heading("How these figures were made", 1);
  add_method(page, files, options);
  return page;
}

Page page_of(const std::vector<AdvisedFile>& files, const AdviseOptions& options) {
  if (options.notes) return notes_page(files);
  if (options.legend) return legend_page(files, options);
  if (files.size() == 1 && options.only.empty() && !options.verdicts && !options.all)
    return {.blocks = answer(files.front(), {options.files, options.page})};
  Page page;
  page.heading(options.only.empty() ? "What pays here" : "Advice: " + options.only, 1);
  if (files.size() > 1 && options.only.empty()) add_matrix(page, files, options.verdicts || options.all);
  const bool each = files.size() == 1 || options.all || !options.only.empty();
  for (const AdvisedFile& file : files) {
    if (!each) {
      if (options.verdicts) add_machine(page, file);
    } else if (!options.only.empty()) {
      add_one_piece(page, file, options.only);
    } else {
      add_whole(page, file, options);
    }
  }
  if (options.verdicts || options.all) add_method(page, files, options);
  return page;
}

}  // namespace

AdvisedFile advised_file(std::string path, const record::ResultSet& results, const advice::AdviceOptions& rules,
                         const bands::Judgement& board) {
  std::vector<figures::Figure> figures = figures::figures_of(results);
  const std::vector<std::string> unusual = bands::names_of(board.benchmarks);
  advice::AdviceOptions rules_here = rules;
  rules_here.unusual = unusual;
  AdvisedFile file{
      std::move(path),
      figures::noted_context(results),
      advice::advise(results, catalogue::built_in(), rules_here),
      figures::causes(results),
      advice::bottlenecks(results.rows),
      advice::knees(figures),
      std::move(figures),
      board,
  };
  for (advice::AdviceResult& result : file.advice) {
    const catalogue::CatalogueRow* row = catalogue::built_in().find(result.id);
    const bool claims_a_sign = row != nullptr && row->claim_says == "sign";
    if (claims_a_sign && !file.knees.empty()) result.sign = advice::sign_text(file.knees.front());
  }
  file.digest = advice::digest(results.rows, file.advice, file.figures);
  std::ranges::move(bands::unusual_causes(board, advice::unusual_of(file.advice)), std::back_inserter(file.causes));
  return file;
}

std::string advise(const std::vector<AdvisedFile>& files, const AdviseOptions& options) {
  return options.format == Format::json ? advise_json(files, options)
                                        : rendered(page_of(files, options), options.format, options.terminal);
}

}  // namespace cupel::report
