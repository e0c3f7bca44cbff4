// How a thread goes through its part of a row: in registers as far as it fits, behind that in shared memory, behind
// that read again.
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

#include "kernels/common/greatest.cuh"
#include "kernels/common/smooth.hpp"
#include "kernels/common/vector.cuh"

namespace cupel::kernels::norm {

/// The place of the packs that are not in registers: there are none, all are in shared memory, or some of them are
/// there and the others are read anew in every pass.
enum class Beyond { none, kept, again };

/// A thread's share of a row: kPacks packs of N elements in registers, and what is beyond them. kFull: all threads have
/// as many packs, so that no pack is asked whether it lies in the row.
template <int kN, int kPacksInRegisters, Beyond kWhatIsBeyond, bool kAllAlike>
struct Share {
  static constexpr int N = kN, kPacks = kPacksInRegisters;
  static constexpr Beyond kBeyond = kWhatIsBeyond;
  static constexpr bool kFull = kAllAlike;
};

/// Where a thread keeps `packs` packs of every row that is gone through at once: the first at `at`, each next one as
/// many packs behind it as its block has threads.
struct Shared {
  int packs = 0, threads = 0;
  void* at = nullptr;
};

/// Arrays of one row (gamma, beta) that are needed beside every row.
template <class T, int kCount>
struct ColumnArrays {
  const T* at[kCount > 0 ? kCount : 1];
};

/// Makes rows out of arrays, goes through them and joins what the team's threads found.
template <class T, class OfThread, class Team>
class Walk {
  static constexpr int kPacks = OfThread::kPacks;
  static constexpr Beyond kBeyond = OfThread::kBeyond;
  static constexpr bool kFull = OfThread::kFull;

 public:
  using Element = T;
  static constexpr int N = OfThread::N;
  static constexpr bool kOnce = kBeyond != Beyond::again;

  /// columns: of the row; here: 0 where the team has none.
  __device__ Walk(const Team& team, int thread, int columns, int here, const Shared& shared = {})
      : team_(team), thread_(thread), columns_(columns), here_(here), shared_(shared) {}

  struct Row {
    PackWords<T, N> packs[kPacks > 0 ? kPacks : 1];
    const T* data;
    T* kept;  // in shared memory
  };

  /// place: which of the rows that are gone through at once, 0 or 1.
  __device__ Row row(const T* data, int place = 0) const {
    Row row;
    row.data = data;
    if constexpr (kBeyond != Beyond::none) {
      row.kept = static_cast<T*>(shared_.at) + place * shared_.packs * shared_.threads * N;
      keep(row.kept, data);
    }
#pragma unroll
    for (int p = 0; p < kPacks; ++p) {
      const int c = column(p);
      if (lies_in_row(c)) row.packs[p] = PackWords<T, N>(data + c);
    }
    return row;
  }

  /// f(column, x) with N elements of the row from that column on.
  template <class F>
  __device__ void each(const Row& row, const F& f) const {
    const Row* const rows[] = {&row};
    go(rows, Nothing{}, [&](int c, const float(&x)[1][N], const float(&)[1][N]) { f(c, x[0]); });
  }

  /// f(column, x, y) with N elements of each of two rows.
  template <class F>
  __device__ void each(const Row& first, const Row& second, const F& f) const {
    const Row* const rows[] = {&first, &second};
    go(rows, Nothing{}, [&](int c, const float(&x)[2][N], const float(&)[1][N]) { f(c, x[0], x[1]); });
  }

  /// f(column, x, z) with what each of the arrays has in those columns in z[0], z[1].
  template <int kArrays, class F>
  __device__ void each(const Row& row, const ColumnArrays<T, kArrays>& arrays, const F& f) const {
    const Row* const rows[] = {&row};
    go(rows, arrays, [&](int c, const float(&x)[1][N], const float(&z)[kArrays][N]) { f(c, x[0], z); });
  }

  /// f(column, x, y, z), likewise.
  template <int kArrays, class F>
  __device__ void each(const Row& first, const Row& second, const ColumnArrays<T, kArrays>& arrays, const F& f) const {
    const Row* const rows[] = {&first, &second};
    go(rows, arrays, [&](int c, const float(&x)[2][N], const float(&z)[kArrays][N]) { f(c, x[0], x[1], z); });
  }

  /// The greatest of the thread's elements of a row that stays, NaNs apart; -inf of none.
  __device__ float greatest(const Row& row) const {
    static_assert(kOnce);
    Greatest<T> greatest;
#pragma unroll
    for (int p = 0; p < kPacks; ++p) {
      if (lies_in_row(column(p))) greatest.see(row.packs[p].template unpacked<false>());
    }
    if constexpr (kBeyond == Beyond::kept) {
      wait_for_copies();
      for (int p = 0; p < shared_.packs; ++p) {
        if (lies_in_row(column(kPacks + p))) greatest.see(PackWords<T, N>::cached(at(row.kept, p)).unpacked());
      }
    }
    return greatest.value();
  }

  /// The same team's way through the first `columns` columns, and what else lies in the pack of the last of them.
  __device__ auto first(int columns) const {
    using OfFirst = Share<N, kPacks, kBeyond, false>;
    return Walk<T, OfFirst, Team>(team_, thread_, columns_, columns < here_ ? columns : here_, shared_);
  }

  /// f(column) with the first column of each pack that begins at `column` or behind it.
  template <class F>
  __device__ void from(int column, const F& f) const {
    for (int c = thread_ * N; c < here_; c += team_.threads * N) {
      if (c >= column) f(c);
    }
  }

