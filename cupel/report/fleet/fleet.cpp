#include "cupel/report/fleet/fleet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <utility>

#include "cupel/fleet/fields.hpp"
#include "cupel/fleet/outliers.hpp"
#include "cupel/record/data.hpp"
#include "cupel/record/encode.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {

using namespace record::detail;
namespace {

using fleet::Fleet;
using fleet::FleetFigure;
using fleet::Labelled;
using fleet::Mention;

constexpr std::size_t kMostRows = 12;  // of a table, unless all are asked for
constexpr int kToAFigure = 4;          // of a line of JSON: fleets, fleet, benchmarks, figure

std::string cell(const std::string& text) { return units::shorten(units::visible(text), 80); }

std::string z_text(double z) { return std::isfinite(z) ? units::format_fixed(z, 1) : "inf"; }

// No outlier is found among what could be judged, which may be little.
std::string no_outlier(const fleet::Judged& judged) {
  if (judged.judged == judged.benchmarks) return "No outlier.";
  return fmt::format("No outlier among the {} of {} that could be judged.", judged.judged,
                     units::counted(judged.benchmarks, "benchmark"));
}

constexpr const char* kNoneByItself = "No machine stands out by itself, but there are two kinds of machine:";

// How many benchmarks of a family stand out with it: "all 27", "3 of 27".
std::string benchmarks_text(const Fleet& fleet, const FleetFigure& figure) {
  if (!figure.family.empty()) return "";
  if (figure.name == fleet::kEverything) return units::counted(figure.benchmarks, "family", "families");
  const std::ptrdiff_t with_it = fleet::benchmarks_within(fleet, figure);
  if (with_it > 1 && with_it == figure.benchmarks) return fmt::format("all {}", with_it);
  return fmt::format("{} of {}", with_it, figure.benchmarks);
}

std::size_t rows_shown(const fleet::Outliers& outliers, bool all) {
  return all ? outliers.rows.size() : std::min(outliers.rows.size(), kMostRows);
}

Table outlier_table(const Fleet& fleet, const std::vector<std::string>& labels, bool all) {
  Table table(
      {left("machine"), left("what"), left("name"), left("mode"), right("as long"), right("z"), right("benchmarks")});
  if (!fleet.families.empty()) table.instead = fleet.kinds.empty() ? no_outlier(fleet.judged) : kNoneByItself;
  const fleet::Outliers outliers = fleet::outliers_of(fleet, all);
  for (std::size_t i = 0; i < rows_shown(outliers, all); ++i) {
    const auto& [what, figure] = outliers.rows[i];
    table.row({cell(labels[figure->machine]), fleet::to_string(what), cell(figure->name),
               figure->mode ? record::to_string(*figure->mode) : "", units::format_fixed(figure->ratio, 3) + "x",
               z_text(figure->z), benchmarks_text(fleet, *figure)});
  }
  return table;
}

// Says what the table leaves out, and how to have it.
std::vector<std::string> left_out(const Fleet& fleet, bool all) {
  const fleet::Outliers outliers = fleet::outliers_of(fleet, all);
  const std::size_t cut = outliers.rows.size() - rows_shown(outliers, all);
  std::vector<std::string> lines;
  if (outliers.folded > 0) {
    lines.push_back(units::counted(static_cast<std::int64_t>(outliers.folded), "benchmark stands out with its family",
                                   "benchmarks stand out with their families") +
                    ": --all lists them.");
  }
  if (cut > 0)
    lines.push_back(fmt::format("{} not shown: --all lists them.", units::counted(cut, "row is", "rows are")));
  return lines;
}

std::string cells(const std::vector<std::string>& texts) {
  return units::joined(texts | std::views::transform(cell), "; ");
}

// Says what to look at: what the records say otherwise.
std::vector<std::string> reasons(const Fleet& fleet, const std::vector<std::string>& labels) {
  std::vector<std::string> lines;
  for (const fleet::Kinds& kinds : fleet.kinds) {
    std::vector<std::string> names;
    for (const std::size_t machine : kinds.slower) names.push_back(labels[machine]);
    lines.push_back(fmt::format("{}: two kinds of machine, {} apart. The slower: {}. {}", cell(kinds.family),
                                units::format_percent(kinds.ratio - 1), fmt::join(names, ", "),
                                kinds.differs.empty() ? "Nothing recorded explains it. Check cooling, other jobs, and "
                                                        "whether all were measured by the same cupel."
                                                      : "Differs: " + cells(kinds.differs) + "."));
  }
  for (const fleet::Differs& one : fleet.differs) {
    lines.push_back(fmt::format(
        "{}: {}", cell(labels[one.machine]),
        one.what.empty() ? "nothing recorded explains it; run cupel doctor there" : "differs: " + cells(one.what)));
  }
  return lines;
}

std::string unjudged_text(fleet::Unjudged why, const fleet::FleetRule& rule) {
  using enum fleet::Unjudged;
  switch (why) {
    case busy:
      return "measured while threads waited for a CPU (busy machines)";
    case disturbed:
      return "measured while the GPU was throttled by heat, or shared";
    case failed:
      return "failed";
    case twice:
      return "with a name that occurs twice";
    case cut_short:
      return "cut short";
    case unlike:
      return "not timed alike on the machines";
    case skipped:
      return "skipped";
    case few:
      return fmt::format("on fewer than {} machines", rule.fewest);
  }
  return "";
}

std::string what_to_do(const fleet::Judged& judged) {
  const bool is_of_others =
      judged.not_judged_for(fleet::Unjudged::busy) > 0 || judged.not_judged_for(fleet::Unjudged::disturbed) > 0;
  return is_of_others ? "end other programs on these machines, and measure again."
                      : "cupel show FILE says why, for each file.";
}

// Says how many benchmarks could be judged and why the others could not; nothing where all could.
std::vector<std::string> not_judged(const Fleet& fleet, const fleet::FleetRule& rule) {
  const fleet::Judged& judged = fleet.judged;
  if (judged.not_judged.empty() || judged.shares_nothing() || fleet.machines.size() < rule.fewest) return {};
  std::vector<std::string> reasons;
  for (const auto& [why, count] : judged.not_judged)
    reasons.push_back(fmt::format("{} {}", count, unjudged_text(why, rule)));
  std::vector<std::string> lines{fmt::format("{} of {} could not be judged: {}.", judged.benchmarks - judged.judged,
                                             units::counted(judged.benchmarks, "benchmark"),
                                             units::joined(reasons, ", "))};
  if (!judged.is_enough())
    lines.push_back("This is no clean bill, as fewer than half could be judged: " + what_to_do(judged));
  return lines;
}

// Says what the table does not: how even the fleet is otherwise, what failed, what was left out.
std::vector<std::string> remarks(const Fleet& fleet, const std::vector<std::string>& labels,
                                 const fleet::FleetRule& rule, bool all) {
  std::vector<std::string> lines = reasons(fleet, labels);
  std::ranges::move(left_out(fleet, all), std::back_inserter(lines));
  std::ranges::move(not_judged(fleet, rule), std::back_inserter(lines));
  if (fleet.machines.size() < rule.fewest) {
    lines.push_back(fmt::format("{} of this model: fewer than {}, so that none can be told from the others.",
                                fleet.machines.size(), rule.fewest));
  } else if (fleet.judged.shares_nothing()) {
    lines.push_back(fmt::format(
        "Nothing could be judged: these machines measured different benchmarks, none of them on {} machines.",
        rule.fewest));
  } else if (fleet.families.empty()) {
    lines.push_back(
        fmt::format("Nothing could be judged: no benchmark has a usable time on {} machines.", rule.fewest));
  }
  for (std::size_t i = 0; i < fleet.families.size();) {
    std::size_t end = i;
    double low = fleet.families[i].ratio, high = low;
    for (; end < fleet.families.size() && fleet.families[end].name == fleet.families[i].name; ++end) {
      low = std::min(low, fleet.families[end].ratio);
      high = std::max(high, fleet.families[end].ratio);
    }
    lines.push_back(fmt::format("{}: {} machines, {}x to {}x as long as their median", cell(fleet.families[i].name),
                                end - i, units::format_fixed(low, 3), units::format_fixed(high, 3)));
    i = end;
  }
  for (std::size_t i = 0; i < fleet.failed.size(); ++i) {
    if (fleet.failed[i] == 0) continue;
    lines.push_back(
        fmt::format("{}: {} failed", cell(labels[fleet.machines[i]]), units::counted(fleet.failed[i], "benchmark")));
  }
  return lines;
}

std::string heading(const Fleet& fleet) {
  return cell(fleet.model) + ": " + units::counted(std::ssize(fleet.machines), "machine");
}

std::vector<std::string> legend_of(const fleet::FleetRule& rule) {
  return {"as long: time against the machines' median; above 1x is slower.",
          "z: distance from that median in standard deviations of the other machines.",
          "benchmarks: how many of the family's stand out by themselves, too.",
          fmt::format("A machine is listed where Rosner's test finds it and it is more than {} away.",
                      units::format_percent(rule.effect))};
}

std::string attendance_heading(const fleet::Attendance& attendance) {
  if (!attendance.all_were_named) {
    return fmt::format("{} of {} results {} not whole.", attendance.absent.size(), attendance.expected,
                       attendance.absent.size() == 1 ? "is" : "are");
  }
  if (attendance.absent.empty()) return fmt::format("All {} nodes expected are there, whole.", attendance.expected);
  return fmt::format("{} of {} nodes expected are missing or incomplete.", attendance.absent.size(),
                     attendance.expected);
}

Table absent_nodes(const fleet::Attendance& attendance) {
  Table table({left("node"), left("result"), left("why")});
  for (const fleet::Absence absence : {fleet::Absence::missing, fleet::Absence::incomplete})
    table.badges[to_string(absence)] = Badge::bad;
  for (const fleet::Absent& one : attendance.absent) {
    table.row({cell(one.node), to_string(one.what), units::shorten(units::visible(one.why), 200)});
  }
  return table;
}

std::vector<std::string> not_expected(const fleet::Attendance& attendance) {
  std::vector<std::string> lines;
  for (const std::string& node : attendance.unexpected) lines.push_back(cell(node) + ": was not expected");
  for (const fleet::Absent& file : attendance.unreadable)
    lines.push_back(fmt::format("{}: cannot be read and does not count: {}", cell(file.node),
                                units::shorten(units::visible(file.why), 200)));
  return lines;
}

std::vector<std::string> boards_again(const std::vector<fleet::Again>& again) {
  std::vector<std::string> lines;
  for (const fleet::Again& one : again) {
    std::string line =
        one.board.empty()
            ? fmt::format("{}: a copy of {} (the same run), which counts once", cell(one.label), cell(one.counted_as))
            : fmt::format("{}: of the same board as {} ({}), which counts once by its newest result", cell(one.label),
                          cell(one.counted_as), cell(one.board));
    if (one.added > 0)
      line += fmt::format("; {} added", units::counted(one.added, "benchmark that the newest lacks is",
                                                       "benchmarks that the newest lacks are"));
    lines.push_back(line + ".");
  }
  return lines;
}

// A part of the page: about the files, or about a fleet.
void add_part(Page& page, const std::string& id, const std::string& heading, Table table,
              std::vector<std::string> lines) {
  page.add(Heading{heading, 3, id});
  page.add(std::move(table));
  page.add(List{std::move(lines), false});
}

Page page_of(const std::vector<Fleet>& fleets, const std::vector<std::string>& labels, const fleet::FleetRule& rule,
             const FleetOptions& options, const fleet::FleetFiles& files) {
  Page page{"cupel compare --fleet", "Fleet"};
  if (files.attendance) {
    add_part(page, "nodes", attendance_heading(*files.attendance), absent_nodes(*files.attendance),
             not_expected(*files.attendance));
  }
  for (std::size_t i = 0; i < fleets.size(); ++i) {
    add_part(page, fmt::format("fleet-{}", i + 1), heading(fleets[i]), outlier_table(fleets[i], labels, options.all),
             remarks(fleets[i], labels, rule, options.all));
  }
  if (!files.again.empty()) {
    const std::string count = units::counted(std::ssize(files.again), "file is", "files are");
    add_part(page, "boards", count + " of a machine that another file has.", Table({}), boards_again(files.again));
  }
  const auto has_table = [](const Fleet& fleet) { return !fleet::outliers_of(fleet, true).rows.empty(); };
  if (!options.legend && std::ranges::none_of(fleets, has_table)) return page;
  page.add(Heading{.title = "Method", .id = "method", .html_only = true});
  page.add(legend_blocks({legend_of(rule), false}, options.legend));
  return page;
}

// A figure, and the model and the kind that it is of.
struct FigureOf {
  Labelled<FleetFigure> figure;
  std::string model, what;
};

void visit(auto& v, Is<FigureOf> auto& of) {
  visit(v, of.figure);
  v("model", of.model, kWholeAlways);
  v("what", of.what, kAlways);
}

// Absent nodes have why for a name.
std::string as_csv(const std::vector<Fleet>& fleets, const std::vector<std::string>& labels,
                   const fleet::FleetFiles& files) {
  Json list = Json::array();
  for (const fleet::Absent& one : files.attendance ? files.attendance->absent : std::vector<fleet::Absent>{})
    list.push_back(encode(Mention{one.node, to_string(one.what), one.why}));
  for (const fleet::Again& one : files.again) list.push_back(encode(Mention{one.label, "SAME-BOARD", one.counted_as}));
  for (const Fleet& fleet : fleets) {
    const auto add = [&](const std::vector<FleetFigure>& figures, const char* what) {
      for (const FleetFigure& figure : figures) {
        list.push_back(encode(FigureOf{{figure, labels}, fleet.model, what}));
      }
    };
    add(fleet.everything, "machine");
    add(fleet.families, "family");
    add(fleet.benchmarks, "benchmark");
  }
  return csv(list, "model,machine,what,name,ratio,z,benchmarks,outlier,mode", "");
}

}  // namespace

std::string fleet(const std::vector<fleet::Fleet>& fleets, const std::vector<std::string>& labels,
                  const fleet::FleetRule& rule, const FleetOptions& options, const fleet::FleetFiles& files) {
  if (options.format == Format::csv) return as_csv(fleets, labels, files);
  if (options.format == Format::json)
    return lines(encode(fleet::FleetDocument{fleets, labels, files}), kToAFigure) + "\n";
  return rendered(page_of(fleets, labels, rule, options, files), options.format, options.terminal);
}

}  // namespace cupel::report
