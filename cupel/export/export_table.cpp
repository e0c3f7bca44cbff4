#include "cupel/export/export_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "cupel/figures/figure.hpp"
#include "cupel/figures/names.hpp"
#include "cupel/figures/process.hpp"
#include "cupel/record/data.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::exports {
namespace {

using figures::Figure;
using record::Row;
using record::Series;
using Params = std::vector<std::pair<std::string, std::string>>;

/// A text, a number, or null where it is not known.
using Cell = record::detail::Json;

struct Column {
  std::string title;
  Cell cell;
};
using Columns = std::vector<Column>;

Cell text(const std::string& value) { return value.empty() ? Cell() : Cell(value); }
Cell number(const std::optional<double>& value) { return value && std::isfinite(*value) ? Cell(*value) : Cell(); }

// A parameter's value is a number where all of it reads as one.
Cell value_of(const std::string& text) {
  if (const auto whole = units::number<std::int64_t>(text)) return *whole;
  const auto real = units::number<double>(text);
  return real && std::isfinite(*real) ? Cell(*real) : Cell(text);
}

// Part of a line: a table has millions of lines whose first columns are alike.
std::string part(ExportFormat format, const Columns& columns) {
  std::string line;
  for (const Column& column : columns) {
    if (format == ExportFormat::csv) {
      line += (&column == &columns.front() ? "" : ",") + record::detail::csv_cell(column.cell);
    } else if (!column.cell.is_null()) {
      line += (line.empty() ? "" : ",") + record::detail::line(column.title) + ":" + record::detail::line(column.cell);
    }
  }
  return line;
}

// The parameters of all names, in the order in which they first appear.
std::vector<std::string> parameters_of(const std::vector<ExportedFile>& files) {
  std::vector<std::string> names;
  for (const ExportedFile& file : files) {
    for (const Row& row : file.results.rows) {
      for (const auto& [name, value] : row.params) units::add_once(names, name);
    }
  }
  return names;
}

class Table {
 public:
  Table(ExportFormat format, std::vector<std::string> parameters)
      : format_(format), parameters_(std::move(parameters)) {}

  void add(const ExportedFile& file, ExportLevel level) {
    if (level == ExportLevel::benchmarks) {
      for (const Figure& figure : figures::figures_of(file.results)) add(file, figure);
      return;
    }
    for (const Row& row : file.results.rows) {
      if (row.series.empty() && level == ExportLevel::processes) add_process(file, row, nullptr);
      for (const Series& series : row.series) {
        if (level == ExportLevel::samples) {
          add_samples(file, row, series);
        } else {
          add_process(file, row, &series);
        }
      }
    }
  }

  std::string take() { return std::move(text_); }

 private:
  // The columns with which all levels begin. `mode` is empty of what was not measured.
  Columns begin(const ExportedFile& file, const std::string& family, const std::string& name, const Params& params,
                const std::string& mode, bool is_main) const {
    const record::Context& context = file.results.context;
    Columns columns{{"file", text(file.name)},
                    {"gpu", context.device ? text(context.device->name) : Cell()},
                    {"uuid", context.device ? text(context.device->uuid) : Cell()},
                    {"driver", context.device ? text(context.device->driver_version) : Cell()},
                    {"cpu", text(context.host.cpu)},
                    {"started", text(context.run.started)},
                    {"family", text(family)},
                    {"operation", text(figures::operation_of(name))},
                    {"benchmark", text(name)}};
    for (const std::string& parameter : parameters_) {
      const auto its = std::ranges::find(params, parameter, &Params::value_type::first);
      columns.push_back({"param_" + parameter, its == params.end() ? Cell() : value_of(its->second)});
    }
    columns.push_back({"mode", text(mode)});
    columns.push_back({"main", mode.empty() ? Cell() : Cell(is_main ? 1 : 0)});
    return columns;
  }

