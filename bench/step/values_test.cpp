#include "bench/step/values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "bench/step/nets.hpp"

namespace cupel::bench::step {
namespace {

double deviation(const std::vector<float>& values) {
  double squares = 0;
  for (const float x : values) squares += static_cast<double>(x) * static_cast<double>(x);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

TEST(FirstValues, AreTorchvisionsInSize) {
  const Program program = make_program(net_of("resnet18_224"), {});
  const std::vector<int> parameters = program.of(Home::parameter);

  EXPECT_NEAR(deviation(first_values(program, parameters[0], 1)), std::sqrt(2.0 / (64 * 49)), 5e-4);
  EXPECT_EQ(first_values(program, parameters[1], 1), std::vector<float>(64, 1.0f));
  EXPECT_EQ(first_values(program, parameters[2], 1), std::vector<float>(64, 0.0f));
  EXPECT_NEAR(deviation(first_values(program, parameters[60], 1)), 1 / std::sqrt(3.0 * 512), 5e-4);
}

// tests/ci/parity_pytorch_step_test.py expects the same numbers.
TEST(FirstValues, AreThoseOfTheScriptThatTrainsThemInPyTorch) {
  const Program program = make_program(net_of("resnet18_32"), {.batch = 4});
  const std::vector<int> parameters = program.of(Home::parameter);
  const Batch batch = make_batch(program, 1);

  EXPECT_FLOAT_EQ(first_values(program, parameters[0], 1)[5], 0.12812313f);
  EXPECT_FLOAT_EQ(first_values(program, parameters.back(), 1)[3], 0.012652704f);
  EXPECT_FLOAT_EQ(batch.images[3 * 32 * 32 + 7], 0.42945373f);
  EXPECT_EQ(batch.labels, (std::vector<std::int32_t>{1, 4, 4, 9}));
}

TEST(FirstValues, OfATransformerBlockAreThoseOfTheScript) {
  const Program program = make_program(net_of("transformer_1024"), {.batch = 2, .layout = Layout::channels_last});
  const std::vector<int> parameters = program.of(Home::parameter);
  const Batch batch = make_batch(program, 1);

  EXPECT_FLOAT_EQ(first_values(program, parameters[2], 1)[1030], -0.0162495244f);
  EXPECT_FLOAT_EQ(first_values(program, parameters[11], 1)[7], -0.00521046994f);
  EXPECT_FLOAT_EQ(batch.images[(512 + 3) * 1024 + 5], -0.318558395f) << "sample 1, token 3, channel 5";
  EXPECT_EQ(batch.labels[512 + 3], 837);
}

std::string sample(char label, char first, char others) {
  return label + (first + std::string(3 * 32 * 32 - 1, others));
}

TEST(BatchesOf, ImagesHaveTheirLabelsAndTheirPixelsWhereTheLayoutHasThem) {
  const Program program = make_program(net_of("resnet18_32"), {.batch = 2, .layout = Layout::channels_last});
  std::string planes = sample(3, '\0', '\0');
  planes[1 + 2 * 32 * 32 + 5] = '\xff';  // blue, row 0, column 5
  const std::string bytes = planes + sample(9, '\xff', '\x33') + planes;

  const std::vector<Batch> batches = batches_of(program, bytes);

  ASSERT_EQ(batches.size(), 1u) << "a third sample is left over";
  EXPECT_EQ(batches[0].labels, (std::vector<std::int32_t>{3, 9}));
  EXPECT_EQ(batches[0].images.size(), 2u * 3 * 32 * 32);
  EXPECT_EQ(batches[0].images[0], -1.0f);
  EXPECT_EQ(batches[0].images[5 * 3 + 2], 1.0f);
  EXPECT_EQ(batches[0].images[3 * 32 * 32], 1.0f);
  EXPECT_FLOAT_EQ(batches[0].images[3 * 32 * 32 + 1], -0.6f);
}

TEST(BatchesOf, RefuseWhatIsNoneOfTheirs) {
  const Program program = make_program(net_of("resnet18_32"), {.batch = 2});
  const std::string two = sample(0, '\0', '\0') + sample(9, '\0', '\0');

  EXPECT_THROW(batches_of(program, two + '\0'), std::invalid_argument);
  EXPECT_THROW(batches_of(program, sample(0, '\0', '\0')), std::invalid_argument);
  EXPECT_THROW(batches_of(program, two + sample(10, '\0', '\0') + sample(0, '\0', '\0')), std::invalid_argument);
  EXPECT_THROW(batches_of(make_program(net_of("resnet18_32"), {.batch = 0}), two), std::invalid_argument);
  EXPECT_EQ(batches_of(program, two).size(), 1u);
}

TEST(FirstValues, ArePutWhereTheLayoutHasThem) {
  const Net net = net_of("toy_images");
  const Program first = make_program(net, {.batch = 2}),
                last = make_program(net, {.batch = 2, .layout = Layout::channels_last});
  const Batch a = make_batch(first, 1), b = make_batch(last, 1);

  // Sample 1, channel 2, row 4, column 5 of 3 x 9 x 9.
  EXPECT_EQ(a.images[((1 * 3 + 2) * 9 + 4) * 9 + 5], b.images[((1 * 9 + 4) * 9 + 5) * 3 + 2]);
  EXPECT_EQ(a.labels, b.labels);
}

}  // namespace
}  // namespace cupel::bench::step
