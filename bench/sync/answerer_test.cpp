#include "bench/sync/answerer.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <tuple>

namespace cupel::bench::sync {
namespace {

using std::chrono::microseconds;
using Clock = std::chrono::steady_clock;

class AnAnswerer : public testing::TestWithParam<std::tuple<Answerer::Passes, Answerer::Learns>> {
 protected:
  Answerer answerer_{std::get<0>(GetParam()), std::get<1>(GetParam())};
};

TEST_P(AnAnswerer, AnswersNotBeforeTheTime) {
  for (const microseconds after : {microseconds(0), microseconds(50), microseconds(2000)}) {
    const auto start = Clock::now();

    answerer_.ask(after);
    answerer_.wait();

    EXPECT_GE(Clock::now() - start, after);
  }
}

TEST_P(AnAnswerer, AnswersEachQuestionOnce) {
  for (int i = 0; i < 100; ++i) {
    answerer_.ask(microseconds(0));
    answerer_.wait();
  }

  EXPECT_EQ(answerer_.answered(), 100u);
}

INSTANTIATE_TEST_SUITE_P(Ways, AnAnswerer,
                         testing::Combine(testing::Values(Answerer::Passes::awake, Answerer::Passes::asleep),
                                          testing::Values(Answerer::Learns::spinning, Answerer::Learns::woken)),
                         [](const auto& ways) {
                           const bool awake = std::get<0>(ways.param) == Answerer::Passes::awake;
                           const bool woken = std::get<1>(ways.param) == Answerer::Learns::woken;
                           return std::string(awake ? "Awake" : "Asleep") + (woken ? "Woken" : "Spinning");
                         });

}  // namespace
}  // namespace cupel::bench::sync
