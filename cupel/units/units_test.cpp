#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <locale>
#include <stdexcept>
#include <string>

#include "cupel/units/format.hpp"
#include "cupel/units/parse.hpp"
#include "cupel/units/time_need.hpp"

namespace cupel::units {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(Unit, IsFoundByItsSpelling) {
  EXPECT_EQ(unit_of("s"), Unit::seconds);
  EXPECT_EQ(unit_of("flop/s"), Unit::flops_per_second);
  EXPECT_EQ(unit_of("1"), Unit::ratio);
  EXPECT_EQ(unit_of("degC"), Unit::celsius);
  EXPECT_EQ(unit_of("furlong"), std::nullopt);
}

TEST(Format, CountsNoZerosWhereNobodyWould) {
  EXPECT_EQ(format_significant(1e300), "1.00e+300");
  EXPECT_EQ(format_significant(-2.5e-12, 2), "-2.5e-12");
  EXPECT_EQ(format_significant(999e12), "999000000000000");
  EXPECT_EQ(format(1e300, Unit::seconds), "1.00e+300 s");
  EXPECT_EQ(format(1e-300, Unit::seconds), "1.00e-288 ps");
}

TEST(Format, GivesThreeSignificantDigitsAndKeepsZeros) {
  EXPECT_EQ(format(12.345e-6, Unit::seconds), "12.3 us");
  EXPECT_EQ(format(1e-6, Unit::seconds), "1.00 us");
  EXPECT_EQ(format(123.4e-9, Unit::seconds), "123 ns");
  EXPECT_EQ(format(55.4e9, Unit::bytes_per_second), "55.4 GB/s");
  EXPECT_EQ(format(790e12, Unit::flops_per_second), "790 TFLOP/s");
  EXPECT_EQ(format(1.979e15, Unit::flops_per_second), "1.98 PFLOP/s");
  EXPECT_EQ(format(652, Unit::watts), "652 W");
  EXPECT_EQ(format(1755e6, Unit::hertz), "1755 MHz");
  EXPECT_EQ(format(64, Unit::celsius), "64.0 \u00b0C");
  EXPECT_EQ(format(0.03126, Unit::ratio), "0.0313");
}

TEST(Format, TakesTheNextPrefixWhereRoundingReachesIt) {
  EXPECT_EQ(format(999.4e-6, Unit::seconds), "999 us");
  EXPECT_EQ(format(999.6e-6, Unit::seconds), "1.00 ms");
  EXPECT_EQ(format(9.999e-6, Unit::seconds), "10.0 us");
  EXPECT_EQ(format(99.96e-6, Unit::seconds), "100 us");
}

TEST(Format, NeverDropsADigitBeforeThePoint) {
  EXPECT_EQ(format(12345, Unit::seconds), "12345 s");
  EXPECT_EQ(format(12345.6, Unit::ratio), "12346");
}

TEST(Format, PrintsSizesInBinaryPrefixesAndWholeOnesWhole) {
  EXPECT_EQ(format_size(0), "0 B");
  EXPECT_EQ(format_size(1000), "1000 B");
  EXPECT_EQ(format_size(4096), "4 KiB");
  EXPECT_EQ(format_size(64 << 20), "64 MiB");
  EXPECT_EQ(format_size(std::int64_t{3} << 29), "1.50 GiB");
  EXPECT_EQ(format_size(1025), "1.00 KiB");
  EXPECT_EQ(format_size(-4096), "-4 KiB");
}

TEST(Format, PrintsWholeCountsWhole) {
  EXPECT_EQ(format(1234567, Unit::count), "1234567");
  EXPECT_EQ(format(2.5, Unit::count), "2.50");
  EXPECT_EQ(format(0, Unit::count), "0");
}

TEST(Format, SaysWhereThereIsNoNumber) {
  EXPECT_EQ(format(kNaN, Unit::seconds), "n/a");
  EXPECT_EQ(format(kInf, Unit::bytes), "n/a");
  EXPECT_EQ(format_duration(-1), "n/a");
  EXPECT_EQ(format_percent(kNaN), "n/a");
  EXPECT_EQ(format_change(-kInf), "n/a");
}

TEST(Format, MirrorsNegativeValues) {
  for (const double value : {1.5e-9, 12.3e-6, 0.99999, 7.0, 12345.0}) {
    EXPECT_EQ(format(-value, Unit::seconds), "-" + format(value, Unit::seconds));
  }
}

TEST(Format, HoldsAColumnInOneScale) {
  const Scale scale = scale_for(12.3e-3, Unit::seconds);

  EXPECT_EQ(format_in(12.3e-3, scale), "12.3 ms");
  EXPECT_EQ(format_in(12.3e-6, scale), "0.0123 ms");
}

TEST(Format, WritesVersionsOfCudaAsPeopleDo) {
  EXPECT_EQ(cuda_version(13000), "13.0");
  EXPECT_EQ(cuda_version(12090), "12.9");
  EXPECT_EQ(cuda_version(0), "");
}

TEST(Format, WritesDurationsInTwoUnits) {
  EXPECT_EQ(format_duration(0), "0 s");
  EXPECT_EQ(format_duration(0.25), "250 ms");
  EXPECT_EQ(format_duration(3.42), "3.4 s");
  EXPECT_EQ(format_duration(45.2), "45 s");
  EXPECT_EQ(format_duration(59.7), "1 min");
  EXPECT_EQ(format_duration(80), "1 min 20 s");
  EXPECT_EQ(format_duration(7500), "2 h 5 min");
  EXPECT_EQ(format_duration(3 * 86400 + 4 * 3600 + 100), "3 d 4 h");
}

TEST(Format, WritesSharesAndChanges) {
  EXPECT_EQ(format_percent(0.9312), "93.1 %");
  EXPECT_EQ(format_percent(0.0123), "1.23 %");
  EXPECT_EQ(format_change(1.031), "+3.1 %");
  EXPECT_EQ(format_change(1.0), "+0.0 %");
  EXPECT_EQ(format_change(0.99999), "+0.0 %");
  EXPECT_EQ(format_change(0.5), "-50.0 %");
  EXPECT_EQ(format_change(2.1), "2.10x");
  EXPECT_EQ(format_fixed(-0.0001, 2), "0.00");
}

TEST(ParseDuration, TakesSingleAndCompoundForms) {
  EXPECT_DOUBLE_EQ(parse_duration("90"), 90);
  EXPECT_DOUBLE_EQ(parse_duration("5m"), 300);
  EXPECT_DOUBLE_EQ(parse_duration("5 min"), 300);
  EXPECT_DOUBLE_EQ(parse_duration("1h30m"), 5400);
  EXPECT_DOUBLE_EQ(parse_duration("1 min 20 s"), 80);
  EXPECT_DOUBLE_EQ(parse_duration("1.5H"), 5400);
  EXPECT_DOUBLE_EQ(parse_duration("250ms"), 0.25);
  EXPECT_DOUBLE_EQ(parse_duration("0"), 0);
}

TEST(ParseDuration, RefusesWhatIsNotADuration) {
  for (const char* text : {"", "m", "-5m", "5 fortnights", "1h30", "30 1h", "5m-", "1e3", "nan"}) {
    EXPECT_THROW(parse_duration(text), std::invalid_argument) << text;
  }
}

TEST(ParseDuration, QuotesTheTextAndSaysWhatIsAccepted) {
  try {
    parse_duration("5 fortnights");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()), "'5 fortnights' is not a duration; write for example 90s, 5m, 1h30m or 250ms");
  }
}

