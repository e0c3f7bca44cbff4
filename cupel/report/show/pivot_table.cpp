#include "cupel/report/show/pivot_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "cupel/figures/quantity.hpp"
#include "cupel/figures/words.hpp"
#include "cupel/report/show/most_common.hpp"
#include "cupel/report/text/wrap.hpp"
#include "cupel/stats/quantile.hpp"
#include "cupel/units/format.hpp"

namespace cupel::report {
namespace {

constexpr std::size_t kIndent = 2, kGap = 2;
constexpr const char* kNone = "-";  // of a benchmark that was not measured

bool only_skipped(const figures::Figure* cell) { return cell != nullptr && cell->ok == 0 && cell->failed == 0; }

// Leaves out rows and columns that are empty or skipped throughout.
Pivot without_skipped(Pivot pivot) {
  const auto nothing = [](const figures::Figure* cell) { return cell == nullptr || only_skipped(cell); };
  std::erase_if(pivot.rows, [&](const Pivot::Line& row) { return std::ranges::all_of(row.cells, nothing); });
  for (std::size_t column = pivot.columns.size(); column-- > 0;) {
    const auto at = static_cast<std::ptrdiff_t>(column);
    if (!std::ranges::all_of(pivot.rows, [&](const Pivot::Line& row) { return nothing(row.cells[column]); })) continue;
    pivot.columns.erase(pivot.columns.begin() + at);
    for (Pivot::Line& row : pivot.rows) row.cells.erase(row.cells.begin() + at);
  }
  return pivot;
}

// How the cells of one table are said: all in one unit, those that have another quantity with their own.
class Figures {
 public:
  Figures(const Pivot& pivot, Metric metric) : metric_(metric) {
    find_quantity(pivot);
    if (metric_ == Metric::automatic) choose(measured_of(pivot));
    if (metric_ == Metric::rate && !quantity_.empty()) find_scale(pivot);
    if (counter_.empty()) find_usual_mode(measured_of(pivot));
    if (metric_ == Metric::limit) find_usual_limits(pivot);
  }

  std::string unit() const {
    if (!counter_.empty()) return counter_;
    if (metric_ == Metric::time) return per_access_ ? "time of an access" : "time";
    if (metric_ == Metric::limit) return "% of limit";
    return quantity_.empty() ? "rate" : std::string(scale_.suffix);
  }

  // Empty where it has no such figure.
  std::string text(const figures::Figure& cell) const {
    if (!counter_.empty()) return figures::amount_text(*cell.counter(counter_));
    switch (metric_) {
      case Metric::limit:
        if (!has_limit(cell)) return "";
        return units::format_significant(100 * *cell.rate->share_of_limit());
      case Metric::time:
        return time_text(cell);
      case Metric::rate:
      case Metric::automatic:
        break;
    }
    if (const double value = per_second(cell); value > 0) return units::format_significant(value / scale_.factor);
    return cell.rate ? figures::rate_text(cell.rate->quantity, cell.rate->per_second) : "";
  }

  // Where it is a time, or of one, in another mode than most: such times are different quantities.
  std::string mode_remark(const figures::Figure& cell) const {
    if (!usual_mode_ || cell.mode == *usual_mode_) return "";
    return fmt::format("{} (most are {})", record::to_string(cell.mode), record::to_string(*usual_mode_));
  }

  // Where it is a share of another limit than most of its column.
  std::string limit_remark(const figures::Figure& cell, std::size_t column) const {
    if (usual_limits_.empty() || !has_limit(cell) || limit_text(cell) == usual_limits_[column]) return "";
    return "of " + limit_text(cell);
  }

  // The limits of cells without such a remark, where there are several: "A (first column); B (second)".
  std::string limits_text(const std::vector<std::string>& titles) const {
    std::map<std::string, std::vector<std::string>> columns;
    for (std::size_t i = 0; i < usual_limits_.size(); ++i) {
      if (!usual_limits_[i].empty()) columns[usual_limits_[i]].push_back(titles[i]);
    }
    std::vector<std::string> parts;
    for (const auto& [limit, of] : columns) {
      parts.push_back(columns.size() == 1 ? limit : limit + fmt::format(" ({})", fmt::join(of, ", ")));
    }
    return parts.empty() ? "" : fmt::format("limit where none is named: {}", fmt::join(parts, "; "));
  }

