#include "cupel/advice/own_step.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <tuple>
#include <vector>

#include "cupel/advice/net.hpp"
#include "cupel/figures/waterfall.hpp"
#include "cupel/record/record.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::advice {
namespace {

// Figures of all other rows would be made for nothing.
std::vector<figures::Figure> figures_of_rows(const record::ResultSet& results,
                                             std::initializer_list<std::string_view> begins) {
  record::ResultSet chosen{results.context, {}};
  std::ranges::copy_if(results.rows, std::back_inserter(chosen.rows), [&](const record::Row& row) {
    return std::ranges::any_of(begins, [&](std::string_view begin) { return row.name.starts_with(begin); });
  });
  return figures::figures_of(chosen);
}

// Samples, whatever else was counted of the work.
double per_second(const figures::Figure& figure) {
  return figure.time ? static_cast<double>(figure.workload.items) / figure.time->location_s : 0;
}

// The best of PyTorch's, else of cupel's.
void take_loader(LoaderAndStep& found, std::span<const figures::Figure> figures) {
  for (const char* operation : {"pytorch/loader", "pipeline/load"}) {
    for (const figures::Figure& figure : figures) {
      const std::string* workers = figure.operation == operation ? figure.param("workers") : nullptr;
      if (workers == nullptr || per_second(figure) <= found.loader_per_s) continue;
      found.loader_per_s = per_second(figure);
      found.workers = *workers;
      found.loader_is_busy = figure.warnings.contains(figures::Warning::busy);
    }
    if (found.loader_per_s > 0) {
      found.loader_is_pytorchs = operation == std::string_view("pytorch/loader");
      return;
    }
  }
}

void take_step(LoaderAndStep& found, std::span<const figures::Figure> figures, const std::string& net) {
  const std::vector<figures::Waterfall> steps = figures::waterfalls_of(figures);
  for (const char* operation : {"pytorch/step", "step/waterfall"}) {
    for (const figures::Waterfall& step : steps) {
      if (step.operation != operation || net_of(step.where) != net) continue;
      const figures::Figure& tuned = *step.rungs.back().with;
      if (per_second(tuned) <= found.step_per_s) continue;
      found.step_per_s = per_second(tuned);
      found.step = step.where;
      found.step_s = tuned.time->location_s;
    }
    if (found.step_per_s > 0) {
      found.step_is_pytorchs = operation == std::string_view("pytorch/step");
      return;
    }
  }
}

// The one with more changes among the steps of the reader's model, plain and compiled; none where there is none.
std::vector<figures::Rung> readers_rungs(std::span<const figures::Figure> figures) {
  std::vector<figures::Rung> most;
  for (figures::Waterfall& step : figures::waterfalls_of(figures)) {
    if (step.operation == "pytorch/model" && step.rungs.size() > most.size()) most = std::move(step.rungs);
  }
  return most;
}

std::optional<LoaderAndStep> readers_loader_and_step(std::span<const figures::Figure> figures) {
  const auto loader = std::ranges::find_if(figures, [](const figures::Figure& figure) {
    return figure.operation == "pytorch/model/loader" && figure.is_main && figure.time;
  });
  const std::vector<figures::Rung> rungs = readers_rungs(figures);
  if (loader == figures.end() || rungs.empty()) return std::nullopt;
  const figures::Figure& tuned = *rungs.back().with;
  LoaderAndStep found;
  found.loader_per_s = per_second(*loader);
  found.step_per_s = per_second(tuned);
  const auto workers = std::ranges::find(loader->counters, "workers", &figures::CounterValue::name);
  found.workers = workers == loader->counters.end() ? "0" : std::to_string(std::lround(workers->value));
  found.loader_is_busy = loader->warnings.contains(figures::Warning::busy);
  found.step_s = tuned.time->location_s;
  found.loader_is_pytorchs = found.step_is_pytorchs = found.are_the_readers = true;
  return found;
}

bool has_eager_host(const StepGain& gain) {
  return gain.is_pytorchs || gain.step.find("host:eager") != std::string::npos;
}

// "net:resnet18_32 batch:128" of a step, whosever it is.
std::string work_of(std::string step) {
  for (const std::string_view host : {"PyTorch ", " host:eager"}) {
    if (const std::size_t at = step.find(host); at != std::string::npos) step.erase(at, host.size());
  }
  return step;
}

const StepGain* gain_in(const AdviceResult& result, const std::string& step) {
  const auto found = std::ranges::find(result.gains.in_steps, step, &StepGain::step);
  return found == result.gains.in_steps.end() ? nullptr : &*found;
}

bool matters(const StepGain& gain) {
  constexpr double kLeast = 1.05;
  return gain.ratio > kLeast || gain.ratio < 1 / kLeast;
}

// The step of this net that is nearest to the reader's program, and of such the one that tells most pieces.
std::string nearest_step(std::span<const AdviceResult> all, const std::string& net) {
  struct Told {
    std::string step;
    std::tuple<bool, bool, int> key;
  };
  std::vector<Told> steps;
  for (const AdviceResult& piece : all) {
    for (const StepGain& gain : piece.gains.in_steps) {
      if (net_of(gain.step) != net) continue;
      auto& [is_pytorchs, alone, pieces] = units::entry(steps, gain.step, &Told::step).key;
      is_pytorchs = gain.is_pytorchs;
      alone = alone || gain.alone;
      ++pieces;
    }
  }
  return std::ranges::max_element(steps, {}, &Told::key)->step;
}

NetOrder order_of(std::span<const AdviceResult> all, const std::string& net) {
  const std::string step = nearest_step(all, net);
  NetOrder order{net, {}};
  for (const AdviceResult& piece : all) {
    if (const StepGain* gain = gain_in(piece, step); gain != nullptr && gain->pays)
      order.pieces.push_back({piece.id, *gain});
  }
  std::ranges::stable_sort(order.pieces, std::greater(), [](const auto& piece) { return piece.gain.saved_s(); });
  return order;
}

// The same piece of the same work by another host, taken out of both, or added to both: of two steps of ours, whose
// changes are added in one order.
bool are_alike(const StepGain& here, const StepGain& there) {
  const bool are_ours = !here.is_pytorchs && !there.is_pytorchs;
  return here.alone == there.alone && (here.alone || are_ours) && has_eager_host(here) != has_eager_host(there) &&
         work_of(here.step) == work_of(there.step);
}

// No framework does what our step does without some pieces.
bool have_rank(const StepGain& here, const StepGain& there) {
  return here.is_pytorchs || there.is_pytorchs || here.rank > 0 || there.rank > 0;
}

// The piece in a step of this name by the one host and in the same by the other, by the gains of either.
std::optional<RankTurn> by_both_hosts(const AdviceResult& piece, const std::string& step,
                                      const std::vector<StepGain> AdviceGains::*gains) {
  for (const StepGain& here : piece.gains.*gains) {
    if (here.step != step) continue;
    for (const StepGain& there : piece.gains.in_steps) {
      if (are_alike(here, there) && have_rank(here, there) && (matters(here) || matters(there)))
        return RankTurn{.id = piece.id, .here = here, .there = there};
    }
  }
  return std::nullopt;
}

// The pieces that both hosts tell of: by what they give to all the others, else as they were added in turn.
std::vector<RankTurn> by_both_hosts(std::span<const AdviceResult> all, const std::string& step) {
  std::vector<RankTurn> pieces;
  for (const auto gains : {&AdviceGains::in_steps, &AdviceGains::as_added}) {
    for (const AdviceResult& one : all) {
      if (const auto piece = by_both_hosts(one, step, gains)) pieces.push_back(*piece);
    }
    if (!pieces.empty()) break;
  }
  return pieces;
}

// Takes the step that pieces are ranked by, else the first other one of its host that has any.
std::vector<RankTurn> by_both_hosts(std::span<const AdviceResult> all) {
  if (all.empty() || !all.front().gains.in_step) return {};
  const StepGain& key = *all.front().gains.in_step;
  std::vector<RankTurn> pieces = by_both_hosts(all, key.step);
  for (const StepGain& gain : all.front().gains.in_steps) {
    if (pieces.empty() && has_eager_host(gain) == has_eager_host(key)) pieces = by_both_hosts(all, gain.step);
  }
  return pieces;
}

int rank_by(const std::vector<RankTurn>& pieces, const RankTurn& own, StepGain RankTurn::*where) {
  return 1 + static_cast<int>(std::ranges::count_if(
                 pieces, [&](const RankTurn& other) { return (other.*where).saved_s() > (own.*where).saved_s(); }));
}

// The one saves clearly more here, the other there.
bool change_places(const RankTurn& one, const RankTurn& two) {
  constexpr double kClearly = 1.1;
  return one.here.saved_s() > kClearly * std::max(0.0, two.here.saved_s()) &&
         two.there.saved_s() > kClearly * std::max(0.0, one.there.saved_s());
}

}  // namespace

