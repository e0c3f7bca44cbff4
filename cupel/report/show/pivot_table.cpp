#include "cupel/report/show/pivot_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "cupel/figures/pace.hpp"
#include "cupel/figures/quantity.hpp"
#include "cupel/figures/words.hpp"
#include "cupel/stats/quantile.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/utf8.hpp"
#include "cupel/units/wrap.hpp"

namespace cupel::report {
namespace {

constexpr const char* kNone = "-";  // of a benchmark that was not measured, or whose time cannot be told

// How the cells of one table are said: all in one unit, those that have another quantity with their own.
class Figures {
 public:
  Figures(const figures::Pivot& pivot, Metric metric) : metric_(metric) {
    std::vector<const figures::Figure*> measured;
    for (const figures::Pivot::Line& row : pivot.rows) {
      std::ranges::copy_if(row.cells, std::back_inserter(measured), [](const figures::Figure* cell) {
        return cell != nullptr && cell->time && !cell->below_floor;
      });
    }
    quantity_ = figures::usual_rate(measured);
    if (metric_ == Metric::automatic) choose(measured);
    if (metric_ == Metric::rate && !quantity_.empty()) find_scale(measured);
    if (counter_.empty()) find_usual_mode(measured);
    if (metric_ == Metric::limit) find_usual_limits(pivot);
  }

  std::string unit() const {
    if (!counter_.empty()) return counter_;
    if (metric_ == Metric::time) return per_access_ ? "time of an access" : "time";
    if (metric_ == Metric::limit) return "% of limit";
    return quantity_.empty() ? "rate" : std::string(scale_.suffix);
  }

  // Arithmetic that goes on runs at a lower clock than a burst of it: says which of the two the cells hold.
  std::string unit_and_pace(const std::vector<const figures::Figure*>& cells) const {
    if (!counter_.empty() || metric_ != Metric::rate || quantity_ != "flops") return unit();
    std::vector<const figures::Figure*> measured;
    std::ranges::copy_if(cells, std::back_inserter(measured), [](const auto* cell) { return cell->time.has_value(); });
    const std::string pace = figures::pace_of(measured);
    return pace.empty() ? unit() : unit() + " " + pace;
  }

  // Empty where it has no such figure.
  std::string text(const figures::Figure& cell) const {
    if (!counter_.empty()) return figures::amount_text(*cell.counter(counter_));
    if (cell.below_floor) return kNone;
    if (metric_ == Metric::time) return time_text(cell);
    if (metric_ == Metric::limit) {
      return has_limit(cell) ? units::format_significant(100 * *cell.rate->share_of_limit()) : "";
    }
    if (const double value = per_second(cell); value > 0) return units::format_significant(value / scale_.factor);
    return cell.rate ? figures::rate_text(cell.rate->quantity, cell.rate->per_second) : "";
  }

  // Says what a reader must know of a cell; empty where there is nothing.
  std::string remark(const figures::Figure& cell, std::size_t column) const {
    if (cell.only_skipped()) return "skipped: " + cell.reason;
    if (!cell.time) return "failed: " + cell.reason;
    std::vector<std::string> remarks = cell.caveats;
    // A time, or a figure of one, in another mode than most is a different quantity.
    if (usual_mode_ && cell.mode != *usual_mode_) remarks.push_back(mode_text(cell.mode));
    if (!usual_limits_.empty() && has_limit(cell) && limit_text(cell) != usual_limits_[column]) {
      remarks.push_back("of " + limit_text(cell));
    }
    if (is_wide(cell) && (!cell.below_floor || !counter_.empty())) {
      const char* spread = cell.time->is_range() ? "range" : cell.time->across_processes ? "+/-" : "inside";
      remarks.push_back(fmt::format("{} more than {:.0f} %", spread, 100 * kWide));
    }
    return units::joined(remarks);
  }

  // The mode of cells without a remark on theirs, where there are several.
  std::string usual_mode_text() const { return usual_mode_ ? "other cells: " + mode_text(*usual_mode_) : ""; }

  // The limits of cells without a remark on theirs, where there are several: "A (first column); B (second)".
  std::string limits_text(const std::vector<std::string>& titles) const {
    std::map<std::string, std::vector<std::string>> columns;
    for (std::size_t i = 0; i < usual_limits_.size(); ++i) {
      if (!usual_limits_[i].empty()) columns[usual_limits_[i]].push_back(titles[i]);
    }
    if (columns.empty()) return "";
    std::vector<std::string> parts;
    for (const auto& [limit, of] : columns) {
      parts.push_back(columns.size() == 1 ? limit : limit + " (" + units::joined(of) + ")");
    }
    return "limit where none is named: " + units::joined(parts, "; ");
  }

