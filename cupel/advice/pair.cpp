#include "cupel/advice/stages.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "cupel/figures/figure.hpp"
#include "cupel/figures/figure_mode.hpp"
#include "cupel/figures/telemetry_summary.hpp"
#include "cupel/record/record.hpp"

namespace cupel::advice {
namespace {

using figures::Process;
using figures::ProcessState;
using figures::Warning;
using record::Mode;
using record::Row;

// Before and after of one process.
struct Pair {
  double before = 0, after = 0;
  std::string mark;  ///< why it must not decide; empty if it may
};

// The processes of one benchmark under one tag.
struct Side {
  explicit Side(const TaggedRows& of) : tagged(&of), processes(figures::processes_of(of.rows)) {}

  const record::AdviceTag& tag() const { return tagged->tag; }
  const std::string& name() const { return tagged->name; }

  const TaggedRows* tagged;
  std::vector<Process> processes;
};

// Nothing also where the correction took all of it: there is no ratio to that.
std::optional<double> time_of(const Process& process, Mode mode) {
  const figures::ProcessTimes* times = process.in(mode);
  return times != nullptr && times->location_s > 0 ? std::optional(times->location_s) : std::nullopt;
}

std::optional<double> counter_of(const Process& process, const std::string& name) {
  const std::optional<record::Counter> counter = figures::counter_of(*process.row, name);
  return counter ? std::optional(counter->value) : std::nullopt;
}

std::string mark_of_time(const Process& process, Mode mode) {
  const ProcessState state = process.state;
  if (state == ProcessState::cut_short) return figures::meaning_of(Warning::cut_short);
  if (figures::is_below_floor(process.row->below_floor, mode)) return figures::meaning_of(Warning::below_floor);
  if (state == ProcessState::disturbed) return figures::meaning_of(Warning::disturbed);
  if (state == ProcessState::busy && mode == Mode::host) return figures::meaning_of(Warning::busy);
  return figures::unsettled_text(*process.row);
}

// A clock or a busy CPU does not change a count; who shares the GPU may.
std::string mark_of_counter(const Process& process) {
  if (process.state == ProcessState::cut_short) return figures::meaning_of(Warning::cut_short);
  return process.state == ProcessState::disturbed ? figures::meaning_of(Warning::disturbed) : "";
}

// A pair for each process in which both sides have the number; where a process has several rows, the first counts.
template <class NumberOf, class MarkOf>
std::vector<Pair> pairs_of(const Side& before, const Side& after, const NumberOf& number_of, const MarkOf& mark_of) {
  std::map<int, const Process*> afters;
  for (const Process& a : after.processes) afters.try_emplace(a.row->process, &a);
  std::vector<Pair> pairs;
  for (const Process& b : before.processes) {
    const auto found = afters.find(b.row->process);
    if (found == afters.end()) continue;
    const Process& a = *found->second;
    afters.erase(found);
    if (!b.is_ok() || !a.is_ok()) continue;
    const std::optional<double> of_b = number_of(b), of_a = number_of(a);
    if (!of_b || !of_a) continue;
    const std::string mark = mark_of(b);
    pairs.push_back({*of_b, *of_a, mark.empty() ? mark_of(a) : mark});
  }
  return pairs;
}

std::size_t free_of_marks(const std::vector<Pair>& pairs) {
  return static_cast<std::size_t>(std::ranges::count_if(pairs, [](const Pair& pair) { return pair.mark.empty(); }));
}

struct Chosen {
  std::optional<Mode> mode;
  std::vector<Pair> pairs;
};

// The first mode of the before's that both have; one in which nothing may decide gives way to one in which something
// may.
Chosen choose_mode(const Side& before, const Side& after) {
  Chosen best;
  for (const Mode mode : figures::modes_of(before.processes)) {
    std::vector<Pair> pairs = pairs_of(
        before, after, [&](const Process& process) { return time_of(process, mode); },
        [&](const Process& process) { return mark_of_time(process, mode); });
    if (pairs.empty()) continue;
    if (best.mode && (free_of_marks(best.pairs) > 0 || free_of_marks(pairs) == 0)) continue;
    best = {mode, std::move(pairs)};
  }
  return best;
}

// Why there is no pair: a failure says more than a skip, and a skip more than a missing mode or counter.
std::string why_no_pair(const Side& before, const Side& after, const AdviceMetric& metric) {
  for (const ProcessState state : {ProcessState::failed, ProcessState::skipped}) {
    for (const Side* side : {&before, &after}) {
      const auto found = std::ranges::find(side->processes, state, &Process::state);
      if (found == side->processes.end()) continue;
      const Row& row = *found->row;
      const std::string which = side == &before ? "before " : "after ";
      return which + record::to_string(row.status) + ": " + (row.reason.empty() ? "no reason given" : row.reason);
    }
  }
  if (metric.is_time()) return "before and after share no process and mode with a time";
  return "before and after share no process with the counter " + metric.counter;
}

Chosen choose(const Side& before, const Side& after, const AdviceMetric& metric) {
  if (metric.is_time()) return choose_mode(before, after);
  const auto number_of = [&](const Process& process) { return counter_of(process, metric.counter); };
  return {std::nullopt, pairs_of(before, after, number_of, mark_of_counter)};
}

double shift_of(const Pair& pair, const AdviceMetric& metric) {
  if (pair.before == pair.after) return 0;  // of nothing, too
  const double log_ratio = std::log(pair.before / pair.after);
  return metric.better == record::Better::higher ? -log_ratio : log_ratio;
}

// Why the numbers, although they are there, give no gain; empty if they do.
std::string why_no_gain(const std::vector<Pair>& pairs, const AdviceMetric& metric) {
  if (metric.better == record::Better::none)
    return "neither more nor less of " + metric.counter + " is said to be better";
  const bool has_zero = std::ranges::any_of(
      pairs, [](const Pair& pair) { return pair.before != pair.after && (pair.before <= 0 || pair.after <= 0); });
  return has_zero ? readable_metric(metric) + " was 0: there is no ratio to that" : "";
}

void judge_pairs(AdvicePoint& point, const std::vector<Pair>& pairs, const AdviceMetric& metric,
                 const AdviceOptions& options) {
  const bool may_decide = free_of_marks(pairs) > 0;
  std::vector<Pair> kept;
  for (const Pair& pair : pairs) {
    if (!may_decide || pair.mark.empty()) kept.push_back(pair);
  }
  point.processes = static_cast<int>(kept.size());
  point.left_out = static_cast<int>(pairs.size() - kept.size());
  point.reason = why_no_gain(kept, metric);
  if (!point.reason.empty()) return;
  std::vector<double> shifts;
  for (const Pair& pair : kept) shifts.push_back(shift_of(pair, metric));
  judge(point, shifts, options);
  if (may_decide) return;
  point.verdict = AdviceVerdict::undecided;
  point.reason = pairs.front().mark;
  point.needed.reset();
}

// As every other surface says it: of all processes that count, with a pair or without.
double value_of(const Side& side, const std::optional<Mode>& mode, const AdviceMetric& metric) {
  if (mode) return figures::time_of(side.processes, *mode)->location_s;
  const std::optional<figures::CounterValue> counter = figures::counter_of(side.processes, metric.counter);
  return counter ? counter->value : 0;
}

// The work of the first process that measured it; the same in all.
const record::Workload* work_of(const Side& side) {
  const auto found = std::ranges::find_if(side.processes, &Process::is_ok);
  return found == side.processes.end() ? nullptr : &found->row->workload;
}

std::string unequal_work(const Side& before, const Side& after) {
  const record::Workload *b = work_of(before), *a = work_of(after);
  if (b == nullptr || a == nullptr) return "";
  const auto differ = [](std::int64_t x, std::int64_t y) { return x > 0 && y > 0 && x != y; };  // 0: not counted
  const char* what = differ(b->flops, a->flops)               ? "operations"
                     : differ(b->items, a->items)             ? "items"
                     : differ(b->bytes_moved, a->bytes_moved) ? "bytes moved"
                                                              : nullptr;
  return what == nullptr ? "" : std::string("before and after did unequal work: their ") + what + " differ";
}

// The name of the time where it stands beside a piece that is judged by a counter; other names are counters.
constexpr const char* kTime = "time";

std::optional<double> value_beside(const Side& side, const std::string& name) {
  if (name == kTime) {
    const std::vector<Mode> modes = figures::modes_of(side.processes);
    return modes.empty() ? std::nullopt : std::optional(figures::time_of(side.processes, modes.front())->location_s);
  }
  const std::optional<figures::CounterValue> counter = figures::counter_of(side.processes, name);
  return counter ? std::optional(counter->value) : std::nullopt;
}

std::optional<double> counter_in(const Side& side, int number, const std::string& name) {
  for (const Process& process : side.processes) {
    if (process.row->process != number || !process.is_ok()) continue;
    if (const std::optional<double> found = counter_of(process, name)) return found;
  }
  return std::nullopt;
}

bool processes_agree(const Side& before, const Side& after, const std::string& name) {
  bool more = false, less = false;
  for (const Process& process : before.processes) {
    const int number = process.row->process;
    const std::optional<double> b = counter_in(before, number, name), a = counter_in(after, number, name);
    more = more || (b && a && *a > *b);
    less = less || (b && a && *a < *b);
  }
  return !more || !less;
}

AdvicePoint point_of(const Side& before, const Side& after, const AdviceMetric& metric, const AdviceOptions& options,
                     bool padded, const std::string& beside) {
  AdvicePoint point;
  point.scenario = before.tag().scenario;
  point.before_name = before.name();
  point.after_name = after.name();
  point.reason = padded ? "" : unequal_work(before, after);
  if (!point.reason.empty()) {
    point.verdict = AdviceVerdict::not_measurable;
    return point;
  }
  const Chosen chosen = choose(before, after, metric);
  if (chosen.pairs.empty()) {
    point.verdict = AdviceVerdict::not_measurable;
    point.reason = why_no_pair(before, after, metric);
    return point;
  }
  point.mode = chosen.mode;
  point.before = value_of(before, chosen.mode, metric);
  point.after = value_of(after, chosen.mode, metric);
  judge_pairs(point, chosen.pairs, metric, options);
  if (!beside.empty()) {
    point.beside_before = value_beside(before, beside);
    point.beside_after = value_beside(after, beside);
    point.beside_agrees = processes_agree(before, after, beside);
  }
  return point;
}

// The befores of one scenario.
class Baselines {
 public:
  void add(const Side& before) {
    ++count_;
    if (first_ == nullptr || is_ahead(before, *first_)) first_ = &before;
    const Side*& known = of_variant_[before.tag().variant];
    if (known == nullptr || is_ahead(before, *known)) known = &before;
  }

