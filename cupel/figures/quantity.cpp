#include "cupel/figures/quantity.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "cupel/figures/words.hpp"
#include "cupel/units/format.hpp"

namespace cupel::figures {
namespace {

bool is_latency(const std::string& operation) {
  return operation.find("latency") != std::string::npos || operation.find("chase") != std::string::npos;
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

std::ptrdiff_t count_with(std::span<const Figure* const> figures, std::string_view rate) {
  return std::ranges::count_if(figures, [&](const Figure* one) { return one->rate && one->rate->quantity == rate; });
}

bool is_known_by_time(const Figure* one) { return one->shown_as_time || !one->rate; }

// Returns the figures whose times are above the floor, which decide the quantity; all of them where none is.
std::vector<const Figure*> told(std::span<const Figure* const> figures) {
  std::vector<const Figure*> kept(figures.begin(), figures.end());
  std::erase_if(kept, [](const Figure* one) { return one->below_floor; });
  return kept.empty() ? std::vector<const Figure*>(figures.begin(), figures.end()) : kept;
}

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
  if (figure.below_floor) return std::nullopt;
  const Estimate& time = *figure.time;
  if (quantity == Quantity::time) return drawable({time.location_s, time.low_s, time.high_s, std::nullopt});
  const char* const rate = kKinds[quantity.kind].rate;
  const auto work = static_cast<double>(figure.workload.amount(rate));
  if (work <= 0) return std::nullopt;
  Value value;
  if (quantity == Quantity::per_access) {
    value.location = time.location_s / work;
    if (time.low_s) value.low = *time.low_s / work;
    if (time.high_s) value.high = *time.high_s / work;
    return drawable(value);
  }
  value.location = work / time.location_s;
  if (time.high_s) value.low = work / *time.high_s;
  if (time.low_s) value.high = work / *time.low_s;
  if (figure.rate && figure.rate->quantity == rate) {
    value.limit = figure.rate->limit_per_second;
    value.clock_share = figure.rate->clock_share;
  }
  return drawable(value);
}

std::string usual_rate(std::span<const Figure* const> figures) {
  constexpr std::array kRates{"bytes", "flops", "items"};
  const auto having = [&](const char* rate) { return count_with(figures, rate); };
  const char* const most = *std::ranges::max_element(kRates, {}, having);
  return having(most) > 0 ? most : "";
}

Quantity quantity_of(std::span<const Figure* const> all) {
  if (all.empty()) return Quantity::time;
  if (const CounterValue* judged = common_counter(all)) return {judged->name, judged->unit};
  const std::vector<const Figure*> figures = told(all);
  const std::string rate = usual_rate(figures);
  if (std::ranges::count_if(figures, is_known_by_time) >= count_with(figures, rate)) return Quantity::time;
  if (is_latency(figures.front()->operation)) {
    return count_with(figures, "items") == std::ssize(figures) ? Quantity::per_access : Quantity::time;
  }
  if (rate == "bytes") return Quantity::bytes;
  if (rate == "flops") return Quantity::flops;
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
  const std::optional<Value> value = quantity_of(one) == access ? value_of(figure, access) : std::nullopt;
  return value ? value_text(value->location, access) : rate_text(figure.rate->quantity, figure.rate->per_second);
}

}  // namespace cupel::figures
