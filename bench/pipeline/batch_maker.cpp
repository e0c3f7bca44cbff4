#include "bench/pipeline/batch_maker.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "bench/pipeline/runs.hpp"
#include "cupel/verify/generator.hpp"
#include "kernels/image/crop.hpp"

namespace cupel::bench::pipeline {
namespace {

void sleep(double time_s) {
  if (time_s > 0) std::this_thread::sleep_for(std::chrono::duration<double>(time_s));
}

// Bytes that lie as the pixels of an image; the planes of CIFAR-10's become pixels.
void unpack(Format format, std::span<const std::byte> bytes, Decoded& image) {
  const auto* values = reinterpret_cast<const std::uint8_t*>(bytes.data());
  constexpr std::size_t kPlane = kCifarSide * kCifarSide;
  image.size = format == Format::raw ? Size{kRawSide, kRawSide} : Size{kCifarSide, kCifarSide};
  if (format == Format::raw) {
    image.pixels.assign(values, values + bytes.size());
    return;
  }
  image.pixels.resize(3 * kPlane);
  for (std::size_t i = 0; i < kPlane; ++i) {
    for (std::size_t c = 0; c < 3; ++c) image.pixels[3 * i + c] = values[1 + c * kPlane + i];
  }
}

// Where one batch sleeps longer than another: the same for a seed, whoever makes it.
double uneven(const Recipe& recipe, std::int64_t first, std::int64_t epoch) {
  const verify::Generator random(verify::mix(recipe.seed) + static_cast<std::uint64_t>(epoch));
  return 1 + recipe.throttle.jitter * (2 * random.uniform(static_cast<std::uint64_t>(first)) - 1);
}

int side_of(const Recipe& recipe) { return recipe.data->format() == Format::cifar10 ? int{kCifarSide} : recipe.side; }

}  // namespace

std::int64_t samples_taken(const DataSet& data, std::int64_t among) {
  return among == 0 ? data.size() : std::min(among, data.size());
}

std::int64_t samples_of_epoch(const Recipe& recipe) {
  return recipe.samples == 0 ? samples_taken(*recipe.data, recipe.among) : recipe.samples;
}

std::int64_t batches_of_epoch(const Recipe& recipe) {
  return (samples_of_epoch(recipe) + recipe.batch - 1) / recipe.batch;
}

std::span<const std::int64_t> batch_of(const Recipe& recipe, std::span<const std::int64_t> order, std::int64_t number) {
  const std::int64_t begin = number * recipe.batch;
  const std::int64_t end = std::min(begin + recipe.batch, samples_of_epoch(recipe));
  return order.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

std::vector<std::int64_t> order_of_epoch(const Recipe& recipe, std::int64_t epoch) {
  std::vector<std::int64_t> order;
  for (std::uint64_t pass = 0; static_cast<std::int64_t>(order.size()) < samples_of_epoch(recipe); ++pass) {
    const auto more = order_of(recipe.order, samples_taken(*recipe.data, recipe.among), shuffled_block(recipe.read),
                               recipe.seed + pass, epoch);
    order.insert(order.end(), more.begin(), more.end());
  }
  return order;
}

std::int64_t sample_bytes(const Recipe& recipe) {
  switch (recipe.data->format()) {
    case Format::jpeg:
      return std::int64_t{3} * recipe.side * recipe.side * static_cast<std::int64_t>(sizeof(float));
    case Format::raw:
      return 3 * kRawSide * kRawSide;
    case Format::cifar10:
      break;
  }
  return 3 * kCifarSide * kCifarSide * static_cast<std::int64_t>(sizeof(float));
}

BatchMaker::BatchMaker(const Recipe& recipe) : BatchMaker(recipe, Augmenter(side_of(recipe))) {
  if (recipe.intra_threads > 1) {
    throw std::invalid_argument("Recipe: intra_threads may be more than 1 in worker processes only");
  }
}

BatchMaker::BatchMaker(const Recipe& recipe, const OwnProcess& own)
    : BatchMaker(recipe, Augmenter(side_of(recipe), own, recipe.intra_threads)) {}

BatchMaker::BatchMaker(const Recipe& recipe, const Augmenter& augmenter) : recipe_(recipe), augmenter_(augmenter) {
  if (recipe_.kept == nullptr) reader_ = open_reader(recipe_.read, *recipe_.data);
}

void BatchMaker::make(std::span<const std::int64_t> indices, std::int64_t epoch, std::span<std::byte> out) {
  if (recipe_.part == Part::none) return;
  const bool are_decoded = recipe_.part == Part::augmentation && images_.size() >= indices.size();
  if (!are_decoded) {
    read(indices, epoch);
    decode(indices);
  }
  augment(indices, epoch, out);
}

void BatchMaker::read(std::span<const std::int64_t> indices, std::int64_t epoch) {
  if (recipe_.kept != nullptr) return;
  const double per_sample_s = recipe_.throttle.read_sleep_s * uneven(recipe_, indices.front(), epoch);
  sleep(per_sample_s * static_cast<double>(indices.size()));
  bytes_.resize(static_cast<std::size_t>(bytes_of(*recipe_.data, indices)));
  reader_->read(indices, bytes_);
}

void BatchMaker::decode(std::span<const std::int64_t> indices) {
  if (recipe_.kept != nullptr) return;
  images_.resize(std::max(images_.size(), indices.size()));
  std::span<std::byte> rest = bytes_;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Sample& sample = recipe_.data->sample(indices[i]);
    const std::span<const std::byte> bytes = take_front(rest, sample.bytes);
    if (recipe_.data->format() != Format::jpeg) {
      unpack(recipe_.data->format(), bytes, images_[i]);
      continue;
    }
    try {
      for (int n = 0; n < recipe_.throttle.decode_times; ++n)
        images_[i].size = decoder_.decode(bytes, images_[i].pixels);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(recipe_.data->file(indices[i]).string() + ": " + error.what());
    }
  }
}

void BatchMaker::augment(std::span<const std::int64_t> indices, std::int64_t epoch, std::span<std::byte> out) {
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Decoded& image = decoded(i, indices[i]);
    const std::span<std::byte> place = take_front(out, sample_bytes(recipe_));
    for (int n = 0; n < recipe_.throttle.augment_times; ++n) augment_one(image, indices[i], epoch, place);
  }
}

