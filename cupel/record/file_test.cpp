#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "cupel/files/input_file.hpp"
#include "cupel/record/journal.hpp"
#include "cupel/record/json.hpp"
#include "cupel/record/random_results.hpp"

namespace cupel::record {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class File : public ::testing::Test {
 protected:
  File() {
    std::string name = (fs::temp_directory_path() / "cupel-file-test-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~File() override {
    ::chmod(folder_.c_str(), 0700);
    fs::remove_all(folder_);
  }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      found.push_back(entry.path().filename());
    }
    return found;
  }

  fs::path folder_;
};

// A file larger than any buffer on the way.
ResultSet large_results() {
  ResultSet results = random_results(1);
  results.rows.resize(1);
  results.rows[0].name = "a/b";
  results.rows[0].status = Status::ok;
  results.rows[0].series.resize(1);
  results.rows[0].series[0] = {};
  results.rows[0].series[0].samples_s.assign(200'000, 1.25e-6);
  return results;
}

std::string error_of_write(const ResultSet& results, const fs::path& path) {
  try {
    write(results, path);
  } catch (const files::WriteError& error) {
    return error.what();
  }
  return "";
}

std::string error_of_read(const fs::path& path) {
  try {
    read(path);
  } catch (const files::ReadError& error) {
    return error.what();
  }
  return "";
}

TEST_F(File, IsReadAsItWasWrittenAndNothingElseIsLeft) {
  const ResultSet results = random_results(11);

  write(results, folder_ / "a.json");

  EXPECT_TRUE(read(folder_ / "a.json") == results);
  EXPECT_THAT(names(), ::testing::ElementsAre("a.json"));
}

TEST_F(File, ThatIsReplacedThroughALinkLeavesTheLink) {
  write(random_results(1), folder_ / "real.json");
  fs::create_symlink("real.json", folder_ / "link.json");

  write(random_results(2), folder_ / "link.json");

  EXPECT_TRUE(fs::is_symlink(folder_ / "link.json"));
  EXPECT_TRUE(read(folder_ / "real.json") == random_results(2));
}

TEST_F(File, ThatIsReplacedKeepsItsPermissions) {
  write(random_results(1), folder_ / "a.json");
  fs::permissions(folder_ / "a.json", fs::perms::owner_read | fs::perms::owner_write);

  write(random_results(2), folder_ / "a.json");

  EXPECT_EQ(fs::status(folder_ / "a.json").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(File, InAFolderThatIsNotThereIsNotWritten) {
  const std::string error = error_of_write(random_results(1), folder_ / "none" / "a.json");

  EXPECT_EQ(error, (folder_ / "none" / "a.json").string() + ": cannot be written: No such file or directory");
}

TEST_F(File, InAFolderThatIsNotWritableIsNotWritten) {
  ASSERT_EQ(::chmod(folder_.c_str(), 0500), 0);
  // Root may write anywhere: in a child, as somebody else.
  const pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && (::chown(folder_.c_str(), 65534, 65534) != 0 || ::setuid(65534) != 0)) {
      ::_exit(2);
    }
    const std::string error = error_of_write(random_results(1), folder_ / "a.json");
    ::_exit(error.find("Permission denied") != std::string::npos ? 0 : 1);
  }

  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);

  EXPECT_EQ(status, 0);
  EXPECT_TRUE(names().empty());
}

TEST_F(File, IsTheOldOneWhenThereIsNoRoomForTheNewOne) {
  write(random_results(1), folder_ / "a.json");
  // A limit on the size of files stands for a full disk: in a child, since it cannot be lifted again.
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1 << 20, 1 << 20};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const std::string error = error_of_write(large_results(), folder_ / "a.json");
    ::_exit(error == (folder_ / "a.json").string() + ": cannot be written: File too large" ? 0 : 1);
  }

  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);

  EXPECT_EQ(status, 0);
  EXPECT_TRUE(read(folder_ / "a.json") == random_results(1));
  EXPECT_THAT(names(), ::testing::ElementsAre("a.json"));
}

