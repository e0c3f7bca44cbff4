#include "cupel/export/figure_formats.hpp"

#include <fmt/core.h>

#include <cctype>
#include <cmath>
#include <map>
#include <optional>

#include "cupel/figures/fields.hpp"
#include "cupel/record/context.hpp"
#include "cupel/record/data.hpp"
#include "cupel/record/encode.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::exports {

using namespace record::detail;
namespace {

using figures::Figure;
using Labels = std::map<std::string, std::string>;

// ---- OpenMetrics

// Letters, digits and underscores.
std::string label_name(const std::string& name) {
  std::string plain = "param_";
  for (const char c : name) plain += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return plain;
}

// Shown as on a terminal: the format escapes neither characters that reorder text nor those that hide it.
std::string escaped(const std::string& value) {
  return units::replaced(units::visible(value), {{'\\', "\\\\"}, {'"', "\\\""}});
}

std::string braces(const Labels& labels) {
  std::string text;
  for (const auto& [name, value] : labels) {
    if (!value.empty()) text += fmt::format("{}{}=\"{}\"", text.empty() ? "{" : ",", name, escaped(value));
  }
  return text.empty() ? "" : text + "}";
}

Labels labels_of(const record::Context& context) {
  Labels labels{{"node", context.run.node}};
  if (context.device) {
    labels["gpu"] = context.device->name;
    labels["uuid"] = context.device->uuid;
  }
  return labels;
}

Labels labels_of(const Labels& machine, const Figure& figure) {
  Labels labels = machine;
  for (const auto& [name, value] : figure.params) labels[label_name(name)] = value;
  labels["benchmark"] = figure.name;
  labels["family"] = figure.family;
  labels["mode"] = record::to_string(figure.mode);
  return labels;
}

// A family of samples, with no sample where nobody has a value.
class Gauge {
 public:
  Gauge(const std::string& name, const char* unit, const char* help) : name_(name) {
    head_ = fmt::format("# TYPE {0} gauge\n{1}# HELP {0} {2}\n", name,
                        *unit == '\0' ? "" : fmt::format("# UNIT {} {}\n", name, unit), help);
  }

  void add(const Labels& labels, const std::optional<double>& value) {
    if (value && std::isfinite(*value)) samples_ += fmt::format("{}{} {}\n", name_, braces(labels), *value);
  }

  std::string text() const { return samples_.empty() ? "" : head_ + samples_; }

 private:
  std::string name_, head_, samples_;
};

std::string info(const record::Context& context, const Labels& machine) {
  Labels labels = machine;
  labels["profile"] = context.run.profile;
  labels["started"] = context.run.started;
  if (context.device) labels["driver"] = context.device->driver_version;
  return fmt::format("# TYPE cupel_run info\n# HELP cupel_run What was measured, and when.\ncupel_run_info{} 1\n",
                     braces(labels));
}

}  // namespace

std::string csv(const std::vector<Figure>& all) {
  return record::detail::csv(
      encode(all),
      "name,family,mode,figure,ok,skipped,failed,time_s,low_s,high_s,level,interval,quantity,per_second,limit_per_"
      "second,share_of_limit,limit,advice,flags,reason",
      ";");
}

std::string json(const std::vector<Figure>& all) { return lines(encode(all), 1) + "\n"; }

std::string openmetrics(const record::Context& context, const std::vector<Figure>& figures) {
  const Labels machine = labels_of(context);
  Gauge time("cupel_time_seconds", "seconds", "Of one call: the median over processes.");
  Gauge low("cupel_time_low_seconds", "seconds", "Lower end of the time's interval.");
  Gauge high("cupel_time_high_seconds", "seconds", "Upper end of the time's interval.");
  Gauge rate("cupel_rate_per_second", "", "Bytes, operations (flops) or items a second.");
  Gauge share("cupel_limit_ratio", "ratio", "The rate by the physical limit.");
  Gauge counter("cupel_counter", "", "What a benchmark counts beside its time.");
  Gauge failed("cupel_failed_results", "", "Results that were wrong or could not be measured.");
  for (const Figure& figure : figures) {
    const Labels labels = labels_of(machine, figure);
    if (figure.time) {
      time.add(labels, figure.time->location_s);
      low.add(labels, figure.time->low_s);
      high.add(labels, figure.time->high_s);
    }
    if (figure.is_main && figure.failed > 0) failed.add(labels, figure.failed);
    if (figure.rate && !figure.shown_as_time) {
      Labels of = labels;
      of["quantity"] = figure.rate->quantity;
      rate.add(of, figure.rate->per_second);
      share.add(of, figure.rate->share_of_limit());
    }
    if (!figure.is_main) continue;
    for (const figures::CounterValue& one : figure.counters) {
      Labels of = labels;
      of["counter"] = one.name;
      of["unit"] = one.unit;
      counter.add(of, one.value);
    }
  }
  return info(context, machine) + time.text() + low.text() + high.text() + rate.text() + share.text() + counter.text() +
         failed.text() + "# EOF\n";
}

}  // namespace cupel::exports
