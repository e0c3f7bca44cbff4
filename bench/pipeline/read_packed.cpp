// Samples one behind the other in one file: neighbours by one read, a read each, or from the mapped file.
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <limits>

#include "bench/pipeline/reader.hpp"
#include "bench/pipeline/runs.hpp"

namespace cupel::bench::pipeline {
namespace {

class PackedReader : public Reader {
 public:
  /// most: samples by one read.
  PackedReader(const DataSet& data, std::size_t most) : data_(data), most_(most), file_(data.packed(), data.bytes()) {}

  void read(std::span<const std::int64_t> indices, std::span<std::byte> out) override {
    for_each_run(indices, most_, [&](std::span<const std::int64_t> run) {
      file_.read(data_.sample(run.front()).offset, take_front(out, bytes_of(data_, run)));
    });
  }

 private:
  const DataSet& data_;
  std::size_t most_;
  InputFile file_;
};

class MmapReader : public Reader {
 public:
  explicit MmapReader(const DataSet& data) : data_(data), bytes_(static_cast<std::size_t>(data.bytes())) {
    const InputFile file(data.packed(), data.bytes());
    file.require_size(data.bytes());
    start_ = ::mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, file.fd(), 0);
    if (start_ == MAP_FAILED) throw std::runtime_error(file.path().string() + ": mmap: " + std::strerror(errno));
  }
  ~MmapReader() override { munmap(start_, bytes_); }

  void read(std::span<const std::int64_t> indices, std::span<std::byte> out) override {
    for (const std::int64_t index : indices) {
      const Sample& sample = data_.sample(index);
      std::memcpy(take_front(out, sample.bytes).data(), static_cast<const std::byte*>(start_) + sample.offset,
                  static_cast<std::size_t>(sample.bytes));
    }
  }

 private:
  const DataSet& data_;
  std::size_t bytes_;
  void* start_ = nullptr;
};

}  // namespace

std::unique_ptr<Reader> open_packed_reader(const DataSet& data) {
  return std::make_unique<PackedReader>(data, std::numeric_limits<std::size_t>::max());
}

std::unique_ptr<Reader> open_pread_reader(const DataSet& data) { return std::make_unique<PackedReader>(data, 1); }

std::unique_ptr<Reader> open_mmap_reader(const DataSet& data) { return std::make_unique<MmapReader>(data); }

}  // namespace cupel::bench::pipeline