  void add_samples(const ExportedFile& file, const Row& row, const Series& series) {
    Columns first = begin(file, row.family, row.name, row.params, to_string(series.mode), &series == row.main_series());
    first.push_back({"process", Cell(row.process)});
    first.push_back({"counts", Cell(counts(row) ? 1 : 0)});
    const std::string alike = part(format_, first);
    const std::vector<double> corrected_s = series.corrected_s();
    for (std::size_t i = 0; i < corrected_s.size(); ++i) {
      const Columns own{{"sample", Cell(static_cast<std::int64_t>(i))},
                        {"time", number(corrected_s[i])},
                        {"correction", number(series.correction_s)},
                        {"unit", text("s")}};
      if (text_.empty()) head(first, own);
      line(alike + "," + part(format_, own));
    }
  }

  void add_process(const ExportedFile& file, const Row& row, const Series* series) {
    Columns all = begin(file, row.family, row.name, row.params, series == nullptr ? "" : to_string(series->mode),
                        series == row.main_series());
    const figures::Process process = figures::process_of(row);
    const figures::ProcessTimes* const time =
        series == nullptr || !process.is_ok() ? nullptr : process.in(series->mode);
    const Columns own{{"process", Cell(row.process)},
                      {"counts", Cell(counts(row) ? 1 : 0)},
                      {"status", text(to_string(row.status))},
                      {"time", time == nullptr ? Cell() : number(time->location_s)},
                      {"correction", series == nullptr ? Cell() : number(series->correction_s)},
                      {"unit", text("s")},
                      {"samples", series == nullptr ? Cell() : Cell(std::ssize(series->samples_s))},
                      {"reason", text(row.reason)}};
    std::ranges::copy(own, std::back_inserter(all));
    add(all);
  }

  void add(const ExportedFile& file, const Figure& figure) {
    Columns all = begin(file, figure.family, figure.name, figure.params,
                        figure.time ? to_string(figure.mode) : std::string(), figure.is_main);
    const bool has_rate = figure.rate && !figure.shown_as_time;
    const std::optional<figures::Estimate>& time = figure.time;
    const Columns own{{"ok", Cell(figure.ok)},
                      {"skipped", Cell(figure.skipped)},
                      {"failed", Cell(figure.failed)},
                      {"time", time ? number(time->location_s) : Cell()},
                      {"low", time ? number(time->low_s) : Cell()},
                      {"high", time ? number(time->high_s) : Cell()},
                      {"level", time && time->low_s ? number(time->level) : Cell()},
                      {"unit", text("s")},
                      {"samples", time ? Cell(figure.samples) : Cell()},
                      {"quantity", has_rate ? text(figure.rate->quantity) : Cell()},
                      {"per_second", has_rate ? number(figure.rate->per_second) : Cell()},
                      {"limit_per_second", has_rate ? number(figure.rate->limit_per_second) : Cell()},
                      {"share_of_limit", has_rate ? number(figure.rate->share_of_limit()) : Cell()},
                      {"caveats", text(fmt::format("{}", fmt::join(figure.caveats, "; ")))},
                      {"reason", text(figure.reason)}};
    std::ranges::copy(own, std::back_inserter(all));
    add(all);
  }

  static bool counts(const Row& row) { return figures::state_of(row) == figures::ProcessState::counts; }

  void add(const Columns& columns) {
    if (text_.empty()) head(columns, {});
    line(part(format_, columns));
  }

  void head(const Columns& first, const Columns& then) {
    if (format_ != ExportFormat::csv) return;
    std::vector<std::string> titles;
    for (const Columns* columns : {&first, &then}) {
      for (const Column& column : *columns) titles.push_back(record::detail::csv_field(column.title));
    }
    text_ += fmt::format("{}\n", fmt::join(titles, ","));
  }

  void line(const std::string& parts) { text_ += format_ == ExportFormat::csv ? parts + "\n" : "{" + parts + "}\n"; }

  ExportFormat format_;
  std::vector<std::string> parameters_;
  std::string text_;
};

}  // namespace

std::string export_table(const std::vector<ExportedFile>& files, ExportLevel level, ExportFormat format) {
  Table table(format, parameters_of(files));
  for (const ExportedFile& file : files) table.add(file, level);
  return table.take();
}

}  // namespace cupel::exports
