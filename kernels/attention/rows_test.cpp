#include "kernels/attention/rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "cupel/verify/generator.hpp"

namespace cupel::kernels::attention {
namespace {

using Values = std::vector<double>;

// A number format, by its bits of precision and the distance between its smallest numbers.
struct Format {
  std::string name;
  int bits;
  double smallest;

  double round(double x) const {
    if (x == 0) return 0;
    int exponent = 0;
    std::frexp(x, &exponent);
    const double step = std::max(std::ldexp(1.0, exponent - bits), smallest);
    return std::nearbyint(x / step) * step;
  }
  Values round(Values values) const {
    for (double& x : values) x = round(x);
    return values;
  }
  Rounding rounding(bool scores) const { return {std::ldexp(1.0, -bits), smallest / 2, scores}; }
};

const Format kFp16{"fp16", 11, 0x1p-24}, kBf16{"bf16", 8, 0x1p-133};

struct Data {
  Data(const Format& format, std::int64_t sequence, std::int64_t size, bool causal)
      : q(random(format, sequence * size, 1)),
        k(random(format, sequence * size, 2)),
        v(random(format, sequence * size, 3)),
        d_out(random(format, sequence * size, 4)),
        head{q, k, v, sequence, size, causal, 1 / std::sqrt(static_cast<double>(size))} {}

  static Values random(const Format& format, std::int64_t count, std::uint64_t seed) {
    Values values;
    const verify::Generator generator(seed);
    for (std::int64_t i = 0; i < count; ++i) values.push_back(generator.normal(static_cast<std::uint64_t>(i)));
    return format.round(values);
  }

  Values zeros() const { return Values(q.size()); }

