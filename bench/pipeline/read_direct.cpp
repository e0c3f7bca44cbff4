// One read a sample past the page cache (O_DIRECT): from storage each time, in whole blocks to memory that is aligned.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "bench/pipeline/reader.hpp"
#include "bench/pipeline/runs.hpp"

namespace cupel::bench::pipeline {
namespace {

// The largest alignment that devices and file systems ask for. Source: open(2), O_DIRECT.
constexpr std::int64_t kBlock = 4096;

struct Freed {
  void operator()(std::byte* memory) const { std::free(memory); }
};

class DirectReader : public Reader {
 public:
  explicit DirectReader(const DataSet& data) : data_(data), file_(data.packed(), data.bytes()) {
    if (fcntl(file_.fd(), F_SETFL, O_DIRECT) == 0) return;
    throw Unsupported(file_.path().string() + " cannot be read past the page cache: " + std::strerror(errno));
  }

  void read(std::span<const std::int64_t> indices, std::span<std::byte> out) override {
    for (const std::int64_t index : indices) read_one(data_.sample(index), take_front(out, data_.sample(index).bytes));
  }

 private:
  void read_one(const Sample& sample, std::span<std::byte> out) {
    const std::int64_t end = sample.offset + sample.bytes;
    file_.require_size(end);
    const std::int64_t first = sample.offset / kBlock * kBlock;
    const auto blocks = static_cast<std::size_t>((end - first + kBlock - 1) / kBlock * kBlock);
    make_room(blocks);
    ssize_t got = 0;
    do got = pread(file_.fd(), room_.get(), blocks, first);
    while (got < 0 && errno == EINTR);
    if (got < end - first) {
      throw std::runtime_error(file_.path().string() + ": at byte " + std::to_string(first) + ": " +
                               (got < 0 ? std::strerror(errno) : "read less than was asked for"));
    }
    std::memcpy(out.data(), room_.get() + (sample.offset - first), out.size());
  }

  void make_room(std::size_t bytes) {
    if (bytes <= bytes_) return;
    room_.reset(static_cast<std::byte*>(std::aligned_alloc(kBlock, bytes)));
    if (room_ == nullptr) throw std::bad_alloc();
    bytes_ = bytes;
  }

  const DataSet& data_;
  InputFile file_;
  std::unique_ptr<std::byte, Freed> room_;
  std::size_t bytes_ = 0;
};

}  // namespace

std::unique_ptr<Reader> open_direct_reader(const DataSet& data) { return std::make_unique<DirectReader>(data); }

}  // namespace cupel::bench::pipeline
