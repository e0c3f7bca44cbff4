#include "bench/pipeline/loader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>
#include <set>
#include <thread>
#include <type_traits>

#include "bench/pipeline/checksum.hpp"
#include "bench/pipeline/test_folder.hpp"

namespace cupel::bench::pipeline {
namespace {

namespace fs = std::filesystem;

const DataSet& data() {
  static const ScratchFolder folder;
  static const DataSet set(folder.path(), {.bytes = 1});
  return set;
}

Recipe small(const DataSet& set = data()) { return {.data = &set, .batch = 3, .side = 32}; }

// Index and checksum of each sample, in the order in which they came.
using Epoch = std::vector<std::pair<std::int64_t, std::uint64_t>>;

Epoch epoch_of(Loader& loader, const Recipe& recipe, std::int64_t number) {
  Epoch epoch;
  const auto bytes = static_cast<std::size_t>(sample_bytes(recipe));
  for (loader.start_epoch(number); loader.has_next();) {
    const Batch batch = loader.next();
    for (std::size_t i = 0; i < batch.indices.size(); ++i) {
      epoch.emplace_back(batch.indices[i], checksum(batch.bytes.subspan(i * bytes, bytes)));
    }
  }
  return epoch;
}

Epoch epoch_of(const Recipe& recipe, const LoaderOptions& options, std::int64_t number = 0) {
  Loader loader(recipe, options);
  return epoch_of(loader, recipe, number);
}

TEST(Loader, GivesEachIndexOnceAnEpoch) {
  for (const int workers : {0, 1, 3}) {
    std::vector<std::int64_t> indices;
    for (const auto& [index, sum] : epoch_of(small(), {.workers = workers})) indices.push_back(index);

    std::ranges::sort(indices);
    std::vector<std::int64_t> all(static_cast<std::size_t>(data().size()));
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(indices, all);
  }
}

TEST(Loader, GivesTheSameBatchesWhateverTheWorkers) {
  const Epoch in_line = epoch_of(small(), {});
  for (const WorkerKind kind : {WorkerKind::thread, WorkerKind::process}) {
    for (const int workers : {1, 2, 5}) {
      for (const int depth : {1, 4}) {
        EXPECT_EQ(epoch_of(small(), {.kind = kind, .workers = workers, .depth = depth}), in_line)
            << to_string(kind) << ' ' << workers << ' ' << depth;
      }
    }
  }
}

TEST(Loader, GivesTheSameBatchesHoweverTheyAreHandedOver) {
  const Epoch in_line = epoch_of(small(), {});
  for (const Handover by : {Handover::ring, Handover::shared_memory, Handover::descriptor, Handover::pipe}) {
    EXPECT_EQ(epoch_of(small(), {.kind = WorkerKind::process, .workers = 2, .handover = by}), in_line) << to_string(by);
  }
}

TEST(Loader, GivesTheSameImagesWhereverTheyAreReadFromAndWhenTheyAreKept) {
  const std::vector<Decoded> kept = decode_all(data());
  const auto sorted = [](const Recipe& recipe) {
    Epoch epoch = epoch_of(recipe, {.workers = 1});
    std::ranges::sort(epoch);
    return epoch;
  };
  const Epoch expected = sorted(small());

  for (const ReadBy by : kCachedReaders) {
    Recipe recipe = small();
    recipe.read = by;
    EXPECT_EQ(sorted(recipe), expected) << to_string(by);
  }
  Recipe recipe = small();
  recipe.kept = &kept;
  EXPECT_EQ(sorted(recipe), expected);
}

TEST(Loader, KeepsItsWorkersFromEpochToEpoch) {
  for (const WorkerKind kind : {WorkerKind::thread, WorkerKind::process}) {
    Loader loader(small(), {.kind = kind, .workers = 2});

    for (const std::int64_t number : {0, 1, 2}) {
      EXPECT_EQ(epoch_of(loader, small(), number), epoch_of(small(), {}, number));
    }
  }
}

TEST(Loader, TakesAllDataAgainForAnEpochThatIsLonger) {
  Recipe recipe = small();
  recipe.samples = 2 * data().size() + 1;

  std::map<std::int64_t, int> times;
  for (const auto& [index, sum] : epoch_of(recipe, {.workers = 2})) ++times[index];

  EXPECT_EQ(static_cast<std::int64_t>(times.size()), data().size());
  EXPECT_EQ(std::ranges::count_if(times, [](const auto& taken) { return taken.second == 3; }), 1);
}

TEST(Loader, TakesTheFirstSamplesAloneOfASmallDataSet) {
  const std::vector<Decoded> kept = decode_all(data(), 5);
  Recipe recipe = small();
  recipe.among = recipe.samples = 5;
  const Epoch decoded = epoch_of(recipe, {.workers = 2});
  recipe.kept = &kept;

  std::set<std::int64_t> indices;
  for (const auto& [index, sum] : decoded) indices.insert(index);

  EXPECT_EQ(kept.size(), 5u);
  EXPECT_EQ(indices, (std::set<std::int64_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(epoch_of(recipe, {.workers = 2}), decoded);
}

TEST(Loader, CropsAnotherPartInAnotherEpoch) {
  EXPECT_NE(epoch_of(small(), {}, 0), epoch_of(small(), {}, 1));
  Epoch first = epoch_of(small(), {}, 0), second = epoch_of(small(), {}, 1);
  std::ranges::sort(first);
  std::ranges::sort(second);
  EXPECT_NE(first, second);
}

TEST(Loader, TakesMoreWorkersThanThereAreBatches) {
  Recipe recipe = small();
  recipe.samples = 4;

  for (const WorkerKind kind : {WorkerKind::thread, WorkerKind::process}) {
    EXPECT_EQ(epoch_of(recipe, {.kind = kind, .workers = 9}), epoch_of(recipe, {}));
  }
}

TEST(Loader, TakesMoreWorkersThanTheDataHaveFiles) {
  Recipe recipe = small();
  recipe.read = ReadBy::file;
  recipe.among = 2;
  recipe.samples = 9;
  recipe.batch = 1;

  for (const WorkerKind kind : {WorkerKind::thread, WorkerKind::process}) {
    EXPECT_EQ(epoch_of(recipe, {.kind = kind, .workers = 5}), epoch_of(recipe, {}));
  }
}

// To see what augmentation takes alone: the same crops, of images that stay.
TEST(Loader, NeitherReadsNorDecodesAgainWhereAugmentationIsAllThatIsMade) {
  const ScratchFolder folder;
  const DataSet set(folder.path(), {.bytes = 1});
  Recipe recipe = small(set);
  recipe.read = ReadBy::file;
  recipe.among = 1;
  recipe.samples = 4;
  const Epoch all = epoch_of(recipe, {.workers = 1}, 1);
  recipe.part = Part::augmentation;
  Loader loader(recipe, {.workers = 1});
  epoch_of(loader, recipe, 0);
  fs::remove_all(set.folder() / "files");

  EXPECT_EQ(epoch_of(loader, recipe, 1), all);
}

TEST(Loader, CanBeLeftInTheMiddleOfAnEpoch) {
  for (const Handover by : {Handover::ring, Handover::shared_memory, Handover::descriptor, Handover::pipe}) {
    Loader loader(small(), {.kind = WorkerKind::process, .workers = 2, .handover = by});
    loader.start_epoch(0);

    EXPECT_EQ(loader.next().indices.size(), 3u);
  }
}

// A worker that fills its pipe ends once nobody holds the other end: none has to be killed after a time of grace.
TEST(Loader, LetsWorkersGoThatWaitForTheirPipes) {
  Recipe recipe = small();
  recipe.side = 224;
  constexpr int kWorkers = 5;
  auto loader = std::make_unique<Loader>(
      recipe, LoaderOptions{.kind = WorkerKind::process, .workers = kWorkers, .handover = Handover::pipe});
  loader->start_epoch(0);
  loader->next();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // they have filled their pipes

  const auto start = std::chrono::steady_clock::now();
  loader.reset();

  // All but one of them were killed after 0.3 s each.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(300 * (kWorkers - 2)));
}

// A child of a process that has used OpenMP waits for ever for threads that did not live through the fork. So only a
// worker process may use it: nobody else can make what an augmenter with threads asks for.
static_assert(!std::is_default_constructible_v<OwnProcess>);
static_assert(!std::is_constructible_v<Augmenter, int, int>);

TEST(Loader, UsesSeveralThreadsWithinAProcessAndNoneOfThemInItsOwn) {
  Recipe recipe = small();
  recipe.intra_threads = 3;
  const auto threads = [] {
    return std::distance(fs::directory_iterator("/proc/self/task"), fs::directory_iterator());
  };
  const Epoch in_line = epoch_of(small(), {}), by_threads = epoch_of(small(), {.workers = 2});

  for (int times = 0; times < 2; ++times) {
    EXPECT_EQ(epoch_of(recipe, {.kind = WorkerKind::process, .workers = 2, .limit_s = 5}), in_line);
  }

  EXPECT_EQ(by_threads, in_line);
  EXPECT_EQ(threads(), 1);
}

TEST(Loader, RefusesThreadsOfOpenMPInItsOwnProcess) {
  Recipe recipe = small();
  recipe.intra_threads = 3;

  EXPECT_THROW(epoch_of(recipe, {}), std::invalid_argument);
  EXPECT_THROW(epoch_of(recipe, {.kind = WorkerKind::thread, .workers = 1}), WorkerFailed);
}

TEST(Loader, CountsTheTimeThatTheConsumerWaited) {
  Recipe recipe = small();
  recipe.throttle.read_sleep_s = 1e-3;
  Loader loader(recipe, {.workers = 1});

  epoch_of(loader, recipe, 0);

  EXPECT_GE(loader.waited().all_s, 0.5e-3 * static_cast<double>(data().size()));
  EXPECT_GE(loader.waited().first_s, 3e-3);
  EXPECT_LT(loader.waited().first_s, loader.waited().all_s);
}

TEST(Loader, GivesRawBytesAsTheyAre) {
  const ScratchFolder folder;
  const DataSet raw(folder.path(), {.format = Format::raw, .bytes = 1});

  for (const auto& [index, sum] : epoch_of(small(raw), {.workers = 2})) EXPECT_EQ(sum, raw.sample(index).checksum);
}

TEST(Loader, TakesCifarsRecords) {
  const ScratchFolder folder;
  const DataSet cifar(folder.path(), {.format = Format::cifar10, .bytes = 1});

  const Epoch epoch = epoch_of(small(cifar), {});

  EXPECT_EQ(sample_bytes(small(cifar)), 3 * 32 * 32 * 4);
  EXPECT_EQ(static_cast<std::int64_t>(std::map<std::int64_t, std::uint64_t>(epoch.begin(), epoch.end()).size()), 16);
}

}  // namespace
}  // namespace cupel::bench::pipeline