  Values q, k, v, d_out;
  Head head;
};

struct Results {
  Values out, d_q, d_k, d_v;
};

Results exact(const Data& data) {
  Results all{data.zeros(), data.zeros(), data.zeros(), data.zeros()};
  reference::forward(data.head, all.out);
  reference::backward(data.head, data.d_out, all.d_q, all.d_k, all.d_v);
  return all;
}

// The rows of all four results, the first to the last, as one row.
Row all_rows(const Data& data, const Rounding& rounding) {
  const auto statistics = reference::statistics(data.head, data.d_out);
  Row all;
  const auto append = [&](const Row& row) {
    all.values.insert(all.values.end(), row.values.begin(), row.values.end());
    all.allowed.insert(all.allowed.end(), row.allowed.begin(), row.allowed.end());
  };
  for (std::int64_t i = 0; i < data.head.sequence; ++i) append(out_row(data.head, i, rounding));
  for (std::int64_t i = 0; i < data.head.sequence; ++i) append(d_query_row(data.head, data.d_out, i, rounding));
  for (std::int64_t j = 0; j < data.head.sequence; ++j) {
    append(d_key_row(data.head, data.d_out, statistics, j, rounding));
  }
  for (std::int64_t j = 0; j < data.head.sequence; ++j) {
    append(d_value_row(data.head, data.d_out, statistics, j, rounding));
  }
  return all;
}

Values joined(const Results& results) {
  Values all;
  for (const Values* part : {&results.out, &results.d_q, &results.d_k, &results.d_v}) {
    all.insert(all.end(), part->begin(), part->end());
  }
  return all;
}

double dot(const Values& a, std::int64_t i, const Values& b, std::int64_t j, std::int64_t size) {
  double sum = 0;
  for (std::int64_t c = 0; c < size; ++c)
    sum += a[static_cast<std::size_t>(i * size + c)] * b[static_cast<std::size_t>(j * size + c)];
  return sum;
}

// Rounds as a way of computing does: sums are exact, everything that is stored is rounded.
Results rounded(const Data& data, const Format& format, bool scores) {
  const Head& head = data.head;
  const std::int64_t size = head.size;
  const auto stored = [&](double x) { return scores ? format.round(x) : x; };
  Results all{data.zeros(), data.zeros(), data.zeros(), data.zeros()};
  const auto add = [size](double factor, const Values& x, std::int64_t j, Values& sum, std::int64_t i) {
    for (std::int64_t c = 0; c < size; ++c) {
      sum[static_cast<std::size_t>(i * size + c)] += factor * x[static_cast<std::size_t>(j * size + c)];
    }
  };
  for (std::int64_t i = 0; i < head.sequence; ++i) {
    Values p;
    double sum = 0;
    for (std::int64_t j = 0; j < head.seen(i); ++j) {
      p.push_back(std::exp(stored(head.scale * dot(data.q, i, data.k, j, size))));
      sum += p.back();
    }
    for (double& x : p) x = stored(x / sum);
    double mean = 0;
    for (std::int64_t j = 0; j < head.seen(i); ++j)
      add(format.round(p[static_cast<std::size_t>(j)]), data.v, j, all.out, i);
    for (std::int64_t c = i * size; c < (i + 1) * size; ++c) {
      all.out[static_cast<std::size_t>(c)] = format.round(all.out[static_cast<std::size_t>(c)]);
      mean += all.out[static_cast<std::size_t>(c)] * data.d_out[static_cast<std::size_t>(c)];
    }
    Values slopes;
    for (std::int64_t j = 0; j < head.seen(i); ++j) slopes.push_back(stored(dot(data.d_out, i, data.v, j, size)));
    if (scores) {
      mean = 0;
      for (std::size_t j = 0; j < p.size(); ++j) mean += p[j] * slopes[j];
    }
    for (std::int64_t j = 0; j < head.seen(i); ++j) {
      const double share = p[static_cast<std::size_t>(j)];
      const double before = share * (slopes[static_cast<std::size_t>(j)] - mean);
      const double gradient = scores ? head.scale * format.round(before) : format.round(head.scale * before);
      add(gradient, data.k, j, all.d_q, i);
      add(gradient, data.q, i, all.d_k, j);
      add(format.round(share), data.d_out, i, all.d_v, j);
    }
  }
  for (Values* gradient : {&all.d_q, &all.d_k, &all.d_v}) *gradient = format.round(*gradient);
  return all;
}

struct Case {
  Format format;
  bool causal, scores;
};

std::string name_of(const testing::TestParamInfo<Case>& info) {
  return info.param.format.name + (info.param.causal ? "_causal" : "_full") +
         (info.param.scores ? "_unfused" : "_fused");
}

class Rows : public testing::TestWithParam<Case> {};

TEST_P(Rows, AreThoseOfTheReference) {
  const auto& [format, causal, scores] = GetParam();
  const Data data(format, 13, 8, causal);

  const Row rows = all_rows(data, format.rounding(scores));

  const Values expected = joined(exact(data));
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(rows.values[i], expected[i], 1e-12) << i;
}

TEST_P(Rows, AllowWhatTheWayRounds) {
  const auto& [format, causal, scores] = GetParam();
  for (const std::int64_t sequence : {2, 31, 160}) {
    const Data data(format, sequence, 64, causal);

    const Row rows = all_rows(data, format.rounding(scores));

    const Values seen = joined(rounded(data, format, scores));
    for (std::size_t i = 0; i < seen.size(); ++i) {
      EXPECT_LE(std::fabs(seen[i] - rows.values[i]), rows.allowed[i]) << i << " of " << sequence;
    }
  }
}

// A result that is no attention, or another one, is far off.
TEST_P(Rows, AllowNoOtherScaleAndNoOtherMask) {
  const auto& [format, causal, scores] = GetParam();
  const Data data(format, 160, 64, causal);
  Data other_scale(format, 160, 64, causal), other_mask(format, 160, 64, !causal);
  other_scale.head.scale *= 1.5;

  const Row rows = all_rows(data, format.rounding(scores));

  for (const Data* other : {&other_scale, &other_mask}) {
    const Values wrong = joined(exact(*other));
    std::size_t seen = 0;
    for (std::size_t i = 0; i < wrong.size(); ++i) {
      seen += std::fabs(wrong[i] - rows.values[i]) > rows.allowed[i] ? 1 : 0;
    }
    EXPECT_GT(seen, wrong.size() / 3);
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, Rows,
                         testing::Values(Case{kFp16, false, false}, Case{kFp16, false, true}, Case{kFp16, true, false},
                                         Case{kFp16, true, true}, Case{kBf16, false, false}, Case{kBf16, false, true},
                                         Case{kBf16, true, false}, Case{kBf16, true, true}),
                         name_of);

}  // namespace
}  // namespace cupel::kernels::attention