const Decoded& BatchMaker::decoded(std::size_t place, std::int64_t index) const {
  return recipe_.kept == nullptr ? images_[place] : (*recipe_.kept)[static_cast<std::size_t>(index)];
}

void BatchMaker::augment_one(const Decoded& image, std::int64_t index, std::int64_t epoch, std::span<std::byte> out) {
  if (recipe_.data->format() == Format::raw) {
    std::memcpy(out.data(), image.pixels.data(), out.size());
    return;
  }
  // Another crop in each epoch, the same whoever makes it.
  const std::uint64_t seed = verify::mix(recipe_.seed) + static_cast<std::uint64_t>(epoch);
  const Crop crop = kernels::image::random_crop(seed, index, image.size);
  augmenter_.run(image.pixels, image.size, crop, {reinterpret_cast<float*>(out.data()), out.size() / sizeof(float)});
}

std::vector<Decoded> decode_all(const DataSet& data, std::int64_t among) {
  const auto reader = open_reader(ReadBy::pread, data);
  JpegDecoder decoder;
  std::vector<Decoded> all(static_cast<std::size_t>(samples_taken(data, among)));
  std::vector<std::byte> bytes;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(all.size()); ++i) {
    bytes.resize(static_cast<std::size_t>(data.sample(i).bytes));
    reader->read(std::vector<std::int64_t>{i}, bytes);
    Decoded& image = all[static_cast<std::size_t>(i)];
    if (data.format() == Format::jpeg) {
      image.size = decoder.decode(bytes, image.pixels);
    } else {
      unpack(data.format(), bytes, image);
    }
  }
  return all;
}

}  // namespace cupel::bench::pipeline
