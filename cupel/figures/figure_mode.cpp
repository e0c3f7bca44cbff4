#include "cupel/figures/figure_mode.hpp"

#include <algorithm>

namespace cupel::record {

void FigureMode::add(const Row& row) {
  if (const Series* figure = row.figure()) ++rows_[static_cast<std::size_t>(figure->mode)];
}

std::optional<Mode> FigureMode::mode() const {
  std::optional<Mode> most;
  int count = 0;
  for (const Mode mode : {Mode::hot, Mode::cold, Mode::host, Mode::sustained}) {
    const int rows = rows_[static_cast<std::size_t>(mode)];
    if (rows <= count) continue;
    most = mode;
    count = rows;
  }
  return most;
}

std::vector<Mode> modes_of(std::span<const Row* const> rows) {
  FigureMode figure;
  std::vector<Mode> modes;
  for (const Row* row : rows) {
    figure.add(*row);
    for (const Series& series : row->series) {
      if (std::ranges::find(modes, series.mode) == modes.end()) modes.push_back(series.mode);
    }
  }
  std::ranges::stable_partition(modes, [&](Mode mode) { return mode == figure.mode(); });
  return modes;
}

const Series* series_of(const Row& row, Mode mode) {
  const auto found = std::ranges::find(row.series, mode, &Series::mode);
  return found == row.series.end() || found->samples_s.empty() ? nullptr : &*found;
}

}  // namespace cupel::record
