// The bytes of a batch through a pipe: copied into the kernel and out of it. The worker is held until the consumer
// takes the batch, as a pipe has less room than one.
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "bench/pipeline/channel.hpp"
#include "bench/pipeline/file.hpp"

namespace cupel::bench::pipeline {
namespace {

class PipeChannel : public Channel {
 public:
  explicit PipeChannel(std::size_t bytes) : bytes_(bytes) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
    out_ = Descriptor(ends[0]);
    in_ = Descriptor(ends[1]);
  }

  void be_worker() override {
    out_.close();
    std::signal(SIGPIPE, SIG_IGN);  // a consumer that is gone is an error to tell
    buffer_.resize(bytes_);
  }
  void be_consumer() override {
    in_.close();
    buffer_.resize(bytes_);
  }

  std::span<std::byte> begin(std::int64_t) override { return buffer_; }

  void send(std::int64_t, const std::function<void()>& announce) override {
    announce();
    for (std::size_t done = 0; done < buffer_.size();) {
      const ssize_t put = write(in_.get(), buffer_.data() + done, buffer_.size() - done);
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) throw std::runtime_error(std::string("the pipe to the consumer: ") + std::strerror(errno));
      done += static_cast<std::size_t>(put);
    }
  }

  std::span<const std::byte> take(std::int64_t, double limit_s) override {
    for (std::size_t done = 0; done < buffer_.size();) {
      pollfd ready = {out_.get(), POLLIN, 0};
      const int polled = poll(&ready, 1, static_cast<int>(limit_s * 1000));
      if (polled < 0 && errno == EINTR) continue;
      const ssize_t got = polled <= 0 ? 0 : ::read(out_.get(), buffer_.data() + done, buffer_.size() - done);
      if (got <= 0) {
        throw std::runtime_error("the pipe ended at byte " + std::to_string(done) + " of a batch, " +
                                 std::to_string(buffer_.size()) + " were expected");
      }
      done += static_cast<std::size_t>(got);
    }
    return buffer_;
  }

 private:
  std::size_t bytes_;
  Descriptor out_, in_;
  std::vector<std::byte> buffer_;
};

}  // namespace

std::unique_ptr<Channel> make_pipe_channel(std::size_t bytes) { return std::make_unique<PipeChannel>(bytes); }

}  // namespace cupel::bench::pipeline
