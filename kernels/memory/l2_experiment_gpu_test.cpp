// An experiment: prints how fast the L2 cache is read and how soon it answers, by everything that might matter, one
// thing at a time. Nothing is judged; it fails where a kernel fails. Takes less than a minute on an H200.
//
//   --gtest_filter='L2Experiment.Bandwidth' ... 'L2Experiment.Latency' ... 'L2Experiment.NearAndFar'
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/device.hpp"
#include "kernels/common/fill.hpp"
#include "kernels/memory/l2_experiment.hpp"
#include "kernels/memory/memory.hpp"

namespace cupel::kernels::memory {
namespace {

constexpr std::int64_t kKiB = 1024, kMiB = 1024 * kKiB, kGiB = 1024 * kMiB;

template <class T>
T quantile(std::vector<T> values, double p) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1) + 0.5)];
}

class L2Experiment : public testing::Test {
 protected:
  L2Experiment() {
    cuda::check(cudaMemset(sum_.data(), 0, sum_.size_bytes()));
    fill(array_, kGiB);
    fill(other_, kOther);
    // Awake, and at its clock.
    for (int i = 0; i < 200; ++i) read(words(array_), kGiB / 4, 1, sum_.data(), stream_);
    stream_.synchronize();
  }

  static constexpr std::int64_t kOther = 512 * kMiB;

  static std::uint32_t* words(cuda::DeviceBuffer<char>& buffer) {
    return reinterpret_cast<std::uint32_t*>(buffer.data());
  }

  void fill(cuda::DeviceBuffer<char>& buffer, std::int64_t bytes) {
    fill_uniform(DType::fp32, buffer.data(), bytes / 4, 1, -1, 1, stream_);
    stream_.synchronize();
  }

  void flush() { read(words(other_), kOther / 4, 1, sum_.data(), stream_); }

