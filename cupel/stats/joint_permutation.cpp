#include "cupel/stats/joint_permutation.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "cupel/stats/location.hpp"
#include "cupel/stats/mann_whitney.hpp"
#include "cupel/stats/random.hpp"

namespace cupel::stats {
namespace {

// Rounding must not part a deal from its mirror image.
constexpr double kSame = 1 - 1e-9;

struct Row {
  std::vector<double> centred;  // a, then b, about their common mean
  double squares = 0;
};

Row row_of(const TwoSamples& samples) {
  Row row{samples.a, 0};
  row.centred.insert(row.centred.end(), samples.b.begin(), samples.b.end());
  const double centre = mean(row.centred);
  for (double& value : row.centred) {
    value -= centre;
    row.squares += value * value;
  }
  return row;
}

class Deals {
 public:
  Deals(std::size_t n, std::size_t m) : n_(static_cast<double>(n)), m_(static_cast<double>(m)), of_b_(n + m, false) {
    std::fill(of_b_.begin() + static_cast<std::ptrdiff_t>(n), of_b_.end(), true);
    const double ways = 1 / smallest_p(static_cast<int>(n), static_cast<int>(m));
    all_ = ways <= kMostDeals;
    count_ = all_ ? static_cast<int>(std::lround(ways)) : kMostDeals;
  }

  int count() const { return count_; }

  /// The first is as it was measured.
  void next() {
    if (all_) {
      if (!std::next_permutation(of_b_.begin(), of_b_.end())) return;
    } else {
      for (std::size_t i = of_b_.size(); i > 1; --i) {
        const std::size_t other = random_.below(i);
        const bool kept = of_b_[i - 1];
        of_b_[i - 1] = of_b_[other];
        of_b_[other] = kept;
      }
    }
  }

  double statistic(const Row& row, double least) const {
    double sum = 0;
    for (std::size_t i = 0; i < of_b_.size(); ++i) sum += of_b_[i] ? row.centred[i] : 0;
    const double difference = std::abs(sum / m_ + sum / n_);  // the other side's sum is the negative of this one
    const double within = std::max(0.0, row.squares - difference * difference * n_ * m_ / (n_ + m_));
    return difference / (least + std::sqrt(within / (n_ + m_ - 2) * (1 / n_ + 1 / m_)));
  }

 private:
  double n_, m_;
  std::vector<bool> of_b_;
  bool all_ = true;
  int count_ = 1;
  Random random_{1};
};

}  // namespace

std::vector<double> joint_permutation_p(std::span<const TwoSamples> samples, double least) {
  std::vector<Row> rows;
  for (const TwoSamples& one : samples) {
    const bool fits = one.a.size() >= 2 && one.b.size() >= 2 && one.a.size() == samples.front().a.size() &&
                      one.b.size() == samples.front().b.size();
    if (!fits) throw std::invalid_argument("stats: rows of a joint permutation need as many values, two at least");
    rows.push_back(row_of(one));
  }
  if (rows.empty()) return {};
  Deals deals(samples.front().a.size(), samples.front().b.size());
  std::vector<double> seen;
  for (const Row& row : rows) seen.push_back(deals.statistic(row, least));
  std::vector<int> reached(rows.size(), 0);
  for (int deal = 0; deal < deals.count(); ++deal) {
    double most = 0;
    for (const Row& row : rows) most = std::max(most, deals.statistic(row, least));
    for (std::size_t i = 0; i < rows.size(); ++i) reached[i] += most >= seen[i] * kSame;
    deals.next();
  }
  std::vector<double> p;
  for (const int count : reached) p.push_back(static_cast<double>(count) / deals.count());
  return p;
}

}  // namespace cupel::stats