  // The one of its variant; else, and for what is itself a before, the first.
  const Side& of(const Side& contender) const {
    const auto found = of_variant_.find(contender.tag().variant);
    const bool is_before = contender.tag().role == record::Role::before;
    return is_before || found == of_variant_.end() ? *first_ : *found->second;
  }

  std::size_t count() const { return count_; }

 private:
  // The one without a variant is ahead; the order of the file, which a run shuffles, decides nothing.
  static bool is_ahead(const Side& a, const Side& b) {
    return std::tie(a.tag().variant, a.name()) < std::tie(b.tag().variant, b.name());
  }

  std::size_t count_ = 0;
  const Side* first_ = nullptr;
  std::map<std::string, const Side*> of_variant_;
};

const std::string& variant_or_name(const Side& rows) {
  return rows.tag().variant.empty() ? rows.name() : rows.tag().variant;
}

std::string variant_text(const Side& contender, const Side& before, std::size_t befores) {
  if (contender.tag().role == record::Role::before) return variant_or_name(contender);
  const std::string& variant = contender.tag().variant;
  if (befores == 1 || variant == before.tag().variant) return variant;
  return variant + (variant.empty() ? "against " : " against ") + variant_or_name(before);
}

bool names(const std::vector<std::string>& variants, const record::AdviceTag& tag) {
  return std::ranges::find(variants, tag.variant) != variants.end();
}

bool is_left_out(const record::AdviceTag& tag, const catalogue::CatalogueRow* row) {
  return row != nullptr && names(row->not_shown, tag);
}

bool is_counted(const record::AdviceTag& tag, const catalogue::CatalogueRow* row) {
  if (row == nullptr) return tag.role == record::Role::after;
  return !names(row->not_counted, tag) && (tag.role == record::Role::after || names(row->counted, tag));
}

}  // namespace

std::map<std::string, std::vector<TaggedRows>> tagged_rows(const record::ResultSet& results) {
  std::map<std::string, std::vector<TaggedRows>> all;
  std::map<std::tuple<std::string, std::string, record::Role, std::string, std::string>, std::size_t> places;
  for (const Row& row : results.rows) {
    for (const record::AdviceTag& tag : row.advice) {
      std::vector<TaggedRows>& tagged = all[tag.id];
      const auto [place, is_new] =
          places.try_emplace({tag.id, row.name, tag.role, tag.scenario, tag.variant}, tagged.size());
      if (is_new) tagged.push_back({tag, row.name, {}});
      tagged[place->second].rows.push_back(&row);
    }
  }
  return all;
}

AdviceMetric metric_of(const std::vector<TaggedRows>& tagged, const std::string& counter) {
  if (counter.empty()) return {};
  if (counter == kTime) return {kTime, "s", record::Better::lower};
  for (const TaggedRows& rows : tagged) {
    for (const Row* row : rows.rows) {
      if (const std::optional<record::Counter> found = figures::counter_of(*row, counter)) {
        return {counter, found->unit, found->better};
      }
    }
  }
  return {counter, "", record::Better::none};
}

std::vector<PairedPoint> pair_rows(const std::vector<TaggedRows>& tagged, const AdviceMetric& metric,
                                   const AdviceOptions& options, const catalogue::CatalogueRow* row) {
  using record::Role;
  const std::vector<Side> sides(tagged.begin(), tagged.end());
  std::map<std::string, Baselines> baselines;  // of each scenario
  for (const Side& one : sides) {
    if (one.tag().role == Role::before) baselines[one.tag().scenario].add(one);
  }
  std::vector<PairedPoint> points;
  for (const Side& contender : sides) {
    const auto found = baselines.find(contender.tag().scenario);
    if (found == baselines.end()) continue;
    const Side& before = found->second.of(contender);
    if (&before == &contender || is_left_out(contender.tag(), row)) continue;
    points.push_back({point_of(before, contender, metric, options, row != nullptr && row->is_padded,
                               row == nullptr ? "" : row->beside),
                      variant_text(contender, before, found->second.count()), is_counted(contender.tag(), row)});
  }
  return points;
}

}  // namespace cupel::advice
