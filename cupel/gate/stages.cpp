#include "cupel/gate/stages.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "cupel/units/format.hpp"

namespace cupel::gate {
namespace {

class Stages {
 public:
  Stages(Gate& gate, const StageSettings& settings, const Surroundings& surroundings)
      : gate_(gate), settings_(settings), surroundings_(surroundings) {}

  void run() {
    const StageSuites screened = measure(settings_.all, "screen");
    if (!gate_.screen(screened.base, screened.contender) || interrupted_) return;
    confirm();
    if (!interrupted_) rerun();
    if (!interrupted_) whole();
  }

 private:
  StageSuites measure(const Wanted& wanted, const std::string& stage) {
    const auto has_time = [&](const Wanted& again) {
      return stage == "screen" || within(budget_left_s(), again).size() == again.size();
    };
    StageSuites measured = measure_stage(wanted, stage, surroundings_, has_time);
    if (measured.interrupted) gate_.set_interrupted();
    interrupted_ = interrupted_ || measured.interrupted;
    return measured;
  }

  void confirm() {
    const Wanted all = gate_.suspects(), suspects = within(budget_left_s(), all);
    if (suspects.size() < all.size()) tell_budget("to confirm", suspects.size(), all.size(), "suspect");
    if (suspects.empty()) return;
    surroundings_.say("measuring " + units::counted(std::ssize(suspects), "suspect") + " again");
    const StageSuites fresh = measure(suspects, "confirm");
    if (!interrupted_) gate_.confirm(fresh.base, fresh.contender);
  }

  // Seconds; nothing without a budget.
  std::optional<double> budget_left_s() const {
    return settings_.budget_s ? std::optional(*settings_.budget_s - surroundings_.elapsed_s()) : std::nullopt;
  }

  void tell_budget(const std::string& to_what, std::size_t some, std::size_t all, const std::string& of_what) {
    const std::string budget = settings_.budget_s ? units::format_duration(*settings_.budget_s)
                                                  : units::format_duration(*left_s()) + " for what is undecided";
    gate_.warn("the budget of " + budget + " leaves time " + to_what + " " + std::to_string(some) + " of " +
               units::counted(static_cast<std::int64_t>(all), of_what));
  }

  // Seconds; nothing where time does not matter.
  std::optional<double> left_s() const {
    if (settings_.budget_s) return budget_left_s();
    return settings_.until_decided ? std::nullopt : std::optional(usual_rerun_s(surroundings_.elapsed_s()));
  }

  // As many as there is time for, those that take the fewest processes first.
  Wanted within(const std::optional<double>& left_s, const Wanted& undecided) const {
    std::vector<std::pair<int, std::string>> order;
    for (const auto& [name, processes] : undecided) order.emplace_back(processes, name);
    std::ranges::sort(order);
    Wanted wanted;
    for (const auto& [processes, name] : order) {
      Wanted more = wanted;
      more[name] = processes;
      if (left_s && surroundings_.expected_s(more).value_or(0) > *left_s) break;
      wanted = std::move(more);
    }
    return wanted;
  }

  void rerun() {
    const Wanted undecided = settings_.until_decided ? gate_.undecided() : gate_.affordable();
    const std::optional<double> time_s = left_s();
    const Wanted wanted = within(time_s, undecided);
    if (wanted.size() < undecided.size()) {
      tell_budget("to decide", wanted.size(), undecided.size(), "undecided benchmark");
    }
    if (wanted.empty()) return;
    surroundings_.say("measuring " + units::counted(std::ssize(wanted), "undecided benchmark") + " again");
    const StageSuites fresh = measure(wanted, "rerun");
    if (!interrupted_) gate_.rerun(fresh.base, fresh.contender);
  }

  // Whatever it takes, unless a budget was given: it is rare, and nothing else tells which of the two figures holds.
  void whole() {
    const Wanted contradicted = gate_.contradicted();
    if (contradicted.empty()) return;
    const std::string how_many = units::counted(std::ssize(contradicted), "benchmark");
    const Wanted wanted = surroundings_.in_whole_processes(contradicted);
    if (settings_.budget_s &&
        surroundings_.expected_s(wanted).value_or(0) > *settings_.budget_s - surroundings_.elapsed_s()) {
      gate_.warn("the budget of " + units::format_duration(*settings_.budget_s) + " leaves no time to measure " +
                 how_many + " beside the others of the program, where the figures are other ones than alone");
      return;
    }
    surroundings_.say("measuring " + how_many +
                      " beside the others of the program again: alone the figures are other ones");
    const StageSuites fresh = measure(wanted, "whole");
    if (!interrupted_) gate_.whole(fresh.base, fresh.contender);
  }

  Gate& gate_;
  const StageSettings& settings_;
  const Surroundings& surroundings_;
  bool interrupted_ = false;
};

}  // namespace

double usual_rerun_s(double elapsed_s) {
  constexpr double kLeast_s = 30;
  return std::max(elapsed_s, kLeast_s);
}

std::optional<double> most_s(const StageSettings& settings, const Surroundings& surroundings) {
  Wanted suspects = settings.all;
  for (auto& [name, processes] : suspects) processes = kAffordable;
  const double screen_s = surroundings.expected_s(settings.all).value_or(0);
  constexpr double kAnew = 2;  // all of a stage
  const double decided_s = kAnew * (screen_s + surroundings.expected_s(suspects).value_or(0));
  if (settings.budget_s) return std::max(kAnew * screen_s, *settings.budget_s);
  if (settings.until_decided) return std::nullopt;
  return decided_s + kAnew * usual_rerun_s(decided_s);
}

StageSuites measure_stage(const Wanted& wanted, const std::string& stage, const Surroundings& surroundings,
                          const std::function<bool(const Wanted&)>& has_time) {
  StageSuites measured = surroundings.measure(wanted, stage);
  const Wanted again = left_out(measured.base, measured.contender);
  if (again.empty() || measured.interrupted) return measured;
  const bool is_time = has_time(again);
  surroundings.say(units::counted(std::ssize(again), "benchmark") +
                   " had processes that were throttled or waited for a CPU: " +
                   (is_time ? "as many more" : "the budget leaves no time for others"));
  if (!is_time) return measured;
  return surroundings.measure(again, stage);
}

void run_stages(Gate& gate, const StageSettings& settings, const Surroundings& surroundings) {
  Stages(gate, settings, surroundings).run();
}

}  // namespace cupel::gate
