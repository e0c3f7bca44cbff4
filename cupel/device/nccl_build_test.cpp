#include "cupel/device/nccl_build.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace cupel::device {
namespace {

using namespace std::string_literals;

TEST(NcclBuild, IsReadFromTheTextThatNamesCuda) {
  const std::string library =
      "\x7f"
      "ELF\0NCCL version 2.28.9 compiled with CUDA 13.0\0NCCL version 2.28.9+cuda12.8\0more"s;

  EXPECT_EQ(nccl_built_with(library), 12080);
}

TEST(NcclBuild, IsNothingWhereTheLibraryDoesNotSay) {
  for (const std::string& library : {""s, "NCCL version "s, "NCCL version 2.28.9\0+cuda12.8"s, "NCCL version 2+cuda"s,
                                     "NCCL version 2+cuda13"s, "NCCL version 2+cudax.y"s}) {
    EXPECT_EQ(nccl_built_with(library), std::nullopt) << library;
  }
}

TEST(NcclBuild, IsReadFromAFile) {
  const auto file = std::filesystem::temp_directory_path() / "cupel_nccl_build_test";
  // Across the end of a part of a megabyte.
  std::ofstream(file, std::ios::binary) << std::string((1 << 20) - 10, '\0') << "NCCL version 2.29.1+cuda13.1";

  EXPECT_EQ(nccl_file_built_with(file), 13010);

  std::filesystem::resize_file(file, 0);
  EXPECT_EQ(nccl_file_built_with(file), std::nullopt);
  std::filesystem::remove(file);
  EXPECT_EQ(nccl_file_built_with(file), std::nullopt);
}

}  // namespace
}  // namespace cupel::device
