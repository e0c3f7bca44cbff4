#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/step/nets.hpp"

namespace cupel::bench::step {
namespace {

using testing::ElementsAre;

std::vector<std::string> names(const Net& net, const std::vector<int>& places) {
  std::vector<std::string> found;
  for (const int place : places) found.push_back(net.layers[static_cast<std::size_t>(place)].name);
  return found;
}

// Source: torchvision's documentation of resnet18 (11 689 512 parameters, 1.81 billion products).
TEST(Resnet18, HasTorchvisionsParametersAndProducts) {
  const Net net = resnet18(224);

  EXPECT_EQ(parameter_count(net), 11'689'512);
  EXPECT_EQ(forward_flops(net) / 2, 1'814'073'344);
  EXPECT_EQ(net.layers.back().out, (Extent{1000}));
}

TEST(Resnet18, OfSmallImagesKeepsThemLarge) {
  const Net net = resnet18(32);

  EXPECT_EQ(parameter_count(net), 11'173'962);
  EXPECT_EQ(net.layers[1].out, (Extent{64, 32, 32}));
  EXPECT_EQ(net.layers.back().out, (Extent{10}));
}

TEST(Resnet18, WithBiasesHasOneForEachChannelOfAConvolution) {
  EXPECT_EQ(parameter_count(resnet18(224, true)) - parameter_count(resnet18(224)), 4800);
}

// 12 hidden^2 weights; 4 + 3 + 1 + 1 hidden biases, 4 hidden of norms.
TEST(TransformerBlock, HasTwelveSquaresOfItsWidth) {
  for (const std::int64_t hidden : {1024, 4096}) {
    EXPECT_EQ(parameter_count(transformer("transformer", hidden)), 12 * hidden * hidden + 13 * hidden);
  }
}

TEST(Cuts, AreWhereEverythingGoesThroughOneLayer) {
  const Net net = net_of("toy_images");

  EXPECT_THAT(names(net, cuts(net)),
              ElementsAre("conv1", "relu", "maxpool", "layer1.0.relu2", "layer2.0.relu2", "avgpool"));
}

TEST(NetOf, RefusesAnotherName) { EXPECT_THROW(net_of("resnet50"), std::invalid_argument); }

}  // namespace
}  // namespace cupel::bench::step
