#include "cupel/device/availability.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "cupel/device/look_kernels.hpp"

namespace cupel::device {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A machine on which everything is in order.
Answer fine() {
  Answer a;
  a.count = 1;
  a.driver_cuda = 13000;
  a.runtime_cuda = 13000;
  a.device = "NVIDIA H200";
  a.compute = 90;
  a.architectures = {90};
  return a;
}

Answer without_driver() {
  Answer a = fine();
  a.count = 0;
  a.driver_cuda = 0;
  a.count_error = cudaErrorInsufficientDriver;
  return a;
}

Answer with_old_driver() {
  Answer a = without_driver();
  a.driver_cuda = 12040;
  return a;
}

Answer without_device() {
  Answer a = fine();
  a.count = 0;
  a.count_error = cudaErrorNoDevice;
  return a;
}

Answer with_wrong_architecture() {
  Answer a = fine();
  a.device = "Tesla T4";
  a.compute = 75;
  a.architectures = {80, 90};
  a.kernel_error = cudaErrorNoKernelImageForDevice;
  return a;
}

TEST(Availability, OfAMachineInOrderIsGivenWithoutWords) {
  const Availability found = judge(fine());

  EXPECT_TRUE(found.ok());
  EXPECT_EQ(found.text(), "");
}

TEST(Availability, Error35WithDriverVersion0IsNoDriver) {
  const Availability found = judge(without_driver());

  EXPECT_EQ(found.trouble, Trouble::no_driver);
  EXPECT_THAT(found.text(), AllOf(HasSubstr("no NVIDIA driver"), HasSubstr("580"), HasSubstr("--gpus all")));
}

TEST(Availability, Error35WithADriverVersionIsAnOldDriver) {
  const Availability found = judge(with_old_driver());

  EXPECT_EQ(found.trouble, Trouble::driver_too_old);
  EXPECT_THAT(found.text(), AllOf(HasSubstr("too old"), HasSubstr("12.4"), HasSubstr("13.0"), HasSubstr("580")));
}

TEST(Availability, PtxNewerThanTheDriverIsAnOldDriverToo) {
  Answer a = fine();
  a.kernel_error = cudaErrorUnsupportedPtxVersion;

  EXPECT_EQ(judge(a).trouble, Trouble::driver_too_old);
}

TEST(Availability, AHiddenDeviceIsToldFromNone) {
  Answer hidden = without_device();
  hidden.visible_devices = "";

  EXPECT_EQ(judge(hidden).trouble, Trouble::no_device);
  EXPECT_THAT(judge(hidden).text(), HasSubstr("CUDA_VISIBLE_DEVICES is \"\""));
  EXPECT_EQ(judge(without_device()).trouble, Trouble::no_device);
  EXPECT_THAT(judge(without_device()).text(), HasSubstr("nvidia-smi -L"));
}

TEST(Availability, ADeviceWithoutCodeNamesTheBuildOption) {
  const Availability found = judge(with_wrong_architecture());

  EXPECT_EQ(found.trouble, Trouble::wrong_architecture);
  EXPECT_THAT(found.text(), AllOf(HasSubstr("Tesla T4"), HasSubstr("7.5"), HasSubstr("8.0, 9.0"),
                                  HasSubstr("-DCMAKE_CUDA_ARCHITECTURES=75")));
}

TEST(Availability, OtherErrorsHaveTheirOwnCure) {
  Answer a = fine();
  a.count_error = cudaErrorSystemNotReady;

  EXPECT_EQ(judge(a).trouble, Trouble::other);
  EXPECT_THAT(judge(a).text(), HasSubstr("fabricmanager"));
}

TEST(Availability, EachTroubleHasALineOfItsOwn) {
  std::set<std::string> texts;
  for (const Answer& a : {without_driver(), with_old_driver(), without_device(), with_wrong_architecture()}) {
    const std::string text = judge(a).text();
    EXPECT_EQ(text.find('\n'), std::string::npos);
    texts.insert(text);
  }

  EXPECT_EQ(texts.size(), 4u);
}

TEST(EmbeddedCode, IsThereForWhatWasCompiledFor) {
  EXPECT_FALSE(is_jit(90, {80, 90}));
  EXPECT_TRUE(is_jit(100, {80, 90}));
  EXPECT_FALSE(embedded_architectures().empty());
  EXPECT_FALSE(is_jit(embedded_architectures().front(), embedded_architectures()));
}

}  // namespace
}  // namespace cupel::device
