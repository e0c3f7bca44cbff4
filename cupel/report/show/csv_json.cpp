#include "cupel/report/show/formats.hpp"

#include "cupel/report/text/data.hpp"

namespace cupel::report {
namespace {

using record::detail::lines;
using record::detail::put;

Json counters(const figures::Figure& summary) {
  Json all = Json::object();
  for (const figures::CounterValue& counter : summary.counters) {
    Json one = Json::object();
    put(one, "value", counter.value);
    put(one, "unit", counter.unit);
    all[counter.name] = std::move(one);
  }
  return all;
}

Json object(const figures::Figure& summary) {
  Json result, params = Json::object();
  for (const auto& [key, value] : summary.params) put(params, key.c_str(), value);
  put(result, "name", summary.name);
  put(result, "family", summary.family);
  put(result, "operation", summary.operation);
  put(result, "params", params);
  put(result, "mode", record::to_string(summary.mode));
  put(result, "figure", summary.is_main);
  put(result, "ok", summary.ok);
  put(result, "skipped", summary.skipped);
  put(result, "failed", summary.failed);
  put(result, "reason", summary.reason);
  if (summary.time) {
    put(result, "time_s", summary.time->location_s);
    put(result, "low_s", summary.time->low_s);
    put(result, "high_s", summary.time->high_s);
    if (summary.time->low_s) {
      put(result, "level", summary.time->level);
      put(result, "interval", summary.time->across_processes ? "processes" : "samples");
    }
    put(result, "processes_s", summary.time->processes_s);
  }
  if (summary.rate && !summary.shown_as_time) {
    put(result, "quantity", summary.rate->quantity);
    put(result, "per_second", summary.rate->per_second);
    put(result, "limit_per_second", summary.rate->limit_per_second);
    put(result, "share_of_limit", summary.rate->share_of_limit());
  }
  put(result, "limit", summary.limit ? summary.limit->name : "");
  put(result, "advice", summary.advice);
  put(result, "flags", summary.caveats);
  put(result, "counters", counters(summary));
  put(result, "note", summary.note);
  return result;
}

}  // namespace

std::string csv(const std::vector<figures::Figure>& summaries) {
  return csv(
      list_of(summaries, object),
      "name,family,mode,figure,ok,skipped,failed,time_s,low_s,high_s,level,interval,quantity,per_second,limit_per_"
      "second,share_of_limit,limit,advice,flags,reason",
      ";");
}

std::string json(const std::vector<figures::Figure>& summaries) { return lines(list_of(summaries, object), 1) + "\n"; }

}  // namespace cupel::report
