#include "bench/pipeline/channel.hpp"

#include "bench/pipeline/shared_memory.hpp"

namespace cupel::bench::pipeline {
namespace {

class RingChannel : public Channel {
 public:
  RingChannel(std::size_t bytes, int depth)
      : bytes_(bytes), places_(depth + 1), memory_(Mapping::anonymous(bytes * static_cast<std::size_t>(depth + 1))) {}

  std::span<std::byte> begin(std::int64_t number) override { return place(number); }
  void send(std::int64_t, const std::function<void()>& announce) override { announce(); }
  std::span<const std::byte> take(std::int64_t number, double) override { return place(number); }

 private:
  std::span<std::byte> place(std::int64_t number) const {
    return memory_.bytes().subspan(static_cast<std::size_t>(number % places_) * bytes_, bytes_);
  }

  std::size_t bytes_;
  std::int64_t places_;
  Mapping memory_;
};

}  // namespace

const char* to_string(Handover by) {
  switch (by) {
    case Handover::ring:
      return "ring";
    case Handover::shared_memory:
      return "shared_memory";
    case Handover::descriptor:
      return "descriptor";
    case Handover::pipe:
      break;
  }
  return "pipe";
}

std::unique_ptr<Channel> make_channel(Handover by, std::size_t bytes, int depth) {
  switch (by) {
    case Handover::ring:
      return make_ring_channel(bytes, depth);
    case Handover::shared_memory:
      return make_named_channel(bytes, depth);
    case Handover::descriptor:
      return make_descriptor_channel(bytes, depth);
    case Handover::pipe:
      break;
  }
  return make_pipe_channel(bytes);
}

std::unique_ptr<Channel> make_ring_channel(std::size_t bytes, int depth) {
  return std::make_unique<RingChannel>(bytes, depth);
}

std::string new_shared_memory_name() {
  static int count = 0;
  sweep_shared_memory_in_the_end();
  return "/" + shared_memory_prefix() + std::to_string(count++);
}

}  // namespace cupel::bench::pipeline
