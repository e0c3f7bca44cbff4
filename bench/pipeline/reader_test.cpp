#include "bench/pipeline/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "bench/pipeline/order.hpp"
#include "bench/pipeline/page_cache.hpp"
#include "bench/pipeline/test_folder.hpp"
#include "cupel/harness/run.hpp"

namespace cupel::bench::pipeline {
namespace {

using testing::HasSubstr;

namespace fs = std::filesystem;

// One data set for all tests that do not damage it.
const DataSet& data() {
  static const ScratchFolder folder;
  static const DataSet set(folder.path(), {.bytes = 1});
  return set;
}

bool is_tmpfs(const fs::path& folder) {
  struct statfs status {};
  return statfs(folder.c_str(), &status) == 0 && status.f_type == TMPFS_MAGIC;
}

std::vector<std::byte> read(Reader& reader, const DataSet& set, const std::vector<std::int64_t>& indices) {
  std::vector<std::byte> out(static_cast<std::size_t>(bytes_of(set, indices)));
  reader.read(indices, out);
  return out;
}

class EachReader : public testing::TestWithParam<ReadBy> {};
INSTANTIATE_TEST_SUITE_P(ReadBy, EachReader, testing::ValuesIn(kCachedReaders),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

TEST_P(EachReader, GivesTheSamplesThatWereAskedForInTheirOrder) {
  const auto reader = open_reader(GetParam(), data());
  for (const Order order : {Order::sequential, Order::shuffled}) {
    const std::vector<std::int64_t> indices = order_of(order, data().size(), 4, 1, 0);

    const std::vector<std::byte> bytes = read(*reader, data(), indices);

    std::span<const std::byte> rest = bytes;
    for (const std::int64_t index : indices) {
      const auto size = static_cast<std::size_t>(data().sample(index).bytes);
      EXPECT_NO_THROW(require_intact(data().sample(index), rest.first(size)));
      rest = rest.subspan(size);
    }
  }
}

TEST_P(EachReader, GivesOneSampleAloneAndNoneAtAll) {
  const auto reader = open_reader(GetParam(), data());

  EXPECT_NO_THROW(require_intact(data().sample(5), read(*reader, data(), {5})));
  EXPECT_THAT(read(*reader, data(), {}), testing::IsEmpty());
}

TEST_P(EachReader, NamesTheFileThatHasVanished) {
  const ScratchFolder folder;
  const DataSet set(folder.path(), {.bytes = 1});
  const std::string file = files_read(GetParam(), set, std::vector<std::int64_t>{3}).front().string();
  fs::remove(file);

  try {
    read(*open_reader(GetParam(), set), set, {3});
    FAIL() << "the vanished file was read";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr(file));
    EXPECT_THAT(error.what(), HasSubstr("No such file or directory"));
  }
}

TEST_P(EachReader, SaysWhereAFileEndsTooEarly) {
  const ScratchFolder folder;
  const DataSet set(folder.path(), {.bytes = 1});
  const fs::path file = files_read(GetParam(), set, std::vector<std::int64_t>{15}).front();
  const auto short_by = 2000;
  const auto size = fs::file_size(file) - short_by;
  fs::resize_file(file, size);

  try {
    read(*open_reader(GetParam(), set), set, {14, 15});
    FAIL() << "the truncated file was read";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr(file.string() + ": ends at byte " + std::to_string(size) + ", "));
    EXPECT_THAT(error.what(), HasSubstr(" were expected"));
  }
}

// Past the page cache: what was just read the plain way comes from storage once more, all of it.
TEST(DirectReader, GivesTheSamplesFromStorageEachTime) {
  const ScratchFolder folder;
  const DataSet set(folder.path(), {.bytes = 1});
  if (is_tmpfs(folder.path())) {
    EXPECT_EQ(drop_from_memory(InputFile(set.packed())), 1);  // there is no storage
    return;
  }
  std::vector<std::byte> all(static_cast<std::size_t>(set.bytes()));
  InputFile(set.packed()).read(0, all);
  const auto reader = open_reader(ReadBy::direct, set);
  const std::vector<std::int64_t> indices = order_of(Order::shuffled, set.size(), 1, 1, 0);
  const std::int64_t before = bytes_from_storage();

  const std::vector<std::byte> bytes = read(*reader, set, indices);

  EXPECT_GE(bytes_from_storage() - before, set.bytes());
  std::span<const std::byte> rest = bytes;
  for (const std::int64_t index : indices) {
    const auto size = static_cast<std::size_t>(set.sample(index).bytes);
    EXPECT_NO_THROW(require_intact(set.sample(index), rest.first(size)));
    rest = rest.subspan(size);
  }
}

TEST(BytesFromStorage, LeaveOutWhatThePageCacheHas) {
  const InputFile file(data().packed());
  std::vector<std::byte> all(static_cast<std::size_t>(data().bytes()));
  file.read(0, all);
  const std::int64_t before = bytes_from_storage();

  file.read(0, all);

  EXPECT_EQ(bytes_from_storage(), before);
}

TEST(TarReader, NamesTheMemberWhoseHeaderIsDamaged) {
  const ScratchFolder folder;
  const DataSet set(folder.path(), {.bytes = 1});
  {
    std::FILE* tar = std::fopen(set.tar().c_str(), "r+");
    std::fputc('x', tar);
    std::fclose(tar);
  }

  try {
    read(*open_reader(ReadBy::tar, set), set, {0});
    FAIL() << "the damaged archive was read";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), set.tar().string() + ": at byte 0: not the header of a tar archive's member 00000000.jpg");
  }
}

