// The check of all gradients of attention refuses what a wrong backward pass makes of the benchmark's numbers, and
// allows what rows.hpp does.
#include "bench/fusion/right_gradients.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "cupel/verify/generator.hpp"
#include "kernels/attention/rows.hpp"

namespace cupel::bench::fusion {
namespace {

namespace attention = kernels::attention;
using Numbers = std::vector<double>;

constexpr std::int64_t kSequence = 192, kSize = 32, kBlock = 64;
constexpr attention::Rounding kFp16{0x1p-11, 0x1p-25, false}, kBf16{0x1p-8, 0, false};

std::size_t place(std::int64_t row, std::int64_t column) { return static_cast<std::size_t>(row * kSize + column); }

Numbers random_numbers(std::uint64_t seed) {
  Numbers numbers;
  const verify::Generator generator(seed);
  for (std::uint64_t i = 0; i < kSequence * kSize; ++i) numbers.push_back(generator.normal(i));
  return numbers;
}

struct Gradients {
  Numbers d_q = Numbers(kSequence * kSize), d_k = d_q, d_v = d_q;
};

// A head, the gradients that it has to have and the squares beside them, summed as the device sums them.
class KnownHead {
 public:
  KnownHead(const attention::Rounding& rounding, bool causal)
      : right(right_gradients(rounding, 1 / std::sqrt(static_cast<double>(kSize)), causal, kSequence)),
        head{q, k, v, kSequence, kSize, causal, right.scale},
        statistics(attention::reference::statistics(head, d_out)) {
    for (std::int64_t i = 0; i < kSequence; ++i) {
      for (std::int64_t j = 0; j < kSequence; ++j) add(i, j, weights(i, j));
    }
  }

  PairWeights weights(std::int64_t i, std::int64_t j) const {
    const auto at = [this](const Numbers& array, std::int64_t row) {
      return attention::row(attention::In(array), row, head);
    };
    return pair_weights(right, i, j, attention::dot(at(q, i), at(k, j)), attention::dot(at(d_out, i), at(v, j)),
                        statistics[static_cast<std::size_t>(i)]);
  }

  // The share of elements that are refused.
  double refused(const Gradients& seen) const {
    const auto of = [this](const Numbers& numbers, const Numbers& expected, const Numbers& beside) {
      std::size_t count = 0;
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const bool is_right = std::fabs(numbers[i] - expected[i]) <= allowed_error(right, expected[i], beside[i]);
        count += is_right ? 0 : 1;
      }
      return static_cast<double>(count);
    };
    return (of(seen.d_q, values.d_q, squares.d_q) + of(seen.d_k, values.d_k, squares.d_k) +
            of(seen.d_v, values.d_v, squares.d_v)) /
           static_cast<double>(3 * kSequence * kSize);
  }

  const Numbers q = random_numbers(1), k = random_numbers(2), v = random_numbers(3), d_out = random_numbers(4);
  const RightGradients right;
  const attention::Head head;
  const std::vector<attention::RowStatistics> statistics;
  Gradients values, squares;

