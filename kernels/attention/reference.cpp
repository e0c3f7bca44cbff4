#include "kernels/attention/reference.hpp"

#include <algorithm>
#include <cmath>

namespace cupel::kernels::attention {

double dot(In a, In b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += a[c] * b[c];
  return sum;
}

double score(const Head& head, std::int64_t i, std::int64_t j) {
  return head.scale * dot(row(head.q, i, head), row(head.k, j, head));
}

namespace reference {
namespace {

void add(double factor, In x, Out sum) {
  for (std::size_t c = 0; c < x.size(); ++c) sum[c] += factor * x[c];
}

std::vector<double> scores(const Head& head, std::int64_t i) {
  std::vector<double> values;
  for (std::int64_t j = 0; j < head.seen(i); ++j) values.push_back(score(head, i, j));
  return values;
}

double log_sum_of(In values) {
  const double most = *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (const double x : values) sum += std::exp(x - most);
  return most + std::log(sum);
}

}  // namespace

std::vector<double> shares(const Head& head, std::int64_t i) {
  std::vector<double> values = scores(head, i);
  const double log_sum = log_sum_of(values);
  for (double& x : values) x = std::exp(x - log_sum);
  values.resize(static_cast<std::size_t>(head.sequence), 0);
  return values;
}

void forward(const Head& head, Out out) {
  std::fill(out.begin(), out.end(), 0);
  for (std::int64_t i = 0; i < head.sequence; ++i) {
    const std::vector<double> p = shares(head, i);
    for (std::int64_t j = 0; j < head.sequence; ++j) {
      add(p[static_cast<std::size_t>(j)], row(head.v, j, head), row(out, i, head));
    }
  }
}

void backward(const Head& head, In d_out, Out d_q, Out d_k, Out d_v) {
  for (const Out gradient : {d_q, d_k, d_v}) std::fill(gradient.begin(), gradient.end(), 0);
  for (std::int64_t i = 0; i < head.sequence; ++i) {
    const std::vector<double> p = shares(head, i);
    const In d = row(d_out, i, head);
    double mean = 0;
    for (std::int64_t j = 0; j < head.sequence; ++j) {
      mean += p[static_cast<std::size_t>(j)] * dot(d, row(head.v, j, head));
    }
    for (std::int64_t j = 0; j < head.sequence; ++j) {
      const double share = p[static_cast<std::size_t>(j)];
      const double d_score = share * (dot(d, row(head.v, j, head)) - mean);
      add(head.scale * d_score, row(head.k, j, head), row(d_q, i, head));
      add(head.scale * d_score, row(head.q, i, head), row(d_k, j, head));
      add(share, d, row(d_v, j, head));
    }
  }
}

std::vector<RowStatistics> statistics(const Head& head, In d_out) {
  std::vector<RowStatistics> all;
  for (std::int64_t i = 0; i < head.sequence; ++i) {
    const std::vector<double> p = shares(head, i);
    RowStatistics found;
    found.log_sum = log_sum_of(scores(head, i));
    double squares = 0, norm = 0;
    for (std::int64_t j = 0; j < head.sequence; ++j) {
      const double share = p[static_cast<std::size_t>(j)], slope = dot(row(d_out, i, head), row(head.v, j, head));
      found.mean_slope += share * slope;
      squares += share * slope * slope;
      norm += share * slope * share * slope;
    }
    found.rms_slope = std::sqrt(squares);
    found.norm_slope = std::sqrt(norm);
    all.push_back(found);
  }
  return all;
}

}  // namespace reference
}  // namespace cupel::kernels::attention
