// Where the samples of a data set come from, one after another.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "bench/pipeline/data_set.hpp"

namespace cupel::bench::pipeline {

struct NamedBytes {
  std::string name;
  std::vector<std::byte> bytes;
};

/// Gives the next sample; one without a name when there is none left. What is made from a seed never ends.
using SampleSource = std::function<NamedBytes()>;

/// Throws std::runtime_error where the user's folder cannot be read or holds nothing of the format. An image of the
/// user's that a loader could not decode is passed over: left_out says which, and why.
SampleSource samples_of(const DataSource& source, const decltype(Making::left_out)& left_out);

/// The user's files of the format, in the order of their names: *.jpg and *.jpeg, or *.bin in CIFAR-10's form. Folders
/// that cannot be read, and links in a circle, are passed over: left_out says which, and why.
std::vector<std::filesystem::path> own_files(
    const DataSource& source, const decltype(Making::left_out)& left_out = [](const auto&, const auto&) {});

}  // namespace cupel::bench::pipeline
