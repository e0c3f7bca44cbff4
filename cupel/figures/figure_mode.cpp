#include "cupel/figures/figure_mode.hpp"

#include <algorithm>

#include "cupel/record/row.hpp"

namespace cupel::figures {

void FigureMode::add(const record::Row& row) {
  if (const record::Series* figure = row.main_series()) ++rows_[static_cast<std::size_t>(figure->mode)];
}

std::optional<record::Mode> FigureMode::mode() const {
  std::optional<record::Mode> most;
  int count = 0;
  for (const record::Mode mode : {record::Mode::hot, record::Mode::cold, record::Mode::host, record::Mode::sustained}) {
    const int rows = rows_[static_cast<std::size_t>(mode)];
    if (rows <= count) continue;
    most = mode;
    count = rows;
  }
  return most;
}

std::vector<record::Mode> modes_of(std::span<const Process> processes) {
  FigureMode figure;
  std::vector<record::Mode> modes;
  for (const Process& process : processes) {
    figure.add(*process.row);
    for (const record::Series& series : process.row->series) {
      if (std::ranges::find(modes, series.mode) == modes.end()) modes.push_back(series.mode);
    }
  }
  std::stable_partition(modes.begin(), modes.end(), [&](record::Mode mode) { return mode == figure.mode(); });
  return modes;
}

}  // namespace cupel::figures
