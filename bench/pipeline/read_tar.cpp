// Samples in a tar archive, as WebDataset has them: read in large pieces, found header by header.
#include <cstring>

#include "bench/pipeline/containers.hpp"
#include "bench/pipeline/reader.hpp"
#include "bench/pipeline/runs.hpp"

namespace cupel::bench::pipeline {
namespace {

class TarReader : public Reader {
 public:
  explicit TarReader(const DataSet& data) : data_(data), file_(data.tar()) {
    std::int64_t offset = 0;
    for (const Sample& sample : data.samples()) {
      offsets_.push_back(offset);
      offset += tar_bytes(sample.bytes);
    }
    offsets_.push_back(offset);
  }

  void read(std::span<const std::int64_t> indices, std::span<std::byte> out) override {
    for_each_run(indices, kMost, [&](std::span<const std::int64_t> run) { read_run(run, out); });
  }

 private:
  static constexpr std::size_t kMost = 64;  // members in a piece

  void read_run(std::span<const std::int64_t> run, std::span<std::byte>& out) {
    const std::int64_t begin = offset_of(run.front());
    piece_.resize(static_cast<std::size_t>(offset_of(run.back() + 1) - begin));
    file_.read(begin, piece_);
    std::span<std::byte> rest = piece_;
    for (const std::int64_t index : run) {
      const Sample& sample = data_.sample(index);
      const std::span<std::byte> member = take_front(rest, tar_bytes(sample.bytes));
      require_header(member, index);
      std::memcpy(take_front(out, sample.bytes).data(), member.data() + kTarBlock,
                  static_cast<std::size_t>(sample.bytes));
    }
  }

  void require_header(std::span<const std::byte> member, std::int64_t index) const {
    const std::string where = file_.path().string() + ": at byte " + std::to_string(offset_of(index)) + ": ";
    std::int64_t bytes = 0;
    try {
      bytes = tar_member_bytes(member, data_.sample(index).name);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(where + error.what());
    }
    if (bytes != data_.sample(index).bytes) {
      throw std::runtime_error(where + "a member of " + std::to_string(bytes) + " bytes, " +
                               std::to_string(data_.sample(index).bytes) + " were expected");
    }
  }

  std::int64_t offset_of(std::int64_t index) const { return offsets_[static_cast<std::size_t>(index)]; }

  const DataSet& data_;
  InputFile file_;
  std::vector<std::int64_t> offsets_;
  std::vector<std::byte> piece_;
};

}  // namespace

std::unique_ptr<Reader> open_tar_reader(const DataSet& data) { return std::make_unique<TarReader>(data); }

}  // namespace cupel::bench::pipeline
