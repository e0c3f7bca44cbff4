#include "cupel/stats/quantile.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace cupel::stats {

namespace {

std::vector<double> numbers(std::span<const double> sample) {
  require_numbers(sample);
  return {sample.begin(), sample.end()};
}

// The bits of a value as a number that is in the order of the values: those of a negative one are turned round.
std::uint64_t ordered_bits(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return bits >> 63U != 0 ? ~bits : bits | std::uint64_t{1} << 63U;
}

double value_of(std::uint64_t ordered) {
  return std::bit_cast<double>(ordered >> 63U != 0 ? ordered & ~(std::uint64_t{1} << 63U) : ~ordered);
}

// Sorts by the first bits in which values differ, one byte of them after the other from the least, and compares those
// that are alike in them: less than half of the time that comparing all takes, which the processor cannot predict.
// Knuth, The Art of Computer Programming, volume 3, section 5.2.5, algorithm R.
void sort_by_bytes(std::vector<double>& values) {
  constexpr int kBytes = 2, kBits = 8, kPlaces = 1 << kBits;
  std::vector<std::uint64_t> keys(values.size()), next(values.size());
  std::ranges::transform(values, keys.begin(), ordered_bits);
  const auto [least, greatest] = std::ranges::minmax(keys);
  for (std::uint64_t& key : keys) key -= least;
  const int end_bit = std::max(kBytes * kBits, static_cast<int>(std::bit_width(greatest - least)));
  const int first_bit = end_bit - kBytes * kBits;
  for (int bit = first_bit; bit < end_bit; bit += kBits) {
    const auto place = [bit](std::uint64_t key) { return key >> bit & (kPlaces - 1); };
    std::array<std::size_t, kPlaces> begins{};
    for (const std::uint64_t key : keys) ++begins[place(key)];
    std::exclusive_scan(begins.begin(), begins.end(), begins.begin(), std::size_t{0});
    for (const std::uint64_t key : keys) next[begins[place(key)]++] = key;
    std::swap(keys, next);
  }
  for (auto begin = keys.begin(), end = begin; begin != keys.end(); begin = end) {
    end = std::find_if(begin + 1, keys.end(), [&](auto key) { return key >> first_bit != *begin >> first_bit; });
    if (end - begin > 1) std::sort(begin, end);
  }
  std::ranges::transform(keys, values.begin(), [least](std::uint64_t key) { return value_of(key + least); });
}

// The place of a quantile among ascending values: between one of them and the next.
struct Place {
  std::size_t below = 0;
  double fraction = 0;

  // Equal neighbours may be infinite: their difference is then not a number.
  double between(double low, double high) const { return low == high ? low : low + fraction * (high - low); }
};

Place place_of(std::size_t size, double p) {
  if (size == 0) throw std::invalid_argument("stats: quantile of an empty sample");
  const double position = static_cast<double>(size - 1) * std::clamp(p, 0.0, 1.0);
  const auto below = static_cast<std::size_t>(position);
  return {below, position - static_cast<double>(below)};
}

constexpr std::size_t kFew = 16, kUnrolled = 8;

// Counts the rank of each value: the processor has no outcome of a comparison to predict.
template <std::size_t extent>
double quantile_of_few(std::span<const double, extent> sample, double p) {
  constexpr std::size_t kRoom = std::min(extent, kFew);
  require_numbers(sample);
  std::array<std::size_t, kRoom> ranks{};
  for (std::size_t i = 1; i < sample.size(); ++i) {
    for (std::size_t before = 0; before < i; ++before) {
      const bool is_less = sample[i] < sample[before];
      ranks[before] += is_less ? 1 : 0;
      ranks[i] += is_less ? 0 : 1;
    }
  }
  std::array<double, kRoom> ascending{};
  for (std::size_t i = 0; i < sample.size(); ++i) ascending[ranks[i]] = sample[i];
  return quantile_of_sorted({ascending.data(), sample.size()}, p);
}

template <std::size_t count>
double quantile_of(const double* sample, double p) {
  return quantile_of_few(std::span<const double, count>(sample, count), p);
}

// By the count of values, which the compiler then knows: it leaves no loop.
constexpr auto kQuantileOfFew = []<std::size_t... counts>(std::index_sequence<counts...>) {
  return std::array{&quantile_of<counts>...};
}(std::make_index_sequence<kUnrolled + 1>());

}  // namespace

void require_numbers(std::span<const double> sample) {
  if (std::ranges::any_of(sample, [](double x) { return std::isnan(x); })) {
    throw std::invalid_argument("stats: the sample holds a value that is not a number");
  }
}

std::vector<double> sorted(std::span<const double> sample) {
  constexpr std::size_t kFewest = 100;  // fewer are compared sooner than counted
  std::vector<double> copy = numbers(sample);
  if (copy.size() < kFewest) {
    std::ranges::sort(copy);
  } else {
    sort_by_bytes(copy);
  }
  return copy;
}

double quantile_of_sorted(std::span<const double> ascending, double p) {
  const Place place = place_of(ascending.size(), p);
  return place.between(ascending[place.below], ascending[std::min(place.below + 1, ascending.size() - 1)]);
}

double log_quantile_of_sorted(std::span<const double> ascending, double p) {
  const Place place = place_of(ascending.size(), p);
  const double above = ascending[std::min(place.below + 1, ascending.size() - 1)];
  return place.between(std::log(ascending[place.below]), std::log(above));
}

// Sorts no more than it takes to know the two values; few are ranked sooner than a selection among them begins.
double quantile(std::span<const double> sample, double p) {
  if (sample.size() <= kUnrolled) return kQuantileOfFew[sample.size()](sample.data(), p);
  if (sample.size() <= kFew) return quantile_of_few(sample, p);
  std::vector<double> values = numbers(sample);
  const Place place = place_of(values.size(), p);
  const auto low = values.begin() + static_cast<std::ptrdiff_t>(place.below);
  std::ranges::nth_element(values, low);
  return place.between(*low, low + 1 == values.end() ? *low : *std::min_element(low + 1, values.end()));
}

double median(std::span<const double> sample) { return quantile(sample, 0.5); }

std::optional<double> median_if_any(std::span<const double> sample) {
  if (sample.empty()) return std::nullopt;
  return median(sample);
}

}  // namespace cupel::stats
