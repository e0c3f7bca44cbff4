#include "cupel/files/output_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <functional>
#include <iterator>
#include <vector>

#include "cupel/files/errors.hpp"

namespace cupel::files {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const WriteError& error) {
    return error.what();
  }
  return "";
}

class OutputFile : public ::testing::Test {
 protected:
  OutputFile() {
    std::string name = (fs::temp_directory_path() / "cupel-output-test-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~OutputFile() override { fs::remove_all(folder_); }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_)) found.push_back(entry.path().filename());
    std::ranges::sort(found);
    return found;
  }

  fs::path folder_;
};

TEST_F(OutputFile, IsMadeBesideAndTakesThePlace) {
  write_file(folder_ / "a", "one");
  write_file(folder_ / "a", "two");

  EXPECT_EQ(text_of(folder_ / "a"), "two");
  EXPECT_THAT(names(), ElementsAre("a"));
}

TEST_F(OutputFile, HasTheRightsThatTheUmaskLeaves) {
  const mode_t before = ::umask(077);
  write_file(folder_ / "a", "text");
  ::umask(before);

  EXPECT_EQ(fs::status(folder_ / "a").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(OutputFile, HasItsFoldersMadeOrNoneOfThem) {
  std::ofstream(folder_ / "file") << "x";
  make_folders(folder_ / "a" / "b");
  make_folders(folder_ / "a" / "b");

  const std::string refused = error_of([&] { make_folders(folder_ / "c" / "d" / std::string(256, 'n')); });
  EXPECT_THAT(error_of([&] { make_folders(folder_ / "file" / "e"); }), HasSubstr("Not a directory"));
  const mode_t before = ::umask(0777);
  const std::string masked = error_of([&] { make_folders(folder_ / "f" / "g"); });
  const std::string half_masked = error_of([&] {
    ::umask(0200);
    make_folders(folder_ / "h");
  });
  ::umask(before);

  EXPECT_THAT(refused, HasSubstr("File name too long"));
  EXPECT_THAT(masked, HasSubstr("cannot make the folder " + (folder_ / "f").string() + ": the umask"));
  EXPECT_THAT(half_masked, HasSubstr("the umask"));
  EXPECT_TRUE(fs::is_directory(folder_ / "a" / "b"));
  EXPECT_THAT(names(), ElementsAre("a", "file"));
}

TEST_F(OutputFile, ThatIsADeviceIsWrittenToAndStays) {
  write_file("/dev/null", "text");

  struct stat status {};
  ASSERT_EQ(::stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
}

TEST_F(OutputFile, ThatIsAPipeIsWrittenTo) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const Descriptor reader(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK));

  write_file(pipe, "text");

  std::array<char, 16> read{};
  EXPECT_EQ(::read(reader.get(), read.data(), read.size()), 4);
  EXPECT_STREQ(read.data(), "text");
  EXPECT_THAT(names(), ElementsAre("pipe"));
}

TEST_F(OutputFile, ThatIsAPipeWithoutAReaderIsRefusedAtOnce) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);

  EXPECT_THAT(error_of([&] { write_file(folder_ / "pipe", "text"); }), HasSubstr("nobody reads from it"));
}

// Text that is printed before and after stays where it is, also where stdout is a file.
TEST_F(OutputFile, ThatIsADescriptorIsWrittenToWhereThatStands) {
  const Descriptor file(::open((folder_ / "out").c_str(), O_WRONLY | O_CREAT, 0600));
  write_all(file.get(), "before ");

  write_file("/dev/fd/" + std::to_string(file.get()), "text");

  write_all(file.get(), " after");
  EXPECT_EQ(text_of(folder_ / "out"), "before text after");
}

TEST_F(OutputFile, FollowsALinkAlsoWhereNothingIsThereYet) {
  fs::create_symlink("real", folder_ / "link");

  write_file(folder_ / "link", "text");

  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(text_of(folder_ / "real"), "text");
}

TEST_F(OutputFile, ThatIsALinkToItselfOrHasTooLongANameNamesItselfAndTheReason) {
  fs::create_symlink("loop", folder_ / "loop");
  const fs::path longest = folder_ / std::string(255, 'n'), too_long = folder_ / std::string(256, 'n');

  EXPECT_THAT(error_of([&] { write_file(folder_ / "loop", ""); }), HasSubstr("symbolic links"));
  EXPECT_EQ(error_of([&] { write_file(longest, ""); }), "");
  EXPECT_EQ(error_of([&] { try_to_write(too_long); }), too_long.string() + ": cannot be written: File name too long");
  EXPECT_EQ(error_of([&] { write_file(folder_, ""); }), folder_.string() + ": cannot be written: it is a folder");
}