std::optional<OwnStep> own_step(std::span<const figures::Figure> figures) {
  const std::vector<figures::Rung> rungs = readers_rungs(figures);
  if (rungs.empty()) return std::nullopt;
  return OwnStep{rungs.front().with->time->location_s, rungs.back().with->time->location_s};
}

int LoaderAndStep::workers_wanted() const {
  const double measured = std::max(1.0, std::strtod(workers.c_str(), nullptr));  // with 0 the program itself loads
  return static_cast<int>(std::ceil(measured * step_per_s / loader_per_s));
}

std::optional<LoaderAndStep> loader_and_step(std::span<const figures::Figure> figures, const std::string& net) {
  if (const auto own = readers_loader_and_step(figures)) return own;
  LoaderAndStep found;
  take_loader(found, figures);
  take_step(found, figures, net);
  if (found.loader_per_s == 0 || found.step_per_s == 0) return std::nullopt;
  for (const figures::Figure& figure : figures) {
    const std::string* by = figure.operation == "pipeline/decode" ? figure.param("by") : nullptr;
    if (by == nullptr || per_second(figure) <= std::max(found.decoder_per_s, found.loader_per_s)) continue;
    found.decoder_per_s = per_second(figure);
    found.decoder = *by;
  }
  return found;
}

std::optional<LoaderAndStep> loader_that_binds(std::span<const AdviceResult> all,
                                               std::span<const figures::Figure> figures) {
  const std::string ranking = all.empty() || !all.front().gains.in_step ? "" : net_of(all.front().gains.in_step->step);
  const Net* const net = find_net(ranking);
  if (net != nullptr && net->images.empty()) return std::nullopt;
  const bool is_loaded = net != nullptr && net->images == find_net(kLoadedNet)->images;
  const auto found = loader_and_step(figures, is_loaded ? ranking : kLoadedNet);
  return found && found->loader_binds() ? found : std::nullopt;
}

