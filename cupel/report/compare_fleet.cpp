#include "cupel/report/compare_fleet.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "cupel/record/json_text.hpp"
#include "cupel/report/compare_formats.hpp"
#include "cupel/report/escape.hpp"
#include "cupel/report/table.hpp"
#include "cupel/units/format.hpp"

namespace cupel::report {
namespace {

using record::detail::Json;

using compare::Fleet;
using compare::FleetFigure;

constexpr std::size_t kMostBenchmarks = 30;

std::string cell(const std::string& text) { return shorten(escape_text(text), 80); }

std::string z_text(double z) { return std::isfinite(z) ? units::format_fixed(z, 1) : "inf"; }

std::vector<std::string> cells(const FleetFigure& figure, const char* what, const std::vector<std::string>& labels) {
  return {
      cell(labels[figure.machine]),     what, cell(figure.name), units::format_fixed(figure.ratio, 3), z_text(figure.z),
      std::to_string(figure.benchmarks)};
}

std::vector<Column> columns() {
  return {{"machine"}, {"what"}, {"name"}, {"ratio", Align::right}, {"z", Align::right}, {"benchmarks", Align::right}};
}

std::size_t shown_benchmarks(const Fleet& fleet) { return std::min(fleet.benchmarks.size(), kMostBenchmarks); }

std::vector<std::vector<std::string>> outlier_rows(const Fleet& fleet, const std::vector<std::string>& labels) {
  std::vector<std::vector<std::string>> rows;
  for (const FleetFigure& figure : fleet.families) {
    if (figure.outlier) rows.push_back(cells(figure, "family", labels));
  }
  for (std::size_t i = 0; i < shown_benchmarks(fleet); ++i) {
    rows.push_back(cells(fleet.benchmarks[i], "benchmark", labels));
  }
  return rows;
}

// What the table does not say: how even the fleet is otherwise, what failed, what was left out.
std::vector<std::string> remarks(const Fleet& fleet, const std::vector<std::string>& labels,
                                 const compare::FleetRule& rule) {
  std::vector<std::string> lines;
  if (fleet.machines.size() < rule.fewest) {
    lines.push_back(fmt::format("{} of this model: fewer than {}, so that none can be told from the others.",
                                fleet.machines.size(), rule.fewest));
  } else if (fleet.families.empty()) {
    lines.push_back("No benchmark has a figure on enough machines.");
  }
  for (std::size_t i = 0; i < fleet.families.size();) {
    std::size_t end = i;
    double low = fleet.families[i].ratio, high = low;
    for (; end < fleet.families.size() && fleet.families[end].name == fleet.families[i].name; ++end) {
      low = std::min(low, fleet.families[end].ratio);
      high = std::max(high, fleet.families[end].ratio);
    }
    lines.push_back(fmt::format("{}: {} machines, ratios from {} to {}", cell(fleet.families[i].name), end - i,
                                units::format_fixed(low, 3), units::format_fixed(high, 3)));
    i = end;
  }
  for (std::size_t i = 0; i < fleet.failed.size(); ++i) {
    if (fleet.failed[i] == 0) continue;
    lines.push_back(fmt::format("{}: {} benchmark{} failed", cell(labels[fleet.machines[i]]), fleet.failed[i],
                                fleet.failed[i] == 1 ? "" : "s"));
  }
  if (fleet.benchmarks.size() > kMostBenchmarks) {
    lines.push_back(fmt::format("{} more benchmarks stand out (--format json has all).",
                                fleet.benchmarks.size() - kMostBenchmarks));
  }
  return lines;
}

std::string heading(const Fleet& fleet) {
  return fmt::format("{}: {} machine{}", cell(fleet.model), fleet.machines.size(),
                     fleet.machines.size() == 1 ? "" : "s");
}

std::string closing(const compare::FleetRule& rule) {
  return fmt::format(
      "ratio: time against the machines' median, above 1 is slower. Outlier: robust z above {} and more than {} away.",
      units::format_fixed(rule.z, 0), units::format_percent(rule.effect));
}

Table outliers(const Fleet& fleet, const std::vector<std::string>& labels) {
  Table table(columns());
  for (std::vector<std::string>& row : outlier_rows(fleet, labels)) table.row(std::move(row));
  return table;
}

constexpr const char* kNone = "No outlier.";

std::string as_text(const std::vector<Fleet>& fleets, const std::vector<std::string>& labels,
                    const compare::FleetRule& rule) {
  std::string text;
  for (const Fleet& fleet : fleets) {
    const Table table = outliers(fleet, labels);
    text += heading(fleet) + "\n\n" + (table.empty() ? std::string(kNone) + "\n" : table.text()) + "\n";
    for (const std::string& line : remarks(fleet, labels, rule)) text += line + "\n";
    text += "\n";
  }
  return text + closing(rule) + "\n";
}

std::string as_markdown(const std::vector<Fleet>& fleets, const std::vector<std::string>& labels,
                        const compare::FleetRule& rule) {
  std::string text;
  for (const Fleet& fleet : fleets) {
    const Table table = outliers(fleet, labels);
    text += "**" + escape_markdown(heading(fleet)) + "**\n\n";
    text += (table.empty() ? std::string(kNone) + "\n" : table.markdown()) + "\n";
    for (const std::string& line : remarks(fleet, labels, rule)) text += "- " + escape_markdown(line) + "\n";
    text += "\n";
  }
  return text + closing(rule) + "\n";
}

std::string as_html(const std::vector<Fleet>& fleets, const std::vector<std::string>& labels,
                    const compare::FleetRule& rule) {
  std::string body = "<h1>Fleet</h1>\n";
  for (const Fleet& fleet : fleets) {
    body += "<h2>" + escape_html(heading(fleet)) + "</h2>\n";
    const std::vector<std::vector<std::string>> rows = outlier_rows(fleet, labels);
    if (rows.empty()) body += std::string("<p>") + kNone + "</p>\n";
    if (!rows.empty()) {
      body += "<table><thead><tr>";
      for (const Column& column : columns()) body += "<th scope=\"col\">" + column.title + "</th>";
      body += "</tr></thead><tbody>\n";
      for (const std::vector<std::string>& row : rows) {
        body += "<tr>";
        for (const std::string& text : row) body += "<td>" + escape_html(text) + "</td>";
        body += "</tr>\n";
      }
      body += "</tbody></table>\n";
    }
    body += "<ul>\n";
    for (const std::string& line : remarks(fleet, labels, rule)) body += "<li>" + escape_html(line) + "</li>\n";
    body += "</ul>\n";
  }
  return html_page("cupel compare --fleet", body + "<p>" + escape_html(closing(rule)) + "</p>\n");
}

std::string csv_line(const Fleet& fleet, const FleetFigure& figure, const char* what,
                     const std::vector<std::string>& labels) {
  return fmt::format("{},{},{},{},{},{},{},{}\n", csv_field(fleet.model), csv_field(labels[figure.machine]), what,
                     csv_field(figure.name), figure.ratio, std::isfinite(figure.z) ? fmt::format("{}", figure.z) : "",
                     figure.benchmarks, figure.outlier ? 1 : 0);
}

std::string as_csv(const std::vector<Fleet>& fleets, const std::vector<std::string>& labels) {
  std::string text = "model,machine,what,name,ratio,z,benchmarks,outlier\n";
  for (const Fleet& fleet : fleets) {
    for (const FleetFigure& figure : fleet.families) text += csv_line(fleet, figure, "family", labels);
    for (const FleetFigure& figure : fleet.benchmarks) text += csv_line(fleet, figure, "benchmark", labels);
  }
  return text;
}

Json figures_json(const std::vector<FleetFigure>& figures, const std::vector<std::string>& labels) {
  Json list = Json::array();
  for (const FleetFigure& figure : figures) {
    list.push_back({{"machine", labels[figure.machine]},
                    {"name", figure.name},
                    {"ratio", figure.ratio},
                    {"z", figure.z},
                    {"benchmarks", figure.benchmarks},
                    {"outlier", figure.outlier}});
  }
  return list;
}

std::string as_json(const std::vector<Fleet>& fleets, const std::vector<std::string>& labels) {
  Json list = Json::array();
  for (const Fleet& fleet : fleets) {
    Json machines = Json::array();
    for (std::size_t i = 0; i < fleet.machines.size(); ++i) {
      machines.push_back({{"label", labels[fleet.machines[i]]}, {"failed", fleet.failed[i]}});
    }
    list.push_back({{"model", fleet.model},
                    {"machines", std::move(machines)},
                    {"families", figures_json(fleet.families, labels)},
                    {"benchmarks", figures_json(fleet.benchmarks, labels)}});
  }
  const Json root{{"schema", {{"name", "cupel-fleet"}, {"major", 1}, {"minor", 0}}}, {"fleets", std::move(list)}};
  constexpr int kToAFigure = 4;  // fleets, fleet, benchmarks, figure
  return record::detail::lines(root, kToAFigure) + "\n";
}

}  // namespace

std::string fleet(const std::vector<compare::Fleet>& fleets, const std::vector<std::string>& labels,
                  const compare::FleetRule& rule, CompareFormat format) {
  switch (format) {
    case CompareFormat::markdown:
      return as_markdown(fleets, labels, rule);
    case CompareFormat::csv:
      return as_csv(fleets, labels);
    case CompareFormat::json:
      return as_json(fleets, labels);
    case CompareFormat::html:
      return as_html(fleets, labels, rule);
    case CompareFormat::text:
      break;
  }
  return as_text(fleets, labels, rule);
}

}  // namespace cupel::report
