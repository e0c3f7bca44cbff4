// The backward pass of a program against finite differences, and what must not change its gradients.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "bench/step/host_machine.hpp"
#include "bench/step/nets.hpp"
#include "bench/step/values.hpp"
#include "cupel/verify/compare.hpp"
#include "cupel/verify/generator.hpp"
#include "kernels/optimizer/reference.hpp"

namespace cupel::bench::step {
namespace {

using Values = std::vector<double>;

// A program with memory and numbers of its own.
struct Training {
  explicit Training(const Net& net, Options options) : program(make_program(net, options)), machine(program, plan) {
    for (const Home home : {Home::parameter, Home::running_mean, Home::running_variance}) {
      for (const int id : program.of(home)) machine.set(id, first_values(program, id, 1));
    }
    if (options.frozen_norms) set_statistics();
    load(1);
  }

  // Others than 0 and 1, of which an error would not be seen.
  void set_statistics() {
    for (const int id : program.of(Home::running_mean)) machine.set(id, rising(program.tensor(id).count, -0.1, 0.02));
    for (const int id : program.of(Home::running_variance))
      machine.set(id, rising(program.tensor(id).count, 0.5, 0.05));
  }

  static Values rising(std::int64_t count, double first, double step) {
    Values values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = first + step * static_cast<double>(i);
    return values;
  }

  void load(std::uint64_t seed) {
    const Batch batch = make_batch(program, seed);
    machine.set(program.of(Home::image).front(), batch.images);
    machine.set_labels(batch.labels);
  }

  double loss() {
    machine.run_forward();
    return machine.loss();
  }

  std::vector<Values> gradients() {
    std::vector<Values> all;
    for (const int id : program.of(Home::gradient)) all.push_back(machine.get(id));
    return all;
  }

  Program program;
  Plan plan = make_plan(program, lifetimes(program));
  HostMachine machine;
};

std::vector<Values> gradients_of(const Net& net, const Options& options) {
  Training training(net, options);
  training.machine.run();
  return training.gradients();
}

Options options_of(const std::string& name) {
  return {.batch = 3, .layout = name.starts_with("toy_tokens") ? Layout::channels_last : Layout::channels_first};
}

class Gradients : public testing::TestWithParam<const char*> {
 protected:
  const Net net_ = net_of(GetParam());
  const Options options_ = options_of(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Nets, Gradients, testing::Values("toy_images", "toy_tokens", "toy_tokens_x3"));

// Central differences of h are off by h^2 times the third derivative and by 1e-16 / h: 1e-9 or so at h = 1e-5. A few
// elements of each parameter. Where a ReLU or a pool changes its mind within h they differ; the seed is one where none
// does.
void expect_finite_differences(Training& training) {
  constexpr double kStep = 1e-5;
  training.machine.run();
  const std::vector<Values> gradients = training.gradients();
  const std::vector<int> parameters = training.program.of(Home::parameter);
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const std::string& name = training.program.tensor(parameters[p]).name;
    Values values = training.machine.get(parameters[p]);
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t i = verify::mix(p * 4 + k) % values.size();
      const double middle = values[i];
      const auto loss_at = [&](double value) {
        values[i] = value;
        training.machine.set(parameters[p], values);
        return training.loss();
      };
      const double difference = (loss_at(middle + kStep) - loss_at(middle - kStep)) / (2 * kStep);
      loss_at(middle);

      EXPECT_NEAR(gradients[p][i], difference, 1e-7) << name << "[" << i << "]";
    }
  }
}

TEST_P(Gradients, AreFiniteDifferences) {
  Training training(net_, options_);
  expect_finite_differences(training);
}

TEST(GradientsOfImages, AreFiniteDifferencesWithChannelsLastAndBiases) {
  Net net = net_of("toy_images");
  for (Layer& layer : net.layers) layer.bias = layer.kind == Kind::convolution;
  Training training(net, {.batch = 3, .layout = Layout::channels_last, .inplace_relu = false});
  expect_finite_differences(training);
}

TEST(GradientsOfImages, AreFiniteDifferencesWhereNormsAreFrozen) {
  Training training(net_of("toy_images"), {.batch = 3, .layout = Layout::channels_last, .frozen_norms = true});
  const Values before = training.machine.get(training.program.of(Home::running_mean)[0]);

  expect_finite_differences(training);

  EXPECT_EQ(training.machine.get(training.program.of(Home::running_mean)[0]), before);
}

// The host computes all in double, so that what casts change is only where numbers lie.
TEST_P(Gradients, AreTheSameToTheBitWhateverIsKeptCastOrWrittenOver) {
  const std::vector<Values> expected = gradients_of(net_, options_);
  for (const Keep keep : {Keep::all, Keep::sqrt, Keep::none}) {
    for (const Precision precision : {Precision::fp32, Precision::amp_bf16}) {
      for (const bool inplace : {false, true}) {
        Options options = options_;
        options.keep = keep;
        options.precision = precision;
        options.inplace_relu = inplace;
        SCOPED_TRACE(std::string(to_string(keep)) + " " + to_string(precision));
        EXPECT_EQ(gradients_of(net_, options), expected);
      }
    }
  }
}

TEST_P(Gradients, OfALossThatIsScaledAreScaled) {
  Options options = options_;
  options.precision = Precision::amp_fp16;
  std::vector<Values> scaled = gradients_of(net_, options);
  for (Values& gradient : scaled) {
    for (double& x : gradient) x /= 65536;
  }

  EXPECT_EQ(scaled, gradients_of(net_, options_));  // a power of two
}

TEST(GradientsOfImages, AreTheSameInBothLayouts) {
  const Net net = net_of("toy_images");
  const std::vector<Values> first = gradients_of(net, {.batch = 3});
  const std::vector<Values> last = gradients_of(net, {.batch = 3, .layout = Layout::channels_last});

  for (std::size_t p = 0; p < first.size(); ++p) {
    // Filters lie otherwise: sums over all elements do not care.
    const auto moments = [](const Values& gradient) {
      double sum = 0, squares = 0;
      for (const double x : gradient) {
        sum += x;
        squares += x * x;
      }
      return Values{sum, squares};
    };
    const auto comparison = verify::compare(moments(first[p]), moments(last[p]), {1e-12, 1e-9});
    EXPECT_TRUE(comparison.passed()) << comparison.message();
  }
}

// Where norms are frozen, since their statistics would be those of the part.
void expect_parts_add_up(const Net& net) {
  const Options whole{.batch = 4, .layout = Layout::channels_last, .frozen_norms = true};
  const std::vector<Values> expected = gradients_of(net, whole);
  Options part = whole;
  part.batch = 1;
  part.parts = 4;
  part.adds_gradients = true;
  Training training(net, part);
  const Batch batch = make_batch(make_program(net, whole), 1);
  const std::size_t images = batch.images.size() / 4, labels = batch.labels.size() / 4;

  for (std::size_t i = 0; i < 4; ++i) {
    training.machine.set(training.program.of(Home::image).front(), std::span(batch.images).subspan(i * images, images));
    training.machine.set_labels(std::span(batch.labels).subspan(i * labels, labels));
    training.machine.run(i == 0);
  }

  const std::vector<Values> added = training.gradients();
  for (std::size_t p = 0; p < expected.size(); ++p) {
    const auto comparison = verify::compare(expected[p], added[p], {1e-14, 1e-9});
    EXPECT_TRUE(comparison.passed()) << comparison.message();
  }
}

TEST(GradientsOfTokens, AreTheSameWhereAttentionIsFused) {
  Options fused = options_of("toy_tokens");
  fused.fused_attention = true;

  EXPECT_EQ(gradients_of(net_of("toy_tokens"), fused), gradients_of(net_of("toy_tokens"), options_of("toy_tokens")));
}

TEST(GradientsOfTokens, OfPartsOfABatchAddUpToThoseOfAllOfIt) { expect_parts_add_up(net_of("toy_tokens")); }

TEST(GradientsOfImages, OfPartsOfABatchAddUpToThoseOfAllOfItWhereNormsAreFrozen) {
  expect_parts_add_up(net_of("toy_images"));
}

TEST(Loss, OfAnUntrainedNetIsAboutThatOfAGuess) {
  Training training(net_of("toy_images"), {.batch = 32});

  EXPECT_NEAR(training.loss(), std::log(8.0), 0.7);
}

TEST_P(Gradients, TeachTheNetAProblemThatCanBeLearnt) {
  Options options = options_;
  options.batch = 16;
  Training training(net_, options);
  const std::vector<int> parameters = training.program.of(Home::parameter),
                         gradients = training.program.of(Home::gradient);
  std::vector<Values> velocity;
  for (const int id : parameters) velocity.emplace_back(training.program.tensor(id).count);
  const double before = training.loss();

  for (std::uint64_t step = 0; step < 40; ++step) {
    training.load(step + 2);
    training.machine.run();
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      Values values = training.machine.get(parameters[p]);
      const Values gradient = training.machine.get(gradients[p]);
      kernels::optimizer::reference::sgd({.learning_rate = 0.05, .momentum = 0.9}, {values, gradient, velocity[p], {}});
      training.machine.set(parameters[p], values);
    }
  }

