#include "kernels/norm/reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace cupel::kernels::norm::reference {
namespace {

// Calls row(first element, number of the row) for each row.
template <class Row>
void for_rows(std::size_t size, std::size_t columns, const Row& row) {
  for (std::size_t first = 0, r = 0; first < size; first += columns, ++r) row(first, r);
}

double mean_of(In values) {
  double sum = 0;
  for (const double x : values) sum += x;
  return sum / static_cast<double>(values.size());
}

double variance_of(In values, double mean) {
  double sum = 0;
  for (const double x : values) sum += (x - mean) * (x - mean);
  return sum / static_cast<double>(values.size());
}

// The logarithm of the share of each: -log of the sum of exp(values - x). Differences are taken before logarithms: far
// from zero nothing would be left of these beside the values.
class LogShare {
 public:
  explicit LogShare(In values) : most_(*std::max_element(values.begin(), values.end())) {
    double sum = 0;
    for (const double x : values) sum += std::exp(x - most_);
    log_sum_ = std::log(sum);
  }
  double operator()(double x) const { return x - most_ - log_sum_; }

 private:
  double most_, log_sum_;
};

// Sums of each column, row by row as the memory lies.
struct Columns {
  std::vector<double> mean, variance, inverse;  ///< inverse: of the root of variance and epsilon
};

Columns columns_of(In in, std::size_t width, double epsilon) {
  Columns of{std::vector<double>(width), std::vector<double>(width), std::vector<double>(width)};
  const auto n = static_cast<double>(in.size() / width);
  for_rows(in.size(), width, [&](std::size_t first, std::size_t) {
    for (std::size_t c = 0; c < width; ++c) of.mean[c] += in[first + c];
  });
  for (double& mean : of.mean) mean /= n;
  for_rows(in.size(), width, [&](std::size_t first, std::size_t) {
    for (std::size_t c = 0; c < width; ++c)
      of.variance[c] += (in[first + c] - of.mean[c]) * (in[first + c] - of.mean[c]);
  });
  for (std::size_t c = 0; c < width; ++c) {
    of.variance[c] /= n;
    of.inverse[c] = 1 / std::sqrt(of.variance[c] + epsilon);
  }
  return of;
}

}  // namespace

void layer_norm(In in, In gamma, In beta, double epsilon, Out out, std::int64_t columns) {
  const auto width = static_cast<std::size_t>(columns);
  for_rows(in.size(), width, [&](std::size_t first, std::size_t) {
    const In row = in.subspan(first, width);
    const double mean = mean_of(row), inverse = 1 / std::sqrt(variance_of(row, mean) + epsilon);
    for (std::size_t c = 0; c < width; ++c) out[first + c] = (row[c] - mean) * inverse * gamma[c] + beta[c];
  });
}

void layer_norm_backward(In in, In gamma, In d_out, double epsilon, Out d_in, Out d_gamma, Out d_beta,
                         std::int64_t columns) {
  const auto width = static_cast<std::size_t>(columns);
  std::fill(d_gamma.begin(), d_gamma.end(), 0);
  std::fill(d_beta.begin(), d_beta.end(), 0);
  for_rows(in.size(), width, [&](std::size_t first, std::size_t) {
    const In row = in.subspan(first, width);
    const double mean = mean_of(row), inverse = 1 / std::sqrt(variance_of(row, mean) + epsilon);
    double sum = 0, sum_normal = 0;
    for (std::size_t c = 0; c < width; ++c) {
      const double normal = (row[c] - mean) * inverse, d = d_out[first + c];
      d_gamma[c] += d * normal;
      d_beta[c] += d;
      sum += d * gamma[c];
      sum_normal += d * gamma[c] * normal;
    }
    const auto n = static_cast<double>(width);
    for (std::size_t c = 0; c < width; ++c) {
      const double normal = (row[c] - mean) * inverse;
      d_in[first + c] = inverse * (d_out[first + c] * gamma[c] - sum / n - normal * sum_normal / n);
    }
  });
}

void rms_norm(In in, In gamma, double epsilon, Out out, std::int64_t columns) {
  const auto width = static_cast<std::size_t>(columns);
  for_rows(in.size(), width, [&](std::size_t first, std::size_t) {
    const In row = in.subspan(first, width);
    const double inverse = 1 / std::sqrt(variance_of(row, 0) + epsilon);
    for (std::size_t c = 0; c < width; ++c) out[first + c] = row[c] * inverse * gamma[c];
  });
}

void rms_norm_backward(In in, In gamma, In d_out, double epsilon, Out d_in, Out d_gamma, std::int64_t columns) {
  const auto width = static_cast<std::size_t>(columns);
  std::fill(d_gamma.begin(), d_gamma.end(), 0);
  for_rows(in.size(), width, [&](std::size_t first, std::size_t) {
    const In row = in.subspan(first, width);
    const double inverse = 1 / std::sqrt(variance_of(row, 0) + epsilon);
    double sum_normal = 0;
    for (std::size_t c = 0; c < width; ++c) {
      d_gamma[c] += d_out[first + c] * row[c] * inverse;
      sum_normal += d_out[first + c] * gamma[c] * row[c] * inverse;
    }
    for (std::size_t c = 0; c < width; ++c) {
      d_in[first + c] =
          inverse * (d_out[first + c] * gamma[c] - row[c] * inverse * sum_normal / static_cast<double>(width));
    }
  });
}

