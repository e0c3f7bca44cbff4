#include "cupel/record/journal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "cupel/files/errors.hpp"
#include "cupel/record/random_results.hpp"
#include "cupel/record/record.hpp"

namespace cupel::record {
namespace {

namespace fs = std::filesystem;

class JournalFile : public ::testing::Test {
 protected:
  JournalFile() : path_(fs::temp_directory_path() / ("cupel-journal-test-" + std::to_string(::getpid()))) {}
  ~JournalFile() override { fs::remove(path_); }

  std::string text() const {
    std::ostringstream out;
    out << std::ifstream(path_).rdbuf();
    return out.str();
  }

  fs::path path_;
};

TEST_F(JournalFile, GivesBackWhatWasWritten) {
  const ResultSet results = random_results(5);
  ASSERT_GT(results.rows.size(), 1U);
  JournalWriter writer(path_);
  writer.context(results.context);
  for (const Row& row : results.rows) {
    writer.begin(row.name);
    writer.row(row);
  }
  writer.end();

  const Journal journal = read_journal(path_);

  EXPECT_TRUE(journal.context == results.context);
  EXPECT_TRUE(journal.rows == results.rows);
  EXPECT_EQ(journal.running, "");
  EXPECT_TRUE(journal.ended);
}

TEST_F(JournalFile, SaysWhatWasRunningWhenTheChildDied) {
  JournalWriter writer(path_);
  writer.begin("a/b");
  writer.begin("a/c");

  const Journal journal = read_journal(path_);

  EXPECT_EQ(journal.running, "a/c");
  EXPECT_FALSE(journal.ended);
}

TEST_F(JournalFile, CutAnywhereGivesTheWholeLinesBeforeTheCut) {
  const ResultSet results = random_results(4);
  {
    JournalWriter writer(path_);
    writer.context(results.context);
    for (const Row& row : results.rows) {
      writer.row(row);
    }
  }
  const std::string whole = text();

  for (std::size_t length = 0; length < whole.size(); length += 7) {
    std::ofstream(path_, std::ios::trunc) << whole.substr(0, length);
    const auto lines = std::count(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length), '\n');

    const Journal journal = read_journal(path_);

    ASSERT_EQ(journal.context.has_value(), lines > 0);
    ASSERT_EQ(journal.rows.size(), static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, lines - 1)));
  }
}

TEST_F(JournalFile, ThatIsMissingOrEmptyIsAnEmptyJournal) {
  const Journal missing = read_journal(path_);
  std::ofstream(path_).flush();
  const Journal empty = read_journal(path_);

  EXPECT_FALSE(missing.context || empty.context || missing.ended || empty.ended);
  EXPECT_TRUE(missing.rows.empty() && empty.rows.empty());
}

TEST_F(JournalFile, WithABrokenLineHasWhatIsBeforeItAndNamesTheLine) {
  std::ofstream(path_) << "{\"begin\": \"a/b\"}\ngarbage\n{\"end\": true}\n";

  const Journal journal = read_journal(path_);

  EXPECT_EQ(journal.running, "a/b");
  EXPECT_FALSE(journal.ended);
  EXPECT_THAT(journal.problem, ::testing::StartsWith("line 2: "));
}

TEST_F(JournalFile, OfLinesLongerThanWhatIsReadAtOnceIsReadWhole) {
  const std::string name = "a/" + std::string(1000, 'x');
  std::ofstream file(path_);
  for (int i = 0; i < 5000; ++i) file << "{\"begin\": \"" << name << i << "\"}\n";
  file << "{\"begin\": \"" << std::string(3 << 20, 'y') << "\"}\n{\"end\": true}\n" << std::flush;

  const Journal journal = read_journal(path_);

  EXPECT_EQ(journal.problem, "");
  EXPECT_TRUE(journal.ended);
}

TEST_F(JournalFile, OnAFullDiskSaysSo) {
  JournalWriter writer("/dev/full");

  EXPECT_THROW(writer.begin("a/b"), files::WriteError);
}

}  // namespace
}  // namespace cupel::record