  // `work`, enqueued before it runs.
  double time_s(const std::function<void()>& work) {
    pause(30'000, stream_);
    cuda::check(cudaEventRecord(begin_, stream_));
    work();
    cuda::check(cudaEventRecord(end_, stream_));
    stream_.synchronize();
    return cuda::elapsed_s(begin_, end_);
  }

  double median_s(int times, const std::function<void()>& work) {
    std::vector<double> all;
    work();
    for (int i = 0; i < times; ++i) all.push_back(time_s(work));
    return quantile(all, 0.5);
  }

  cuda::Stream stream_;
  cuda::Event begin_, end_;
  cuda::DeviceBuffer<char> array_{kGiB};
  cuda::DeviceBuffer<char> other_{kOther};
  cuda::DeviceBuffer<std::uint32_t> sum_{1};
  cuda::DeviceBuffer<int> taken_{1};
};

const std::vector<std::int64_t> kSizesMiB = {1, 2, 4, 8, 16, 24, 32, 40, 48, 64};

void print_head(const char* what) {
  std::printf("%-64s", what);
  for (const std::int64_t size : kSizesMiB) std::printf(" %5lld", static_cast<long long>(size));
  std::printf("  MiB\n");
}

struct Pattern {
  enum class Name { sequence, spread, together, own, short_runs, slices } name;
  int value = 0;  // blocks a multiprocessor; of short_runs KiB that a block reads; of slices likewise
};

struct Config {
  const char* what;
  ReadKind kind;
  int threads;
  Pattern pattern;
  double volume_gib = 8;
};

struct Launch {
  Walk walk;
  int blocks = 0;
  double bytes = 0;
};

Launch plan(const Config& c, std::int64_t bytes, int fitting) {
  Launch l;
  Walk& w = l.walk;
  const std::int64_t chunk = std::int64_t{c.threads} * c.kind.bytes, tile = chunk * c.kind.unroll;
  const double volume = c.volume_gib * static_cast<double>(kGiB);
  const std::int64_t tiles = bytes / tile;
  w.chunks = bytes / chunk;
  w.step = c.kind.unroll;
  w.scale = c.kind.unroll;
  using Name = Pattern::Name;
  if (c.pattern.name == Name::slices || c.pattern.name == Name::short_runs) {
    const std::int64_t run = c.pattern.value * kKiB, runs = bytes / run;
    l.blocks = static_cast<int>(volume / static_cast<double>(run));
    w.first = Walk::First::block_modulo;
    w.modulus = runs;
    w.turns = run / tile;
    if (c.pattern.name == Name::slices) {  // a chunk of each of run / chunk slices
      w.scale = 1;
      w.apart = runs;
      w.step = runs * c.kind.unroll;
    } else {
      w.scale = run / chunk;
    }
  } else {
    std::int64_t blocks = std::int64_t{multiprocessors()} * std::min(c.pattern.value, fitting);
    if (c.pattern.name == Name::sequence) {
      while (std::gcd(blocks, tiles) > 1) --blocks;  // as read() does
      w.modulus = tiles;
      w.step = blocks % tiles * c.kind.unroll;
    } else if (c.pattern.name == Name::spread) {
      w.first = Walk::First::spread;
    } else if (c.pattern.name == Name::together) {
      w.first = Walk::First::zero;
    } else {
      w.modulus = tiles;
      w.step = blocks * c.kind.unroll;
      w.back = true;
    }
    l.blocks = static_cast<int>(blocks);
    w.turns = std::max<std::int64_t>(1, static_cast<std::int64_t>(volume / static_cast<double>(tile * blocks)));
  }
  l.bytes = static_cast<double>(l.blocks) * static_cast<double>(w.turns * tile);
  return l;
}

TEST_F(L2Experiment, Bandwidth) {
  int l2 = 0, khz = 0;
  cuda::check(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0));
  cuda::check(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
  std::printf("L2 %.1f MiB, %d multiprocessors, %d MHz at most. TB/s, median of 7, counted at the loads.\n\n",
              l2 / static_cast<double>(kMiB), multiprocessors(), khz / 1000);

  print_head("read() of memory.cu, which memory/limits/read_again times");
  struct Present {
    const char* what;
    std::int64_t volume;
    int launches;
    bool flushed;
  };
  for (const Present& p : std::vector<Present>{{"  256 MiB a launch, 30 back to back (as now)", 256 * kMiB, 30, false},
                                               {"  256 MiB, one launch by itself, hot", 256 * kMiB, 1, false},
                                               {"  256 MiB, one launch by itself, flushed", 256 * kMiB, 1, true},
                                               {"  1 GiB a launch, 8 back to back", kGiB, 8, false},
                                               {"  8 GiB a launch", 8 * kGiB, 1, false},
                                               {"  24 GiB a launch", 24 * kGiB, 1, false}}) {
    std::printf("%-64s", p.what);
    for (const std::int64_t size : kSizesMiB) {
      const std::int64_t bytes = size * kMiB;
      const int passes = static_cast<int>(std::max<std::int64_t>(1, p.volume / bytes));
      const auto work = [&] {
        for (int i = 0; i < p.launches; ++i) read(words(array_), bytes / 4, passes, sum_.data(), stream_);
      };
      std::vector<double> all;
      work();
      for (int i = 0; i < 7; ++i) {
        if (p.flushed) flush();
        all.push_back(time_s(work));
      }
      std::printf(" %5.2f", static_cast<double>(bytes) * passes * p.launches / quantile(all, 0.5) / 1e12);
    }
    std::printf("\n");
  }

  using enum Load;
  using enum Pattern::Name;
  const ReadKind cg16 = {cg, 16, 4}, constant8 = {constant, 8, 8};
  const std::vector<Config> configs = {
      {"present pattern (sequence), 8 blocks of 256 an SM, cg, 16 B, 4", cg16, 256, {sequence, 8}},
      {"  1 load in flight", {cg, 16, 1}, 256, {sequence, 8}},
      {"  2 loads in flight", {cg, 16, 2}, 256, {sequence, 8}},
      {"  8 loads in flight", {cg, 16, 8}, 256, {sequence, 8}},
      {"  4 blocks an SM", cg16, 256, {sequence, 4}},
      {"  2 blocks an SM", cg16, 256, {sequence, 2}},
      {"  2 blocks of 1024 an SM", cg16, 1024, {sequence, 2}},
      {"  1 block of 1024 an SM", cg16, 1024, {sequence, 1}},
      {"  8 bytes a load, 8 in flight", {cg, 8, 8}, 256, {sequence, 8}},
      {"  4 bytes a load, 16 in flight", {cg, 4, 16}, 256, {sequence, 8}},
      {"  plain loads that L1 does not keep", {not_kept, 16, 4}, 256, {sequence, 8}},
      {"  plain loads that L1 does not keep, 8 bytes, 8 in flight", {not_kept, 8, 8}, 256, {sequence, 8}},
      {"  plain loads that L1 does not keep, 4 blocks an SM", {not_kept, 16, 4}, 256, {sequence, 4}},
      {"  weak (by L1)", {weak, 16, 4}, 256, {sequence, 8}},
      {"  constant (.nc, by L1)", {constant, 16, 4}, 256, {sequence, 8}},
      {"  constant (.nc, by L1), 8 bytes a load, 8 in flight", constant8, 256, {sequence, 8}},
      {"spread: each block through all, from a place of its own", cg16, 256, {spread, 8}},
      {"together: all blocks from the front, 7.8 MiB on", cg16, 256, {together, 8}},
      {"own: each block reads its own tiles again", cg16, 256, {own, 8}},
      {"own, not kept in L1", {not_kept, 16, 4}, 256, {own, 8}},
      {"spread, not kept in L1", {not_kept, 16, 4}, 256, {spread, 8}},
      {"short blocks, 64 KiB in a run each", cg16, 256, {short_runs, 64}},
      {"short blocks, 256 KiB in a run each", cg16, 256, {short_runs, 256}},
      {"short blocks, 1 MiB in a run each", cg16, 256, {short_runs, 1024}},
      {"short blocks of 1024, 256 KiB in a run each", cg16, 1024, {short_runs, 256}},
      {"short blocks, 256 KiB in a run each, not kept in L1", {not_kept, 16, 4}, 256, {short_runs, 256}},
      {"short blocks of 1024, 256 KiB in a run each, weak", {weak, 16, 4}, 1024, {short_runs, 256}},
      {"slices (gpu-benches' pattern): .nc, 8 B, 8, 24.4 GiB", constant8, 1024, {slices, 256}, 24.414},
      {"slices: .nc, 8 B, 8, 8 GiB", constant8, 1024, {slices, 256}},
      {"slices: .nc, 8 B, 16", {constant, 8, 16}, 1024, {slices, 256}},
      {"slices: .nc, 8 B, 4", {constant, 8, 4}, 1024, {slices, 256}},
      {"slices: weak, 8 B, 8", {weak, 8, 8}, 1024, {slices, 256}},
      {"slices: cg, 8 B, 8", {cg, 8, 8}, 1024, {slices, 256}},
      {"slices: cg, 16 B, 4", cg16, 1024, {slices, 256}},
      {"slices: cg, 16 B, 4, blocks of 256", cg16, 256, {slices, 256}},
      {"slices: cg, 16 B, 4, blocks of 256, 64 KiB each", cg16, 256, {slices, 64}},
      {"slices: not kept in L1, 8 B, 8", {not_kept, 8, 8}, 1024, {slices, 256}},
      {"slices: not kept in L1, 16 B, 4", {not_kept, 16, 4}, 1024, {slices, 256}},
      {"slices: not kept in L1, 16 B, 4, blocks of 256, 64 KiB each", {not_kept, 16, 4}, 256, {slices, 64}},
  };

  cuda::DeviceBuffer<BlockTime> times(4096);
  for (const bool random : {true, false}) {
    std::printf("\n");
    print_head(random ? "random words; volume 8 GiB a launch" : "every word 1.1f");
    if (!random) write(words(array_), kGiB / 4, 0x3F8CCCCDu, stream_);
    for (const Config& c : configs) {
      if (!random && c.what[0] == ' ') continue;
      int registers = 0;
      const int fitting = read_blocks_per_sm(c.kind, c.threads, &registers);
      ASSERT_GT(fitting, 0);
      std::printf("%-64s", c.what);
      std::string tails, clocks;
      for (const std::int64_t size : kSizesMiB) {
        const Launch l = plan(c, size * kMiB, fitting);
        BlockTime* when = l.blocks <= 4096 ? times.data() : nullptr;
        const double s = median_s(
            7, [&] { read_walk(c.kind, array_.data(), l.walk, l.blocks, c.threads, when, sum_.data(), stream_); });
        std::printf(" %5.2f", l.bytes / s / 1e12);
        if (when == nullptr) continue;
        std::vector<double> ends;
        double first_ns = 1e300, mhz = 0;
        const std::vector<BlockTime> seen = times.to_host();
        for (int b = 0; b < l.blocks; ++b) {
          const BlockTime& t = seen[static_cast<std::size_t>(b)];
          ends.push_back(static_cast<double>(t.end_ns));
          first_ns = std::min(first_ns, static_cast<double>(t.begin_ns));
          mhz = t.cycles / static_cast<double>(t.end_ns - t.begin_ns) * 1e3;
        }
        const double whole = quantile(ends, 1.0) - first_ns;
        char text[64];
        std::snprintf(text, sizeof text, " %2.0f/%2.0f", 100 * (quantile(ends, 0.05) - first_ns) / whole,
                      100 * (quantile(ends, 0.5) - first_ns) / whole);
        tails += text;
        std::snprintf(text, sizeof text, " %5.0f", mhz);
        clocks += text;
      }
      std::printf("  (%d registers, %d fit)\n", registers, fitting);
      if (!tails.empty()) {
        std::printf("%64s%s  %% of the time when 5 %% and half of the blocks had ended\n", "", tails.c_str());
        std::printf("%64s%s  MHz\n", "", clocks.c_str());
      }
    }
  }
  fill(array_, kGiB);
  cuda::check(cudaDeviceSynchronize());
}

// Cycles a step of a chase through `bytes`, by how the lines came there.
TEST_F(L2Experiment, Latency) {
  cuda::DeviceBuffer<std::uint64_t> position(1), cycles(1);
  const auto steps_of = [](std::int64_t nodes, std::int64_t most) {
    return std::max<std::int64_t>(16, std::min(nodes, most) / 16 * 16);
  };
  const auto per_step = [&](std::int64_t steps, Load load, int threads) {
    chase_on(0, load, position.data(), steps, cycles.data(), threads, taken_.data(), stream_);
    EXPECT_EQ(taken_.to_host()[0], 1) << "no block came to multiprocessor 0";
    return static_cast<double>(cycles.to_host()[0]) / static_cast<double>(steps);
  };
  const std::vector<std::int64_t> sizes = {32 * kKiB, 128 * kKiB, 256 * kKiB, kMiB,      2 * kMiB,  4 * kMiB,
                                           8 * kMiB,  16 * kMiB,  20 * kMiB,  24 * kMiB, 28 * kMiB, 30 * kMiB,
                                           32 * kMiB, 36 * kMiB,  40 * kMiB,  48 * kMiB, 56 * kMiB, 64 * kMiB,
                                           80 * kMiB, 128 * kMiB, 256 * kMiB, kGiB};
  constexpr std::int64_t kMeasured = 1 << 20;
  struct Chain {
    std::int64_t stride;
    bool random;
    Load load;
    int threads;
    const char* what;
  };
  for (const Chain& c :
       std::vector<Chain>{{128, true, Load::weak, 1, "128 B apart, random order (memory/limits/latency)"},
                          {64, true, Load::weak, 64, "64 B apart, random order, 64 threads (gpu-benches)"},
                          {256, true, Load::weak, 1, "256 B apart, random order"},
                          {128, true, Load::cg, 1, "128 B apart, random order, cg"},
                          {128, false, Load::weak, 1, "128 B apart, in the order of addresses"}}) {
    std::printf("\n%s: cycles a step on multiprocessor 0\n%10s %8s %8s %8s %8s %8s %8s %8s\n", c.what, "KiB", "flushed",
                "self 2nd", "self 3rd", "all 1st", "all 2nd", "all 4096", "all other");
    for (const std::int64_t bytes : sizes) {
      if (c.load == Load::cg && bytes > 80 * kMiB) continue;
      if ((c.stride == 256 || !c.random) && bytes > 64 * kMiB && bytes != 128 * kMiB) continue;
      const std::int64_t nodes = bytes / c.stride;
      // A launch empties L1: of small sets many laps in one.
      const std::int64_t lap = steps_of(std::max<std::int64_t>(nodes, 65'536), kMeasured);
      if (c.random) {
        make_chain(array_.data(), nodes, c.stride, 1, position.data(), stream_);
      } else {
        make_sequential_chain(array_.data(), nodes, c.stride, position.data(), stream_);
      }
      flush();
      const double cold = per_step(lap, c.load, c.threads);
      // Whole laps, rounded to steps of the loop: the nodes behind the last one are a handful.
      if (nodes > kMeasured) per_step(std::min<std::int64_t>(nodes - lap, kMeasured), c.load, c.threads);
      const double second = per_step(lap, c.load, c.threads);
      const double third = nodes <= kMeasured / 2 ? per_step(lap, c.load, c.threads) : 0;
      flush();
      read(words(array_), bytes / 4, 1, sum_.data(), stream_);
      const double all = per_step(lap, c.load, c.threads);
      const double all_again = per_step(lap, c.load, c.threads);
      double few = 0;
      constexpr int kTimes = 8;
      for (int i = 0; i < kTimes; ++i) {
        read(words(array_), bytes / 4, 1, sum_.data(), stream_);
        few += per_step(steps_of(nodes, 4096), c.load, c.threads) / kTimes;
      }
      // The same chain from another multiprocessor, after this one has gone through it.
      chase_on(1, c.load, position.data(), steps_of(nodes, kMeasured / 4), cycles.data(), c.threads, taken_.data(),
               stream_);
      const double other =
          static_cast<double>(cycles.to_host()[0]) / static_cast<double>(steps_of(nodes, kMeasured / 4));
      std::printf("%10lld %8.1f %8.1f %8.1f %8.1f %8.1f %8.1f %8.1f\n", static_cast<long long>(bytes / kKiB), cold,
                  second, third, all, all_again, few, other);
    }
  }
}

using Cycles = std::vector<double>;

double mean(const Cycles& v) { return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size()); }

// Outliers (a refresh, an interruption) weigh no more than others.
double correlation(const Cycles& a, const Cycles& b) {
  const auto ranks = [](const Cycles& v) {
    std::vector<std::size_t> order(v.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return v[x] < v[y]; });
    Cycles rank(v.size());
    for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = static_cast<double>(i);
    return rank;
  };
  const Cycles x = ranks(a), y = ranks(b);
  const double mx = mean(x), my = mean(y);
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mx) * (y[i] - my);
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
  }
  return xy / std::sqrt(xx * yy);
}