  __device__ static void store(T* to, const float (&x)[N]) {
    Pack<T, N> pack;
#pragma unroll
    for (int e = 0; e < N; ++e) pack.values[e] = from_float<T>(x[e]);
    store_pack<N>(to, pack);
  }

  /// The sum of all threads' values, in each of them.
  template <int kCount>
  __device__ void sum(float (&values)[kCount]) const {
    team_.join(values, 0.0f, [](float a, float b) { return a + b; });
  }
  __device__ float sum(float value) const {
    float values[] = {value};
    sum(values);
    return values[0];
  }
  /// The sum, divided by the columns.
  __device__ float average(float value) const { return sum(value) * reciprocal(static_cast<float>(columns_)); }
  __device__ float max(float value) const {
    float values[] = {value};
    team_.join(values, -INFINITY, [](float a, float b) { return fmaxf(a, b); });
    return values[0];
  }

  __device__ int columns() const { return columns_; }
  /// True in one thread of a team that has a row.
  __device__ bool speaks() const { return thread_ == 0 && here_ > 0; }

 private:
  using Nothing = ColumnArrays<T, 0>;

  /// Where the thread's pack p begins.
  __device__ int column(int p) const { return (p * team_.threads + thread_) * N; }
  __device__ bool lies_in_row(int c) const { return kFull || c < here_; }

  /// The thread's pack p of what it keeps from `kept` on.
  __device__ T* at(T* kept, int p) const { return kept + p * shared_.threads * N; }

  __device__ void keep(T* kept, const T* data) const {
    for (int p = 0; p < shared_.packs; ++p) {
      const int c = column(kPacks + p);
      if (lies_in_row(c)) copy_ahead(at(kept, p), data + c);
    }
  }

  template <int kRows, int kArrays, class F>
  __device__ void go(const Row* const (&rows)[kRows], const ColumnArrays<T, kArrays>& arrays, const F& f) const {
    // For so many packs at once the arrays are asked before the first is used: a store may be to where they lie, for
    // all that the compiler knows, so no load is moved before it. As many as there are registers for; of a row of two
    // packs, more threads are worth more.
    constexpr bool kMany = kRows == 1 && (kArrays == 1 || kFull);
    constexpr int kSome = kArrays == 0 ? 4 : kPacks == 2 ? 1 : kMany ? 4 : 2;
#pragma unroll
    for (int first = 0; first < kPacks; first += kSome) {
      const auto stayed = [first](const Row& row, int, int k) { return row.packs[first + k]; };
      some<kSome>(first, kPacks, rows, arrays, stayed, f);
    }
    if constexpr (kBeyond != Beyond::none) {
      wait_for_copies();
      for (int first = 0; first < shared_.packs; first += kSome) {
        const auto kept = [&](const Row& row, int, int k) { return PackWords<T, N>::cached(at(row.kept, first + k)); };
        some<kSome>(kPacks + first, kPacks + shared_.packs, rows, arrays, kept, f);
      }
    }
    if constexpr (kBeyond == Beyond::again) read_again(rows, arrays, f);
  }

  // Rows that are read again come from L2 at a good rate, if only enough is on its way.
  template <int kRows, int kArrays, class F>
  __device__ void read_again(const Row* const (&rows)[kRows], const ColumnArrays<T, kArrays>& arrays,
                             const F& f) const {
    constexpr int kSome = kPacks == 0 ? 4 : 2 / kRows;
    for (int first = kPacks + shared_.packs; column(first) < here_; first += kSome) {
      PackWords<T, N> packs[kSome][kRows];
#pragma unroll
      for (int k = 0; k < kSome; ++k) {
        const int c = column(first + k);
        if (c >= here_) continue;
#pragma unroll
        for (int i = 0; i < kRows; ++i) packs[k][i] = PackWords<T, N>(rows[i]->data + c);
      }
      const auto loaded = [&](const Row&, int i, int k) { return packs[k][i]; };
      some<kSome>(first, first + kSome, rows, arrays, loaded, f);
    }
  }

  // f with packs first to first + kSome, as far as they lie before `end` and in the row; pack_of(row, i, k) is the k-th
  // of them in row i.
  template <int kSome, int kRows, int kArrays, class PackOf, class F>
  __device__ void some(int first, int end, const Row* const (&rows)[kRows], const ColumnArrays<T, kArrays>& arrays,
                       const PackOf& pack_of, const F& f) const {
    constexpr int kLoaded = kArrays > 0 ? kArrays : 1;
    PackWords<T, N> beside[kSome][kLoaded];
#pragma unroll
    for (int k = 0; k < kSome; ++k) {
      const int c = column(first + k);
      if (first + k >= end || !lies_in_row(c)) continue;
#pragma unroll
      for (int i = 0; i < kArrays; ++i) beside[k][i] = PackWords<T, N>::cached(arrays.at[i] + c);
    }
#pragma unroll
    for (int k = 0; k < kSome; ++k) {
      const int c = column(first + k);
      if (first + k >= end || !lies_in_row(c)) continue;
      float x[kRows][N], z[kLoaded][N];
#pragma unroll
      for (int i = 0; i < kRows; ++i) unpack(pack_of(*rows[i], i, k), x[i]);
#pragma unroll
      for (int i = 0; i < kArrays; ++i) unpack(beside[k][i], z[i]);
      f(c, x, z);
    }
  }

  __device__ static void unpack(const PackWords<T, N>& words, float (&x)[N]) {
    // The elements of two packs fit in registers as they are.
    const Pack<T, N> pack = words.template unpacked<(kPacks > 2)>();
#pragma unroll
    for (int e = 0; e < N; ++e) x[e] = to_float(pack.values[e]);
  }

  Team team_;
  int thread_, columns_, here_;
  Shared shared_;
};

}  // namespace cupel::kernels::norm
