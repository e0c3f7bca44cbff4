// The fields of figures and of what follows from them, in JSON, listed once: written by the mechanism that writes a
// result file (cupel/record/encode.hpp).
#pragma once

#include "cupel/catalogue/catalogue.hpp"
#include "cupel/figures/causes.hpp"
#include "cupel/figures/figure.hpp"
#include "cupel/figures/items.hpp"
#include "cupel/figures/waterfall.hpp"
#include "cupel/record/rule.hpp"

namespace cupel::figures {

using record::detail::Is;
using record::detail::kAlways;
using record::detail::kWhole;
using record::detail::kZeroIsAbsent;

/// Visits the time of a figure, with its interval, and each process's.
void visit_time(auto& v, const Estimate& time) {
  v("time_s", time.location_s);
  v("low_s", time.low_s);
  v("high_s", time.high_s);
  if (time.low_s) {
    v("level", time.level);
    v("interval", std::string(time.across_processes ? "processes" : "samples"));
  }
  v("processes_s", time.processes_s, kAlways);
}

/// Visits the rate of a figure.
void visit_rate(auto& v, const Rate& rate) {
  v("quantity", rate.quantity);
  v("per_second", rate.per_second);
  v("limit_per_second", rate.limit_per_second);
  v("share_of_limit", rate.share_of_limit());
}

/// The parameters of a name, each a member.
struct ParamsOf {
  const Figure& figure;
};

void visit(auto& v, Is<ParamsOf> auto& of) {
  for (const auto& [key, value] : of.figure.params) v(key.c_str(), value);
}

void visit(auto& v, Is<CounterValue> auto& counter) {
  v("value", counter.value);
  v("unit", counter.unit);
}

/// The counters of a figure, each a member.
struct CountersOf {
  const Figure& figure;
};

void visit(auto& v, Is<CountersOf> auto& of) {
  for (const CounterValue& counter : of.figure.counters) v(counter.name.c_str(), counter);
}

void visit(auto& v, Is<Figure> auto& figure) {
  v("name", figure.name, kWhole);
  v("family", figure.family);
  v("operation", figure.operation, kWhole);
  v("params", ParamsOf{figure});
  v("mode", figure.mode);
  v("figure", figure.is_main);
  v("ok", figure.ok);
  v("skipped", figure.skipped);
  v("failed", figure.failed);
  v("reason", figure.reason);
  if (figure.time) visit_time(v, *figure.time);
  if (figure.rate && !figure.shown_as_time) visit_rate(v, *figure.rate);
  if (figure.limit) v("limit", figure.limit->name);
  v("advice", figure.advice, kAlways);
  v("flags", figure.caveats, kAlways);
  v("counters", CountersOf{figure});
  v("note", figure.note);
}

/// The items of a figure, and its other counters.
struct ItemsOf {
  const Figure& figure;
  const std::vector<Item>& items;
};

/// The counters of an item, each a member.
struct CountersOfItem {
  const Item& item;
};

/// The counters that are of no item, each a member.
struct OtherCountersOf {
  const Figure& figure;
};

void visit(auto& v, Is<CountersOfItem> auto& of) {
  for (const auto& [what, counter] : of.item.counters) v(what.c_str(), *counter);
}

void visit(auto& v, Is<OtherCountersOf> auto& of) {
  for (const CounterValue& counter : of.figure.counters) {
    if (!is_of_item(counter)) v(counter.name.c_str(), counter);
  }
}

void visit(auto& v, Is<Item> auto& item) {
  v("item", item.name);
  v("counters", CountersOfItem{item});
}

void visit(auto& v, Is<ItemsOf> auto& of) {
  v("name", of.figure.name, kWhole);
  v("items", of.items, kAlways);
  v("counters", OtherCountersOf{of.figure});
}

/// Processes by why sampling stopped; a reason that none had is absent.
struct StopsOf {
  const Noise& noise;
};

void visit(auto& v, Is<StopsOf> auto& of) {
  v("precise", of.noise.precise, kZeroIsAbsent);
  v("count", of.noise.counted, kZeroIsAbsent);
  v("wall", of.noise.timed_out, kZeroIsAbsent);
}

/// The noise of a figure: how well it repeats.
struct NoiseOf {
  const Figure& figure;
};

void visit(auto& v, Is<NoiseOf> auto& of) {
  const Noise& noise = *of.figure.noise;
  v("name", of.figure.name, kWhole);
  v("mode", of.figure.mode);
  v("time_s", of.figure.time->location_s);
  v("between", noise.between);
  v("inside", noise.inside);
  v("processes", of.figure.time->processes_s.size());
  v("samples", of.figure.samples);
  v("stopped_by", StopsOf{noise});
  v("sm_clock_hz", noise.sm_clock_hz);
  v("clock_under_load", noise.clock_under_load);
  v("unsettled", noise.unsettled);
  v("power_w", noise.power_w);
  v("power_limited", noise.power_limited);
  v("wall_s", noise.wall_s);
  v("overhead", noise.overhead);
}

void visit(auto& v, Is<Cause> auto& cause) {
  v("id", cause.id, kAlways);
  v("what", cause.what, kAlways);
  v("remedy", cause.remedy, kAlways);
}

void visit(auto& v, Is<Rung> auto& rung) {
  v("change", rung.change, kAlways);
  v("advice", catalogue::built_in().made_by(rung.change), kAlways);
  const auto ratio = [](const std::optional<stats::Shift>& gain) {
    return gain ? std::optional(gain->ratio()) : std::nullopt;
  };
  v("added", ratio(rung.gain), kAlways);
  v("alone", ratio(rung.alone), kAlways);
}

}  // namespace cupel::figures
