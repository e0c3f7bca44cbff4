#include "cupel/catalogue/catalogue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

namespace cupel::catalogue {
namespace {

using testing::HasSubstr;

const std::string kRow =
    "# For readers\n\n## pin\n\n- Advice: Pin\n  it.\n- Kind: gain\n- Claim: none\n- Source: guide\n- Family: a, b\n"
    "- Before: x\n- After: y\n- PyTorch: p\n- CUDA: c\n- Backfires: never\n";

std::string error_of(const std::string& text) {
  try {
    read_catalogue({text});
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

TEST(Catalogue, ReadsFieldsThatGoOnInTheNextLine) {
  const Catalogue catalogue = read_catalogue({kRow});

  ASSERT_EQ(catalogue.rows.size(), 1u);
  EXPECT_EQ(catalogue.rows[0].advice, "Pin it.");
  EXPECT_THAT(catalogue.rows[0].families, testing::ElementsAre("a", "b"));
  EXPECT_EQ(catalogue.find("pin"), &catalogue.rows[0]);
  EXPECT_EQ(catalogue.find("unpin"), nullptr);
}

TEST(Catalogue, ReadsWhatAPieceIsJudgedBy) {
  EXPECT_EQ(read_catalogue({kRow}).rows[0].judged_by, "");
  EXPECT_EQ(read_catalogue({kRow + "- Judged by: largest_block\n"}).rows[0].judged_by, "largest_block");
  EXPECT_EQ(built_in().find("fragmentation")->judged_by, "usable_share");
  EXPECT_EQ(read_catalogue({kRow + "- Told by: loader/\n"}).rows[0].told_by, "loader/");
  const CatalogueRow row =
      read_catalogue({kRow + "- Default: no\n- Counted: mmap, tar\n- Not counted: fp8\n- Not shown: old\n"}).rows[0];
  EXPECT_FALSE(row.is_default);
  EXPECT_EQ(row.counted, (std::vector<std::string>{"mmap", "tar"}));
  EXPECT_EQ(row.not_counted, std::vector<std::string>{"fp8"});
  EXPECT_EQ(row.not_shown, std::vector<std::string>{"old"});
  EXPECT_TRUE(read_catalogue({kRow}).rows[0].is_default);
}

TEST(Catalogue, ReadsWhatIsShownAsATime) {
  EXPECT_FALSE(read_catalogue({kRow}).rows[0].shown_as_time);
  EXPECT_TRUE(read_catalogue({kRow + "- Shown as: time\n"}).rows[0].shown_as_time);
  EXPECT_TRUE(built_in().find("avoid-sync")->shown_as_time);
  EXPECT_TRUE(built_in().find("fragmentation")->shown_as_time);
  EXPECT_FALSE(built_in().find("pin-memory")->shown_as_time);
}

TEST(Catalogue, ReadsWhereAPieceStandsAmongOthers) {
  const CatalogueRow row = read_catalogue({kRow + "- Group: one call\n- Cause: pinned memory\n"}).rows[0];

  EXPECT_EQ(row.group, AdviceGroup::one_call);
  EXPECT_EQ(row.cause, "pinned memory");
  EXPECT_FALSE(read_catalogue({kRow}).rows[0].group.has_value());
  EXPECT_THAT(error_of(kRow + "- Group: few\n"), HasSubstr("pin: 'few' is not a group"));
}

TEST(Catalogue, GathersThePiecesOfASilenceInItsOwnOrder) {
  const std::string reason = "\n## other-step\n- Silence: it is another step\n";
  const std::string second = "\n## aligned" + kRow.substr(kRow.find("## pin") + 6) + "- Not foretold: other-step\n";

  const Catalogue catalogue = read_catalogue({reason, kRow + "- Not foretold: other-step\n" + second});

  ASSERT_EQ(catalogue.silences.size(), 1u);
  EXPECT_EQ(catalogue.silences[0].why, "it is another step");
  EXPECT_THAT(catalogue.silences[0].pieces, testing::ElementsAre("pin", "aligned"));
  EXPECT_THAT(error_of(kRow + "- Not foretold: no-reason\n"), HasSubstr("pin: there is no silence 'no-reason'"));
}

// A cause that one piece has alone is a word misspelt.
TEST(Catalogue, BuiltInSharesEachCauseAndUsesEachSilence) {
  std::map<std::string, int> causes;
  for (const CatalogueRow& row : built_in().rows) ++causes[row.cause];

  for (const auto& [cause, pieces] : causes) EXPECT_GT(pieces, 1) << cause;
  for (const Silence& silence : built_in().silences) EXPECT_FALSE(silence.pieces.empty()) << silence.id;
}

TEST(Catalogue, NamesThePieceThatAChangeOfAStepMakes) {
  const Catalogue catalogue = read_catalogue({kRow + "- In a step: tf32, amp\n- Instead of: fp32\n"});

  EXPECT_EQ(catalogue.made_by("amp"), "pin");
  EXPECT_EQ(catalogue.made_by("no_fill"), "");
  EXPECT_EQ(catalogue.rows[0].instead_of, "fp32");
  EXPECT_TRUE(catalogue.rows[0].is_steps_default);
  EXPECT_FALSE(read_catalogue({kRow + "- In a step: amp\n- Instead of: fp32\n- Default of a step: no\n"})
                   .rows[0]
                   .is_steps_default);
  EXPECT_THAT(error_of(kRow + "- In a step: amp\n"), HasSubstr("field 'Instead of' is missing"));
}

// Pieces with a before and an after are judged; a verdict on a figure or a tool would stand in no table.
TEST(Catalogue, BuiltInJudgesOnlyGainsAndCosts) {
  for (const CatalogueRow& row : built_in().rows) {
    const bool judged = row.kind == AdviceKind::gain || row.kind == AdviceKind::cost;
    EXPECT_TRUE(judged || row.judged_by.empty()) << row.id;
  }
}

TEST(Catalogue, NamesEntryAndFieldOfAnError) {
  EXPECT_THAT(error_of(kRow + "- Kind: cost\n"), HasSubstr("pin: field 'Kind' is given twice"));
  EXPECT_THAT(error_of(kRow + "- Colour: red\n"), HasSubstr("pin: unknown field 'Colour'"));
  EXPECT_THAT(error_of(kRow + "- Shown as: rate\n"), HasSubstr("pin: 'rate' is not what 'Shown as' may say"));
  EXPECT_THAT(error_of(kRow + "- Pattern: none\n"), HasSubstr("there is no pattern 'none'"));
  EXPECT_THAT(error_of(kRow + kRow.substr(kRow.find("## "))), HasSubstr("pin: is given twice"));
  EXPECT_THAT(error_of("## pin\n- Advice: a\n"), HasSubstr("field 'Kind' is missing"));
  EXPECT_THAT(error_of("## pin\nfree text\n"), HasSubstr("neither a field"));
}

TEST(Catalogue, BuiltInNamesOnlyFamiliesOfTheSuite) {
  const std::set<std::string> families{"transfer", "sync",     "host",      "gemm", "conv",       "fusion",
                                       "memory",   "pipeline", "optimizer", "step", "collective", "pytorch",
                                       "doctor",   "report",   "advise",    "all"};
  for (const CatalogueRow& row : built_in().rows) {
    for (const std::string& family : row.families) EXPECT_TRUE(families.count(family)) << row.id << ": " << family;
  }
}

TEST(Catalogue, BuiltInSaysInOneLineHowEachGainIsApplied) {
  constexpr std::size_t kLine = 72;  // of a terminal of 80 columns, behind the place of a row
  for (const CatalogueRow& row : built_in().rows) {
    if (row.kind == AdviceKind::gain) {
      EXPECT_LE(row.one_line.size(), kLine) << row.id;
    }
  }
  EXPECT_EQ(read_catalogue({kRow}).rows[0].one_line, "p");
  EXPECT_EQ(read_catalogue({kRow + "- In one line: q\n"}).rows[0].one_line, "q");
}

TEST(Catalogue, ReadsWhatWasMeasuredInThePlaceOfTheLine) {
  const std::string calls = "- Measured in C++: c\n- Measured in PyTorch: p\n- Measured in a model: m\n";
  const MeasuredCalls measured = read_catalogue({kRow + calls}).rows[0].measured;

  EXPECT_EQ(measured.in_cpp, "c");
  EXPECT_EQ(measured.in_pytorch, "p");
  EXPECT_EQ(measured.in_a_model, "m");
  EXPECT_EQ(read_catalogue({kRow}).rows[0].measured.in_cpp, "");
}

TEST(Catalogue, ReadsWhichSentencesOfSourcesAreFalse) {
  EXPECT_EQ(read_catalogue({kRow}).rows[0].refuted, "");
  EXPECT_EQ(read_catalogue({kRow + "- Refuted: it is not so\n"}).rows[0].refuted, "it is not so");
}

TEST(Catalogue, BuiltInIsComplete) {
  EXPECT_EQ(built_in().rows.size(), 80u);
  EXPECT_GE(built_in().patterns.size(), 4u);
  for (const char* symptom : {"high-cpu-time", "low-utilisation", "much-memcpy", "much-alloc"}) {
    const auto same = [&](const Pattern& pattern) { return pattern.id == symptom; };
    EXPECT_EQ(std::ranges::count_if(built_in().patterns, same), 1) << symptom;
  }
}

TEST(Catalogue, BuiltInHasARemedyForEveryPattern) {
  for (const Pattern& pattern : built_in().patterns) {
    const auto is_remedy = [&](const CatalogueRow& row) {
      return std::ranges::find(row.patterns, pattern.id) != row.patterns.end();
    };
    EXPECT_TRUE(std::ranges::any_of(built_in().rows, is_remedy)) << pattern.id;
  }
}

}  // namespace
}  // namespace cupel::catalogue
