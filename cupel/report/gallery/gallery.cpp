#include "cupel/report/gallery/gallery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cupel/advice/words.hpp"
#include "cupel/bands/judge.hpp"
#include "cupel/figures/names.hpp"
#include "cupel/figures/quantity.hpp"
#include "cupel/report/advise/parts.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::report {

const char* const kGalleryMaker = "cupel report --gallery";

namespace {

using advice::AdviceResult;
using advice::AdviceVerdict;

constexpr const char* kIndex = "index.html";

std::string model_page(const GalleryModel& model) { return "model-" + units::slug(model.gpu) + ".html"; }
std::string family_page(const std::string& family) { return "family-" + units::slug(family) + ".html"; }

std::string address_of(const std::string& family, const std::string& benchmark) {
  return family_page(family) + "#" + benchmark;
}

// Families of all models, and the benchmarks of each by name.
using NamesByFamily = std::map<std::string, std::vector<std::string>>;

NamesByFamily names_of(const std::vector<GalleryModel>& models) {
  std::map<std::string, std::set<std::string>> found;
  for (const GalleryModel& model : models) {
    for (const auto& [name, band] : model.bands.benchmarks) {
      if (!band.boards.empty()) found[band.family].insert(name);
    }
  }
  NamesByFamily names;
  for (const auto& [family, all] : found) {
    names[family] = {all.begin(), all.end()};
    std::ranges::sort(names[family], figures::natural_less);
  }
  return names;
}

// The links at the head of each page.
Table pages_table(const std::vector<GalleryModel>& models, const NamesByFamily& families) {
  Table table({left("models"), left("families")});
  std::vector<std::string> left_cells{"all models"}, right_cells;
  table.links["all models"] = kIndex;
  for (const GalleryModel& model : models) {
    left_cells.push_back(model.gpu);
    table.links[model.gpu] = model_page(model);
  }
  for (const auto& [family, _] : families) {
    right_cells.push_back(family);
    table.links[family] = family_page(family);
  }
  for (std::size_t i = 0; i < std::max(left_cells.size(), right_cells.size()); ++i) {
    table.row({i < left_cells.size() ? left_cells[i] : "", i < right_cells.size() ? right_cells[i] : ""});
  }
  return table;
}

// The result that says most of a piece: of the run in which most of its points were measured.
const AdviceResult* best_of(const GalleryModel& model, const std::string& id) {
  const AdviceResult* best = nullptr;
  for (const GalleryRun& run : model.runs) {
    const auto found = std::ranges::find(run.advice, id, &AdviceResult::id);
    if (found == run.advice.end() || found->verdict == AdviceVerdict::not_measured) continue;
    if (best == nullptr || found->measured().size() > best->measured().size()) best = &*found;
  }
  return best;
}

std::string verdict_cell(const AdviceResult* result) {
  if (result == nullptr) return "";
  std::string text = verdict_said(*result);
  units::append(text, headline_figure(*result), " ");
  return text;
}

Table verdict_matrix(const std::vector<GalleryModel>& models) {
  std::vector<Column> columns{left("advice")};
  std::vector<std::string> ids;
  for (const GalleryModel& model : models) {
    columns.push_back(verdicts(model.gpu, Fold::wrapped));
    for (const GalleryRun& run : model.runs) {
      for (const AdviceResult& result : run.advice) units::add_once(ids, result.id);
    }
  }
  Table table(columns);
  table.badges = advice_badges();
  for (const std::string& id : ids) {
    std::vector<std::string> cells{id};
    bool any = false;
    for (const GalleryModel& model : models) {
      const AdviceResult* const result = best_of(model, id);
      cells.push_back(verdict_cell(result));
      any = any || result != nullptr;
    }
    if (any) table.row(cells, {}, "advice-" + id);
  }
  table.instead = "No advice was measured.";
  table.notes = {
      "The figure is the gain that a piece is ranked by: time before / time after on the largest work. Of several runs "
      "of "
      "a model the one counts in which most was measured. cupel advise FILE has every point with its interval."};
  return table;
}

std::string fact(const GalleryRun& run, const char* name) {
  const auto found = run.facts.find(name);
  return found == run.facts.end() ? "" : found->second;
}

Table runs_table(const GalleryModel& model) {
  Table table({left("run"), left("board"), left("measured"), left("cupel"), left("driver"), left("CPU")});
  for (const GalleryRun& run : model.runs) {
    table.row({run.name, run.board, run.measured, run.revision, fact(run, "driver"), fact(run, "CPU")});
  }
  return table;
}

std::string seconds(double value) { return units::format(value, units::Unit::seconds); }

// "9.12 us to 9.40 us", or why there is none.
std::string next_text(const bands::Typical& typical) {
  return typical.low_s ? units::range_text(seconds(*typical.low_s), seconds(*typical.high_s)) : "";
}

std::string rate_in(const GalleryModel& model, const std::string& name) {
  for (const GalleryRun& run : model.runs) {
    for (const figures::Figure& figure : run.figures) {
      if (figure.is_main && figure.name == name && figure.rate) return figures::known_rate_text(figure);
    }
  }
  return "";
}

Table times_of(const GalleryModel& model, const std::string& family, const std::vector<std::string>& names) {
  Column benchmark = left("benchmark");
  Table table(
      {benchmark, right("time"), left("one more board"), right("boards"), right("between boards"), right("rate")});
  for (const std::string& name : names) {
    const auto band = model.bands.benchmarks.find(name);
    if (band == model.bands.benchmarks.end() || band->second.boards.empty()) continue;
    const bands::Typical typical = bands::typical(band->second);
    table.links[name] = address_of(family, name);
    table.row({name, seconds(typical.time_s), next_text(typical), std::to_string(typical.boards),
               typical.boards > 1 ? units::format_percent(typical.sd) : "", rate_in(model, name)},
              {}, name);
  }
  return table;
}

const char* const kHowTimes =
    "Time: median over boards of the median over processes. One more board: where another board's time lies in 95 of "
    "100 "
    "cases, from three boards on. Between boards: standard deviation of the logarithms of their times. Rate: of the "
    "first "
    "run here that has one.";

GalleryPage model_site(const GalleryModel& model, const std::vector<GalleryModel>& models,
                       const NamesByFamily& families) {
  Page page{.made_by = kGalleryMaker, .title = model.gpu};
  page.add(Heading{"Pages", 2, "pages"});
  page.add(pages_table(models, families));
  page.add(Heading{"Runs", 2, "runs"});
  page.add(runs_table(model));
  page.paragraph(fmt::format("{}, {} known here.", model.bands.model,
                             units::counted(std::ssize(model.bands.boards), "board is", "boards are")));
  for (const GalleryRun& run : model.runs) {
    if (run.labels.empty()) continue;
    page.add(Heading{run.name, 3});
    page.add(List{run.labels});
  }
  page.add(Heading{"Advice", 2, "advice"});
  page.add(verdict_matrix({model}));
  page.add(Heading{"Times", 2, "times"});
  page.paragraph(kHowTimes);
  for (const auto& [family, names] : families) {
    Table table = times_of(model, family, names);
    if (table.empty()) continue;
    page.add(Heading{family, 2, "family-" + units::slug(family)});
    page.add(std::move(table));
  }
  return {model_page(model), as_html(page)};
}

// "gemm/square/n:8192 on NVIDIA H200: 1.40 ms, median of 6 boards; cupel cd5995c65be2, 2026-11-25": a line to cite.
std::string cited(const GalleryModel& model, const std::string& name, const bands::Band& band) {
  const bands::Typical typical = bands::typical(band);
  std::string text =
      fmt::format("{} on {}: {}, {}", name, model.gpu, seconds(typical.time_s),
                  typical.boards == 1 ? "one board" : fmt::format("median of {} boards", typical.boards));
  if (typical.low_s) text += fmt::format(", one more lies in {}", next_text(typical));
  for (const GalleryRun& run : model.runs) {
    if (std::ranges::find(run.figures, name, &figures::Figure::name) == run.figures.end()) continue;
    return text +
           fmt::format("; cupel {}, {}, {}", run.revision, run.measured.substr(0, 10), address_of(band.family, name));
  }
  return text + fmt::format("; {}", address_of(band.family, name));
}

GalleryPage family_site(const std::string& family, const std::vector<std::string>& names,
                        const std::vector<GalleryModel>& models, const NamesByFamily& families) {
  Page page{.made_by = kGalleryMaker, .title = family};
  page.add(Heading{"Pages", 2, "pages"});
  page.add(pages_table(models, families));
  page.paragraph(std::string(kHowTimes) + " A row's address is this page's, with # and its name behind it.");
  std::vector<Column> columns{left("benchmark")};
  for (const GalleryModel& model : models) {
    columns.push_back(right(model.gpu));
    columns.push_back(left("one more " + model.gpu));
  }
  std::vector<std::string> operations;
  for (const std::string& name : names) units::add_once(operations, figures::operation_of(name));
  for (const std::string& operation : operations) {
    Table table(columns);
    List lines;
    for (const std::string& name : names) {
      if (figures::operation_of(name) != operation) continue;
      std::vector<std::string> cells{name};
      for (const GalleryModel& model : models) {
        const auto band = model.bands.benchmarks.find(name);
        const bool has = band != model.bands.benchmarks.end() && !band->second.boards.empty();
        const bands::Typical typical = has ? bands::typical(band->second) : bands::Typical{};
        cells.push_back(has ? seconds(typical.time_s) : "");
        cells.push_back(has ? next_text(typical) : "");
        if (has) lines.items.push_back(cited(model, name, band->second));
      }
      table.links[name] = "#" + name;
      table.row(cells, {}, name);
    }
    page.add(Heading{operation, 2, "operation-" + units::slug(operation)});
    page.add(std::move(table));
    page.add(Folded{"Lines to cite", {lines}});
  }
  return {family_page(family), as_html(page)};
}

GalleryPage index_site(const std::vector<GalleryModel>& models, const NamesByFamily& families) {
  Page page{.made_by = kGalleryMaker, .title = "Advice on each GPU"};
  page.add(Heading{"Verdicts", 2, "verdicts"});
  page.add(verdict_matrix(models));
  page.add(Heading{"Models", 2, "models"});
  Table table({left("model"), right("boards"), right("runs"), right("benchmarks")});
  for (const GalleryModel& model : models) {
    table.links[model.gpu] = model_page(model);
    table.row({model.gpu, std::to_string(model.bands.boards.size()), std::to_string(model.runs.size()),
               std::to_string(model.bands.benchmarks.size())});
  }
  page.add(std::move(table));
  page.add(Heading{"Families", 2, "families"});
  Table all({left("family"), right("benchmarks")});
  for (const auto& [family, names] : families) {
    all.links[family] = family_page(family);
    all.row({family, std::to_string(names.size())});
  }
  page.add(std::move(all));
  return {kIndex, as_html(page)};
}

}  // namespace

std::vector<GalleryPage> gallery(const std::vector<GalleryModel>& models) {
  const NamesByFamily families = names_of(models);
  std::vector<GalleryPage> pages{index_site(models, families)};
  for (const GalleryModel& model : models) pages.push_back(model_site(model, models, families));
  for (const auto& [family, names] : families) pages.push_back(family_site(family, names, models, families));
  return pages;
}

}  // namespace cupel::report
