#include "cupel/record/random_results.hpp"

#include <array>
#include <cmath>

#include "cupel/record/visit.hpp"
#include "cupel/stats/random.hpp"

namespace cupel::record {
namespace {

// Sets every field of a list to something of its type.
class Random {
 public:
  explicit Random(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t limit) { return random_.below(limit); }

  template <typename T>
  void operator()(const char*, T& target, detail::Rule rule = {}) {
    set(target, rule);
  }

  template <typename T>
  T any() {
    T value{};
    set(value, {});
    return value;
  }

 private:
  bool flag() { return below(2) == 1; }

  void set(bool& target, detail::Rule) { target = flag(); }
  void set(int& target, detail::Rule) { target = static_cast<int>(below(100)); }
  void set(std::int64_t& target, detail::Rule) { target = 1 + static_cast<std::int64_t>(random_() >> (4 + below(60))); }
  void set(std::uint64_t& target, detail::Rule) { target = random_(); }

  void set(double& target, detail::Rule rule) {
    const double exponent = static_cast<double>(below(601)) - 300;
    target = below(8) == 0 ? 0 : (0.1 + 0.9 * random_.uniform()) * std::pow(10, exponent);
    if (rule.any_sign && flag()) target = -target;
  }

  void set(std::string& target, detail::Rule rule) {
    constexpr std::array kPieces{"a", "Z", "0", "/", "~", "\"", "\\", ":", " ", "µ", "✓", "𝄞", "<b>", "|"};
    if (rule.is_time) {
      if (flag()) target = "2026-11-20T06:35:00Z";
      return;
    }
    target = rule.not_empty ? "n" : "";
    for (std::size_t i = below(6); i > 0; --i) target += kPieces[below(kPieces.size())];
  }

  template <typename T>
  void set(std::optional<T>& target, detail::Rule rule) {
    if (flag()) set(target.emplace(), rule);
  }

  template <typename T>
  void set(std::vector<T>& target, detail::Rule rule) {
    target.resize(below(4));
    for (T& element : target) set(element, rule);
  }

  template <typename T>
  void set(std::map<std::string, T>& target, detail::Rule rule) {
    for (std::size_t i = below(4); i > 0; --i) set(target[any<std::string>()], rule);
  }

  template <typename T>
  void set(T& target, detail::Rule) {
    if constexpr (std::is_enum_v<T>) {
      target = static_cast<T>(below(names_of(T{}).size()));
    } else {
      detail::visit(*this, target);
    }
  }

  stats::Random random_;
};

// Makes the fields of a series what they must be together.
void make_consistent(Series& series, Random& random) {
  series.samples_s.push_back(random.any<double>());
  const std::size_t first = random.below(series.samples_s.size());
  series.round_sizes = {static_cast<std::int64_t>(first), static_cast<std::int64_t>(series.samples_s.size() - first)};
  for (std::vector<double>& of_rank : series.samples_by_rank_s) of_rank = series.samples_s;
}

Row random_row(Random& random) {
  Row row = random.any<Row>();
  row.name = "n" + random.any<std::string>();
  if (random.below(2) == 0) row.status = Status::ok;
  if (row.status != Status::ok) row.series.clear();
  for (Series& series : row.series) make_consistent(series, random);
  return row;
}

}  // namespace

ResultSet random_results(std::uint64_t seed) {
  Random random(seed);
  ResultSet results;
  results.context = random.any<Context>();
  results.context.run.finished = "2026-11-20T06:45:00Z";  // without one the reader counts processes
  results.rows.resize(random.below(9));
  for (Row& row : results.rows) row = random_row(random);
  return results;
}

}  // namespace cupel::record
