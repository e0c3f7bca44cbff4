// The fields of a figure in JSON, listed once: written by the mechanism that writes and reads a result file
// (cupel/record/fields.hpp).
#pragma once

#include "cupel/figures/figure.hpp"
#include "cupel/record/visit.hpp"

namespace cupel::figures {

using record::detail::Is;
using record::detail::kAlways;

template <typename V>
void visit_time(V& v, const Estimate& time) {
  v("time_s", time.location_s);
  v("low_s", time.low_s);
  v("high_s", time.high_s);
  if (time.low_s) {
    v("level", time.level);
    v("interval", std::string(time.across_processes ? "processes" : "samples"));
  }
  v("processes_s", time.processes_s, kAlways);
}

template <typename V>
void visit_rate(V& v, const Rate& rate) {
  v("quantity", rate.quantity);
  v("per_second", rate.per_second);
  v("limit_per_second", rate.limit_per_second);
  v("share_of_limit", rate.share_of_limit());
}

/// The parameters of a name, each a member.
struct ParamsOf {
  const Figure& figure;
};

template <typename V, Is<ParamsOf> T>
void visit(V& v, T& of) {
  for (const auto& [key, value] : of.figure.params) v(key.c_str(), value);
}

template <typename V, Is<CounterValue> T>
void visit(V& v, T& counter) {
  v("value", counter.value);
  v("unit", counter.unit);
}

/// The counters of a figure, each a member.
struct CountersOf {
  const Figure& figure;
};

template <typename V, Is<CountersOf> T>
void visit(V& v, T& of) {
  for (const CounterValue& counter : of.figure.counters) v(counter.name.c_str(), counter);
}

template <typename V, Is<Figure> T>
void visit(V& v, T& figure) {
  v("name", figure.name);
  v("family", figure.family);
  v("operation", figure.operation);
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

}  // namespace cupel::figures
