#include "bench/pipeline/source_samples.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <stdexcept>
#include <utility>

#include "bench/pipeline/file.hpp"
#include "bench/pipeline/jpeg.hpp"
#include "bench/pipeline/synthetic_image.hpp"
#include "cupel/harness/cpus.hpp"
#include "cupel/verify/generator.hpp"

namespace cupel::bench::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr Size kPhotograph = {375, 500};
constexpr int kQuality = 90;

std::string numbered(std::int64_t index, const char* extension) {
  char name[32];
  std::snprintf(name, sizeof name, "%08lld.%s", static_cast<long long>(index), extension);
  return name;
}

std::vector<std::byte> to_bytes(const std::vector<std::uint8_t>& pixels) {
  const auto* begin = reinterpret_cast<const std::byte*>(pixels.data());
  return {begin, begin + pixels.size()};
}

using MakeSample = std::function<NamedBytes(std::int64_t index)>;

// One after the other, as many in the making as there are processors.
SampleSource made_ahead(MakeSample make) {
  return [make = std::move(make), ahead = std::make_shared<std::deque<std::future<NamedBytes>>>(),
          index = std::int64_t{0}]() mutable {
    while (std::ssize(*ahead) < harness::usable_cpu_count()) {
      ahead->push_back(std::async(std::launch::async, make, index++));
    }
    NamedBytes next = ahead->front().get();
    ahead->pop_front();
    return next;
  };
}

NamedBytes make_jpeg(std::uint64_t seed, std::int64_t index) {
  const auto pixels = synthetic_image(seed, index, kPhotograph.height, kPhotograph.width);
  return {numbered(index, "jpg"), JpegEncoder().encode(pixels, kPhotograph, kQuality)};
}

NamedBytes make_raw(std::uint64_t seed, std::int64_t index) {
  return {numbered(index, "rgb"), to_bytes(synthetic_image(seed, index, kRawSide, kRawSide))};
}

NamedBytes make_cifar(std::uint64_t seed, std::int64_t index) {
  const auto pixels = synthetic_image(seed, index, kCifarSide, kCifarSide);
  std::vector<std::byte> record;
  record.reserve(kCifarBytes);
  record.push_back(
      static_cast<std::byte>(verify::Generator(seed).small_integer(static_cast<std::uint64_t>(index), 0, 9)));
  for (std::size_t channel = 0; channel < 3; ++channel) {
    for (std::size_t i = channel; i < pixels.size(); i += 3) record.push_back(static_cast<std::byte>(pixels[i]));
  }
  return {numbered(index, "bin"), std::move(record)};
}

std::vector<std::byte> part_of(const InputFile& file, std::int64_t offset, std::int64_t bytes) {
  std::vector<std::byte> content(static_cast<std::size_t>(bytes));
  file.read(offset, content);
  return content;
}

// Larger images are taken for an attack or an accident. Source: Pillow, Image.MAX_IMAGE_PIXELS.
constexpr std::int64_t kMostPixels = 89'478'485;

// An image that can be decoded. Throws std::runtime_error that says why it cannot.
std::vector<std::byte> read_jpeg(const fs::path& path) {
  const InputFile file(path);
  std::vector<std::byte> bytes = part_of(file, 0, file.size());
  JpegDecoder decoder;
  const Size size = decoder.size_of(bytes);
  if (std::int64_t{size.height} * size.width > kMostPixels) {
    throw std::runtime_error(std::to_string(size.width) + " x " + std::to_string(size.height) + " pixels, " +
                             std::to_string(kMostPixels) + " are the most");
  }
  std::vector<std::uint8_t> pixels;
  decoder.decode(bytes, pixels);
  return bytes;
}

SampleSource own_jpegs(std::vector<fs::path> files, const decltype(Making::left_out)& left_out) {
  return [files = std::move(files), left_out, at = std::size_t{0}, index = std::int64_t{0}]() mutable -> NamedBytes {
    while (at < files.size()) {
      const fs::path& file = files[at++];
      try {
        std::vector<std::byte> bytes = read_jpeg(file);
        return {numbered(index++, "jpg"), std::move(bytes)};
      } catch (const std::runtime_error& error) {
        left_out(file, error.what());
      }
    }
    return {};
  };
}

SampleSource own_cifar(std::vector<fs::path> files, const decltype(Making::left_out)& left_out) {
  std::erase_if(files, [&](const fs::path& file) {
    const auto bytes = static_cast<std::int64_t>(fs::file_size(file));
    if (bytes % kCifarBytes == 0) return false;
    left_out(file, std::to_string(bytes) + " bytes are no records of " + std::to_string(kCifarBytes));
    return true;
  });
  return [files = std::move(files), at = std::size_t{0}, offset = std::int64_t{0},
          index = std::int64_t{0}]() mutable -> NamedBytes {
    while (at < files.size() && offset == static_cast<std::int64_t>(fs::file_size(files[at]))) ++at, offset = 0;
    if (at == files.size()) return {};
    const std::int64_t begin = std::exchange(offset, offset + kCifarBytes);
    return {numbered(index++, "bin"), part_of(InputFile(files[at]), begin, kCifarBytes)};
  };
}

bool is_of(Format format, const fs::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  if (format == Format::jpeg) return extension == ".jpg" || extension == ".jpeg";
  return format == Format::cifar10 && extension == ".bin";
}

// Links to folders are not followed: they may lead in a circle.
void collect(const fs::path& folder, Format format, const decltype(Making::left_out)& left_out,
             std::vector<fs::path>& files) {
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::error_code of_entry;
    const fs::file_status status = entry->status(of_entry);
    if (status.type() == fs::file_type::none) {
      left_out(entry->path(), of_entry.message());
    } else if (fs::is_directory(status)) {
      if (!entry->is_symlink(of_entry)) collect(entry->path(), format, left_out, files);
    } else if (fs::is_regular_file(status) && is_of(format, entry->path())) {
      files.push_back(entry->path());
    }
  }
  if (error) left_out(folder, error.message());
}

}  // namespace

std::vector<fs::path> own_files(const DataSource& source, const decltype(Making::left_out)& left_out) {
  std::error_code error;
  if (!fs::is_directory(source.own, error)) throw std::runtime_error(source.own + ": there is no such folder");
  std::vector<fs::path> files;
  collect(source.own, source.format, left_out, files);
  std::ranges::sort(files);
  return files;
}

SampleSource samples_of(const DataSource& source, const decltype(Making::left_out)& left_out) {
  if (source.own.empty()) {
    switch (source.format) {
      case Format::jpeg:
        return made_ahead(std::bind_front(make_jpeg, source.seed));
      case Format::raw:
        return made_ahead(std::bind_front(make_raw, source.seed));
      case Format::cifar10:
        return made_ahead(std::bind_front(make_cifar, source.seed));
    }
  }
  std::vector<fs::path> files = own_files(source, left_out);
  if (files.empty()) {
    throw std::runtime_error(
        source.own + ": no " +
        (source.format == Format::jpeg ? "*.jpg or *.jpeg" : "*.bin of CIFAR-10's records of 3073 bytes"));
  }
  return source.format == Format::jpeg ? own_jpegs(std::move(files), left_out) : own_cifar(std::move(files), left_out);
}

}  // namespace cupel::bench::pipeline