 private:
  void add(std::int64_t i, std::int64_t j, const PairWeights& pair) {
    for (std::int64_t c = 0; c < kSize; ++c) {
      const std::size_t query = place(i, c), key = place(j, c);
      values.d_q[query] += pair.gradient * k[key];
      values.d_k[key] += pair.gradient * q[query];
      values.d_v[key] += pair.share * d_out[query];
      squares.d_q[query] += pair.gradient_squares * k[key] * k[key];
      squares.d_k[key] += pair.gradient_squares * q[query] * q[query];
      squares.d_v[key] += pair.share_squares * d_out[query] * d_out[query];
    }
  }
};

class RightGradientsOf : public testing::TestWithParam<bool> {
 protected:
  static void expect_between(const attention::Row& row, const RightGradients& right, const Numbers& values,
                             const Numbers& squares, std::int64_t i) {
    for (std::int64_t c = 0; c < kSize; ++c) {
      const auto at = static_cast<std::size_t>(c);
      EXPECT_NEAR(values[place(i, c)], row.values[at], 1e-12);
      const double allowed = allowed_error(right, values[place(i, c)], squares[place(i, c)]);
      EXPECT_GE(allowed, row.allowed[at] * (1 - 1e-12)) << i << ", " << c;
      EXPECT_LE(allowed, row.allowed[at] * 1.5) << i << ", " << c;
    }
  }
};

TEST_P(RightGradientsOf, AHeadAreThoseOfItsRowsAndMayBeAsFarOff) {
  for (const attention::Rounding& rounding : {kFp16, kBf16, attention::Rounding{0x1p-11, 0x1p-25, true}}) {
    const KnownHead known(rounding, GetParam());
    for (std::int64_t i = 0; i < kSequence; ++i) {
      expect_between(d_query_row(known.head, known.d_out, i, rounding), known.right, known.values.d_q,
                     known.squares.d_q, i);
      expect_between(d_key_row(known.head, known.d_out, known.statistics, i, rounding), known.right, known.values.d_k,
                     known.squares.d_k, i);
      expect_between(d_value_row(known.head, known.d_out, known.statistics, i, rounding), known.right, known.values.d_v,
                     known.squares.d_v, i);
    }
  }
}

TEST_P(RightGradientsOf, AHeadRefuseABlockThatIsNotWritten) {
  constexpr double kOfABlock = static_cast<double>(kBlock) / (3 * kSequence);
  for (const attention::Rounding& rounding : {kFp16, kBf16}) {
    const KnownHead known(rounding, GetParam());
    ASSERT_EQ(known.refused(known.values), 0);
    for (const auto gradient : {&Gradients::d_q, &Gradients::d_k, &Gradients::d_v}) {
      const auto with_block_of = [&](double value) {
        Gradients wrong = known.values;
        std::fill_n((wrong.*gradient).begin() + kBlock * kSize, kBlock * kSize, value);
        return known.refused(wrong);
      };
      EXPECT_EQ(with_block_of(std::numeric_limits<double>::quiet_NaN()), kOfABlock);
      EXPECT_GT(with_block_of(0), kOfABlock / 2);
    }
  }
}

// A kernel makes this that skips a block of keys for a block of queries.
TEST_P(RightGradientsOf, AHeadRefuseATileThatIsLeftOutOfTheSums) {
  for (const attention::Rounding& rounding : {kFp16, kBf16}) {
    const KnownHead known(rounding, GetParam());
    Gradients wrong = known.values;
    for (std::int64_t i = 2 * kBlock; i < 3 * kBlock; ++i) {
      for (std::int64_t j = kBlock; j < 2 * kBlock; ++j) {
        const PairWeights pair = known.weights(i, j);
        for (std::int64_t c = 0; c < kSize; ++c) {
          wrong.d_q[place(i, c)] -= pair.gradient * known.k[place(j, c)];
          wrong.d_k[place(j, c)] -= pair.gradient * known.q[place(i, c)];
          wrong.d_v[place(j, c)] -= pair.share * known.d_out[place(i, c)];
        }
      }
    }
    EXPECT_GT(known.refused(wrong), 0.1);
  }
}

TEST_P(RightGradientsOf, AHeadRefuseAnotherScaleAndAnotherMask) {
  const KnownHead known(kBf16, GetParam()), other(kBf16, !GetParam());
  EXPECT_GT(known.refused(other.values), 0.3);

  Gradients unscaled = known.values;
  for (Numbers* const gradient : {&unscaled.d_q, &unscaled.d_k}) {
    for (double& x : *gradient) x /= known.right.scale;
  }
  EXPECT_GT(known.refused(unscaled), 0.6);
}

INSTANTIATE_TEST_SUITE_P(Masks, RightGradientsOf, testing::Bool(),
                         [](const auto& causal) { return causal.param ? "causal" : "full"; });

}  // namespace
}  // namespace cupel::bench::fusion
