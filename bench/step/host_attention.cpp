#include "bench/step/host_attention.hpp"

#include <cmath>
#include <cstddef>

#include "kernels/norm/reference.hpp"

namespace cupel::bench::step {
namespace {

using Values = std::vector<double>;

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

// One score: of a place's query and a place's key, in one head of one sample. First elements of what belongs to it.
struct Score {
  std::int64_t at, query, key, value, out;
};

template <class Function>
void for_each_score(const AttentionShape& shape, const Function& function) {
  const std::int64_t step = 3 * shape.channels;  // from one place to the next in qkv
  for (std::int64_t sample = 0; sample < shape.samples; ++sample) {
    for (std::int64_t head = 0; head < shape.heads; ++head) {
      const std::int64_t first = sample * shape.places * step + head * shape.head_size();
      const std::int64_t out = sample * shape.places * shape.channels + head * shape.head_size();
      const std::int64_t scores = (sample * shape.heads + head) * shape.places * shape.places;
      for (std::int64_t i = 0; i < shape.places; ++i) {
        for (std::int64_t j = 0; j < shape.places; ++j) {
          function(Score{scores + i * shape.places + j, first + i * step, first + j * step + shape.channels,
                         first + j * step + 2 * shape.channels, out + i * shape.channels});
        }
      }
    }
  }
}

double dot(const Values& a, std::int64_t a_from, const Values& b, std::int64_t b_from, std::int64_t size) {
  double sum = 0;
  for (std::int64_t s = 0; s < size; ++s) sum += a[index(a_from + s)] * b[index(b_from + s)];
  return sum;
}

// to += factor * from, `size` elements of each.
void add(double factor, const Values& from, std::int64_t from_at, Values& to, std::int64_t to_at, std::int64_t size) {
  for (std::int64_t s = 0; s < size; ++s) to[index(to_at + s)] += factor * from[index(from_at + s)];
}

double scale_of(const AttentionShape& shape) { return 1 / std::sqrt(static_cast<double>(shape.head_size())); }

std::size_t score_count(const AttentionShape& shape) {
  return index(shape.samples * shape.heads * shape.places * shape.places);
}

}  // namespace

Attended attend(const Values& qkv, const AttentionShape& shape) {
  const std::int64_t size = shape.head_size();
  Values scores(score_count(shape));
  for_each_score(shape,
                 [&](const Score& s) { scores[index(s.at)] = scale_of(shape) * dot(qkv, s.query, qkv, s.key, size); });
  Attended result{Values(qkv.size() / 3), Values(scores.size())};
  kernels::norm::reference::softmax(scores, result.probabilities, shape.places);
  for_each_score(
      shape, [&](const Score& s) { add(result.probabilities[index(s.at)], qkv, s.value, result.out, s.out, size); });
  return result;
}

Values attend_backward(const Values& qkv, const Values& probabilities, const Values& d_out,
                       const AttentionShape& shape) {
  const std::int64_t size = shape.head_size();
  Values d_qkv(qkv.size()), d_probabilities(probabilities.size()), d_scores(probabilities.size());
  for_each_score(shape, [&](const Score& s) {
    d_probabilities[index(s.at)] = dot(d_out, s.out, qkv, s.value, size);
    add(probabilities[index(s.at)], d_out, s.out, d_qkv, s.value, size);
  });
  kernels::norm::reference::softmax_backward(probabilities, d_probabilities, d_scores, shape.places);
  for_each_score(shape, [&](const Score& s) {
    const double d_score = scale_of(shape) * d_scores[index(s.at)];
    add(d_score, qkv, s.key, d_qkv, s.query, size);
    add(d_score, qkv, s.query, d_qkv, s.key, size);
  });
  return d_qkv;
}

}  // namespace cupel::bench::step