  bool mixes_modes() const { return usual_mode_.has_value(); }

 private:
  static std::string mode_text(record::Mode mode) {
    return fmt::format("{} ({})", record::to_string(mode), figures::mode_meaning(mode));
  }

  std::string time_text(const figures::Figure& cell) const {
    const auto access = per_access_ ? figures::value_of(cell, figures::Quantity::per_access) : std::nullopt;
    return units::format(access ? access->location : cell.time->location_s, units::Unit::seconds);
  }

  // Whether the interval of what the cell shows is wide.
  bool is_wide(const figures::Figure& cell) const {
    const auto wide = [](double location, const auto& low, const auto& high) {
      return low && high && location > 0 && (*high - *low) / 2 > kWide * location;
    };
    if (const figures::CounterValue* shown = cell.counter(counter_)) return wide(shown->value, shown->low, shown->high);
    return wide(cell.time->location_s, cell.time->low_s, cell.time->high_s);
  }

  void choose(const std::vector<const figures::Figure*>& measured) {
    const figures::Quantity known = figures::quantity_of(measured);
    counter_ = known.name;
    per_access_ = known == figures::Quantity::per_access;
    const bool is_rate =
        known == figures::Quantity::bytes || known == figures::Quantity::flops || known == figures::Quantity::items;
    metric_ = is_rate ? Metric::rate : Metric::time;
  }

  void find_usual_mode(const std::vector<const figures::Figure*>& measured) {
    std::vector<record::Mode> modes;
    for (const figures::Figure* cell : measured) modes.push_back(cell->mode);
    if (units::differ(modes)) usual_mode_ = units::most_common(modes);
  }

  static bool has_limit(const figures::Figure& cell) { return cell.rate && cell.rate->limit_per_second; }

  void find_usual_limits(const figures::Pivot& pivot) {
    std::vector<std::string> all, usual;
    for (std::size_t column = 0; column < pivot.columns.size(); ++column) {
      std::vector<std::string> limits;
      for (const figures::Pivot::Line& row : pivot.rows) {
        const figures::Figure* cell = row.cells[column];
        if (cell != nullptr && has_limit(*cell)) limits.push_back(limit_text(*cell));
      }
      usual.push_back(units::most_common(limits).value_or(""));
      all.insert(all.end(), limits.begin(), limits.end());
    }
    if (units::differ(all)) usual_limits_ = std::move(usual);
  }

  double per_second(const figures::Figure& cell) const {
    if (!(cell.time->location_s > 0)) return 0;
    return static_cast<double>(cell.workload.amount(quantity_)) / cell.time->location_s;
  }

  // The middle one's: the largest would leave most figures of a wide range with zeros in front.
  void find_scale(const std::vector<const figures::Figure*>& measured) {
    std::vector<double> values;
    for (const figures::Figure* cell : measured) {
      if (per_second(*cell) > 0) values.push_back(per_second(*cell));
    }
    scale_ = units::scale_for(stats::median_if_any(values).value_or(0), figures::unit_of_rate(quantity_));
  }

