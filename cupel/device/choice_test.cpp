#include "cupel/device/choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace cupel::device {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::vector<VisibleDevice> kThree = {{"NVIDIA H200", "GPU-5f1c2b7e-0000-1111-2222-333344445555"},
                                           {"NVIDIA H200", "GPU-5f9a0b1c-0000-1111-2222-333344445555"},
                                           {"NVIDIA A2", "GPU-0a0b0c0d-0000-1111-2222-333344445555"}};

std::string refusal_of(const std::string& asked) {
  try {
    chosen_device(asked, kThree);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(ChosenDevice, IsTheFirstWhereNoneIsAskedFor) { EXPECT_EQ(chosen_device("", kThree), 0); }

TEST(ChosenDevice, IsFoundByItsNumber) {
  EXPECT_EQ(chosen_device("0", kThree), 0);
  EXPECT_EQ(chosen_device("2", kThree), 2);
}

TEST(ChosenDevice, IsFoundByAsMuchOfItsUuidAsNoOtherHas) {
  EXPECT_EQ(chosen_device(kThree[1].uuid, kThree), 1);
  EXPECT_EQ(chosen_device("GPU-5f9", kThree), 1);
  EXPECT_EQ(chosen_device("gpu-0A", kThree), 2);
  EXPECT_EQ(chosen_device("MIG-5f1c", kThree), 0) << "CUDA gives the UUID of an instance, too";
}

TEST(ChosenDevice, IsRefusedWithAllThatThereAreWhenItIsNotThere) {
  EXPECT_THAT(refusal_of("3"), AllOf(HasSubstr("no GPU has the number 3; there are:\n  0  NVIDIA H200  GPU-5f1c2b7e-"),
                                     HasSubstr("\n  2  NVIDIA A2  GPU-0a0b0c0d-")));
  EXPECT_THAT(refusal_of("99999999999999999999999"), HasSubstr("neither the number"));
  EXPECT_THAT(refusal_of("GPU-6"), HasSubstr("no GPU has a UUID that begins with GPU-6; there are:\n  0"));
  EXPECT_THAT(refusal_of("GPU-5f"), HasSubstr("several GPUs have a UUID that begins with GPU-5f; there are:\n  0"));
  EXPECT_THAT(refusal_of("first"), HasSubstr("'first' is neither the number of a GPU nor the beginning of its UUID"));
  EXPECT_THAT(refusal_of("-1"), HasSubstr("'-1' is neither"));
}

TEST(DeviceText, SaysWhichOfHowMany) {
  EXPECT_EQ(device_text(1, kThree), "GPU 1 of 3: NVIDIA H200 (GPU-5f9a0b1c-0000-1111-2222-333344445555)");
}

}  // namespace
}  // namespace cupel::device