// A name that can be guessed could be planted: a link there would have another file overwritten.
TEST_F(OutputFile, IsNotMadeUnderANameThatCanBeGuessed) {
  write_file(folder_ / "victim", "whole");
  for (const char* suffix : {".part", ".tmp", "~"}) fs::create_symlink("victim", folder_ / ("a" + std::string(suffix)));

  write_file(folder_ / "a", "text");

  EXPECT_EQ(text_of(folder_ / "victim"), "whole");
}

TEST_F(OutputFile, OfANewNameIsGivenToOneAlone) {
  constexpr int kWriters = 20;
  for (int i = 0; i < kWriters; ++i) {
    if (::fork() == 0) ::_exit(write_new_file(folder_ / "a", std::to_string(i)) ? 1 : 0);
  }
  int given = 0;
  for (int i = 0; i < kWriters; ++i) {
    int status = 0;
    ASSERT_GT(::wait(&status), 0);
    given += WEXITSTATUS(status);
  }

  EXPECT_EQ(given, 1);
  EXPECT_THAT(names(), ElementsAre("a"));
}

TEST_F(OutputFile, SweepsWhatKilledWritersLeftAndNothingElse) {
  for (const char* name : {".cupel-1.tmp", ".cupel-2f.lock", ".cupel-notes", ".cupel-g.tmp", ".hidden", "kept"})
    std::ofstream(folder_ / name) << "x";
  const FileLock held(folder_ / "other");

  try_to_write(folder_ / "a");

  const std::vector<std::string> left = names();
  EXPECT_THAT(left, ::testing::IsSupersetOf({".cupel-notes", ".cupel-g.tmp", ".hidden", "kept"}));
  EXPECT_EQ(left.size(), 5u) << "and the lock that is held";
}

// Each writes while the others sweep: a file that was just made is not yet held.
TEST_F(OutputFile, LosesNothingToTheSweepsOfOthers) {
  constexpr int kWriters = 4, kTimes = 200;
  for (int i = 0; i < kWriters; ++i) {
    if (::fork() != 0) continue;
    for (int n = 0; n < kTimes; ++n) {
      if (!error_of([&] { write_file(folder_ / std::to_string(i), std::to_string(n)); }).empty()) ::_exit(1);
      if (!error_of([&] { FileLock lock(folder_ / std::to_string(i)); }).empty()) ::_exit(2);
    }
    ::_exit(0);
  }
  for (int i = 0; i < kWriters; ++i) {
    int status = 0;
    ASSERT_GT(::wait(&status), 0);
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }

  for (int i = 0; i < kWriters; ++i) EXPECT_EQ(text_of(folder_ / std::to_string(i)), std::to_string(kTimes - 1));
  EXPECT_EQ(names().size(), 4u);
}

TEST_F(OutputFile, IsLockedUnderEachLinkThatLeadsToIt) {
  fs::create_directory(folder_ / "far");
  fs::create_symlink("far", folder_ / "near");
  fs::create_symlink("near/real", folder_ / "link");
  fs::create_symlink(fs::absolute(folder_ / "link"), folder_ / "link to a link");
  const FileLock lock(folder_ / "far" / "real");

  for (const char* name : {"near/real", "link", "link to a link"})
    EXPECT_THAT(error_of([&] { FileLock second(folder_ / name); }), HasSubstr(name)) << name;
  EXPECT_EQ(error_of([&] { FileLock other(folder_ / "real"); }), "") << "is another file";
}

TEST_F(OutputFile, IsLockedForOthersUntilItsHolderEnds) {
  const fs::path file = folder_ / "a";
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t holder = ::fork();
  if (holder == 0) {
    const FileLock lock(file);
    write_all(ready[1], "!");
    ::pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);

  EXPECT_THAT(error_of([&] { FileLock second(file); }),
              ::testing::AllOf(HasSubstr(file.string()), HasSubstr("process " + std::to_string(holder) + " on ")));
  ::kill(holder, SIGKILL);
  ::waitpid(holder, nullptr, 0);

  EXPECT_EQ(error_of([&] { FileLock third(file); }), "");
  EXPECT_THAT(names(), IsEmpty());
}

}  // namespace
}  // namespace cupel::files