  Metric metric_;
  std::string counter_;      // that the cells hold instead of times and rates
  bool per_access_ = false;  // times are of one access
  std::string quantity_;
  units::Scale scale_;
  std::optional<record::Mode> usual_mode_;  // where there are others, too
  std::vector<std::string> usual_limits_;   // of each column, empty without any; none where all cells have one limit
};

// In parentheses; empty where the figure's result was not held against a reference.
std::string error_beside(const figures::Figure& cell) {
  const figures::CounterValue* error = cell.counter(figures::kRelativeError);
  return error == nullptr ? "" : "(" + error_text(error->value) + ")";
}

bool is_number(const std::string& text) { return !text.empty() && text.find_first_not_of("0123456789.") == text.npos; }

struct Cell {
  std::string value, error, mark;
};

std::size_t width_of(const std::vector<Cell>& cells, std::string Cell::*part) {
  std::size_t widest = 0;
  for (const Cell& cell : cells) widest = std::max(widest, units::display_width(cell.*part));
  return widest;
}

// Value, error and mark each below those of the row before.
std::vector<std::string> aligned(const std::vector<Cell>& column) {
  const std::size_t value = width_of(column, &Cell::value);
  const std::size_t error = width_of(column, &Cell::error), mark = width_of(column, &Cell::mark);
  std::vector<std::string> texts;
  for (const Cell& cell : column) {
    texts.push_back(units::padded(cell.value, value, true));
    if (error > 0) texts.back() += " " + units::padded(cell.error, error, false);
    if (mark > 0) texts.back() += " " + units::padded(cell.mark, mark, false);
  }
  return texts;
}

// "[1]", at the end of a cell, of the note that says so.
std::string mark_of(const std::string& remark, std::vector<std::string>& notes) {
  if (remark.empty()) return "";
  const auto same = [&](const std::string& note) { return note.substr(note.find(' ') + 1) == remark; };
  const auto found = std::ranges::find_if(notes, same);
  const std::string text = fmt::format("[{}]", found - notes.begin() + 1);
  if (found == notes.end()) notes.push_back(text + " " + remark);
  return text;
}

std::vector<Column> label_columns(const figures::Pivot& pivot) {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < pivot.parameters.size(); ++i) {
    const bool numbers =
        std::ranges::all_of(pivot.rows, [i](const figures::Pivot::Line& row) { return is_number(row.values[i]); });
    columns.push_back(numbers ? right(pivot.parameters[i]) : left(pivot.parameters[i]));
  }
  return columns;
}

std::string heading_of(const figures::Pivot& pivot, const std::string& unit, bool any_error) {
  const std::string across = pivot.across == "by" ? "way" : pivot.across;  // "by by" would be said else
  return fmt::format("{}{}{}: {} by {}{}", pivot.operation, pivot.common.empty() ? "" : " ",
                     figures::text_of(pivot.common), unit, across, any_error ? ", relative error in parentheses" : "");
}

}  // namespace

std::string error_text(double error) {
  if (error == 0) return "0";
  std::string text = fmt::format("{:.1e}", error);
  const std::size_t sign = text.find_last_of("+-");
  while (text[sign + 1] == '0' && sign + 2 < text.size()) text.erase(sign + 1, 1);
  return text;
}

std::optional<PivotTable> pivot_table(const figures::Pivot& all, Metric metric) {
  const figures::Pivot pivot = figures::without_skipped(all);
  if (pivot.columns.size() < 2 || pivot.rows.empty()) return std::nullopt;
  const Figures figures(pivot, metric);
  std::vector<const figures::Figure*> members;
  std::vector<std::string> notes;
  std::vector<std::vector<Cell>> columns(pivot.columns.size());
  for (const figures::Pivot::Line& row : pivot.rows) {
    for (std::size_t column = 0; column < columns.size(); ++column) {
      Cell& cell = columns[column].emplace_back();
      const figures::Figure* figure = row.cells[column];
      if (figure == nullptr) continue;
      cell.value = figure->time ? figures.text(*figure) : kNone;
      if (figure->time) cell.error = error_beside(*figure);
      cell.mark = mark_of(figures.remark(*figure, column), notes);
      members.push_back(figure);
    }
  }
  const auto any = [&](const auto& is) {
    return std::ranges::any_of(columns, [&](const auto& cells) { return std::ranges::any_of(cells, is); });
  };
  if (!any([](const Cell& cell) { return !cell.value.empty() && cell.value != kNone; })) return std::nullopt;

  std::vector<Column> titles = label_columns(pivot);
  std::vector<std::vector<std::string>> texts;
  std::vector<std::string> across;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    across.push_back(figures::readable_value(pivot.across, pivot.columns[column]));
    titles.push_back(right(across.back()));
    texts.push_back(aligned(columns[column]));
  }
  const std::string unit = figures.unit_and_pace(members);
  PivotTable result{Table(std::move(titles)), std::move(members), figures.mixes_modes()};
  result.table.keys = pivot.parameters.size();
  result.table.title = heading_of(pivot, unit, any([](const Cell& cell) { return !cell.error.empty(); }));
  result.table.notes = std::move(notes);
  for (std::size_t row = 0; row < pivot.rows.size(); ++row) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < pivot.parameters.size(); ++i)
      cells.push_back(figures::readable_value(pivot.parameters[i], pivot.rows[row].values[i]));
    for (const std::vector<std::string>& column : texts) cells.push_back(column[row]);
    result.table.row(std::move(cells));
  }
  for (const std::string& usual : {figures.usual_mode_text(), figures.limits_text(across)}) {
    if (!usual.empty()) result.table.notes.push_back(usual);
  }
  return result;
}

}  // namespace cupel::report
