// That cuDNN fuses what is measured fused, asked for an H200 that need not be there. Attention is left out: the
// frontend asks the CUDA runtime about the device when it describes that.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "bench/fusion/conv_block_graph.hpp"
#include "bench/fusion/cudnn_norm_graph.hpp"
#include "cupel/vendor/described_device.hpp"

namespace cupel::bench::fusion {
namespace {

using kernels::DType;
using kernels::dot::Convolution;

class OnAnH200 : public testing::Test {
 protected:
  void SetUp() override {
    static const std::string missing = vendor::prepare_described_device();
    if (!missing.empty()) GTEST_SKIP() << missing;
  }
};

// Two of the layers of conv_block.cpp, one of each size of filter.
Convolution convolution(std::int64_t in_channels, std::int64_t out_channels, std::int64_t size, std::int64_t filter) {
  return {.batch = 64,
          .in_channels = in_channels,
          .out_channels = out_channels,
          .in = {{1, size, size}},
          .filter = {{1, filter, filter}},
          .padding = {{0, filter / 2, filter / 2}}};
}

TEST_F(OnAnH200, CudnnFusesWhatStandsBehindAConvolution) {
  for (const Convolution& shape : {convolution(64, 64, 56, 3), convolution(64, 256, 56, 1)}) {
    EXPECT_NO_THROW(conv_plan({.shape = shape}));
    EXPECT_NO_THROW(conv_plan({.shape = shape, .shifts = true, .shift_type = DType::fp16, .relu = true}));
    EXPECT_NO_THROW(conv_plan({.shape = shape, .shifts = true, .relu = true}));
    EXPECT_NO_THROW(conv_plan({.shape = shape, .scales = true, .shifts = true, .relu = true}));
  }
}

TEST_F(OnAnH200, CudnnHasNormsOfRowsOfEveryLength) {
  for (const std::int64_t columns : {32, 4096, 65536}) {
    for (const bool training : {false, true}) {
      const NormGraph norm{(std::int64_t{1} << 25) / columns, columns, 1e-5f, training};
      EXPECT_NO_THROW(layer_norm_plan(norm)) << columns;
      EXPECT_NO_THROW(rms_norm_plan(norm)) << columns;
    }
  }
}

}  // namespace
}  // namespace cupel::bench::fusion
