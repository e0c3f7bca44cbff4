#include "cupel/foretell/needs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "cupel/foretell/foretell.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::foretell {
namespace {

using record::ListedBenchmark;

constexpr std::size_t kPairs = 8;     // of a question about ratios: nearest() looks at three, wherever the kernels lie
constexpr std::size_t kAround = 2;    // rows on either side of a size
constexpr double kSomeTime_s = 1e-6;  // that a row is taken to have: no rule asks for less where it is more

const std::array kProfiles{"quick", "standard", "full"};

std::size_t rank_of_profile(const ListedBenchmark& benchmark) {
  return static_cast<std::size_t>(std::ranges::find(kProfiles, benchmark.profile) - kProfiles.begin());
}

std::optional<double> number_of(const ListedBenchmark& benchmark, const std::string& param) {
  const auto found = std::ranges::find(benchmark.params, param, &std::pair<std::string, std::string>::first);
  return found == benchmark.params.end() ? std::nullopt : units::number<double>(found->second);
}

// Rules ask it as they ask what was measured: it notes the rows that would answer, and answers with anything.
class Asked : public Micro {
 public:
  Asked(const record::StepProfile& profile, std::span<const ListedBenchmark> there)
      : Micro(std::vector<figures::Figure>()), profile_(&profile) {
    for (const ListedBenchmark& one : there) by_name_.emplace(one.name, &one);
    for (const record::StepKernels& k : profile.kernels) {
      const double bytes =
          static_cast<double>(k.bytes.value_or(0)) / static_cast<double>(std::max<std::int64_t>(k.calls, 1));
      if (bytes <= 0) continue;
      if (record::is_convolution(k.kind)) convolutions_.emplace_back(bytes, k.time_s);
      if (k.kind == record::KernelKind::gemm) products_.emplace_back(bytes, k.time_s);
    }
  }

  Estimate time_at(const std::string& pattern, double number, std::optional<record::Mode>) const override {
    std::vector<Sized> sized;
    for (const ListedBenchmark* row : matching(pattern)) {
      const std::optional<double> size = units::number<double>(stars(pattern, row->name)->back());
      if (size && *size > 0) sized.emplace_back(*size, row);
    }
    want_around(std::move(sized), number, 1);
    return Estimate::exactly(kSomeTime_s);
  }

  // A listing does not have what a row moves: once or twice its bytes.
  Estimate time_of_bytes(const std::vector<std::string>& patterns, double bytes) const override {
    for (const std::string& pattern : patterns) {
      std::vector<Sized> sized;
      std::vector<const ListedBenchmark*> others;
      for (const ListedBenchmark* row : matching(pattern)) {
        const std::optional<double> size = number_of(*row, "bytes");
        if (size && *size > 0) {
          sized.emplace_back(*size, row);
        } else {
          others.push_back(row);
        }
      }
      want_around(std::move(sized), bytes, kAround);
      want_nearest(std::move(others));
    }
    return Estimate::exactly(kSomeTime_s);
  }

  std::vector<Known> ratios(const std::string& pattern, const std::string& before, const std::string& after,
                            double) const override {
    want_pairs(pattern, before, after);
    return {{{}, Estimate::exactly(1)}};
  }

  std::vector<Known> differences(const std::string& pattern, const std::string& before, const std::string& after,
                                 double) const override {
    want_pairs(pattern, before, after);
    return {{{}, Estimate::exactly(kSomeTime_s)}};
  }

  std::vector<const ListedBenchmark*> wanted() const {
    std::vector<std::tuple<std::size_t, std::size_t, const ListedBenchmark*>> order;
    for (const auto& [row, when] : when_) order.emplace_back(when.first, when.second, row);
    std::ranges::sort(order);
    std::vector<const ListedBenchmark*> rows;
    for (const auto& [turn, question, row] : order) rows.push_back(row);
    return rows;
  }

 private:
  using Sized = std::pair<double, const ListedBenchmark*>;

  std::vector<const ListedBenchmark*> matching(const std::string& pattern) const {
    std::vector<const ListedBenchmark*> rows;
    const std::string beginning = pattern.substr(0, pattern.find('*'));
    for (auto at = by_name_.lower_bound(beginning); at != by_name_.end() && at->first.starts_with(beginning); ++at) {
      if (stars(pattern, at->first)) rows.push_back(at->second);
    }
    return rows;
  }

