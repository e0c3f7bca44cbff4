// The work of a worker: it reads the samples of a batch, decodes them and augments them, stage by stage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/pipeline/augment.hpp"
#include "bench/pipeline/data_set.hpp"
#include "bench/pipeline/jpeg.hpp"
#include "bench/pipeline/order.hpp"
#include "bench/pipeline/reader.hpp"

namespace cupel::bench::pipeline {

/// A stage that is made slow on purpose, or uneven: what a slow disk, few cores or a slow link would do.
struct Throttle {
  double read_sleep_s = 0;  ///< a sample
  int decode_times = 1;     ///< each image decoded so often
  int augment_times = 1;
  double hand_over_sleep_s = 0;  ///< a sample
  double jitter = 0;             ///< reading sleeps between (1 - jitter) and (1 + jitter) times as long, batch by batch
};

/// An image that was decoded before.
struct Decoded {
  Size size;
  std::vector<std::uint8_t> pixels;  ///< height x width x 3
};

/// How much of a batch is made: all of it, or as much as shows what one stage takes alone.
enum class Part {
  all,
  augmentation,  ///< images stay as they were first read and decoded, and are augmented for whatever batch comes
  none,          ///< batches are left as they are: handing them over is all that is done
};

/// How batches are made, and of which data. `data` and `kept` must outlive what works by it.
struct Recipe {
  const DataSet* data = nullptr;
  ReadBy read = ReadBy::pread;
  Order order = Order::shuffled;
  std::uint64_t seed = 1;
  std::int64_t samples = 0;  ///< of an epoch, which takes all data more than once if need be; 0: all, once
  std::int64_t among = 0;    ///< the first so many of the data alone, as of a small data set; 0, or more than all: all
  std::int64_t batch = 8;    ///< samples; the last batch has what is left
  int side = 224;            ///< of an augmented image
  int intra_threads = 1;     ///< of OpenMP within a worker; more than 1 only in worker processes
  const std::vector<Decoded>* kept = nullptr;  ///< those samples decoded: neither read nor decoded again
  Part part = Part::all;
  Throttle throttle = {};
};

/// Samples that epochs take: all, or the first so many.
std::int64_t samples_taken(const DataSet& data, std::int64_t among);

/// Samples of an epoch, and its batches.
std::int64_t samples_of_epoch(const Recipe& recipe);
std::int64_t batches_of_epoch(const Recipe& recipe);

/// The epoch's order, cut into batches: those of batch `number`.
std::span<const std::int64_t> batch_of(const Recipe& recipe, std::span<const std::int64_t> order, std::int64_t number);

std::vector<std::int64_t> order_of_epoch(const Recipe& recipe, std::int64_t epoch);

/// The size of a sample in a batch. JPEG: 3 x side x side floats; CIFAR-10: 3 x 32 x 32 floats; raw: the bytes as read.
std::int64_t sample_bytes(const Recipe& recipe);

/// Used by one thread at a time, and opened in the process that uses it. All throw std::runtime_error that names file
/// and offset.
class BatchMaker {
 public:
  /// Throws std::invalid_argument where the recipe asks for threads of OpenMP.
  explicit BatchMaker(const Recipe& recipe);
  /// With the threads of OpenMP that the recipe asks for.
  BatchMaker(const Recipe& recipe, const OwnProcess& own);

  /// All stages, or the recipe's part of them: out has sample_bytes() for each index. All depend on indices and epoch
  /// alone.
  void make(std::span<const std::int64_t> indices, std::int64_t epoch, std::span<std::byte> out);

  // The stages one by one, each for all samples of a batch; each takes what the one before left.
  void read(std::span<const std::int64_t> indices, std::int64_t epoch);
  void decode(std::span<const std::int64_t> indices);
  void augment(std::span<const std::int64_t> indices, std::int64_t epoch, std::span<std::byte> out);

 private:
  BatchMaker(const Recipe& recipe, const Augmenter& augmenter);
  const Decoded& decoded(std::size_t place, std::int64_t index) const;
  void augment_one(const Decoded& image, std::int64_t index, std::int64_t epoch, std::span<std::byte> out);

  Recipe recipe_;
  std::unique_ptr<Reader> reader_;
  JpegDecoder decoder_;
  Augmenter augmenter_;
  std::vector<std::byte> bytes_;
  std::vector<Decoded> images_;
};

/// The samples that epochs take decoded, to be kept in memory.
std::vector<Decoded> decode_all(const DataSet& data, std::int64_t among = 0);

}  // namespace cupel::bench::pipeline