  training.load(1);
  EXPECT_LT(training.loss(), 0.7 * before);
}

TEST(Evaluation, WithTheStatisticsOfTheBatchGivesItsLoss) {
  const Net net = net_of("toy_images");
  Training training(net, {.batch = 8});
  const double expected = training.loss();
  Training evaluation(net, {.batch = 8, .trains = false});
  const std::vector<int> running_means = evaluation.program.of(Home::running_mean);
  const std::vector<int> running_variances = evaluation.program.of(Home::running_variance);
  const std::vector<int> means = training.program.of(Home::mean),
                         inverses = training.program.of(Home::inverse_deviation);
  for (std::size_t n = 0; n < means.size(); ++n) {
    Values variance = training.machine.get(inverses[n]);
    for (double& x : variance) x = 1 / (x * x) - static_cast<double>(kEpsilon);
    evaluation.machine.set(running_means[n], training.machine.get(means[n]));
    evaluation.machine.set(running_variances[n], variance);
  }

  EXPECT_NEAR(evaluation.loss(), expected, 1e-9);
}

TEST(RunningStatistics, MoveATenthTowardsThoseOfTheStep) {
  Training training(net_of("toy_images"), {.batch = 8});
  training.loss();

  const double mean = training.machine.get(training.program.of(Home::mean)[0])[0];
  const double inverse = training.machine.get(training.program.of(Home::inverse_deviation)[0])[0];
  const double variance = (1 / (inverse * inverse) - 1e-5) * (8 * 81) / (8 * 81 - 1.0);

  EXPECT_NEAR(training.machine.get(training.program.of(Home::running_mean)[0])[0], 0.1 * mean, 1e-8);
  EXPECT_NEAR(training.machine.get(training.program.of(Home::running_variance)[0])[0], 0.9 + 0.1 * variance, 1e-6);
}

}  // namespace
}  // namespace cupel::bench::step
