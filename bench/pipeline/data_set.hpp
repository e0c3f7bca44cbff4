// The data that a loader reads: made from a seed on first use, or the user's own, and kept on disk in each form that a
// reader takes, with a checksum a sample.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "cupel/harness/run.hpp"

namespace cupel::bench::pipeline {

enum class Format {
  jpeg,     ///< photographs of 500 x 375, quality 90
  raw,      ///< 224 x 224 x 3 bytes
  cifar10,  ///< CIFAR-10's binary form: a label and 3 x 32 x 32 bytes, planar
};

inline constexpr std::int64_t kRawSide = 224;
inline constexpr std::int64_t kCifarSide = 32;
inline constexpr std::int64_t kCifarBytes = 1 + 3 * kCifarSide * kCifarSide;

struct DataSource {
  Format format = Format::jpeg;
  std::uint64_t seed = 1;
  std::int64_t bytes = std::int64_t{16} << 20;  ///< about, and at least 16 samples
  std::string own = {};                         ///< folder of the user's data, whose first `bytes` are taken
  auto operator<=>(const DataSource&) const = default;
};

struct Sample {
  std::string name;
  std::int64_t offset = 0;  ///< in the packed file
  std::int64_t bytes = 0;
  std::uint64_t checksum = 0;
};

using harness::Interrupted;  // while the data were made: nothing of them is left

/// The calls by which making the data tells and asks meanwhile.
struct Making {
  std::function<bool()> asked_to_end = [] { return false; };
  std::function<void(double share)> progress = [](double) {};  ///< 0 to 1
  /// A file of the user's that cannot be taken, and why.
  std::function<void(const std::filesystem::path&, const std::string&)> left_out = [](const auto&, const auto&) {};
};

class DataSet {
 public:
  /// Opens what `parent` has of it, and makes it there first if it has not; two processes at once make it once. Throws
  /// std::runtime_error with file and reason (a full disk, no image in the user's folder) or Interrupted; nothing
  /// half-made is left.
  DataSet(const std::filesystem::path& parent, const DataSource& source, const Making& making = {});

  const std::vector<Sample>& samples() const { return samples_; }
  const Sample& sample(std::int64_t index) const { return samples_[static_cast<std::size_t>(index)]; }
  std::int64_t size() const { return static_cast<std::int64_t>(samples_.size()); }
  std::int64_t bytes() const { return samples_.back().offset + samples_.back().bytes; }
  Format format() const { return format_; }
  const std::filesystem::path& folder() const { return folder_; }

  /// All samples, one behind the other. The only form that data other than JPEG have.
  std::filesystem::path packed() const { return folder_ / "packed.bin"; }
  std::filesystem::path file(std::int64_t index) const { return folder_ / "files" / sample(index).name; }
  std::filesystem::path tar() const { return folder_ / "samples.tar"; }
  /// The list of the user's files that could not be taken, a line each, with the reason. Empty where all were.
  std::filesystem::path left_out() const { return folder_ / "left_out"; }
  /// A file, without a folder of its own; keys are indices of 8 bytes.
  std::filesystem::path lmdb() const { return folder_ / "samples.mdb"; }

 private:
  Format format_;
  std::filesystem::path folder_;
  std::vector<Sample> samples_;
};

/// Throws std::runtime_error if the bytes are not those that the sample was made of.
void require_intact(const Sample& sample, std::span<const std::byte> bytes);

}  // namespace cupel::bench::pipeline
