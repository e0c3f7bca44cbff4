#include "bench/step/plan.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bench/step/nets.hpp"

namespace cupel::bench::step {
namespace {

// Every pair of planned tensors that live at once lies apart, within the memory.
void expect_apart(const Program& program, const std::vector<Lifetime>& lives, const Plan& plan) {
  const std::vector<int> planned = program.of(Home::planned);
  for (const int a : planned) {
    const auto begin = [&](int id) { return plan.offset[static_cast<std::size_t>(id)]; };
    const auto end = [&](int id) { return begin(id) + program.tensor(id).bytes(); };
    if (lives[static_cast<std::size_t>(a)].first < 0) continue;
    ASSERT_GE(begin(a), 0);
    ASSERT_EQ(begin(a) % kAlignBytes, 0);
    ASSERT_LE(end(a), plan.bytes_of(Home::planned));
    for (const int b : planned) {
      if (b <= a || !lives[static_cast<std::size_t>(a)].meets(lives[static_cast<std::size_t>(b)])) continue;
      ASSERT_TRUE(end(a) <= begin(b) || end(b) <= begin(a))
          << program.tensor(a).name << " and " << program.tensor(b).name << " overlap";
    }
  }
}

class PlanOf : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Nets, PlanOf,
                         testing::Values("resnet18_224", "resnet18_32", "transformer_1024", "toy_images", "toy_tokens",
                                         "toy_tokens_x3"));

TEST_P(PlanOf, KeepsLiveTensorsApartAndNeedsLittleMoreThanTheyHave) {
  const Net net = net_of(GetParam());
  const double most = net.name.starts_with("toy") ? 1.3 : 1.05;  // of the small ones much is rounding up
  for (const Keep keep : {Keep::all, Keep::sqrt, Keep::none}) {
    for (const Precision precision : {Precision::fp32, Precision::amp_fp16}) {
      const Layout layout = net.has_planes() ? Layout::channels_first : Layout::channels_last;
      const Program program = make_program(net, {.batch = 8, .precision = precision, .layout = layout, .keep = keep});
      const std::vector<Lifetime> lives = lifetimes(program);

      const Plan plan = make_plan(program, lives);

      SCOPED_TRACE(std::string(to_string(keep)) + " " + to_string(precision));
      expect_apart(program, lives, plan);
      EXPECT_GE(plan.bytes_of(Home::planned), plan.most_live_bytes);
      EXPECT_LE(static_cast<double>(plan.bytes_of(Home::planned)), most * static_cast<double>(plan.most_live_bytes));
    }
  }
}

TEST_P(PlanOf, TakesLessTheLessIsKept) {
  const Net net = net_of(GetParam());
  const auto planned = [&](Keep keep) {
    const Program program = make_program(net, {.batch = 8, .layout = Layout::channels_last, .keep = keep});
    return make_plan(program, lifetimes(program)).bytes_of(Home::planned);
  };

  EXPECT_LE(planned(Keep::sqrt), planned(Keep::all));
  EXPECT_LE(planned(Keep::none), planned(Keep::all));
}

TEST(Plan, OfAResnetSavesAThirdAndMoreWhereActivationsAreComputedAgain) {
  const auto planned = [&](Keep keep) {
    const Program program = make_program(net_of("resnet18_224"), {.batch = 32, .keep = keep});
    return static_cast<double>(make_plan(program, lifetimes(program)).bytes_of(Home::planned));
  };

  EXPECT_LT(planned(Keep::sqrt), 0.9 * planned(Keep::all));
  EXPECT_LT(planned(Keep::none), 0.9 * planned(Keep::all));
}

// 11.7 million parameters in fp32, each tensor rounded up to 256 bytes.
TEST(Plan, CountsTheMemoryOfEachRole) {
  const Program program = make_program(net_of("resnet18_224"), {.batch = 2});

  const Plan plan = make_plan(program, lifetimes(program));

  EXPECT_NEAR(static_cast<double>(plan.bytes_of(Home::parameter)), 4 * 11'689'512.0, 62 * 256.0);
  EXPECT_EQ(plan.bytes_of(Home::gradient), plan.bytes_of(Home::parameter));
  EXPECT_EQ(plan.bytes_of(Home::image), 2 * 3 * 224 * 224 * 4);
  EXPECT_EQ(plan.bytes_of(Home::mean), plan.bytes_of(Home::running_variance));
}

TEST(Plan, OfAnEvaluationNeedsFarLessThanOneThatKeepsAll) {
  const Program program = make_program(net_of("resnet18_224"), {.batch = 32, .trains = false});

  const Plan two_buffers = make_plan(program, lifetimes(program)), kept = make_plan(program, kept_lifetimes(program));

  expect_apart(program, kept_lifetimes(program), kept);
  EXPECT_LT(3 * two_buffers.bytes_of(Home::planned), kept.bytes_of(Home::planned));
}

}  // namespace
}  // namespace cupel::bench::step
