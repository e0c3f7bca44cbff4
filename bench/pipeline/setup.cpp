#include "bench/pipeline/setup.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>

#include "bench/pipeline/checksum.hpp"
#include "bench/pipeline/source_samples.hpp"
#include "cupel/harness/clock.hpp"
#include "cupel/harness/data_folder.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/record/child.hpp"

namespace cupel::bench::pipeline {
namespace {

// More would take a second and more in line, ahead of many workers.
constexpr std::int64_t kMostExpected = 64;

// A line every two seconds; none for what is made sooner.
std::function<void(double share)> says_how_far(const char* what) {
  return [what, said = harness::Clock::now()](double share) mutable {
    constexpr double kPause_s = 2;
    if (harness::seconds_since(said) < kPause_s) return;
    said = harness::Clock::now();
    std::fprintf(stderr, "%smaking %s: %.0f %%\n", record::kMeanwhile, what, 100 * share);
  };
}

const char* what_of(const Format& format) {
  switch (format) {
    case Format::jpeg:
      return "the photographs";
    case Format::raw:
      return "the raw images";
    case Format::cifar10:
      break;
  }
  return "the records of CIFAR-10";
}

Making talkative(const Format& format) {
  return {.asked_to_end = harness::asked_to_end,
          .progress = says_how_far(what_of(format)),
          .left_out = [count = 0](const auto& file, const std::string& why) mutable {
            constexpr int kNamed = 10;
            if (++count > kNamed + 1) return;
            if (count > kNamed) {
              std::fprintf(stderr, "%smore images are left out\n", record::kMeanwhile);
            } else {
              std::fprintf(stderr, "%s%s is left out: %s\n", record::kMeanwhile, file.c_str(), why.c_str());
            }
          }};
}

// The user's data, if there are any: rows of a format that their folder lacks say so. Raw images are made.
DataSource source_of(const Format& format, const std::string& own, const std::int64_t& bytes) {
  return {.format = format, .bytes = bytes, .own = format == Format::raw ? "" : own};
}

// The data, or why there are none: looking through a large folder again for each row would be in vain.
struct Opened {
  std::optional<DataSet> data;
  std::string why_not;
  double left_out = 0;
};

std::int64_t lines_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  return std::count(std::istreambuf_iterator<char>(in), {}, '\n');
}

Opened open_data(const Format& format, const std::string& own, const std::int64_t& bytes) {
  try {
    harness::use_data_folder();
    DataSet data(harness::data_folder() / "pipeline", source_of(format, own, bytes), talkative(format));
    const auto left_out = static_cast<double>(lines_of(data.left_out()));
    return {std::move(data), "", left_out};
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error& error) {
    return {std::nullopt, error.what()};
  }
}

std::vector<Decoded> decode_data(const Format& format, const std::int64_t& among) {
  return decode_all(data_of(format), among);
}

std::vector<std::uint64_t> sums_in_line(const Setup& setup) {
  Loader loader(recipe_of(setup), options_of(setup));
  const auto bytes = static_cast<std::size_t>(sample_bytes(recipe_of(setup)));
  std::vector<std::uint64_t> sums;
  const auto say = says_how_far("samples to compare with");
  for (loader.start_epoch(0); loader.has_next();) {
    const Batch batch = loader.next();
    for (std::size_t i = 0; i < batch.indices.size(); ++i)
      sums.push_back(checksum(batch.bytes.subspan(i * bytes, bytes)));
    say(static_cast<double>(sums.size()) / static_cast<double>(setup.samples));
    if (harness::asked_to_end()) throw harness::Interrupted("interrupted while samples to compare with were made");
  }
  return sums;
}

constexpr std::int64_t kSamplesAlone = 16;

StageTimes making_alone(const Setup& setup) { return measure_making(recipe_of(setup), kSamplesAlone); }

StageTime augmenting_beside_others(const Setup& setup) {
  return measure_augmenting_side_by_side(recipe_of(setup), options_of(setup));
}

StageTime handing_over_alone(const Setup& setup) {
  return measure_hand_over(recipe_of(setup), options_of(setup), kSamplesAlone);
}

// The consumer's own copy of a batch.
double staging_s(const std::int64_t& bytes) {
  constexpr int kCopies = 5;
  const std::vector<std::byte> batch(static_cast<std::size_t>(bytes), std::byte{1});
  std::vector<std::byte> own;
  double least_s = INFINITY;
  for (int i = 0; i < kCopies; ++i) {
    const auto start = harness::Clock::now();
    own.assign(batch.begin(), batch.end());
    least_s = std::min(least_s, harness::seconds_since(start));
  }
  return least_s;
}

}  // namespace

const DataSet& data_of(Format format) {
  const Opened& opened = harness::memoized<open_data>(format, harness::options().data, harness::options().data_bytes);
  if (!opened.data) harness::skip(opened.why_not);
  if (opened.left_out > 0) harness::set_counter("left_out", {.value = opened.left_out, .unit = "count"});
  return *opened.data;
}

Recipe recipe_of(const Setup& setup) {
  Recipe recipe;
  recipe.data = &data_of(setup.format);
  recipe.read = setup.read;
  recipe.samples = setup.samples;
  recipe.among = setup.among;
  recipe.batch = setup.batch;
  recipe.intra_threads = setup.intra_threads;
  if (setup.kept_decoded) recipe.kept = &harness::memoized<decode_data>(setup.format, setup.among);
  recipe.throttle.read_sleep_s = setup.read_sleep_s;
  recipe.throttle.jitter = setup.jitter;
  return recipe;
}

LoaderOptions options_of(const Setup& setup) {
  return {.kind = setup.kind, .workers = setup.workers, .depth = setup.depth, .handover = setup.handover};
}

const std::vector<std::uint64_t>& expected_sums(const Setup& setup) {
  // Nothing else may change what a sample becomes. One by one, as each may be large. In line the first batch is
  // compared.
  const std::int64_t samples = setup.workers == 0 ? std::min(setup.batch, kMostExpected) : kMostExpected;
  const Setup plain = {
      .format = setup.format, .read = setup.read, .samples = samples, .among = setup.among, .batch = 1};
  return harness::memoized<sums_in_line>(plain);
}

StageTimes alone(const Setup& setup) {
  const Setup making = {.format = setup.format,
                        .read = setup.read,
                        .kept_decoded = setup.kept_decoded,
                        .among = setup.among,
                        .read_sleep_s = setup.read_sleep_s};
  const Setup handing_over = {.format = setup.format,
                              .batch = setup.batch,
                              .kind = setup.kind,
                              .workers = std::min(setup.workers, 1),
                              .handover = setup.handover};
  StageTimes times = harness::memoized<making_alone>(making);
  if (setup.intra_threads > 1) {
    const Setup beside = {.format = setup.format,
                          .read = setup.read,
                          .kept_decoded = setup.kept_decoded,
                          .samples = setup.samples,
                          .among = setup.among,
                          .batch = setup.batch,
                          .intra_threads = setup.intra_threads,
                          .kind = setup.kind,
                          .workers = setup.workers};
    times[static_cast<std::size_t>(Stage::augment)] = harness::memoized<augmenting_beside_others>(beside);
  }
  times[static_cast<std::size_t>(Stage::hand_over)] = harness::memoized<handing_over_alone>(handing_over);
  double consume_s = setup.consume_s;
  if (setup.staged) consume_s += harness::memoized<staging_s>(setup.batch * sample_bytes(recipe_of(setup)));
  times[static_cast<std::size_t>(Stage::consume)].wall_s = consume_s / static_cast<double>(setup.batch);
  return times;
}

}  // namespace cupel::bench::pipeline
