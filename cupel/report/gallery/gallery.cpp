#include "cupel/report/gallery/gallery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <set>

#include "cupel/advice/matrix.hpp"
#include "cupel/bands/judge.hpp"
#include "cupel/bands/words.hpp"
#include "cupel/catalogue/catalogue.hpp"
#include "cupel/figures/machine.hpp"
#include "cupel/figures/names.hpp"
#include "cupel/figures/quantity.hpp"
#include "cupel/report/advise/matrix.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::report {

const char* const kGalleryMaker = "cupel report --gallery";

namespace {

using advice::AdviceMatrixRow;
using advice::AdviceResult;
using advice::CellWords;

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

// Their names in tables, as short as they differ.
std::vector<std::string> names_of_columns(const std::vector<GalleryModel>& models) {
  std::vector<std::string> names;
  for (const GalleryModel& model : models) names.push_back(model.gpu);
  return models.size() < 2 ? names : figures::short_names(names);
}

// A page that links to all.
Page begun(const std::string& title, const std::vector<GalleryModel>& models, const NamesByFamily& families) {
  Page page{.made_by = kGalleryMaker, .title = title, .others = {{"all models", kIndex}}};
  for (const GalleryModel& model : models) page.others.emplace_back(model.gpu, model_page(model));
  for (const auto& [family, _] : families) page.others.emplace_back(family, family_page(family));
  return page;
}

// Advice on a model: of its first run, which has most of it, and of the others what that has not. Places are those
// among what pays in one run, so these have none.
std::vector<AdviceResult> advice_of(const GalleryModel& model) {
  std::vector<AdviceResult> all;
  for (const GalleryRun& run : model.runs) {
    for (const AdviceResult& result : run.advice) {
      if (!was_measured(result) || units::contains(all | std::views::transform(&AdviceResult::id), result.id)) continue;
      all.push_back(result);
      if (&run != &model.runs.front()) all.back().place.number = 0;
    }
  }
  return all;
}

std::string what_to_do(const std::string& id) {
  const catalogue::CatalogueRow* const row = catalogue::built_in().find(id);
  return row == nullptr ? "" : row->advice;
}

// Says of each row what it is of, before its verdicts, and gives it an address.
void add_what_to_do(Table& table, const std::vector<AdviceMatrixRow>& rows) {
  table.columns.insert(table.columns.begin() + 1, left("what to do", Fold::prose));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Table::Line& line = table.lines[i];
    line.id = "advice-" + rows[i].id;
    line.cells.front() = rows[i].id;  // in full
    line.cells.insert(line.cells.begin() + 1, what_to_do(rows[i].id));
  }
}

// differ: the rows of which the verdict differs, which are the first.
void add_groups(Table& table, std::size_t differ) {
  if (differ == 0) return;
  const auto group = [&](std::size_t at, const char* title) {
    table.lines.insert(table.lines.begin() + at, {.is_group = true, .cells = {title, ""}});
  };
  if (differ < table.lines.size()) group(differ, "The same verdict wherever it is decided");
  group(0, "Not the same verdict on all models");
}

const char* const kHowAdvice =
    "A figure is time before / time after on that model, not one model against another. Of several runs of a model the "
    "one counts in which most advice was measured, and for pieces that it lacks the "
    "others, without a place. What is decided on no model is left out. cupel advise FILE has every point with its "
    "interval.";