// A locale as some countries have it: a decimal comma, and points between thousands.
class CommaPunctuation : public std::numpunct<char> {
 protected:
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Format, DoesNotAskTheLocale) {
  const std::locale before = std::locale::global(std::locale(std::locale(), new CommaPunctuation));

  EXPECT_EQ(format(1.5e-6, Unit::seconds), "1.50 us");
  EXPECT_EQ(format(1234567, Unit::count), "1234567");
  EXPECT_DOUBLE_EQ(parse_duration("1.5h"), 5400);

  std::locale::global(before);
}

TEST(Rounded, KeepsSoManySignificantDigits) {
  EXPECT_EQ(rounded(0.00123456, 4), 0.001235);
  EXPECT_EQ(rounded(-987654.0, 2), -990000);
  EXPECT_EQ(rounded(0, 4), 0);
  EXPECT_EQ(rounded(1.5, 9), 1.5);
  EXPECT_TRUE(std::isinf(rounded(std::numeric_limits<double>::infinity(), 4)));
}

TEST(TimeNeed, IsCutFromItsSamplingAndFromNothingElse) {
  const TimeNeed need{2, 8};

  EXPECT_DOUBLE_EQ(sampling_share(100, need), 1);
  EXPECT_DOUBLE_EQ(sampling_share(6, need), 0.5);
  EXPECT_DOUBLE_EQ(need.at(sampling_share(6, need)), 6);
  EXPECT_DOUBLE_EQ(sampling_share(1, need), 0);
  EXPECT_DOUBLE_EQ(sampling_share(2, {2, 0}), 1);
  EXPECT_DOUBLE_EQ(sampling_share(1, {2, 0}), 0);
}

TEST(FiniteNumber, TakesWholeTextsOnly) {
  EXPECT_EQ(finite_number("4096"), 4096);
  EXPECT_EQ(finite_number("0.5"), 0.5);
  EXPECT_FALSE(finite_number("64KiB"));
  EXPECT_FALSE(finite_number(""));
  EXPECT_FALSE(finite_number("inf"));
}

}  // namespace
}  // namespace cupel::units
