#include "bench/pipeline/data_set.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "bench/pipeline/checksum.hpp"
#include "bench/pipeline/file.hpp"
#include "bench/pipeline/jpeg.hpp"
#include "bench/pipeline/source_samples.hpp"
#include "bench/pipeline/test_folder.hpp"

namespace cupel::bench::pipeline {
namespace {

using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;

namespace fs = std::filesystem;

std::vector<std::byte> content_of(const DataSet& data, std::int64_t index) {
  std::vector<std::byte> content(static_cast<std::size_t>(data.sample(index).bytes));
  InputFile(data.packed()).read(data.sample(index).offset, content);
  return content;
}

std::string message_of(const auto& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(DataSet, IsTheSameForASeedAndAnotherForAnother) {
  const ScratchFolder one, two;

  const DataSet first(one.path(), {.seed = 3, .bytes = 1}), again(two.path(), {.seed = 3, .bytes = 1});
  const DataSet other(one.path(), {.seed = 4, .bytes = 1});

  ASSERT_EQ(first.size(), 16);
  EXPECT_EQ(first.sample(15).checksum, again.sample(15).checksum);
  EXPECT_NE(first.sample(15).checksum, other.sample(15).checksum);
}

TEST(DataSet, HoldsWhatItsChecksumsSay) {
  const ScratchFolder folder;
  for (const Format format : {Format::jpeg, Format::raw, Format::cifar10}) {
    const DataSet data(folder.path(), {.format = format, .bytes = 1});

    std::set<std::uint64_t> different;
    for (std::int64_t i = 0; i < data.size(); ++i) {
      require_intact(data.sample(i), content_of(data, i));
      different.insert(data.sample(i).checksum);
    }

    EXPECT_EQ(static_cast<std::int64_t>(different.size()), data.size());
  }
}

TEST(DataSet, HasImagesOfTheSizeItSays) {
  const ScratchFolder folder;
  const DataSet jpeg(folder.path(), {.bytes = 1}), raw(folder.path(), {.format = Format::raw, .bytes = 1});
  const DataSet cifar(folder.path(), {.format = Format::cifar10, .bytes = 1});

  std::vector<std::uint8_t> pixels;
  const Size size = JpegDecoder().decode(content_of(jpeg, 0), pixels);

  EXPECT_EQ(size, (Size{375, 500}));
  EXPECT_EQ(raw.sample(0).bytes, 224 * 224 * 3);
  EXPECT_EQ(cifar.sample(0).bytes, 3073);
  EXPECT_LT(static_cast<int>(content_of(cifar, 0)[0]), 10);
}

// ImageNet's photographs, of about this size, have 110 KB.
TEST(DataSet, HasImagesAboutAsHardToCompressAsPhotographs) {
  const ScratchFolder folder;
  const DataSet data(folder.path(), {.bytes = 1});

  const std::int64_t mean_bytes = data.bytes() / data.size();

  EXPECT_GT(mean_bytes, 50'000);
  EXPECT_LT(mean_bytes, 160'000);
}

TEST(DataSet, IsMadeOnceAndThenOpened) {
  const ScratchFolder folder;
  const DataSource source = {.bytes = 1};
  const DataSet made(folder.path(), source);
  bool was_made = false;

  const DataSet opened(folder.path(), source, {.progress = [&](double) { was_made = true; }});

  EXPECT_FALSE(was_made);
  EXPECT_EQ(opened.size(), made.size());
}

TEST(DataSet, IsMadeAnewWhereItIsDamaged) {
  const ScratchFolder folder;
  const DataSource source = {.bytes = 1};
  const fs::path packed = DataSet(folder.path(), source).packed();
  fs::resize_file(packed, 10);

  const DataSet again(folder.path(), source);

  require_intact(again.sample(15), content_of(again, 15));
  EXPECT_EQ(static_cast<std::int64_t>(fs::file_size(packed)), again.bytes());
}

TEST(DataSet, IsMadeAnewWhereAnyFormOfItIsDamaged) {
  const ScratchFolder folder;
  const DataSource source = {.bytes = 1};
  const DataSet made(folder.path(), source);
  const auto shorten = [](const fs::path& path) { fs::resize_file(path, fs::file_size(path) - 100); };
  for (const auto& [path, damage] : std::vector<std::pair<fs::path, std::function<void(const fs::path&)>>>{
           {made.tar(), shorten},
           {made.lmdb(), shorten},
           {made.lmdb(), [](const fs::path& file) { fs::remove(file); }},
           {made.file(3), shorten},
           {made.file(3), [](const fs::path& file) { fs::remove(file); }}}) {
    const auto size = fs::file_size(path);
    damage(path);

    const DataSet again(folder.path(), source);

    EXPECT_TRUE(fs::exists(path) && fs::file_size(path) == size) << path;
  }
}

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A byte in the middle of a sample, wherever the form has it.
TEST(DataSet, IsMadeAnewWhereAByteOfItHasRotted) {
  const ScratchFolder folder;
  const DataSource source = {.bytes = 1};
  const DataSet made(folder.path(), source);
  const std::string sample = text_of(made.file(3)), inside = sample.substr(sample.size() / 2, 32);
  for (const fs::path& path : {made.packed(), made.file(3), made.tar(), made.lmdb()}) {
    const std::string before = text_of(path);
    const std::size_t place = before.find(inside);
    ASSERT_NE(place, std::string::npos) << path;
    std::fstream(path, std::ios::binary | std::ios::in | std::ios::out)
        .seekp(static_cast<std::streamoff>(place))
        .put(static_cast<char>(~before[place]));

    const DataSet again(folder.path(), source);

    EXPECT_EQ(text_of(path).substr(place, inside.size()), inside) << path;
  }
}

TEST(DataSet, SweepsWhatAKilledProcessLeftHalfMade) {
  const ScratchFolder folder;
  const fs::path left = folder.path() / "jpeg-seed9-1-v2.making", in_work = folder.path() / "raw-seed9-1-v2.making";
  fs::create_directories(left / "files");
  fs::create_directories(in_work);
  const Descriptor held(open((folder.path() / "raw-seed9-1-v2.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  ASSERT_EQ(flock(held.get(), LOCK_EX), 0);

  const DataSet data(folder.path(), {.format = Format::cifar10, .bytes = 1});

  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(in_work));
}

// As another process does that makes the same data.
TEST(DataSet, IsNoLongerWaitedForOnceItIsInterrupted) {
  const ScratchFolder folder;
  const fs::path lock = DataSet(folder.path(), {.bytes = 1}).folder().string() + ".lock";
  const Descriptor held(open(lock.c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_EQ(flock(held.get(), LOCK_EX), 0);
  int asked = 0;

  EXPECT_THROW(DataSet(folder.path(), {.bytes = 1}, {.asked_to_end = [&] { return ++asked > 2; }}), Interrupted);
}

TEST(DataSet, SaysHowFarItIs) {
  const ScratchFolder folder;
  std::vector<double> shares;

  const DataSet data(folder.path(), {.format = Format::cifar10, .bytes = 20 * kCifarBytes},
                     {.progress = [&](double share) { shares.push_back(share); }});

  EXPECT_EQ(shares.size(), 20u);
  EXPECT_TRUE(std::ranges::is_sorted(shares));
  EXPECT_EQ(shares.back(), 1);
}

TEST(DataSet, LeavesNothingWhenItIsInterrupted) {
  const ScratchFolder folder;
  // While they are made, while they are copied, and while they go to the database: 16 samples each.
  for (const int most : {5, 20, 40}) {
    int asked = 0;

    EXPECT_THROW(DataSet(folder.path(), {.bytes = 1}, {.asked_to_end = [&] { return ++asked > most; }}), Interrupted);

    EXPECT_EQ(folder.entries(), 0u);
  }
}

TEST(DataSet, SaysHowMuchRoomADiskLacks) {
  const ScratchFolder folder;

  const std::string message = message_of([&] { DataSet(folder.path(), {.bytes = std::int64_t{1} << 50}); });

  EXPECT_THAT(message, HasSubstr("the data want 4503599627370496 bytes, "));
  EXPECT_EQ(folder.entries(), 0u);
}

// A limit on the size of files stands for the disk that becomes full on the way.
TEST(DataSet, SaysWhereADiskBecameFullAndLeavesNothing) {
  const ScratchFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {300'000, 300'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    const std::string message = message_of([&] { DataSet(folder.path(), {.bytes = 1}); });
    const bool clear = message.find("packed.bin: at byte 300000, ") != std::string::npos &&
                       message.find(" more were to be written: File too large") != std::string::npos;
    _exit(clear && folder.entries() == 0 ? 0 : 1);
  }

  int status = 0;
  waitpid(child, &status, 0);

  EXPECT_EQ(status, 0);
  EXPECT_EQ(folder.entries(), 0u);
}

TEST(OutputFile, SaysWhereADiskIsFull) {
  const std::vector<std::byte> bytes(100);

  const std::string message = message_of([&] { OutputFile("/dev/full").write(bytes); });

  EXPECT_EQ(message, "/dev/full: at byte 0, 100 more were to be written: No space left on device");
}

TEST(DataSet, TakesTheUsersOwnImages) {
  const ScratchFolder folder, own;
  const DataSet made(folder.path(), {.bytes = 1});
  fs::create_directory(own.path() / "class");
  fs::copy_file(made.file(1), own.path() / "class" / "a.JPEG");
  fs::copy_file(made.file(2), own.path() / "b.jpg");
  std::ofstream(own.path() / "notes.txt") << "not an image";

  const DataSet data(folder.path(), {.own = own.path().string()});

  ASSERT_EQ(data.size(), 2);
  EXPECT_EQ(data.sample(0).checksum, made.sample(2).checksum);
  EXPECT_EQ(data.sample(1).checksum, made.sample(1).checksum);
}

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Folders of images hold all sorts: links, odd names, what is called an image and is none, and images that broke off.
TEST(DataSet, LeavesOutWhatCannotBeDecodedAndSaysWhy) {
  const ScratchFolder folder, own, elsewhere;
  const DataSet made(folder.path(), {.bytes = 1});
  fs::copy_file(made.file(1), own.path() / "a name\nof two lines.jpg");
  fs::copy_file(made.file(2), own.path() / "cut.jpg");
  fs::resize_file(own.path() / "cut.jpg", 1000);
  fs::copy_file(made.file(3), elsewhere.path() / "there.jpg");
  fs::create_symlink(elsewhere.path() / "there.jpg", own.path() / "link.jpg");
  fs::create_symlink(own.path() / "nowhere", own.path() / "dangling.jpg");
  fs::create_directory(own.path() / "folder.jpg");
  std::ofstream(own.path() / "empty.jpg");
  std::ofstream(own.path() / "picture.jpg") << "\x89PNG";
  std::map<std::string, std::string> left_out;

  const DataSet data(
      folder.path(), {.own = own.path().string()},
      {.left_out = [&](const fs::path& file, const std::string& why) { left_out[file.filename().string()] = why; }});

  ASSERT_EQ(data.size(), 2);
  EXPECT_EQ(data.sample(0).checksum, made.sample(1).checksum);
  EXPECT_EQ(data.sample(1).checksum, made.sample(3).checksum);
  EXPECT_EQ(left_out.size(), 3u);
  EXPECT_NE(left_out["empty.jpg"], "");
  EXPECT_EQ(left_out["cut.jpg"], "ends at byte 1000, a JPEG's end marker was expected");
  EXPECT_THAT(left_out["picture.jpg"], HasSubstr("not a whole JPEG image of 4 bytes"));
  EXPECT_EQ(lines_of(data.left_out()).size(), 3u);
  EXPECT_THAT(lines_of(data.left_out()), Contains(EndsWith("a JPEG's end marker was expected")));
}

// Who is root may read every folder: the test then asks as somebody else.
class AsAnyone {
 public:
  AsAnyone() { is_changed_ = geteuid() == 0 && seteuid(kNobody) == 0; }
  ~AsAnyone() {
    if (is_changed_ && seteuid(0) != 0) std::abort();
  }

 private:
  static constexpr uid_t kNobody = 65534;
  bool is_changed_ = false;
};

TEST(DataSet, LeavesOutALinkInACircleAndAClosedFolderAndSaysWhy) {
  const ScratchFolder folder, own;
  const DataSet made(folder.path(), {.bytes = 1});
  fs::copy_file(made.file(1), own.path() / "good.jpg");
  fs::create_symlink(own.path() / "circle.jpg", own.path() / "circle.jpg");
  fs::create_directory_symlink(own.path(), own.path() / "up");
  fs::create_directory(own.path() / "closed");
  fs::copy_file(made.file(2), own.path() / "closed" / "hidden.jpg");
  fs::permissions(own.path() / "closed", fs::perms::none);
  fs::permissions(own.path(), fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                                  fs::perms::others_read | fs::perms::others_exec);
  std::map<std::string, std::string> left_out;

  const std::vector<fs::path> files = [&] {
    const AsAnyone somebody;
    return own_files({.own = own.path().string()},
                     [&](const fs::path& file, const std::string& why) { left_out[file.filename().string()] = why; });
  }();

  fs::permissions(own.path() / "closed", fs::perms::owner_all);
  EXPECT_EQ(files, std::vector<fs::path>{own.path() / "good.jpg"});
  EXPECT_EQ(left_out, (std::map<std::string, std::string>{{"circle.jpg", std::strerror(ELOOP)},
                                                          {"closed", std::strerror(EACCES)}}));
}

TEST(DataSet, SaysThatNoneOfTheUsersImagesCanBeDecoded) {
  const ScratchFolder folder, own;
  std::ofstream(own.path() / "picture.jpg") << "\x89PNG";

  EXPECT_EQ(message_of([&] { DataSet(folder.path(), {.own = own.path().string()}); }),
            own.path().string() + ": none of its images can be decoded");
  EXPECT_EQ(folder.entries(), 0u);
}

TEST(DataSet, TakesCifarsOwnFiles) {
  const ScratchFolder folder, own;
  const DataSet made(folder.path(), {.format = Format::cifar10, .bytes = 1});
  fs::copy_file(made.packed(), own.path() / "data_batch_1.bin");

  const DataSet data(folder.path(), {.format = Format::cifar10, .own = own.path().string()});

  ASSERT_EQ(data.size(), made.size());
  EXPECT_EQ(data.sample(7).checksum, made.sample(7).checksum);
}

TEST(DataSet, SaysWhatAFolderWithoutImagesLacks) {
  const ScratchFolder folder, own;

  EXPECT_EQ(message_of([&] { DataSet(folder.path(), {.own = own.path().string()}); }),
            own.path().string() + ": no *.jpg or *.jpeg");
  EXPECT_EQ(folder.entries(), 0u);
}

TEST(Checksum, DependsOnEachByteAndTheLength) {
  std::vector<std::byte> bytes(19);
  std::set<std::uint64_t> sums = {checksum(bytes), checksum(std::span(bytes).first(18)), checksum({})};
  for (std::byte& byte : bytes) {
    byte = std::byte{1};
    sums.insert(checksum(bytes));
    byte = std::byte{0};
  }

  EXPECT_EQ(sums.size(), 22u);
}

}  // namespace
}  // namespace cupel::bench::pipeline
