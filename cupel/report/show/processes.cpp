#include "cupel/report/show/processes.hpp"

#include <fmt/format.h>

#include "cupel/figures/process.hpp"
#include "cupel/record/row.hpp"
#include "cupel/stats/quantile.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {
namespace {

const char* remark_on(figures::ProcessState state) {
  switch (state) {
    case figures::ProcessState::counts:
      return "";
    case figures::ProcessState::failed:
      return "failed";
    case figures::ProcessState::skipped:
      return "skipped";
    case figures::ProcessState::cut_short:
      return "cut short";
    case figures::ProcessState::disturbed:
      return "disturbed";
    case figures::ProcessState::busy:
      return "busy";
  }
  return "";
}

}  // namespace

Table processes_table(std::span<const record::Row> rows, const figures::Figure& figure, const std::string& file) {
  Table table({right("process"), right("time"), right("median"), right("samples"), left("stopped by"), left("remark")});
  for (const record::Row& row : rows) {
    if (row.name != figure.name) continue;
    const figures::Process process = figures::process_of(row);
    const figures::ProcessTimes* const times = process.in(figure.mode);
    if (times == nullptr) {
      if (!process.is_ok()) {
        table.row({std::to_string(row.process), "", "", "", "",
                   fmt::format("{}: {}", remark_on(process.state), units::visible(row.reason))});
      }
      continue;
    }
    table.row({std::to_string(row.process), units::format(times->location_s, units::Unit::seconds),
               units::format(stats::median(times->series->corrected_s()), units::Unit::seconds),
               std::to_string(times->series->samples_s.size()), record::to_string(times->series->stop),
               remark_on(process.state)});
  }
  table.title = fmt::format("Processes of {}, {}:", units::visible(figure.name), record::to_string(figure.mode));
  table.notes = {"time: the mean of the middle half of a process's samples; the figure is the median of these.",
                 fmt::format("Raw samples, a line each: cupel export {} --filter '{}$' --output samples.csv",
                             file.empty() ? "FILE" : units::visible(file), units::visible(figure.name))};
  return table;
}

}  // namespace cupel::report