TEST(TarReader, ReadsWhatTarCanList) {
  EXPECT_EQ(std::system(("tar -tf '" + data().tar().string() + "' > /dev/null").c_str()), 0);
}

TEST(Order, TakesEachIndexOnce) {
  for (const std::int64_t block : {1, 3, 16, 100}) {
    std::vector<std::int64_t> all(37);
    std::iota(all.begin(), all.end(), 0);

    std::vector<std::int64_t> shuffled = order_of(Order::shuffled, 37, block, 1, 2);

    EXPECT_EQ(order_of(Order::sequential, 37, block, 1, 2), all);
    std::ranges::sort(shuffled);
    EXPECT_EQ(shuffled, all);
  }
}

TEST(Order, DependsOnSeedAndEpochAlone) {
  const auto order = [](std::uint64_t seed, std::int64_t epoch) {
    return order_of(Order::shuffled, 50, 1, seed, epoch);
  };

  EXPECT_EQ(order(1, 0), order(1, 0));
  EXPECT_NE(order(1, 0), order(2, 0));
  EXPECT_NE(order(1, 0), order(1, 1));
}

TEST(Order, KeepsTheNeighboursOfABlockTogether) {
  const std::vector<std::int64_t> order = order_of(Order::shuffled, 64, 16, 1, 0);

  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i % 16 != 0) {
      EXPECT_EQ(order[i], order[i - 1] + 1);
    }
  }
}

TEST(PageCache, SaysWhatIsInMemory) {
  const InputFile file(data().packed());
  std::vector<std::byte> all(static_cast<std::size_t>(data().bytes()));
  file.read(0, all);

  EXPECT_EQ(share_in_memory(file), 1);
}

// Memory is all that tmpfs has.
TEST(PageCache, SaysWhatCannotBeDropped) {
  const fs::path path = "/dev/shm/cupel-page-cache-test." + std::to_string(getpid());
  OutputFile(path).write(std::vector<std::byte>(1 << 20));

  const double share = drop_from_memory(InputFile(path));
  std::string reason;
  try {
    make_cold_or_skip({path});
  } catch (const harness::Skip& skipped) {
    reason = skipped.what();
  }

  fs::remove(path);
  EXPECT_EQ(share, 1);
  EXPECT_EQ(reason, path.string() + " cannot be made cold: 100 % of its pages stay in memory");
}

// Bytes just written are not yet on the disk: they are dropped all the same, once they are.
TEST(PageCache, DropsWhatWasJustWritten) {
  const ScratchFolder folder;
  const fs::path path = folder.path() / "file";
  const std::vector<std::byte> bytes(1 << 20);
  OutputFile(path).write(bytes);
  const InputFile file(path);

  EXPECT_EQ(drop_from_memory(file), is_tmpfs(folder.path()) ? 1 : 0);
}

}  // namespace
}  // namespace cupel::bench::pipeline