  bool mixes_modes() const { return usual_mode_.has_value(); }

  // Whether the interval of what the cell shows is wide.
  bool is_wide(const figures::Figure& cell) const {
    if (const figures::CounterValue* shown = cell.counter(counter_)) return wide(shown->value, shown->low, shown->high);
    return wide(cell.time->location_s, cell.time->low_s, cell.time->high_s);
  }

 private:
  std::string time_text(const figures::Figure& cell) const {
    const auto access = per_access_ ? figures::value_of(cell, figures::Quantity::per_access) : std::nullopt;
    return units::format(access ? access->location : cell.time->location_s, units::Unit::seconds);
  }

  static bool wide(double location, const std::optional<double>& low, const std::optional<double>& high) {
    return low && high && location > 0 && (*high - *low) / 2 > kWide * location;
  }

  static std::vector<const figures::Figure*> measured_of(const Pivot& pivot) {
    std::vector<const figures::Figure*> measured;
    for (const Pivot::Line& row : pivot.rows) {
      std::ranges::copy_if(row.cells, std::back_inserter(measured),
                           [](const figures::Figure* cell) { return cell != nullptr && cell->time; });
    }
    return measured;
  }

  void choose(const std::vector<const figures::Figure*>& measured) {
    const figures::Quantity known = figures::quantity_of(measured);
    counter_ = known.name;
    per_access_ = known == figures::Quantity::per_access;
    const bool times = std::ranges::all_of(measured, [](const figures::Figure* cell) { return cell->shown_as_time; });
    const bool counts = quantity_ == "items" && known != figures::Quantity::items;
    metric_ = times || quantity_.empty() || counts ? Metric::time : Metric::rate;
  }

  void find_usual_mode(const std::vector<const figures::Figure*>& measured) {
    std::vector<record::Mode> modes;
    for (const figures::Figure* cell : measured) modes.push_back(cell->mode);
    if (differ(modes)) usual_mode_ = most_common(modes);
  }

  static bool has_limit(const figures::Figure& cell) { return cell.rate && cell.rate->limit_per_second; }

  void find_usual_limits(const Pivot& pivot) {
    std::vector<std::string> all, usual;
    for (std::size_t column = 0; column < pivot.columns.size(); ++column) {
      std::vector<std::string> limits;
      for (const Pivot::Line& row : pivot.rows) {
        const figures::Figure* cell = row.cells[column];
        if (cell != nullptr && has_limit(*cell)) limits.push_back(limit_text(*cell));
      }
      usual.push_back(most_common(limits).value_or(""));
      all.insert(all.end(), limits.begin(), limits.end());
    }
    if (differ(all)) usual_limits_ = std::move(usual);
  }

  double per_second(const figures::Figure& cell) const {
    if (!cell.time || !(cell.time->location_s > 0)) return 0;
    return static_cast<double>(cell.workload.amount(quantity_)) / cell.time->location_s;
  }

  // The one that most cells are held against a limit in.
  void find_quantity(const Pivot& pivot) {
    std::vector<std::string> quantities;
    for (const figures::Figure* cell : measured_of(pivot)) {
      if (cell->rate) quantities.push_back(cell->rate->quantity);
    }
    quantity_ = most_common(quantities).value_or("");
  }

