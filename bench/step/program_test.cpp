#include "bench/step/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "bench/step/nets.hpp"

namespace cupel::bench::step {
namespace {

std::int64_t count(const Program& program, Op op) { return std::ranges::count(program.operations, op, &Operation::op); }

// Whoever reads a tensor finds it written: by an operation before, or from outside.
void expect_written_before_read(const Program& program) {
  std::set<int> written;
  for (std::size_t id = 0; id < program.tensors.size(); ++id) {
    const Home home = program.tensors[id].home;
    if (home == Home::image || home == Home::parameter || home == Home::running_mean ||
        home == Home::running_variance) {
      written.insert(static_cast<int>(id));
    }
  }
  for (const Operation& operation : program.operations) {
    for (const int id : operation.in) {
      EXPECT_TRUE(written.contains(id)) << to_string(operation.op) << " reads " << program.tensor(id).name;
    }
    written.insert(operation.out.begin(), operation.out.end());
  }
  if (!program.options.trains) return;
  for (const int id : program.of(Home::gradient)) EXPECT_TRUE(written.contains(id)) << program.tensor(id).name;
}

TEST(Program, WritesEveryTensorBeforeItReadsIt) {
  for (const char* name : {"resnet18_224", "resnet18_32", "transformer_4096", "toy_images", "toy_tokens"}) {
    for (const Precision precision : {Precision::fp32, Precision::amp_fp16, Precision::amp_bf16}) {
      for (const Keep keep : {Keep::all, Keep::sqrt, Keep::none}) {
        for (const bool adds : {false, true}) {
          SCOPED_TRACE(name);
          expect_written_before_read(make_program(
              net_of(name),
              {.precision = precision, .layout = Layout::channels_last, .keep = keep, .adds_gradients = adds}));
        }
      }
    }
    expect_written_before_read(make_program(net_of(name), {.layout = Layout::channels_last, .trains = false}));
  }
}

TEST(Program, HasNoCastsOutsideOfMixedPrecision) {
  EXPECT_EQ(casts(make_program(net_of("resnet18_224"), {})).count, 0);
  EXPECT_EQ(casts(make_program(net_of("resnet18_224"), {.precision = Precision::tf32})).count, 0);
}

// Autocast casts the images, 20 filters, and weight and bias of the last layer; the scores for the loss and their
// gradient back; and 22 gradients to fp32.
TEST(Program, OfMixedPrecisionCastsAsAutocastDoes) {
  EXPECT_EQ(casts(make_program(net_of("resnet18_224"), {.precision = Precision::amp_bf16})).count, 1 + 22 + 2 + 22);
}

TEST(Program, ScalesTheLossOfFp16Alone) {
  const auto scales = [](Precision precision) {
    return count(make_program(net_of("toy_images"), {.precision = precision}), Op::scale_loss);
  };

  EXPECT_EQ(scales(Precision::amp_fp16), 1);
  EXPECT_EQ(scales(Precision::amp_bf16), 0);
  EXPECT_EQ(scales(Precision::fp32), 0);
}

TEST(Program, ComputesNoGradientOfItsImages) {
  const Program program = make_program(net_of("resnet18_224"), {});

  EXPECT_EQ(count(program, Op::convolution), 20);
  EXPECT_EQ(count(program, Op::convolution_filter), 20);
  EXPECT_EQ(count(program, Op::convolution_data), 19);
}

TEST(Program, ThatKeepsLessComputesMoreAgain) {
  const auto convolutions = [](Keep keep) {
    return count(make_program(net_of("resnet18_224"), {.keep = keep}), Op::convolution);
  };

  EXPECT_EQ(convolutions(Keep::all), 20);
  EXPECT_GT(convolutions(Keep::sqrt), 20);
  EXPECT_LT(convolutions(Keep::sqrt), 40);
  EXPECT_GT(convolutions(Keep::none), 60);
  EXPECT_EQ(count(make_program(net_of("resnet18_224"), {.keep = Keep::none}), Op::update_running), 1);
}

TEST(Program, OfAnEvaluationHasNoBackwardPass) {
  const Program program = make_program(net_of("resnet18_224"), {.trains = false});

  EXPECT_EQ(program.forward_end, program.operations.size());
  EXPECT_EQ(count(program, Op::batch_norm_evaluation), 20);
  EXPECT_EQ(count(program, Op::batch_norm), 0);
}

TEST(Program, WithFrozenNormsLeavesTheirStatistics) {
  const Program program = make_program(net_of("resnet18_224"), {.layout = Layout::channels_last, .frozen_norms = true});

  EXPECT_EQ(count(program, Op::batch_norm_evaluation), 20);
  EXPECT_EQ(count(program, Op::frozen_norm_backward), 20);
  EXPECT_EQ(count(program, Op::batch_norm) + count(program, Op::batch_norm_backward), 0);
  EXPECT_EQ(count(program, Op::update_running), 0);
  expect_written_before_read(program);
}

TEST(Program, RefusesWhatWantsChannelsLast) {
  EXPECT_THROW(make_program(net_of("toy_tokens"), {}), std::invalid_argument);
  EXPECT_THROW(make_program(resnet18(32, true), {}), std::invalid_argument);
  EXPECT_THROW(make_program(resnet18(32), {.frozen_norms = true}), std::invalid_argument);
  EXPECT_NO_THROW(make_program(resnet18(32, true), {.layout = Layout::channels_last}));
}

}  // namespace
}  // namespace cupel::bench::step