void print_histogram(const char* what, const Cycles& v) {
  std::printf("%-58s mean %6.1f  5 %% %4.0f  50 %% %4.0f  95 %% %4.0f |", what, mean(v), quantile(v, 0.05),
              quantile(v, 0.5), quantile(v, 0.95));
  constexpr int kBin = 20;
  std::vector<int> bins(64);
  for (const double x : v) ++bins[static_cast<std::size_t>(std::min(x / kBin, 63.0))];
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const double share = 100.0 * bins[i] / static_cast<double>(v.size());
    if (share >= 0.5) std::printf(" %zu:%.0f", i * kBin, share);
  }
  std::printf("\n");
}

// Loads timed one by one (each with some 10 to 20 cycles of the timing in it), on each multiprocessor, of the same
// lines. Where a multiprocessor is near one half of the cache and far from the other, lines fall in two groups, and the
// multiprocessors of the two sides differ in which.
TEST_F(L2Experiment, NearAndFar) {
  constexpr int kLines = 8192;
  constexpr std::int64_t kStride = 256;
  constexpr std::int64_t kBytes = kLines * kStride;
  cuda::DeviceBuffer<std::uint64_t> position(1);
  cuda::DeviceBuffer<std::uint16_t> cycles(kMostTimed);
  make_chain(array_.data(), kLines, kStride, 3, position.data(), stream_);

  const auto timed = [&](int sm, Load load, int before) {
    timed_loads(sm, load, position.data(), kLines, before, cycles.data(), taken_.data(), stream_);
    EXPECT_EQ(taken_.to_host()[0], 1) << "no block came to multiprocessor " << sm;
    const std::vector<std::uint16_t> seen = cycles.to_host();
    return Cycles(seen.begin(), seen.begin() + kLines);
  };
  const auto read_by_all = [&] { read(words(array_), kBytes / 4, 1, sum_.data(), stream_); };

  const int sms = multiprocessors();
  std::vector<double> side(static_cast<std::size_t>(sms));
  Cycles home;
  const auto survey = [&](const char* what, Load load, int before) {
    std::vector<Cycles> all;
    for (int sm = 0; sm < sms; ++sm) {
      read_by_all();
      all.push_back(timed(sm, load, before));
    }
    std::printf("\n%s, after all have read them: rank correlation with multiprocessor 0 (mean cycles)\n", what);
    int other = 0;
    for (int sm = 0; sm < sms; ++sm) {
      const double r = correlation(all[0], all[static_cast<std::size_t>(sm)]);
      if (load == Load::atomic) side[static_cast<std::size_t>(sm)] = r;
      if (r < correlation(all[0], all[static_cast<std::size_t>(other)])) other = sm;
      std::printf("%4d:%+.2f (%3.0f)%s", sm, r, mean(all[static_cast<std::size_t>(sm)]), sm % 11 == 10 ? "\n" : "");
    }
    std::printf("\n");
    print_histogram("multiprocessor 0", all[0]);
    print_histogram(("multiprocessor " + std::to_string(other) + ", the one most unlike it").c_str(),
                    all[static_cast<std::size_t>(other)]);
    if (load == Load::atomic) home = all[0];
  };
  survey("atomics", Load::atomic, 1);
  survey("loads past L1 (cg), second pass", Load::cg, 1);
  survey("plain loads that L1 does not keep, second pass", Load::not_kept, 1);
  survey("plain loads, first pass", Load::weak, 0);

  const int a = 0;
  int like = 0, unlike = 0;
  for (int sm = 1; sm < sms; ++sm) {
    const auto r = [&](int i) { return side[static_cast<std::size_t>(i)]; };
    if (like == 0 || r(sm) > r(like)) like = sm;
    if (r(sm) < r(unlike)) unlike = sm;
  }
  const double middle = quantile(home, 0.5);
  std::printf("\nmultiprocessor %d; %d is most like it, %d least. Lines are split at the median of its atomics, %.0f\n",
              a, like, unlike, middle);
  const auto print_split = [&](const std::string& what, const Cycles& v) {
    print_histogram(what.c_str(), v);
    Cycles near, far;
    for (std::size_t i = 0; i < v.size(); ++i) (home[i] <= middle ? near : far).push_back(v[i]);
    print_histogram("    whose atomics are quick", near);
    print_histogram("    whose atomics are slow", far);
  };
  struct Warmed {
    std::string by;
    int sm;
  };
  for (const Load load : {Load::weak, Load::cg}) {
    std::printf("\n%s loads\n", load == Load::weak ? "plain" : "cg");
    for (const Warmed& w : std::vector<Warmed>{{"nobody", -2},
                                               {"itself", a},
                                               {"one like it (" + std::to_string(like) + ")", like},
                                               {"one unlike it (" + std::to_string(unlike) + ")", unlike},
                                               {"all", -1}}) {
      flush();
      if (w.sm == -1) {
        read_by_all();
      } else if (w.sm >= 0) {
        touch_on(w.sm, array_.data(), kLines, kStride, sum_.data(), taken_.data(), stream_);
      }
      print_split("brought by " + w.by + ": first time", timed(a, load, 0));
      print_split("brought by " + w.by + ": second time", timed(a, load, 0));
    }
  }

  // Does the near copy outlive a write by the other side?
  std::printf("\nafter an atomic by multiprocessor %d on each line\n", unlike);
  timed(a, Load::cg, 0);
  timed(unlike, Load::atomic, 0);
  print_split("cg loads of multiprocessor 0, first time", timed(a, Load::cg, 0));
  print_split("cg loads of multiprocessor 0, second time", timed(a, Load::cg, 0));
}

}  // namespace
}  // namespace cupel::kernels::memory
