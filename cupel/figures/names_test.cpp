#include "cupel/figures/names.hpp"

#include <gtest/gtest.h>

namespace cupel::figures {
namespace {

TEST(Names, HaveParametersBehindTheOperation) {
  EXPECT_EQ(operation_of("transfer/h2d/memory:pinned/bytes:4096"), "transfer/h2d");
  EXPECT_EQ(label_of("transfer/h2d/memory:pinned/bytes:4096"), "memory:pinned bytes:4 KiB");
  EXPECT_EQ(operation_of("sync/wait"), "sync/wait");
  EXPECT_EQ(label_of("sync/wait"), "wait");
}

TEST(Names, OfTypesAreNoParameters) {
  EXPECT_EQ(operation_of("BM_Sort<std::less<int>>"), "BM_Sort<std::less<int>>");
  EXPECT_EQ(label_of("BM_Sort<std::less<int>>"), "BM_Sort<std::less<int>>");
  EXPECT_EQ(operation_of("BM_Sort<std::less<int>>/n:8/16"), "BM_Sort<std::less<int>>");
  EXPECT_EQ(readable_part("std::bytes"), "std::bytes");
}

}  // namespace
}  // namespace cupel::figures
