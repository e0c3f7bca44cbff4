// All samples of a call asked of the kernel at once: one system call, and as many reads under way as the device takes.
#include <liburing.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "bench/pipeline/reader.hpp"
#include "bench/pipeline/runs.hpp"

namespace cupel::bench::pipeline {
namespace {

class IoUringReader : public Reader {
 public:
  explicit IoUringReader(const DataSet& data) : data_(data), file_(data.packed(), data.bytes()) {
    const int result = io_uring_queue_init(kDepth, &ring_, 0);
    if (result < 0) throw Unsupported(std::string("this process may not use io_uring: ") + std::strerror(-result));
  }
  ~IoUringReader() override { io_uring_queue_exit(&ring_); }

  void read(std::span<const std::int64_t> indices, std::span<std::byte> out) override {
    while (!indices.empty()) {
      const auto wave = indices.first(std::min<std::size_t>(indices.size(), kDepth));
      read_wave(wave, take_front(out, bytes_of(data_, wave)));
      indices = indices.subspan(wave.size());
    }
  }

 private:
  static constexpr unsigned kDepth = 64;

  struct Request {
    std::int64_t offset;
    std::span<std::byte> out;
  };

  void read_wave(std::span<const std::int64_t> indices, std::span<std::byte> out) {
    requests_.clear();
    for (const std::int64_t index : indices) {
      const Sample& sample = data_.sample(index);
      requests_.push_back({sample.offset, take_front(out, sample.bytes)});
    }
    for (Request& request : requests_) {
      io_uring_sqe* const entry = io_uring_get_sqe(&ring_);
      io_uring_prep_read(entry, file_.fd(), request.out.data(), static_cast<unsigned>(request.out.size()),
                         static_cast<std::uint64_t>(request.offset));
      io_uring_sqe_set_data(entry, &request);
    }
    for (std::size_t submitted = 0; submitted < requests_.size();) {
      const int more = io_uring_submit(&ring_);
      if (more < 0) throw std::runtime_error(file_.path().string() + ": io_uring: " + std::strerror(-more));
      submitted += static_cast<std::size_t>(more);
    }
    // All are waited for, whatever becomes of one: they write to the caller's memory.
    const Request* short_of = nullptr;
    for (std::size_t done = 0; done < requests_.size(); ++done) {
      io_uring_cqe* completion = nullptr;
      int result = 0;
      do result = io_uring_wait_cqe(&ring_, &completion);
      while (result == -EINTR);
      if (result < 0) throw std::runtime_error(file_.path().string() + ": io_uring: " + std::strerror(-result));
      const auto* request = static_cast<const Request*>(io_uring_cqe_get_data(completion));
      if (completion->res != static_cast<int>(request->out.size())) short_of = request;
      io_uring_cqe_seen(&ring_, completion);
    }
    // A short read is completed, or fails with its reason, the plain way.
    if (short_of != nullptr) {
      for (const Request& request : requests_) file_.read(request.offset, request.out);
    }
  }

  const DataSet& data_;
  InputFile file_;
  io_uring ring_{};
  std::vector<Request> requests_;
};

}  // namespace

std::unique_ptr<Reader> open_io_uring_reader(const DataSet& data) { return std::make_unique<IoUringReader>(data); }

}  // namespace cupel::bench::pipeline
