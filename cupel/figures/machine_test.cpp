#include "cupel/figures/machine.hpp"

#include <gtest/gtest.h>

#include "cupel/record/context.hpp"

namespace cupel::figures {
namespace {

record::Calibration calibration(double kernel_s, double spacing_s) {
  record::Calibration one;
  one.event_floor_kernel_s = kernel_s;
  one.event_floor_copy_s = 1e-6;
  one.shortest_kernel_s = 6e-7;
  one.shortest_copy_s = 1.4e-6;
  one.shortest_source = "CUPTI in this run";
  one.launch_spacing_s = spacing_s;
  one.slowest_launch_spacing_s = 1e-6;
  return one;
}

TEST(HostText, SaysHowManyCpusCouldBeUsed) {
  record::HostInfo host;
  host.cpu = "AMD EPYC";
  host.logical_cpus = 64;
  EXPECT_EQ(host_text(host), "AMD EPYC, 64 CPUs") << "older files do not tell";
  host.usable_cpus = 64;
  EXPECT_EQ(host_text(host), "AMD EPYC, 64 CPUs");
  host.usable_cpus = 16;
  EXPECT_EQ(host_text(host), "AMD EPYC, 16 of 64 CPUs");
}

TEST(TimingText, OfOneFileHasItsNumbers) {
  record::Context context;
  context.calibration = calibration(2.22e-6, 9e-7);

  EXPECT_EQ(timing_text(context),
            "a pair of events adds 2.22 us to a kernel and 1.00 us to a copy, which is taken off; the shortest kernel "
            "takes 600 ns, the shortest copy 1.40 us (CUPTI in this run); short kernels start 10.0 % sooner on the "
            "chosen stream than on the slowest that was tried");
}

TEST(TimingText, OfFilesThatWereJoinedGoesFromTheLeastToTheGreatest) {
  record::Context context;
  context.calibration = calibration(2.22e-6, 9e-7);
  context.further_calibrations = {calibration(2.09e-6, 8e-7), calibration(2.1e-6, 9e-7)};

  EXPECT_EQ(
      timing_text(context),
      "a pair of events adds 2.09 us to 2.22 us to a kernel and 1.00 us to a copy, which is taken off; the "
      "shortest kernel takes 600 ns, the shortest copy 1.40 us (CUPTI in this run); short kernels start 10.0 % to "
      "20.0 % sooner on the chosen stream than on the slowest that was tried");
}

TEST(TimingText, SaysNothingOfWhatWasNotCalibrated) {
  record::Context context;

  EXPECT_EQ(timing_text(context), "");
  context.calibration.emplace().event_floor_kernel_s = 2e-6;
  EXPECT_EQ(timing_text(context), "a pair of events adds 2.00 us to a kernel and 0 s to a copy, which is taken off");
}

TEST(LibrariesText, NamesTheFolderOfThoseBesideOneAnotherOnce) {
  record::Context context;
  context.libraries = {{"cudart", "13.0", ""},
                       {"cublas", "", "13.1", "/cuda/lib64/libcublas.so.13"},
                       {"cublasLt", "", "13.1", "/cuda/lib64/libcublasLt.so.13"},
                       {"cudnn", "", "9.15", "/usr/lib/libcudnn.so.9"}};

  EXPECT_EQ(libraries_text(context), "cublas 13.1, cublasLt 13.1 from /cuda/lib64, cudnn 9.15 from /usr/lib");
  EXPECT_EQ(libraries_text({}), "");
}

}  // namespace
}  // namespace cupel::figures