  // The middle one's: the largest would leave most figures of a wide range with zeros in front.
  void find_scale(const Pivot& pivot) {
    std::vector<double> values;
    for (const Pivot::Line& row : pivot.rows) {
      for (const figures::Figure* cell : row.cells) {
        if (cell != nullptr && per_second(*cell) > 0) values.push_back(per_second(*cell));
      }
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

// What `show` calls the spread around a time.
const char* spread_word(const figures::Estimate& time) {
  return time.is_range() ? "range" : time.across_processes ? "+/-" : "inside";
}

// What a reader must know of a cell; empty where there is nothing.
std::string remark_on(const figures::Figure& cell, const Figures& figures, std::size_t column) {
  if (only_skipped(&cell)) return "skipped: " + cell.reason;
  if (!cell.time) return "failed: " + cell.reason;
  std::vector<std::string> remarks = cell.caveats;
  if (const std::string mode = figures.mode_remark(cell); !mode.empty()) remarks.push_back(mode);
  if (const std::string limit = figures.limit_remark(cell, column); !limit.empty()) remarks.push_back(limit);
  if (figures.is_wide(cell)) {
    remarks.push_back(fmt::format("{} more than {:.0f} %", spread_word(*cell.time), 100 * kWide));
  }
  return fmt::format("{}", fmt::join(remarks, ", "));
}

std::string indented(const std::string& text) {
  std::string result;
  for (const std::string& line : split(text, '\n')) result += std::string(kIndent, ' ') + line + "\n";
  return result;
}

// In parentheses; empty where the figure's result was not held against a reference.
std::string error_beside(const figures::Figure& cell) {
  const figures::CounterValue* error = cell.counter(kRelativeError);
  return error == nullptr ? "" : "(" + error_text(error->value) + ")";
}

bool is_number(const std::string& text) { return !text.empty() && text.find_first_not_of("0123456789.") == text.npos; }

}  // namespace

std::string error_text(double error) {
  if (error == 0) return "0";
  std::string text = fmt::format("{:.1e}", error);
  const std::size_t sign = text.find_last_of("+-");
  while (text[sign + 1] == '0' && sign + 2 < text.size()) text.erase(sign + 1, 1);
  return text;
}

std::string PivotTable::mark(const std::string& footnote) {
  if (footnote.empty()) return "";
  const auto same = [&](const std::string& line) { return line.substr(line.find(' ') + 1) == footnote; };
  const auto found = std::ranges::find_if(footnotes_, same);
  const std::string text = fmt::format("[{}]", found - footnotes_.begin() + 1);
  if (found == footnotes_.end()) footnotes_.push_back(text + " " + footnote);
  return text;
}

bool PivotTable::has_figures() const {
  return std::ranges::any_of(lines_, [](const Line& line) {
    return std::ranges::any_of(line.cells, [](const Cell& cell) { return !cell.value.empty() && cell.value != kNone; });
  });
}

void PivotTable::head(const Pivot& pivot, const std::string& unit) {
  heading_ = pivot.operation + (pivot.common.empty() ? "" : " " + text_of(pivot.common));
  const bool errors = std::ranges::any_of(lines_, [](const Line& line) {
    return std::ranges::any_of(line.cells, [](const Cell& cell) { return !cell.error.empty(); });
  });
  const std::string across = pivot.across == "by" ? "way" : pivot.across;  // "by by" would be said else
  heading_ += fmt::format(": {} by {}{}", unit, across, errors ? ", relative error in parentheses" : "");
}

std::optional<PivotTable> PivotTable::of(const Pivot& all, Metric metric) {
  const Pivot pivot = without_skipped(all);
  if (pivot.columns.size() < 2 || pivot.rows.empty()) return std::nullopt;
  const Figures figures(pivot, metric);
  PivotTable table;
  for (std::size_t i = 0; i < pivot.parameters.size(); ++i) {
    const bool numbers =
        std::ranges::all_of(pivot.rows, [i](const Pivot::Line& row) { return is_number(row.values[i]); });
    table.labels_.push_back({pivot.parameters[i], numbers ? Align::right : Align::left});
  }
  for (const std::string& column : pivot.columns)
    table.titles_.push_back(figures::readable_value(pivot.across, column));
  for (const Pivot::Line& row : pivot.rows) {
    Line line;
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      line.labels.push_back(figures::readable_value(pivot.parameters[i], row.values[i]));
    }
    for (const figures::Figure* figure : row.cells) {
      Cell cell;
      if (figure != nullptr) {
        cell.value = figure->time ? figures.text(*figure) : kNone;
        if (figure->time) cell.error = error_beside(*figure);
        cell.mark = table.mark(remark_on(*figure, figures, line.cells.size()));
        table.members_.push_back(figure);
      }
      line.cells.push_back(std::move(cell));
    }
    table.lines_.push_back(std::move(line));
  }
  if (!table.has_figures()) return std::nullopt;
  table.head(pivot, figures.unit());
  if (const std::string limits = figures.limits_text(table.titles_); !limits.empty()) {
    table.footnotes_.push_back(limits);
  }
  table.mixes_modes_ = figures.mixes_modes();
  return table;
}

// A column's cells, value, error and mark each below those of the row before.
std::vector<std::string> PivotTable::composed(std::size_t column) const {
  std::size_t value = 0, error = 0, mark = 0;
  for (const Line& line : lines_) {
    value = std::max(value, display_width(line.cells[column].value));
    error = std::max(error, display_width(line.cells[column].error));
    mark = std::max(mark, display_width(line.cells[column].mark));
  }
  std::vector<std::string> texts;
  for (const Line& line : lines_) {
    const Cell& cell = line.cells[column];
    std::string text = padded(cell.value, value, true);
    if (error > 0) text += " " + padded(cell.error, error, false);
    if (mark > 0) text += " " + padded(cell.mark, mark, false);
    texts.push_back(std::move(text));
  }
  return texts;
}

std::size_t PivotTable::width_of_labels() const {
  std::size_t width = kIndent;
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    std::size_t widest = display_width(labels_[i].title);
    for (const Line& line : lines_) widest = std::max(widest, display_width(line.labels[i]));
    width += (i == 0 ? 0 : kGap) + widest;
  }
  return width;
}

std::size_t PivotTable::width_of(std::size_t column) const {
  return kGap + std::max(display_width(titles_[column]), display_width(composed(column).front()));
}

std::vector<PivotTable::Range> PivotTable::blocks(std::size_t width) const {
  const std::size_t labels = width_of_labels();
  std::vector<Range> found;
  std::size_t used = 0;
  for (std::size_t column = 0; column < titles_.size(); ++column) {
    const std::size_t wanted = width_of(column);
    if (labels + wanted > width) return {};
    if (found.empty() || used + wanted > width) {
      found.push_back({column, column});
      used = labels;
    }
    used += wanted;
    found.back().end = column + 1;
  }
  return found;
}

// The rows that have something in these columns.
std::vector<std::size_t> PivotTable::filled(const Range& block) const {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const auto begin = lines_[i].cells.begin();
    const bool any =
        std::any_of(begin + static_cast<std::ptrdiff_t>(block.begin), begin + static_cast<std::ptrdiff_t>(block.end),
                    [](const Cell& cell) { return !cell.value.empty() || !cell.mark.empty(); });
    if (any) rows.push_back(i);
  }
  return rows;
}

std::size_t PivotTable::lines(std::size_t width) const {
  std::size_t count = 0;
  for (const Range& block : blocks(width)) count += 1 + filled(block).size();
  return count;
}

std::string PivotTable::text(std::size_t width) const {
  std::string text;
  for (const Range& block : blocks(width)) {
    std::vector<Column> columns = labels_;
    const std::vector<std::size_t> shown = filled(block);
    std::vector<std::vector<std::string>> rows;
    for (const std::size_t i : shown) rows.push_back(lines_[i].labels);
    for (std::size_t column = block.begin; column < block.end; ++column) {
      columns.push_back({titles_[column], Align::right});
      const std::vector<std::string> cells = composed(column);
      for (std::size_t i = 0; i < rows.size(); ++i) rows[i].push_back(cells[shown[i]]);
    }
    Table table(std::move(columns));
    for (std::vector<std::string>& row : rows) table.row(std::move(row));
    text += indented(table.text());
  }
  return text;
}

std::string PivotTable::markdown() const {
  std::vector<Column> columns = labels_;
  for (const std::string& title : titles_) columns.push_back({title, Align::right});
  Table table(std::move(columns));
  for (const Line& line : lines_) {
    std::vector<std::string> row = line.labels;
    for (const Cell& cell : line.cells) {
      std::string text = cell.value;
      for (const std::string& more : {cell.error, cell.mark}) text += (text.empty() || more.empty() ? "" : " ") + more;
      row.push_back(std::move(text));
    }
    table.row(std::move(row));
  }
  return table.markdown();
}

}  // namespace cupel::report