void softmax(In in, Out out, std::int64_t columns) {
  const auto width = static_cast<std::size_t>(columns);
  for_rows(in.size(), width, [&](std::size_t first, std::size_t) {
    const LogShare log_share(in.subspan(first, width));
    for (std::size_t c = 0; c < width; ++c) out[first + c] = std::exp(log_share(in[first + c]));
  });
}

void softmax_backward(In out, In d_out, Out d_in, std::int64_t columns) {
  const auto width = static_cast<std::size_t>(columns);
  for_rows(out.size(), width, [&](std::size_t first, std::size_t) {
    double sum = 0;
    for (std::size_t c = 0; c < width; ++c) sum += d_out[first + c] * out[first + c];
    for (std::size_t c = 0; c < width; ++c) d_in[first + c] = (d_out[first + c] - sum) * out[first + c];
  });
}

void causal_softmax(In in, Out out, std::int64_t columns) {
  const auto width = static_cast<std::size_t>(columns);
  for_rows(in.size(), width, [&](std::size_t first, std::size_t r) {
    const std::size_t seen = r % width + 1;
    const LogShare log_share(in.subspan(first, seen));
    for (std::size_t c = 0; c < width; ++c) out[first + c] = c < seen ? std::exp(log_share(in[first + c])) : 0;
  });
}

void causal_softmax_backward(In out, In d_out, Out d_in, std::int64_t columns) {
  const auto width = static_cast<std::size_t>(columns);
  for_rows(out.size(), width, [&](std::size_t first, std::size_t r) {
    const std::size_t seen = r % width + 1;
    double sum = 0;
    for (std::size_t c = 0; c < seen; ++c) sum += d_out[first + c] * out[first + c];
    for (std::size_t c = 0; c < width; ++c) d_in[first + c] = c < seen ? (d_out[first + c] - sum) * out[first + c] : 0;
  });
}

void cross_entropy(In in, std::span<const std::int32_t> label, Out loss, std::int64_t columns) {
  const auto width = static_cast<std::size_t>(columns);
  for_rows(in.size(), width, [&](std::size_t first, std::size_t r) {
    loss[r] = -LogShare(in.subspan(first, width))(in[first + static_cast<std::size_t>(label[r])]);
  });
}

void cross_entropy_backward(In in, std::span<const std::int32_t> label, double scale, Out d_in, std::int64_t columns) {
  const auto width = static_cast<std::size_t>(columns);
  softmax(in, d_in, columns);
  for_rows(in.size(), width, [&](std::size_t first, std::size_t r) {
    d_in[first + static_cast<std::size_t>(label[r])] -= 1;
    for (std::size_t c = 0; c < width; ++c) d_in[first + c] *= scale;
  });
}

void batch_norm(In in, In gamma, In beta, double epsilon, bool relu, Out out, Out mean, Out variance,
                std::int64_t columns) {
  const auto width = static_cast<std::size_t>(columns);
  const Columns of = columns_of(in, width, epsilon);
  std::ranges::copy(of.mean, mean.begin());
  std::ranges::copy(of.variance, variance.begin());
  for_rows(in.size(), width, [&](std::size_t first, std::size_t) {
    for (std::size_t c = 0; c < width; ++c) {
      const double y = (in[first + c] - of.mean[c]) * of.inverse[c] * gamma[c] + beta[c];
      out[first + c] = relu ? std::max(y, 0.0) : y;
    }
  });
}

void batch_norm_backward(In in, In d_out, In gamma, double epsilon, Out d_in, Out d_gamma, Out d_beta,
                         std::int64_t columns) {
  const auto width = static_cast<std::size_t>(columns);
  const Columns of = columns_of(in, width, epsilon);
  std::fill(d_gamma.begin(), d_gamma.end(), 0);
  std::fill(d_beta.begin(), d_beta.end(), 0);
  for_rows(in.size(), width, [&](std::size_t first, std::size_t) {
    for (std::size_t c = 0; c < width; ++c) {
      d_beta[c] += d_out[first + c];
      d_gamma[c] += d_out[first + c] * (in[first + c] - of.mean[c]) * of.inverse[c];
    }
  });
  const auto n = static_cast<double>(in.size() / width);
  for_rows(in.size(), width, [&](std::size_t first, std::size_t) {
    for (std::size_t c = 0; c < width; ++c) {
      const double normal = (in[first + c] - of.mean[c]) * of.inverse[c];
      d_in[first + c] = gamma[c] * of.inverse[c] * (d_out[first + c] - d_beta[c] / n - normal * d_gamma[c] / n);
    }
  });
}

void batch_norm_relu_backward(In in, In out, In d_out, In gamma, double epsilon, Out d_in, Out d_gamma, Out d_beta,
                              std::int64_t columns) {
  std::vector<double> passed(d_out.begin(), d_out.end());
  for (std::size_t i = 0; i < passed.size(); ++i) {
    if (!(out[i] > 0)) passed[i] = 0;
  }
  batch_norm_backward(in, passed, gamma, epsilon, d_in, d_gamma, d_beta, columns);
}

}  // namespace cupel::kernels::norm::reference
