#include "cupel/report/page/html_text.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace cupel::report::html {
namespace {

TEST(Safe, LeavesNoMarkup) { EXPECT_EQ(safe("<b onclick='x'>&"), "&lt;b onclick=&#39;x&#39;&gt;&amp;"); }

TEST(Safe, CutsWhatIsTooLongAndSaysHowLongItWas) {
  EXPECT_EQ(safe(std::string(1 << 20, 'a'), 4), "aaaa... (1048576 bytes)");
}

TEST(SafeLines, BreaksBetweenLinesAndNotInThem) { EXPECT_EQ(safe_lines({"a\nb", "c"}), "a\\nb\nc"); }

TEST(Breakable, BreaksCodeBeforeAnArgument) {
  EXPECT_EQ(breakable("model.to(memory_format=torch.preserve), x"),
            "model.to(<wbr>memory_format=<wbr>torch.preserve), x");
}

TEST(Breakable, BreaksLongNamesBehindSlashesAndColonsAndNoNumber) {
  EXPECT_EQ(breakable("gemm/square/n:8192 is fast"), "gemm/<wbr>square/<wbr>n:<wbr>8192 is fast");
  EXPECT_EQ(breakable("4.40 TB/s at 04:08, n:8192"), "4.40 TB/s at 04:08, n:8192");
  EXPECT_EQ(breakable("2026-11-25T04:08:01Z https://a.example/c"),
            "<span class=\"kept\">2026-11-25T04:08:01Z</span> https://<wbr>a.example/<wbr>c");
  EXPECT_EQ(breakable("eng62_k2=20_k13=0_k18=0_k25=0"), "eng62_k2=20_k13=0_<wbr>k18=0_k25=0");
}

TEST(Breakable, BreaksBehindNoUnderscoreOfAPartThatFitsALine) {
  EXPECT_EQ(breakable("torch.ao.quantization.fuse_modules,"),
            "<span class=\"kept\">torch.ao.quantization.fuse_modules,</span>");
  EXPECT_EQ(breakable("torch.set_float32_matmul_precision(\"high\")"),
            "<span class=\"kept\">torch.set_float32_matmul_precision(</span><wbr>&quot;high&quot;)");
  EXPECT_EQ(breakable("fusion/layer_norm_backward_all"),
            "fusion/<wbr><span class=\"kept\">layer_norm_backward_all</span>");
  EXPECT_EQ(breakable("this_one_is_longer_than_the_narrowest_window"),
            "this_one_is_longer_<wbr>than_the_narrowest_<wbr>window");
}

TEST(Breakable, KeepsPartsOfNamesWithTheirHyphens) {
  EXPECT_EQ(breakable("launch:reduce-overhead"), "launch:<wbr><span class=\"kept\">reduce-overhead</span>");
  EXPECT_EQ(breakable("an asynchronously-loaded one"), "an asynchronously-loaded one");  // prose
}

TEST(Coordinate, HasTwoDecimalsAtMost) {
  EXPECT_EQ(coordinate(1.0 / 3), "0.33");
  EXPECT_EQ(coordinate(12.0), "12");
  EXPECT_EQ(coordinate(-0.001), "0");
}

TEST(Coordinate, OfWhatIsNotFiniteIsZero) {
  EXPECT_EQ(coordinate(std::numeric_limits<double>::infinity()), "0");
  EXPECT_EQ(coordinate(std::numeric_limits<double>::quiet_NaN()), "0");
}

TEST(Slug, HoldsNothingThatAnIdMayNot) {
  EXPECT_EQ(slug("Trans fer/\"><script>"), "trans-fer-script");
  EXPECT_EQ(slug("\xff\xfe"), "x");
}

TEST(TickText, HasNoDigitsThatSayNothing) {
  EXPECT_EQ(tick_text(2e10, units::Unit::bytes_per_second), "20 GB/s");
  EXPECT_EQ(tick_text(5e-7, units::Unit::seconds), "500 ns");
  EXPECT_EQ(tick_text(1.5e12, units::Unit::flops_per_second), "1.5 TFLOP/s");
}

}  // namespace
}  // namespace cupel::report::html
