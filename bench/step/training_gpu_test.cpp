// Whole trainings: what changes their speed must not change what they learn. The bounds are those of measure.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "bench/step/host_machine.hpp"
#include "bench/step/pieces.hpp"
#include "bench/step/training.hpp"
#include "kernels/optimizer/reference.hpp"

namespace cupel::bench::step {
namespace {

constexpr int kSteps = 5;

Recipe toy(Precision precision = Precision::fp32, Layout layout = Layout::channels_last) {
  Recipe recipe{.net = "toy_images", .loading = Loading::resident};
  recipe.options.batch = 16;
  recipe.options.precision = precision;
  recipe.options.layout = layout;
  return recipe;
}

std::vector<float> curve(const Recipe& recipe) { return Training(recipe).curve(kSteps); }

void expect_near(const std::vector<float>& expected, const std::vector<float>& seen, double bound,
                 const std::string& what) {
  ASSERT_EQ(seen.size(), expected.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_NEAR(seen[i], expected[i], bound * static_cast<double>(expected[0])) << what << ", step " << i;
  }
}

// The same numbers trained in double on the host, by the papers' formula of SGD.
std::vector<float> curve_on_host(const Recipe& recipe) {
  const Program program = program_of(recipe, recipe.options.batch);
  const Plan plan = plan_of(program, recipe);
  HostMachine machine(program, plan);
  for (const Home home : {Home::parameter, Home::running_mean, Home::running_variance}) {
    for (const int id : program.of(home)) machine.set(id, first_values(program, id, 1));
  }
  const Batch batch = make_batch(program, 1);
  machine.set(program.of(Home::image).front(), batch.images);
  machine.set_labels(batch.labels);
  const std::vector<int> parameters = program.of(Home::parameter), gradients = program.of(Home::gradient);
  std::vector<std::vector<double>> velocity;
  for (const int id : parameters) velocity.emplace_back(program.tensor(id).count);
  std::vector<float> losses;
  for (int step = 0; step < kSteps; ++step) {
    machine.run();
    losses.push_back(static_cast<float>(machine.loss()));
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      std::vector<double> values = machine.get(parameters[p]);
      const std::vector<double> gradient = machine.get(gradients[p]);
      kernels::optimizer::reference::sgd(kSgd, {values, gradient, velocity[p], {}});
      machine.set(parameters[p], values);
    }
  }
  return losses;
}

TEST(Training, LearnsWhatTheHostLearnsInDouble) {
  const std::vector<float> expected = curve_on_host(toy());

  EXPECT_LT(expected.back(), expected.front());
  expect_near(expected, curve(toy()), 1e-3, "nhwc");
  expect_near(expected, curve(toy(Precision::fp32, Layout::channels_first)), 1e-3, "nchw");
  expect_near(expected, curve(toy(Precision::tf32)), 5e-3, "tf32");
  expect_near(expected, curve(toy(Precision::amp_fp16)), 5e-3, "amp_fp16");
  expect_near(expected, curve(toy(Precision::amp_bf16)), 1e-2, "amp_bf16");
}

TEST(Training, LearnsTheSameOnEveryRungOfTheWaterfall) {
  const std::vector<float> expected = curve(naive("toy_images", 16));
  for (const Piece& piece : pieces()) {
    expect_near(expected, curve(with_pieces_up_to("toy_images", 16, piece.name)), 1e-2, piece.name);
    expect_near(expected, curve(without_piece("toy_images", 16, piece.name)), 1e-2,
                std::string("without ") + piece.name);
  }
}

// The same kernels on the same numbers.
TEST(Training, ReplayedAsAGraphLearnsTheSameToTheBit) {
  for (const Precision precision : {Precision::fp32, Precision::amp_fp16, Precision::amp_bf16}) {
    Recipe graph = toy(precision);
    graph.launch = Launch::graph;

    EXPECT_EQ(curve(graph), curve(toy(precision))) << to_string(precision);
  }
}

TEST(Training, LearnsTheSameHoweverItsBatchesCome) {
  const std::vector<float> expected = curve(toy());
  for (const Loading loading : {Loading::pageable, Loading::pinned, Loading::ahead}) {
    Recipe recipe = toy();
    recipe.loading = loading;
    EXPECT_EQ(curve(recipe), expected);
  }
}

TEST(Training, LearnsFromTheBatchThatIsInUse) {
  Recipe recipe = toy();
  recipe.loading = Loading::pageable;
  const Batch own = make_batch(program_of(recipe, 16), 1), other = make_batch(program_of(recipe, 16), 2);
  Training training(recipe), turned(recipe);
  training.use(own);
  turned.use(other);

  EXPECT_EQ(training.curve(kSteps), curve(recipe));
  const float of_other = turned.curve(1).back();
  turned.use(own);
  EXPECT_NE(of_other, curve(recipe).front());
  EXPECT_NE(turned.curve(1).back(), of_other);
  EXPECT_THROW(training.use(make_batch(program_of(recipe, 8), 1)), std::invalid_argument);
  EXPECT_THROW(Training(toy()).use(own), std::invalid_argument);
}

TEST(Training, LearnsTheSameByEveryUpdate) {
  const std::vector<float> expected = curve(toy());
  for (const Update update : {Update::loop, Update::fused}) {
    Recipe recipe = toy();
    recipe.update = update;
    expect_near(expected, curve(recipe), 1e-5, update == Update::loop ? "loop" : "fused");
  }
}

TEST(Training, WithFilledGradientsLearnsTheSameToTheBit) {
  Recipe filled = toy();
  filled.fills_gradients = true;

  EXPECT_EQ(curve(filled), curve(toy()));
}

TEST(Training, OfVaryingSizesAndByAdamLearns) {
  Recipe varying = toy();
  varying.sizes = {16, 8, 12};
  varying.pool = Pool::kept;
  Recipe adam = toy();
  adam.rule = Rule::adamw;
  for (const Recipe& recipe : {varying, adam}) {
    Training training(recipe);
    const float first = training.curve(1).back();
    const float last = training.curve(12).back();  // of the first size again
    EXPECT_LT(last, first);
  }
}

TEST(Training, OfPartsOfABatchLearns) {
  Recipe recipe = toy();
  recipe.options.batch = 4;
  recipe.options.parts = 4;
  recipe.options.adds_gradients = true;
  Training training(recipe);

  const std::vector<float> losses = training.curve(10);

  EXPECT_EQ(training.samples(), 16);
  EXPECT_LT(losses.back(), losses.front());
}

// A part's gradient is divided by 4, a power of two, and added up: only additions round. The second step shows that the
// sum begins anew. The fused optimizer leaves the gradients as they are.
TEST(Training, OfTheSamePartFourTimesHasTheGradientsOfThePart) {
  Recipe whole = toy();
  whole.net = "toy_tokens";
  whole.update = Update::fused;
  Recipe parts = whole;
  parts.options.parts = 4;
  parts.options.adds_gradients = true;
  const auto gradients_of = [](const Recipe& recipe) {
    Training training(recipe);
    training.curve(2);
    return training.gradients();
  };

  const std::vector<std::vector<float>> expected = gradients_of(whole), seen = gradients_of(parts);

  ASSERT_EQ(seen.size(), expected.size());
  for (std::size_t p = 0; p < seen.size(); ++p) {
    double squares = 0, difference = 0;
    for (std::size_t i = 0; i < seen[p].size(); ++i) {
      squares += std::pow(static_cast<double>(expected[p][i]), 2);
      difference += std::pow(static_cast<double>(seen[p][i]) - static_cast<double>(expected[p][i]), 2);
    }
    EXPECT_GT(squares, 0) << "parameter " << p;
    EXPECT_LE(std::sqrt(difference), 1e-5 * std::sqrt(squares)) << "parameter " << p;
  }
}

TEST(Training, OfATransformerBlockLearns) {
  for (const Launch launch : {Launch::eager, Launch::graph}) {
    Recipe recipe = toy(Precision::amp_bf16);
    recipe.net = "toy_tokens";
    recipe.launch = launch;
    const std::vector<float> losses = curve(recipe);
    EXPECT_LT(losses.back(), losses.front());
  }
}

// The real one at a small batch, which has engines that no toy has.
TEST(Training, OfAResnetLearnsTheSameInEveryPrecisionAndLayout) {
  const auto resnet = [](Precision precision, Layout layout) {
    Recipe recipe = toy(precision, layout);
    recipe.net = "resnet18_32";
    return recipe;
  };
  const std::vector<float> expected = curve(resnet(Precision::fp32, Layout::channels_first));

  EXPECT_LT(expected.back(), expected.front());
  for (const Layout layout : {Layout::channels_first, Layout::channels_last}) {
    expect_near(expected, curve(resnet(Precision::fp32, layout)), 1e-3, "fp32");
    expect_near(expected, curve(resnet(Precision::tf32, layout)), 5e-3, "tf32");
    expect_near(expected, curve(resnet(Precision::amp_fp16, layout)), 5e-3, "amp_fp16");
    expect_near(expected, curve(resnet(Precision::amp_bf16, layout)), 1e-2, "amp_bf16");
  }
}

class Parts : public Watcher {
 public:
  void begins(Part part, std::size_t operation) override { seen.emplace_back(part, operation); }
  std::vector<std::pair<Part, std::size_t>> seen;
};

TEST(Training, TellsItsWatcherEachPartInTheOrderOfTheStep) {
  Recipe recipe = toy();
  recipe.loading = Loading::pageable;
  recipe.fills_gradients = true;
  recipe.reads_loss_every = 1;
  Training training(recipe);
  Parts parts;
  training.watch(&parts);

  training.step();

  std::vector<std::pair<Part, std::size_t>> expected{{Part::load, 0}, {Part::fill, 0}};
  const std::size_t operations = training.program().operations.size();
  for (std::size_t i = 0; i < operations; ++i) expected.emplace_back(Part::operation, i);
  expected.emplace_back(Part::update, 0);
  expected.emplace_back(Part::read_loss, 0);
  EXPECT_EQ(parts.seen, expected);
}

TEST(Training, SaysWhenThereIsNotEnoughMemory) {
  Recipe huge{.net = "transformer_4096"};
  huge.options.batch = 1 << 20;
  huge.options.layout = Layout::channels_last;
  const Program program = program_of(huge, huge.options.batch);
  DeviceState state(plan_of(program_of(huge, 1), huge));

  EXPECT_THROW(DeviceMachine(program, lifetimes(program), state), cuda::OutOfMemory);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

}  // namespace
}  // namespace cupel::bench::step
