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
    const double grown = i < 3 ? 1 : 2;  // as in measure.cpp
    EXPECT_NEAR(seen[i], expected[i], grown * bound * static_cast<double>(expected[0])) << what << ", step " << i;
  }
}

// By the norm of each.
void expect_gradients(const std::vector<std::vector<float>>& expected, const std::vector<std::vector<float>>& seen,
                      double bound) {
  ASSERT_EQ(seen.size(), expected.size());
  for (std::size_t p = 0; p < seen.size(); ++p) {
    double squares = 0, difference = 0;
    for (std::size_t i = 0; i < seen[p].size(); ++i) {
      squares += std::pow(static_cast<double>(expected[p][i]), 2);
      difference += std::pow(static_cast<double>(seen[p][i]) - static_cast<double>(expected[p][i]), 2);
    }
    EXPECT_GT(squares, 0) << "parameter " << p;
    EXPECT_LE(std::sqrt(difference), bound * std::sqrt(squares)) << "parameter " << p;
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
  const Batch batches[] = {make_batch(program, 1), make_batch(program, 2)};
  const std::vector<int> parameters = program.of(Home::parameter), gradients = program.of(Home::gradient);
  std::vector<std::vector<double>> velocity;
  for (const int id : parameters) velocity.emplace_back(program.tensor(id).count);
  std::vector<float> losses;
  for (int step = 0; step < kSteps; ++step) {
    machine.set(program.of(Home::image).front(), batches[step % 2].images);
    machine.set_labels(batches[step % 2].labels);
    machine.run();
    losses.push_back(static_cast<float>(machine.loss()));
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      std::vector<double> values = machine.get(parameters[p]);
      const std::vector<double> gradient = machine.get(gradients[p]);
      kernels::optimizer::reference::sgd(sgd_of(recipe), {values, gradient, velocity[p], {}});
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

TEST(Training, LearnsTheSameWhateverIsDoneAboutTheLossScale) {
  Recipe recipe = toy(Precision::amp_fp16);
  recipe.update = Update::fused;
  const std::vector<float> expected = curve(recipe);
  for (const Scaler scaler : {Scaler::host_looks, Scaler::folded}) {
    recipe.scaler = scaler;
    expect_near(expected, curve(recipe), 1e-5, "scaled otherwise");
  }
}

TEST(Training, ByAdamReplayedAsAGraphCountsItsSteps) {
  Recipe eager = toy(Precision::amp_bf16), graph = eager;
  eager.rule = graph.rule = Rule::adamw;
  graph.launch = Launch::graph;

  expect_near(curve(eager), curve(graph), 1e-5, "AdamW in a graph");
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

  const std::vector<float> in_turn = curve(recipe), of_own = training.curve(kSteps);
  EXPECT_EQ(of_own.front(), in_turn.front());
  EXPECT_NE(of_own[1], in_turn[1]) << "the second step takes another one by itself";
  const float of_other = turned.curve(1).back();
  turned.use(own);
  EXPECT_NE(of_other, in_turn.front());
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
  Recipe in_one_block = varying;
  in_one_block.pool = Pool::planned;
  EXPECT_EQ(curve(in_one_block), curve(varying)) << "whose memory is the largest one's";
  Recipe adam = toy();
  adam.rule = Rule::adamw;
  for (const Recipe& recipe : {varying, adam}) {
    Training training(recipe);
    const float first = training.curve(1).back();
    const float last = training.curve(12).back();  // of the first size again
    EXPECT_LT(last, first);
  }
}

TEST(Training, ThatStartsAgainLearnsTheSame) {
  for (const Loading loading : {Loading::resident, Loading::ahead}) {
    Recipe recipe = toy();
    recipe.loading = loading;
    Training training(recipe);
    const std::vector<float> first = training.curve(kSteps);
    training.start_again();

    EXPECT_EQ(training.curve(kSteps), first);
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
  ASSERT_EQ(losses.size(), 40u) << "of each part";
  EXPECT_LT(losses.back(), losses[3]) << "the same samples ten steps later";
  for (std::size_t part = 1; part < 4; ++part) EXPECT_NE(losses[part], losses[0]) << "every part is another";
}

// A part's gradient is divided by 4, a power of two, and added up: only additions round. The second step shows that the
// sum begins anew. The fused optimizer leaves the gradients as they are.
TEST(Training, OfTheSamePartFourTimesHasTheGradientsOfThePart) {
  Recipe whole = toy();
  whole.net = "toy_tokens";
  whole.options.batch = kFullRateSamples;  // both learn at the full rate
  whole.update = Update::fused;
  whole.loading = Loading::pageable;
  Recipe parts = whole;
  parts.options.parts = 4;
  parts.options.adds_gradients = true;
  const auto gradients_of = [](const Recipe& recipe) {
    Training training(recipe);
    training.use(batch_of(recipe, 0));
    training.curve(2);
    return training.gradients();
  };

  expect_gradients(gradients_of(whole), gradients_of(parts), 1e-5);
}

// Wherever they lie: in the device's memory, each in a place of its own, or copied one after another.
TEST(Training, OfFourPartsHasTheMeanOfTheirGradients) {
  Recipe one = toy();
  one.net = "toy_tokens";
  one.update = Update::fused;
  one.loading = Loading::pageable;
  std::vector<std::vector<float>> mean;
  for (std::int64_t which = 0; which < 4; ++which) {
    Training training(one);
    training.use(batch_of(one, which));
    training.step();
    const std::vector<std::vector<float>> gradients = training.gradients();
    mean.resize(gradients.size());
    for (std::size_t p = 0; p < gradients.size(); ++p) {
      mean[p].resize(gradients[p].size());
      for (std::size_t i = 0; i < gradients[p].size(); ++i) mean[p][i] += gradients[p][i] / 4;
    }
  }
  for (const Loading loading : {Loading::resident, Loading::pageable, Loading::pinned, Loading::ahead}) {
    Recipe parts = one;
    parts.loading = loading;
    parts.options.parts = 4;
    parts.options.adds_gradients = true;
    Training training(parts);
    training.step();

    expect_gradients(mean, training.gradients(), 1e-5);
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
