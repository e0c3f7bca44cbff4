#include "cupel/device/libraries.hpp"

#include <cuda_runtime.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "cupel/host/shared_library.hpp"
#include "cupel/units/format.hpp"

namespace cupel::device {
namespace {

using testing::ElementsAre;
using testing::Field;

TEST(LibraryVersion, IsDottedFromItsDecimalCode) {
  EXPECT_EQ(dotted(91200), "9.12.0");
  EXPECT_EQ(dotted(22707), "2.27.7");
  EXPECT_EQ(dotted(130100), "13.1.0");
  EXPECT_EQ(dotted(0), "");
}

TEST(Libraries, AreListedWhetherTheyAreThereOrNot) {
  const auto found = libraries(Lookup::resident);

  using record::Library;
  EXPECT_THAT(found, ElementsAre(Field(&Library::name, "cudart"), Field(&Library::name, "cublas"),
                                 Field(&Library::name, "cublaslt"), Field(&Library::name, "cudnn"),
                                 Field(&Library::name, "nccl")));
}

TEST(Libraries, ThatOnlySomeRowsUseAreListedWithTheirFileOnceTheyAreLoaded) {
  const std::string soname = "libnvrtc.so." + std::to_string(CUDART_VERSION / 1000);
  host::SharedLibrary nvrtc("NVRTC", {soname});
  nvrtc.handle();

  const record::Library last = libraries(Lookup::resident).back();

  EXPECT_EQ(last.name, "nvrtc");
  EXPECT_EQ(last.loaded, units::cuda_version(CUDART_VERSION));
  EXPECT_TRUE(last.file.ends_with(soname)) << last.file;
}

TEST(Libraries, TheRuntimeThatIsLinkedIsTheOneCompiledAgainst) {
  const record::Library cudart = libraries(Lookup::resident).front();

  EXPECT_EQ(cudart.loaded, cudart.compiled);
  EXPECT_NE(cudart.compiled, "");
}

TEST(Libraries, ThatCanBeLoadedHaveAVersionOfThreeNumbers) {
  for (const auto& library : libraries(Lookup::load)) {
    if (library.name == "cudart" || library.loaded.empty()) continue;
    EXPECT_TRUE(std::regex_match(library.loaded, std::regex("[0-9]+\\.[0-9]+\\.[0-9]+"))) << library.name;
  }
}

}  // namespace
}  // namespace cupel::device
