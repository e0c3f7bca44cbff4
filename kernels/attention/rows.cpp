#include "kernels/attention/rows.hpp"

#include <cmath>
#include <cstddef>

#include "cupel/verify/dot_bound.hpp"

namespace cupel::kernels::attention {
namespace {

using verify::kDeviations;

struct Term {
  double weight, error;
  In x;
};

// scale times the sum. normalised: the weights have been divided by their sum.
Row sum_of(const std::vector<Term>& terms, double scale, bool normalised, const Rounding& rounding) {
  const std::size_t size = terms.front().x.size();
  Row result{std::vector<double>(size), std::vector<double>(size)};
  for (const Term& term : terms) {
    for (std::size_t c = 0; c < size; ++c) result.values[c] += scale * term.weight * term.x[c];
  }
  std::vector<double> errors(size), terms_squared(size);
  for (const Term& term : terms) {
    for (std::size_t c = 0; c < size; ++c) {
      const double x = std::fabs(term.x[c]) + (normalised ? std::fabs(result.values[c]) : 0);
      errors[c] += scale * term.error * x * scale * term.error * x;
      terms_squared[c] += scale * term.weight * term.x[c] * scale * term.weight * term.x[c];
    }
  }
  const double additions = std::ceil(static_cast<double>(terms.size()) / kTermsPerAddition);
  for (std::size_t c = 0; c < size; ++c) {
    result.allowed[c] = kDeviations * (std::sqrt(errors[c]) + additions * kTruncation * std::sqrt(terms_squared[c])) +
                        rounding.unit * std::fabs(result.values[c]) + rounding.subnormal;
  }
  return result;
}

// Keys' rows are sums over the queries that see them.
template <class TermOf>
Row over_queries(const Head& head, std::int64_t j, double scale, const Rounding& rounding, const TermOf& term) {
  std::vector<Term> terms;
  for (std::int64_t i = head.causal ? j : 0; i < head.sequence; ++i) terms.push_back(term(i));
  return sum_of(terms, scale, false, rounding);
}

}  // namespace

Row out_row(const Head& head, std::int64_t i, const Rounding& rounding) {
  const std::vector<double> p = reference::shares(head, i);
  std::vector<Term> terms;
  for (std::int64_t j = 0; j < head.seen(i); ++j) {
    const double share = p[static_cast<std::size_t>(j)];
    terms.push_back({share, share_error(share, score(head, i, j), rounding), row(head.v, j, head)});
  }
  return sum_of(terms, 1, true, rounding);
}

Row d_query_row(const Head& head, In d_out, std::int64_t i, const Rounding& rounding) {
  const std::vector<double> p = reference::shares(head, i);
  std::vector<double> slopes;
  double mean = 0, squares = 0;
  for (std::int64_t j = 0; j < head.seen(i); ++j) {
    const double share = p[static_cast<std::size_t>(j)];
    slopes.push_back(dot(row(d_out, i, head), row(head.v, j, head)));
    mean += share * slopes.back();
    squares += share * slopes.back() * slopes.back();
  }
  std::vector<Term> terms;
  for (std::int64_t j = 0; j < head.seen(i); ++j) {
    const double share = p[static_cast<std::size_t>(j)], slope = slopes[static_cast<std::size_t>(j)];
    terms.push_back({share * (slope - mean),
                     gradient_error(share, score(head, i, j), slope, std::sqrt(squares), head.scale, rounding),
                     row(head.k, j, head)});
  }
  return sum_of(terms, head.scale, false, rounding);
}

Row d_key_row(const Head& head, In d_out, std::span<const RowStatistics> statistics, std::int64_t j,
              const Rounding& rounding) {
  return over_queries(head, j, head.scale, rounding, [&](std::int64_t i) {
    const RowStatistics& of_query = statistics[static_cast<std::size_t>(i)];
    const double s = score(head, i, j), share = std::exp(s - of_query.log_sum);
    const double slope = dot(row(d_out, i, head), row(head.v, j, head));
    return Term{share * (slope - of_query.mean_slope),
                gradient_error(share, s, slope, of_query.rms_slope, head.scale, rounding), row(head.q, i, head)};
  });
}

Row d_value_row(const Head& head, In d_out, std::span<const RowStatistics> statistics, std::int64_t j,
                const Rounding& rounding) {
  return over_queries(head, j, 1, rounding, [&](std::int64_t i) {
    const double s = score(head, i, j), share = std::exp(s - statistics[static_cast<std::size_t>(i)].log_sum);
    return Term{share, share_error(share, s, rounding), row(d_out, i, head)};
  });
}

}  // namespace cupel::kernels::attention
