// Shared memory for each batch, whose descriptor goes over a socket: the name is gone before anyone else could need it.
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "bench/pipeline/channel.hpp"
#include "bench/pipeline/shared_memory.hpp"

namespace cupel::bench::pipeline {
namespace {

// A message of one byte with a descriptor. Source: unix(7), SCM_RIGHTS.
struct Message {
  explicit Message(int fd = -1) {
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
    cmsghdr* const entry = CMSG_FIRSTHDR(&header);
    entry->cmsg_level = SOL_SOCKET;
    entry->cmsg_type = SCM_RIGHTS;
    entry->cmsg_len = CMSG_LEN(sizeof fd);
    std::memcpy(CMSG_DATA(entry), &fd, sizeof fd);
  }
  int descriptor() {
    const cmsghdr* const entry = CMSG_FIRSTHDR(&header);
    int fd = -1;
    if (entry != nullptr && entry->cmsg_type == SCM_RIGHTS) std::memcpy(&fd, CMSG_DATA(entry), sizeof fd);
    return fd;
  }

  char byte = 0;
  iovec part = {&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr header = {};
};

class DescriptorChannel : public Channel {
 public:
  DescriptorChannel(std::size_t bytes) : bytes_(bytes), name_(new_shared_memory_name()) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
      throw std::runtime_error(std::string("socketpair: ") + std::strerror(errno));
    }
    consumer_ = Descriptor(ends[0]);
    worker_ = Descriptor(ends[1]);
  }
  ~DescriptorChannel() override { unlink_shared_memory(name_); }  // of a worker that died between making and unlinking

  void be_worker() override { consumer_.close(); }
  void be_consumer() override { worker_.close(); }

  std::span<std::byte> begin(std::int64_t) override {
    fd_ = make_shared_memory(name_, bytes_);
    unlink_shared_memory(name_);
    mine_ = Mapping::of(fd_, bytes_, name_);
    return mine_.bytes();
  }

  void send(std::int64_t, const std::function<void()>& announce) override {
    mine_ = Mapping();
    Message message(fd_.get());
    if (sendmsg(worker_.get(), &message.header, MSG_NOSIGNAL) < 0) {
      throw std::runtime_error(std::string("sendmsg: ") + std::strerror(errno));
    }
    fd_.close();
    announce();
  }

  std::span<const std::byte> take(std::int64_t, double limit_s) override {
    pollfd ready = {consumer_.get(), POLLIN, 0};
    if (poll(&ready, 1, static_cast<int>(limit_s * 1000)) <= 0) throw std::runtime_error("no descriptor came");
    Message message;
    if (recvmsg(consumer_.get(), &message.header, MSG_CMSG_CLOEXEC) <= 0) {
      throw std::runtime_error("the socket was closed, a descriptor was expected");
    }
    held_ = Mapping::of(Descriptor(message.descriptor()), bytes_, "a descriptor");
    return held_.bytes();
  }

 private:
  std::size_t bytes_;
  std::string name_;
  Descriptor consumer_, worker_, fd_;
  Mapping mine_, held_;
};

}  // namespace

std::unique_ptr<Channel> make_descriptor_channel(std::size_t bytes, int) {
  return std::make_unique<DescriptorChannel>(bytes);
}

}  // namespace cupel::bench::pipeline
