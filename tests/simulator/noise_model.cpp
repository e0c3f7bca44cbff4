#include "tests/simulator/noise_model.hpp"

#include <cmath>
#include <stdexcept>

namespace cupel::simulator {
namespace {

Model study() {
  return {{{{0.0080, 0.6, 0.0015, 0.5, 0.05, 0.01, 0.04, 0.010, 0.05, 0.0, 0.25 * 0.005},
            {0.0175, 0.6, 0.0050, 0.5, 0.15, 0.02, 0.08, 0.010, 0.20, 0.0, 0.25 * 0.005},
            {0.0200, 0.6, 0.0050, 0.5, 0.05, 0.01, 0.03, 0.005, 0.05, 0.9, 1.00 * 0.005},
            {0.0800, 0.6, 0.0250, 0.5, 0.20, 0.05, 0.15, 0.050, 0.80, 0.3, 0}}},
          1,
          0.9};
}

// The share of the variance between processes that device-bound benchmarks have in common is the correlation between
// them: they feel so much of the clock.
Model with_clock(std::array<KindNoise, 4> kinds, double correlation) {
  for (const Kind kind : {large, small, power}) {
    kinds[kind].clock = kinds[kind].process_sd * std::sqrt(correlation);
    kinds[kind].process_sd *= std::sqrt(1 - correlation);
  }
  return {kinds, 1, 0};
}

// Fitted to 9 long, 14 short, 1 power-limited and 4 host-bound benchmarks.
Model h200_none() {
  return with_clock({{{0.003495, 1.037, 0.009445, 1.765, 0.2222, 0.01727, 0.02052, 0.01278, 0.03021, 0.0922},
                      {0.01639, 0.7528, 0.0296, 0.8833, 0, 0, 0, 0.02111, 0.06241, 0},
                      {0.01601, 0.3, 0.0001, 0.3, 0, 0, 0, 0, 0, 0.9658},
                      {0.03743, 0.982, 0.03386, 0.3588, 0, 0, 0, 0.02889, 0.2597, 0.1046}}},
                    0.045);
}

Model h200_settle_rounds() {
  return with_clock({{{0.00299, 1.02, 0.0008658, 1.129, 0, 0, 0, 0.001667, 0.007557, 0.03044},
                      {0.01613, 0.9639, 0.008923, 0.7354, 0.07143, 0.01718, 0.01718, 0.005833, 0.07122, 0},
                      {0.03986, 0.3, 0.0001, 0.3, 0, 0, 0, 0, 0, 0.9307},
                      {0.04134, 0.5057, 0.03057, 0.4058, 0, 0, 0, 0.02417, 0.2543, 0.3661}}},
                    0.147);
}

// cupel run --quick, 10 processes, NVIDIA H200, driver 580.159.04, commit b9c576f: 78 long, 55 short, 3 power-limited
// and 112 host-bound benchmarks of 7 executables.
Model suite() {
  return {
      {{{0.001805, 1.276, 0.001138, 0.9117, 0.02564, 0.01519, 0.03707, 0, 0.01096, 0, 0, 0.122, 0.01184, 0.01631, 26},
        {0.01387, 1.116, 0.00944, 1.098, 0.1091, 0.02027, 0.0783, 0.00134, 0.05374, 0, 0, 0.122, 0.004082, 0.0382, 56},
        {0.001024, 0.7352, 0.0009176, 0.02612, 0, 0, 0, 0.016, 0.004111, 0, 0, 0.122, 0, 0, 25},
        {0.05148, 0.6484, 0.07045, 0.6985, 0.03571, 0.1304, 0.8488, 0.02333, 0.3784, 0.1695, 0, 0.4681, 0.006481,
         0.2642, 150}}},
      1,
      0,
      {78 / 248.0, 55 / 248.0, 3 / 248.0, 112 / 248.0},
      7};
}

}  // namespace

Model model_of(const std::string& name) {
  if (name == "study") return study();
  if (name == "none") return h200_none();
  if (name == "settle_rounds") return h200_settle_rounds();
  if (name == "suite") return suite();
  throw std::invalid_argument("there is no model '" + name + "'");
}

std::array<SeenSpread, 4> suite_seen() {
  return {{{0.001357, 0.005664}, {0.01181, 0.0393}, {0.0009444, 0.001113}, {0.07751, 0.1906}}};
}

}  // namespace cupel::simulator
