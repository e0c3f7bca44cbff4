#include "cupel/figures/quantity.hpp"

#include <algorithm>
#include <array>

#include "cupel/figures/words.hpp"
#include "cupel/units/format.hpp"

namespace cupel::figures {
namespace {

bool is_latency(const std::string& operation) {
  return operation.find("latency") != std::string::npos || operation.find("chase") != std::string::npos;
}

std::optional<std::string> rate_quantity(const Figure& figure) {
  return figure.rate ? std::optional(figure.rate->quantity) : std::nullopt;
}

bool is_drawable(double value) { return value > 1e-30 && value < 1e30; }

std::optional<Value> drawable(Value value) {
  if (!is_drawable(value.location)) return std::nullopt;
  if (value.high && !is_drawable(*value.high)) value.high.reset();
  if (value.low && !is_drawable(*value.low)) value.low.reset();
  if (value.limit && !is_drawable(*value.limit)) value.limit.reset();
  return value;
}

struct Kind {
  units::Unit unit;
  const char* title;
  const char* rate;  ///< that it is made of, if any
};

// All kinds of quantities but counters, in their order.
constexpr std::array kKinds{Kind{units::Unit::seconds, "time of a call", ""},
                            Kind{units::Unit::seconds, "latency of one access", "items"},
                            Kind{units::Unit::bytes_per_second, "bandwidth", "bytes"},
                            Kind{units::Unit::flops_per_second, "arithmetic rate", "flops"},
                            Kind{units::Unit::items_per_second, "items per second", "items"}};

// The counter that all of them are judged by.
const CounterValue* common_counter(std::span<const Figure* const> figures) {
  const std::string& name = figures.front()->judged_by;
  const bool all = std::ranges::all_of(figures, [&](const Figure* one) { return one->judged_by == name; });
  return all ? figures.front()->counter(name) : nullptr;
}

}  // namespace

units::Unit unit_of(const Quantity& quantity) {
  if (quantity.kind == Quantity::counter) return units::unit_of(quantity.unit).value_or(units::Unit::count);
  return kKinds[quantity.kind].unit;
}

std::string title_of(const Quantity& quantity) {
  if (quantity.kind != Quantity::counter) return kKinds[quantity.kind].title;
  std::string title = quantity.name;
  std::ranges::replace(title, '_', ' ');
  return title;
}

std::optional<Value> value_of(const Figure& figure, const Quantity& quantity) {
  if (!figure.time || !(figure.time->location_s > 0)) return std::nullopt;
  if (quantity.kind == Quantity::counter) {
    const CounterValue* found = figure.counter(quantity.name);
    if (found == nullptr) return std::nullopt;
    return drawable({found->value, found->low, found->high, std::nullopt});
  }
  const Estimate& time = *figure.time;
  if (quantity == Quantity::time) return drawable({time.location_s, time.low_s, time.high_s, std::nullopt});
  if (!figure.rate || figure.rate->quantity != kKinds[quantity.kind].rate) return std::nullopt;
  const double work = figure.rate->per_second * time.location_s;
  Value value;
  if (quantity == Quantity::per_access) {
    value.location = time.location_s / work;
    if (time.low_s) value.low = *time.low_s / work;
    if (time.high_s) value.high = *time.high_s / work;
    return drawable(value);
  }
  value.location = figure.rate->per_second;
  if (time.high_s) value.low = work / *time.high_s;
  if (time.low_s) value.high = work / *time.low_s;
  value.limit = figure.rate->limit_per_second;
  value.clock_share = figure.rate->clock_share;
  return drawable(value);
}

Quantity quantity_of(std::span<const Figure* const> figures) {
  if (figures.empty()) return Quantity::time;
  if (const CounterValue* judged = common_counter(figures)) return {judged->name, judged->unit};
  if (std::ranges::all_of(figures, [](const Figure* one) { return one->shown_as_time; })) {
    return Quantity::time;
  }
  const std::optional<std::string> first = rate_quantity(*figures.front());
  for (const Figure* one : figures) {
    if (one->time && rate_quantity(*one) != first) return Quantity::time;
  }
  if (!first) return Quantity::time;
  if (is_latency(figures.front()->operation)) {
    return *first == "items" ? Quantity::per_access : Quantity::time;
  }
  if (*first == "bytes") return Quantity::bytes;
  if (*first == "flops") return Quantity::flops;
  const auto limited = [](const Figure* one) { return one->rate && one->rate->limit_per_second; };
  return std::ranges::any_of(figures, limited) ? Quantity::items : Quantity::time;
}

std::string value_text(double value, const Quantity& quantity) {
  if (quantity.kind == Quantity::counter) {
    return amount_text({quantity.name, value, quantity.unit, std::nullopt, std::nullopt});
  }
  return units::format(value, unit_of(quantity)) + (quantity == Quantity::per_access ? "/access" : "");
}

std::string known_rate_text(const Figure& figure) {
  const Figure* const one[] = {&figure};
  const Quantity access = Quantity::per_access;
  if (quantity_of(one) != access) return rate_text(figure.rate->quantity, figure.rate->per_second);
  return value_text(value_of(figure, access)->location, access);
}

}  // namespace cupel::figures
