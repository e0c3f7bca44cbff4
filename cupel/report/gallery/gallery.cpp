#include "cupel/report/gallery/gallery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cupel/advice/answer.hpp"
#include "cupel/advice/words.hpp"
#include "cupel/bands/judge.hpp"
#include "cupel/bands/words.hpp"
#include "cupel/figures/machine.hpp"
#include "cupel/figures/names.hpp"
#include "cupel/figures/quantity.hpp"
#include "cupel/report/advise/badges.hpp"
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

// The result that says most of a piece: of the run in which most of its points were measured.
const AdviceResult* best_of(const GalleryModel& model, const std::string& id) {
  const AdviceResult* best = nullptr;
  for (const GalleryRun& run : model.runs) {
    const auto found = std::ranges::find(run.advice, id, &AdviceResult::id);
    if (found == run.advice.end() || found->verdict >= AdviceVerdict::not_compared) continue;
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

// Puts first what is not said alike of all models, then the changes in the order in which `cupel advise` says them.
Table verdict_matrix(const std::vector<GalleryModel>& models) {
  std::vector<Column> columns{left("advice")};
  std::vector<std::string> ids;
  for (const std::string& name : names_of_columns(models)) columns.push_back(verdicts(name, Fold::wrapped));
  for (const GalleryModel& model : models) {
    for (const GalleryRun& run : model.runs) {
      for (const advice::Change& change : advice::answer_of(run.advice, run.figures).changes)
        units::add_once(ids, change.piece->id);
    }
  }
  for (const GalleryModel& model : models) {
    for (const GalleryRun& run : model.runs) {
      for (const AdviceResult& result : run.advice) units::add_once(ids, result.id);
    }
  }
  struct Row {
    std::string id;
    std::vector<const AdviceResult*> on;
    bool differs;
  };
  std::vector<Row> rows;
  for (const std::string& id : ids) {
    Row row{id, {}, false};
    std::set<std::string> said;
    for (const GalleryModel& model : models) {
      row.on.push_back(best_of(model, id));
      if (row.on.back() != nullptr) said.insert(verdict_said(*row.on.back()));
    }
    row.differs = said.size() > 1;
    if (!said.empty()) rows.push_back(std::move(row));
  }
  Table table(columns);
  table.badges = advice_badges();
  const auto same = std::ranges::stable_partition(rows, &Row::differs).begin();
  for (auto row = rows.begin(); row != rows.end(); ++row) {
    if (same != rows.begin() && row == rows.begin()) table.group("Not alike on all models");
    if (same != rows.begin() && row == same) table.group("Alike wherever it was measured");
    std::vector<std::string> cells{row->id};
    for (const AdviceResult* result : row->on) cells.push_back(verdict_cell(result));
    table.links[row->id] = "#advice-" + row->id;
    table.row(cells, {}, "advice-" + row->id);
  }
  table.instead = "No advice was measured.";
  table.notes = {
      "The figure is the gain that a piece is ranked by: time before / time after on the largest work. Of several runs "
      "of a model the one counts in which most was measured. Changes to make first come first. cupel advise FILE has "
      "every point with its interval."};
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

// The models side by side; of those behind the first their time by its.
GalleryPage family_site(const std::string& family, const std::vector<std::string>& names,
                        const std::vector<GalleryModel>& models, const NamesByFamily& families) {
  Page page = begun(family, models, families);
  page.sought = figures::operation_of(names.front());
  page.add(Heading{"Times", 2, "times"});
  page.paragraph(std::string(kHowTimes) + " A row's address is this page's, with # and its name behind it.");
  std::vector<Column> columns{left("benchmark")};
  const std::vector<std::string> short_names = names_of_columns(models);
  for (const std::string& name : short_names) {
    columns.push_back(right(name));
    columns.push_back(left("one more board"));
    if (name != short_names.front()) columns.push_back(right(name + " / " + short_names.front()));
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
