#include "cupel/harness/flags.hpp"

#include <gtest/gtest.h>

namespace cupel::harness {
namespace {

struct Parsed {
  Flags flags;
  std::vector<std::string> left;
};

Parsed parse(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "program");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  int argc = static_cast<int>(argv.size());
  Parsed parsed{take_flags(argc, argv.data()), {}};
  for (int i = 1; i < argc; ++i) parsed.left.emplace_back(argv[i]);
  return parsed;
}

TEST(TakeFlags, LeavesGoogleBenchmarksOwn) {
  const Parsed parsed = parse({"--benchmark_filter=h2d", "--cupel_seed=7", "extra"});

  EXPECT_EQ(parsed.flags.options.seed, 7u);
  EXPECT_EQ(parsed.left, (std::vector<std::string>{"--benchmark_filter=h2d", "extra"}));
}

TEST(TakeFlags, LetsSingleFlagsOverrideTheProfileWhereverItStands) {
  const Options options = parse({"--cupel_max_wall=9", "--cupel_profile=full"}).flags.options;

  EXPECT_EQ(options.profile, Profile::full);
  EXPECT_EQ(options.max_wall_s, 9);
  EXPECT_EQ(options.min_samples, defaults_of(Profile::full).min_samples);
}

TEST(TakeFlags, TakesOneRoundForAProfilerUnlessMoreAreAskedForWhereverThatStands) {
  EXPECT_EQ(parse({"--cupel_profile=full", "--cupel_once"}).flags.options.rounds, 1);
  EXPECT_EQ(parse({"--cupel_rounds=2", "--cupel_once"}).flags.options.rounds, 2);
  EXPECT_EQ(parse({}).flags.options.rounds, 1);
  EXPECT_EQ(parse({"--cupel_profile=standard"}).flags.options.rounds, 3);
}

TEST(TakeFlags, TakesWhichDataAreRead) {
  const Options options = parse({"--cupel_data=/data/photographs", "--cupel_data_bytes=2097152"}).flags.options;

  EXPECT_EQ(options.data, "/data/photographs");
  EXPECT_EQ(options.data_bytes, 2 << 20);
  EXPECT_FALSE(options.clean_data);
  EXPECT_TRUE(parse({"--cupel_clean_data"}).flags.options.clean_data);
}

TEST(TakeFlags, NamesTheFlagThatIsWrong) {
  for (const std::string wrong :
       {"--cupel_rounds=0", "--cupel_rounds=three", "--cupel_rounds", "--cupel_once=1", "--cupel_profile=slow",
        "--cupel_timer=sundial", "--cupel_sed=1", "--cupel_seed=1x", "--cupel_data_bytes=1000"}) {
    try {
      parse({wrong});
      ADD_FAILURE() << wrong << " was taken";
    } catch (const UsageError& e) {
      EXPECT_NE(std::string(e.what()).find(wrong.substr(0, wrong.find('='))), std::string::npos) << e.what();
    }
  }
}

TEST(TakeFlags, NeverAsksForFewerSamplesAtMostThanAtLeast) {
  const Options options = parse({"--cupel_min_samples=1000"}).flags.options;

  EXPECT_GE(options.max_samples, options.min_samples);
}

}  // namespace
}  // namespace cupel::harness