  void want(const ListedBenchmark* row, std::size_t turn) const {
    const auto [at, is_new] = when_.try_emplace(row, turn, question_);
    if (!is_new) at->second = std::min(at->second, std::pair(turn, question_));
  }

  void want_around(std::vector<Sized> sized, double size, std::size_t count) const {
    ++question_;
    std::ranges::sort(sized);
    const auto above = std::ranges::lower_bound(sized, size, {}, &Sized::first);
    const auto behind = sized.end() - above, before = above - sized.begin();
    for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(count); ++i) {
      if (i < behind) want((above + i)->second, static_cast<std::size_t>(i));
      if (i < before) want((above - 1 - i)->second, static_cast<std::size_t>(i));
    }
    // Beyond the last row the time goes on as the last two do.
    if (behind == 0 && before > 1) want((above - 2)->second, 1);
    if (before == 0 && behind > 1) want((above + 1)->second, 1);
  }

  // The mean ratio of a row's bytes to those of the step's kernels of its kind, as a logarithm; by their time.
  double away_in_bytes(const ListedBenchmark& row) const {
    const bool is_convolution = row.name.starts_with("conv/");
    if (row.device_bytes <= 0 || (!is_convolution && !row.name.starts_with("gemm/"))) return 0;
    double sum = 0, time_s = 0;
    for (const auto& [bytes, kernels_s] : is_convolution ? convolutions_ : products_) {
      sum += kernels_s * std::abs(std::log(static_cast<double>(row.device_bytes) / bytes));
      time_s += kernels_s;
    }
    return time_s > 0 ? sum / time_s : 0;
  }

  // By the batch and the bytes, and then those that a smaller profile has.
  void sort_by_nearness(std::vector<const ListedBenchmark*>& rows) const {
    const auto distance = [&](const ListedBenchmark* row) {
      const std::optional<double> batch = number_of(*row, "batch");
      const bool is_known = batch && *batch > 0 && profile_->batch > 0;
      const double by_batch = is_known ? std::abs(std::log(*batch / static_cast<double>(profile_->batch))) : 0.0;
      return std::pair(by_batch + away_in_bytes(*row), rank_of_profile(*row));
    };
    std::ranges::stable_sort(rows, {}, distance);
  }

  void want_nearest(std::vector<const ListedBenchmark*> rows) const {
    ++question_;
    sort_by_nearness(rows);
    for (std::size_t i = 0; i < std::min(rows.size(), kPairs); ++i) want(rows[i], i);
  }

  void want_pairs(const std::string& pattern, const std::string& from, const std::string& to) const {
    std::map<const ListedBenchmark*, const ListedBenchmark*> twins;
    std::vector<const ListedBenchmark*> rows;
    for (const ListedBenchmark* row : matching(pattern)) {
      std::string name = row->name;
      const std::size_t at = name.find(from);
      if (at == std::string::npos) continue;
      name.replace(at, from.size(), to);
      const auto twin = by_name_.find(name);
      if (twin == by_name_.end()) continue;
      twins[row] = twin->second;
      rows.push_back(row);
    }
    ++question_;
    sort_by_nearness(rows);
    for (std::size_t i = 0; i < std::min(rows.size(), kPairs); ++i) {
      want(rows[i], i);
      want(twins[rows[i]], i);
    }
  }

  const record::StepProfile* profile_;
  std::vector<std::pair<double, double>> convolutions_, products_;  // bytes of a call, seconds of all
  std::map<std::string, const ListedBenchmark*, std::less<>> by_name_;
  mutable std::map<const ListedBenchmark*, std::pair<std::size_t, std::size_t>> when_;  // turn, question
  mutable std::size_t question_ = 0;
};

}  // namespace

std::vector<const ListedBenchmark*> needs(const record::StepProfile& profile, std::span<const ListedBenchmark> there) {
  const Asked asked(profile, there);
  const Step step(profile, asked);
  for (const Rule& rule : rules()) {
    if (rule.is_on(profile) || (rule.is_of != nullptr && !rule.is_of(profile))) continue;
    try {
      rule.saving(step);
    } catch (const Silence&) {  // what the profile lacks, no row can say
    }
  }
  return asked.wanted();
}

}  // namespace cupel::foretell
