// Mean and variance in one pass.
#pragma once

namespace cupel::kernels::norm {

/// Mean and sum of squared deviations of what one thread has seen. Packs are joined as in Chan, Golub and LeVeque
/// (1979): no difference of large sums, however far the values lie from zero.
struct Moments {
  float count = 0, mean = 0, squares = 0;

  template <int N>
  __device__ void add(const float (&x)[N]) {
    float of_pack = 0, squares_of_pack = 0;
#pragma unroll
    for (int e = 0; e < N; ++e) of_pack += x[e];
    of_pack *= 1.0f / N;
#pragma unroll
    for (int e = 0; e < N; ++e) squares_of_pack += (x[e] - of_pack) * (x[e] - of_pack);
    const float all = count + N, difference = of_pack - mean;
    squares += squares_of_pack + difference * difference * (count * N / all);
    mean += difference * (N / all);
    count = all;
  }
};

}  // namespace cupel::kernels::norm
