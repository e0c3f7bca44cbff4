// Shared memory for each batch, by name: the worker makes it, the consumer opens it and takes the name away.
#include "bench/pipeline/channel.hpp"
#include "bench/pipeline/shared_memory.hpp"

namespace cupel::bench::pipeline {
namespace {

class NamedChannel : public Channel {
 public:
  NamedChannel(std::size_t bytes, int depth) : bytes_(bytes), names_(depth + 1), base_(new_shared_memory_name()) {}
  ~NamedChannel() override {
    if (!is_worker_) {
      for (std::int64_t i = 0; i < names_; ++i) unlink_shared_memory(name(i));
    }
  }

  void be_worker() override { is_worker_ = true; }

  std::span<std::byte> begin(std::int64_t number) override {
    mine_ = Mapping::of(make_shared_memory(name(number), bytes_), bytes_, name(number));
    return mine_.bytes();
  }
  void send(std::int64_t, const std::function<void()>& announce) override {
    mine_ = Mapping();
    announce();
  }
  std::span<const std::byte> take(std::int64_t number, double) override {
    const Descriptor fd = open_shared_memory(name(number));
    unlink_shared_memory(name(number));
    held_ = Mapping::of(fd, bytes_, name(number));
    return held_.bytes();
  }

 private:
  // A name is free again once the consumer has taken it away.
  std::string name(std::int64_t number) const { return base_ + "." + std::to_string(number % names_); }

  std::size_t bytes_;
  std::int64_t names_;
  std::string base_;
  bool is_worker_ = false;
  Mapping mine_, held_;
};

}  // namespace

std::unique_ptr<Channel> make_named_channel(std::size_t bytes, int depth) {
  return std::make_unique<NamedChannel>(bytes, depth);
}

}  // namespace cupel::bench::pipeline
