// A suite of benchmarks on one machine, whose times are drawn from a noise model.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cupel/stats/random.hpp"
#include "tests/simulator/noise_model.hpp"

namespace cupel::simulator {

/// Logarithms of process locations: of one benchmark, one list a side.
using Locations = std::array<std::vector<double>, 2>;

/// So many processes a side of a benchmark.
struct Wish {
  std::size_t benchmark = 0;
  int processes = 0;
};

class SimulatedSuite {
 public:
  SimulatedSuite(const Model& model, std::uint64_t seed, int benchmarks);

  std::size_t size() const { return benchmarks_.size(); }
  Kind kind(std::size_t benchmark) const { return benchmarks_[benchmark].kind; }
  std::vector<Wish> all(int processes) const;

  /// One of each kind, drawn.
  std::array<std::size_t, 4> one_of_each_kind();

  /// One location of each for each process and side, in interleaved order; process k runs what wants more than k.
  /// slowdown: per benchmark of the suite, a logarithm, added to the contender.
  std::vector<Locations> measure(std::span<const Wish> wishes, std::span<const double> slowdown);

 private:
  struct Benchmark {
    Kind kind = large;
    KindNoise noise;        // its own: sds are no medians here
    std::size_t group = 0;  // 0, or twice the executable, and 1 more if bound by the host
    double log_ns = 0, gap = 0, gap_share = 0;
  };

  // The state that the benchmarks of a group have in common in one process.
  struct State {
    double clock = 0;
    double mode = 0;  // bimodal ones are moved where it is below their share
  };
  using Sides = std::array<std::vector<State>, 2>;

  Benchmark draw(Kind kind, std::size_t index);
  double offset(const Benchmark& benchmark, const State& state);
  std::vector<State> states(int processes);
  Sides schedule(int processes);
  void sample(const Benchmark& benchmark, std::span<double> logs);

  const Model model_;
  stats::Random random_;
  std::vector<Benchmark> benchmarks_;
};

}  // namespace cupel::simulator