bool loader_binds(std::span<const AdviceResult> all, const record::ResultSet& results) {
  return loader_that_binds(all, figures_of_rows(results, {"pytorch/model/", "pytorch/loader/", "pipeline/load/",
                                                          "pytorch/step/", "step/waterfall/"}))
      .has_value();
}

LaunchHost launch_host(const record::ResultSet& results) {
  return launch_host(figures_of_rows(results, {"sync/launch/", "pytorch/host/"}));
}

static void take_eager(LaunchHost& host, double time_s) {
  host.eager_low_s = host.is_assumed ? time_s : std::min(host.eager_low_s, time_s);
  host.eager_high_s = host.is_assumed ? time_s : std::max(host.eager_high_s, time_s);
  host.is_assumed = false;
}

LaunchHost launch_host(std::span<const figures::Figure> figures) {
  // pytorch/host on an H100's host of 16 CPUs: from an addition to a linear layer (docs/pytorch.md).
  constexpr double kLow_s = 16e-6, kHigh_s = 36e-6;
  LaunchHost host{.native_s = std::nullopt, .eager_low_s = kLow_s, .eager_high_s = kHigh_s};
  for (const figures::Figure& figure : figures) {
    if (!figure.time || !figure.is_main) continue;
    const double time_s = figure.time->location_s;
    if (figure.operation == "sync/launch" && !host.native_s) host.native_s = time_s;
    const std::string* mode = figure.operation == "pytorch/host" ? figure.param("mode") : nullptr;
    if (mode != nullptr && *mode == "eager") take_eager(host, time_s);
    const figures::CounterValue* cost = figure.counter("host_per_operation");  // of our step by such a host
    if (cost != nullptr && figure.note.find("measured here") != figure.note.npos) take_eager(host, cost->value);
  }
  return host;
}

std::vector<HostOrder> orders_by_host(std::span<const AdviceResult> all) {
  if (all.empty() || !all.front().gains.in_step || has_eager_host(*all.front().gains.in_step)) return {};
  std::vector<RankTurn> pieces = by_both_hosts(all);
  if (pieces.empty() || pieces.front().there.is_pytorchs) return {};
  std::vector<HostOrder> orders;
  for (StepGain RankTurn::*const host : {&RankTurn::here, &RankTurn::there}) {
    std::ranges::stable_sort(pieces, std::greater(), [&](const RankTurn& one) { return (one.*host).saved_s(); });
    HostOrder order{(pieces.front().*host).step, {}};
    for (const RankTurn& one : pieces) {
      if (matters(one.*host) && (one.*host).ratio > 1) order.ids.push_back(one.id);
    }
    orders.push_back(order);
  }
  return orders;
}

std::vector<std::string> measured_nets(std::span<const AdviceResult> all) {
  std::vector<std::string> nets;
  for (const AdviceResult& piece : all) {
    for (const StepGain& gain : piece.gains.in_steps) {
      if (const std::string net = net_of(gain.step); !net.empty()) units::add_once(nets, net);
    }
  }
  return nets;
}

std::vector<NetOrder> orders_by_net(std::span<const AdviceResult> all) {
  const std::string ranking = all.empty() || !all.front().gains.in_step ? "" : net_of(all.front().gains.in_step->step);
  std::vector<NetOrder> orders;
  for (const std::string& net : measured_nets(all)) {
    if (net != ranking) orders.push_back(order_of(all, net));
  }
  return orders;
}

std::vector<RankTurn> rank_turns(std::span<const AdviceResult> all, std::size_t most) {
  std::vector<RankTurn> pieces = by_both_hosts(all);
  for (RankTurn& one : pieces) {
    one.here_rank = rank_by(pieces, one, &RankTurn::here);
    one.there_rank = rank_by(pieces, one, &RankTurn::there);
  }
  std::vector<RankTurn> turned;
  std::ranges::copy_if(pieces, std::back_inserter(turned), [&](const RankTurn& one) {
    return std::ranges::any_of(pieces,
                               [&](const RankTurn& two) { return change_places(one, two) || change_places(two, one); });
  });
  std::ranges::stable_sort(turned, std::greater(),
                           [](const RankTurn& one) { return std::abs(one.here_rank - one.there_rank); });
  if (turned.size() > most) turned.resize(most);
  return turned;
}

}  // namespace cupel::advice
