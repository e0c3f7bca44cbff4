#include "cupel/report/show/figure_list.hpp"

#include <algorithm>
#include <set>

#include "cupel/figures/items.hpp"
#include "cupel/figures/pivot.hpp"
#include "cupel/figures/quantity.hpp"
#include "cupel/figures/words.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/report/show/pivot_table.hpp"
#include "cupel/report/show/waterfall.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {
namespace {

using Members = std::vector<const figures::Figure*>;

std::string spread_text(const figures::Estimate& estimate) {
  if (!estimate.low_s || !estimate.high_s || estimate.location_s <= 0) return "";
  const double percent = 100 * (*estimate.high_s - *estimate.low_s) / 2 / estimate.location_s;
  return percent > 100 ? "> 100 %" : units::format_significant(percent, 2) + " %";
}

std::string with_mode(const std::string& label, const figures::Figure& figure) {
  return figure.is_main ? label : label + " [" + record::to_string(figure.mode) + "]";
}

std::set<std::string> limits_of(const Members& members) {
  std::set<std::string> limits;
  for (const figures::Figure* member : members) {
    if (member->limit) limits.insert(limit_text(*member));
  }
  return limits;
}

std::string notes_text(const figures::Figure& figure, bool say_mode, bool all) {
  std::vector<std::string> notes = figure.caveats;
  if (say_mode && figure.time) notes.emplace_back(record::to_string(figure.mode));
  // Beside what it is judged by the time says little.
  if (const figures::CounterValue* judged = all ? nullptr : figure.counter(figure.judged_by)) {
    notes.push_back(figures::counter_text(*judged));
  }
  if (const std::string none = all ? "" : cpu_wait_text(figure); !none.empty()) notes.push_back("no CPU for " + none);
  if (all) {
    for (const figures::CounterValue& counter : figure.counters) {
      if (!figures::is_of_item(counter)) notes.push_back(figures::counter_text(counter));
    }
    if (const std::size_t items = figures::items_of(figure).size(); items > 0) {
      notes.push_back(units::counted(static_cast<std::int64_t>(items), "item"));
    }
    if (!figure.note.empty()) notes.push_back(figure.note);
  }
  return units::joined(notes);
}

std::vector<std::string> cells(const std::string& name, const figures::Figure& figure, bool say_mode, bool say_limit,
                               bool all) {
  std::string time, interval, range, inside, rate, share, limit;
  if (figure.time) {
    time = units::format(figure.time->location_s, units::Unit::seconds);
    std::string& spread = figure.time->is_range() ? range : figure.time->across_processes ? interval : inside;
    spread = spread_text(*figure.time);
  }
  if (figure.rate && !figure.shown_as_time) {
    rate = figures::known_rate_text(figure);
    if (const auto of_limit = figure.rate->share_of_limit()) {
      share = units::format_percent(*of_limit);
      if (say_limit) limit = limit_text(figure);
    }
  }
  const figures::CounterValue* error = figure.time ? figure.counter(figures::kRelativeError) : nullptr;
  const std::string error_cell = error == nullptr ? "" : error_text(error->value);
  const std::string notes = notes_text(figure, say_mode, all);
  return {with_mode(name, figure), time, interval, range, inside, rate, share, limit, error_cell,
          cpu_time_text(figure),   notes};
}

std::vector<record::Mode> modes_of(const Members& members) {
  std::vector<record::Mode> modes;
  for (const figures::Figure* member : members) {
    if (member->time) modes.push_back(member->mode);
  }
  return modes;
}

}  // namespace

Table empty_list(bool grouped) {
  return Table({left("benchmark", grouped ? Fold::wrapped : Fold::above), right("time"), right("+/-"), right("range"),
                right("inside"), right("rate"), right("of limit"), left("limit", Fold::none, 1), right("error"),
                right("CPU", 2), left("notes", Fold::below)});
}

bool too_wide(const figures::Figure& figure) {
  constexpr std::size_t kLabelIndent = 2, kTime = 10, kSpread = 9, kRate = 14, kShare = 10,
                        kError = 9;  // gaps included
  const std::string label = with_mode(figures::label_of(figure.name), figure);
  std::size_t width = kLabelIndent + units::display_width(label) + kTime + kSpread + kRate;
  if (figure.rate && figure.rate->limit_per_second) width += kShare;
  if (figure.counter(figures::kRelativeError) != nullptr) width += kError;
  return width > kFormColumns;
}

void add_group(Table& list, const Members& members, bool all) {
  std::vector<std::string> names;
  for (const figures::Figure* member : members) names.push_back(member->name);
  const bool is_wide = std::ranges::any_of(members, [&](const auto* member) { return too_wide(*member); });
  const figures::Parts common = is_wide ? figures::common_parts(names) : figures::Parts{};
  const std::string& operation = members.front()->operation;
  const bool say_limit = limits_of(members).size() > 1;
  const bool say_mode = mix_modes(members);  // else the heading says it
  list.group(operation + (common.empty() ? "" : " " + figures::text_of(common)), shared_remark(members));
  for (const figures::Figure* member : members)
    list.row(cells(figures::label_without(member->name, common), *member, say_mode, say_limit, all));
}

void add_lines(Table& list, const Members& members, bool all) {
  for (const figures::Figure* member : members) list.row(cells(member->name, *member, true, true, all));
}

bool mix_modes(const Members& members) { return units::differ(modes_of(members)); }

std::string shared_remark(const Members& members) {
  std::vector<std::string> advice;
  for (const figures::Figure* member : members) {
    for (const std::string& id : member->advice) units::add_once(advice, id);
  }
  const std::set<std::string> limits = limits_of(members);
  std::string remark = advice.empty() ? "" : "[" + units::joined(advice) + "]";
  if (limits.size() == 1) remark += (remark.empty() ? "of " : " of ") + *limits.begin();
  const std::vector<record::Mode> modes = modes_of(members);
  if (!modes.empty() && !units::differ(modes))
    remark += (remark.empty() ? "" : ", ") + std::string(to_string(modes.front()));
  return remark;
}

}  // namespace cupel::report