TEST_F(File, IsTheOldOneOrTheNewOneWhenTheWriterIsKilledAtAnyMoment) {
  const ResultSet old_results = random_results(1);
  const ResultSet new_results = large_results();
  for (int i = 0; i < 30; ++i) {
    write(old_results, folder_ / "a.json");
    const pid_t child = ::fork();
    if (child == 0) {
      write(new_results, folder_ / "a.json");
      ::_exit(0);
    }
    ::usleep(static_cast<useconds_t>(i) * 2000);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);

    const ResultSet found = read(folder_ / "a.json");

    ASSERT_TRUE(found == old_results || found == new_results) << i;
  }
}

TEST_F(File, ThatIsNotThereNamesItselfAndTheReason) {
  EXPECT_EQ(error_of_read(folder_ / "a.json"),
            (folder_ / "a.json").string() + ": cannot be read: No such file or directory");
}

TEST_F(File, ThatIsAFolderOrAPipeIsRefused) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);

  EXPECT_THAT(error_of_read(folder_), HasSubstr("not a file"));
  EXPECT_THAT(error_of_read(folder_ / "pipe"), HasSubstr("not a file"));
}

TEST_F(File, LargerThanAGibibyteIsRefusedUnread) {
  std::ofstream(folder_ / "a.json") << "{";
  fs::resize_file(folder_ / "a.json",
                  static_cast<std::uintmax_t>(files::kLargestFile) + 1);  // a hole: it takes no room

  EXPECT_THAT(error_of_read(folder_ / "a.json"), HasSubstr("larger than 1 GiB"));
}

std::string packed(const std::string& text) {
  z_stream stream{};
  ::deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
  std::string out(::deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  ::deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  return out;
}

TEST_F(File, ThatGzipPackedIsReadAsTheTextInIt) {
  const ResultSet results = large_results();
  std::ofstream(folder_ / "a.json.gz") << packed(to_json(results));

  EXPECT_TRUE(read(folder_ / "a.json.gz") == results);
  EXPECT_EQ(files::begin_of_file(folder_ / "a.json.gz", 11), "{\n\"context\"");
}

TEST_F(File, OfSeveralPackedMembersIsTheirTextsOneAfterAnother) {
  const std::string text = to_json(random_results(3));
  const std::size_t half = text.size() / 2;
  std::ofstream(folder_ / "a.json.gz") << packed(text.substr(0, half)) << packed("") << packed(text.substr(half));

  EXPECT_EQ(files::read_file(folder_ / "a.json.gz"), text);
}

TEST_F(File, ThatUnpacksToMoreThanTheLimitIsRefused) {
  std::ofstream(folder_ / "a.gz") << packed(std::string(3 << 20, 'a'));  // 1,000 times smaller

  EXPECT_EQ(files::read_file(folder_ / "a.gz", 3 << 20).size(), std::size_t{3} << 20);
  try {
    files::read_file(folder_ / "a.gz", (3 << 20) - 1);
    FAIL();
  } catch (const files::ReadError& error) {
    EXPECT_THAT(error.what(), HasSubstr("when unpacked"));
  }
}

TEST_F(File, ThatGzipPackedAndIsDamagedOrCutShortSaysSo) {
  const std::string whole = packed(to_json(random_results(3)));
  std::string damaged = whole;
  damaged[whole.size() / 2] = static_cast<char>(~damaged[whole.size() / 2]);
  for (const std::size_t size : {std::size_t{3}, std::size_t{12}, whole.size() / 2, whole.size() - 1}) {
    std::ofstream(folder_ / "a.json.gz") << whole.substr(0, size);
    EXPECT_THAT(error_of_read(folder_ / "a.json.gz"), HasSubstr("the packed data end too early, the file was cut off"))
        << size;
  }
  for (const std::string& text : {damaged, whole + "more"}) {
    std::ofstream(folder_ / "a.json.gz") << text;
    EXPECT_THAT(error_of_read(folder_ / "a.json.gz"), HasSubstr("what gzip packed is damaged"));
  }
}

TEST_F(File, OfAChildThatIsAJournalIsNotUnpacked) {
  std::ofstream(folder_ / "journal") << packed("{\"end\": true}\n") << "\n";

  EXPECT_THAT(read_journal(folder_ / "journal").problem, HasSubstr("line 1"));
}

}  // namespace
}  // namespace cupel::record