// As `cupel advise` shows machines side by side, first what is not said alike of all models.
Table verdict_matrix(const std::vector<GalleryModel>& models) {
  std::vector<std::vector<AdviceResult>> machines;
  for (const GalleryModel& model : models) machines.push_back(advice_of(model));
  std::vector<AdviceMatrixRow> rows = advice::advice_matrix(machines);
  const auto alike = std::ranges::stable_partition(rows, &AdviceMatrixRow::verdict_differs).begin();
  Table table = matrix_table(rows, names_of_columns(models), CellWords::verdict);
  add_what_to_do(table, rows);
  add_groups(table, static_cast<std::size_t>(alike - rows.begin()));
  table.instead = "No advice was measured.";
  table.notes = {models.size() < 2 ? "#n: place among what pays." : matrix_key(rows, CellWords::verdict), kHowAdvice};
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

// Lists each fact that the records of its boards do not all say alike: it may be what makes boards differ.
Fields differences_of(const GalleryModel& model) {
  constexpr std::size_t kMost = 6;
  std::map<std::string, std::vector<std::string>> values;
  for (const auto& [_, board] : model.bands.boards) {
    for (const auto& [fact, value] : board.facts) units::add_once(values[fact], value);
  }
  values.erase("board");
  Fields fields;
  for (const auto& [fact, all] : values) {
    if (all.size() < 2) continue;
    std::string text = units::joined(all | std::views::take(kMost), "; ");
    if (all.size() > kMost) text += fmt::format("; {} more", all.size() - kMost);
    fields.labelled.emplace_back(fact, text);
  }
  return fields;
}

std::string rate_in(const GalleryModel& model, const std::string& name) {
  for (const GalleryRun& run : model.runs) {
    for (const figures::Figure& figure : run.figures) {
      if (figure.is_main && figure.name == name && figure.rate) return figures::known_rate_text(figure);
    }
  }
  return "";
}

const bands::Band* band_of(const GalleryModel& model, const std::string& name) {
  const auto band = model.bands.benchmarks.find(name);
  return band == model.bands.benchmarks.end() || band->second.boards.empty() ? nullptr : &band->second;
}

Table times_of(const GalleryModel& model, const std::string& family, const std::vector<std::string>& names) {
  Table table({left("benchmark"), right("time"), left("one more board"), right("boards"), right("between boards"),
               left("spread by"), right("rate")});
  for (const std::string& name : names) {
    const bands::Band* const band = band_of(model, name);
    if (band == nullptr) continue;
    const bands::Typical typical = bands::typical(*band);
    table.links[name] = address_of(family, name);
    table.row(
        {name, seconds(typical.time_s), next_text(typical), std::to_string(typical.boards),
         typical.boards > 1 ? units::format_percent(typical.sd) : "", bands::spread_cause(*band), rate_in(model, name)},
        {}, name);
  }
  return table;
}

const char* const kHowTimes =
    "Time: median over boards of the median over processes. One more board: where another board's time lies in 95 of "
    "100 cases, from three boards on.";

GalleryPage model_site(const GalleryModel& model, const std::vector<GalleryModel>& models,
                       const NamesByFamily& families) {
  Page page = begun(model.gpu, models, families);
  page.sought = families.empty() ? page.sought : figures::operation_of(families.begin()->second.front());
  page.add(Heading{"Runs", 2, "runs"});
  page.add(runs_table(model));
  page.paragraph(fmt::format("{}, {} known here.", model.bands.model,
                             units::counted(std::ssize(model.bands.boards), "board is", "boards are")));
  for (const GalleryRun& run : model.runs) {
    if (run.labels.empty()) continue;
    page.add(Heading{run.name, 3});
    page.add(List{run.labels});
  }
  if (Fields differences = differences_of(model); !differences.labelled.empty()) {
    page.add(Heading{"What the boards' records differ in", 2, "boards"});
    page.add(std::move(differences));
  }
  page.add(Heading{"Advice", 2, "advice"});
  page.add(verdict_matrix({model}));
  page.add(Heading{"Times", 2, "times"});
  page.paragraph(std::string(kHowTimes) +
                 " Between boards: standard deviation of the logarithms of their times. Spread by: processes, where "
                 "those of one board differ by as much as boards; else the host, of times by its clock, or the GPU. "
                 "Rate: of the first run here that has one.");
  for (const auto& [family, names] : families) {
    Table table = times_of(model, family, names);
    if (table.empty()) continue;
    page.add(Heading{.title = family,
                     .id = "family-" + units::slug(family),
                     .folded = units::counted(std::ssize(table.lines), "benchmark")});
    page.add(std::move(table));
  }
  return {model_page(model), as_html(page)};
}

// The boards of a band, the one that was measured first first.
std::vector<const bands::Board*> boards_of(const GalleryModel& model, const bands::Band& band) {
  std::vector<const bands::Board*> boards;
  for (const auto& [name, _] : band.boards) {
    if (const auto board = model.bands.boards.find(name); board != model.bands.boards.end())
      boards.push_back(&board->second);
  }
  std::ranges::stable_sort(boards, {}, &bands::Board::measured);
  return boards;
}

// "cupel cd5995c65be2", "11 revisions of cupel"; empty where no board says its own.
std::string revisions_text(const std::vector<const bands::Board*>& boards) {
  constexpr std::ptrdiff_t kMostNamed = 3;
  std::vector<std::string> revisions;
  for (const bands::Board* board : boards) {
    if (const auto found = board->facts.find("revision"); found != board->facts.end())
      units::add_once(revisions, found->second);
  }
  if (std::ssize(revisions) > kMostNamed) return fmt::format("{} revisions of cupel", revisions.size());
  return revisions.empty() ? "" : "cupel " + units::joined(revisions);
}

// "last measured 2026-11-20 to 2026-11-28 by 11 revisions of cupel": bands know a board's newest result alone.
std::string origin_text(const std::vector<const bands::Board*>& boards) {
  constexpr std::size_t kDate = 10;
  if (boards.empty()) return "";
  std::string text = "last measured " + units::range_text(boards.front()->measured.substr(0, kDate),
                                                          boards.back()->measured.substr(0, kDate));
  units::append(text, revisions_text(boards), " by ");
  return text;
}

// "gemm/square/n:8192 on NVIDIA H200: 1.40 ms, median of 2 boards; last measured 2026-11-25 by cupel cd5995c65be2,
// family-gemm.html#gemm/square/n:8192": a line to cite.
std::string cited(const GalleryModel& model, const std::string& name, const bands::Band& band) {
  const bands::Typical typical = bands::typical(band);
  std::string text =
      fmt::format("{} on {}: {}, {}", name, model.gpu, seconds(typical.time_s),
                  typical.boards == 1 ? "one board" : fmt::format("median of {} boards", typical.boards));
  if (typical.low_s) text += fmt::format(", one more lies in {}", next_text(typical));
  units::append(text, origin_text(boards_of(model, band)), "; ");
  return text + ", " + address_of(band.family, name);
}

// The models side by side; of those behind the first their time by its.
GalleryPage family_site(const std::string& family, const std::vector<std::string>& names,
                        const std::vector<GalleryModel>& models, const NamesByFamily& families) {
  Page page = begun(family, models, families);
  page.sought = figures::operation_of(names.front());
  page.add(Heading{"Times", 2, "times"});
  page.paragraph(std::string(kHowTimes) +
                 (models.size() > 1 ? " A ratio of times below 1: the model that is named first is quicker." : "") +
                 " A row's address is this page's, with # and its name behind it.");
  std::vector<Column> columns{left("benchmark")};
  const std::vector<std::string> short_names = names_of_columns(models);
  for (const std::string& name : short_names) {
    columns.push_back(right(name));
    columns.push_back(left("one more board"));
    if (name != short_names.front()) columns.push_back(right("time, " + name + " / " + short_names.front()));
  }
  std::vector<std::string> operations;
  for (const std::string& name : names) units::add_once(operations, figures::operation_of(name));
  for (const std::string& operation : operations) {
    Table table(columns);
    List lines;
    for (const std::string& name : names) {
      if (figures::operation_of(name) != operation) continue;
      std::vector<std::string> cells{name};
      const bands::Band* const first = band_of(models.front(), name);
      for (const GalleryModel& model : models) {
        const bands::Band* const band = band_of(model, name);
        const bands::Typical typical = band != nullptr ? bands::typical(*band) : bands::Typical{};
        cells.push_back(band != nullptr ? seconds(typical.time_s) : "");
        cells.push_back(next_text(typical));
        if (&model != &models.front())
          cells.push_back(band != nullptr && first != nullptr
                              ? units::format_significant(typical.time_s / bands::typical(*first).time_s)
                              : "");
        if (band != nullptr) lines.items.push_back(cited(model, name, *band));
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
  Page page = begun("Advice on each GPU", models, families);
  page.sought = "pays fuse";
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
