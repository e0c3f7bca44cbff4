// How a worker's batches come to the consumer. One channel a worker; batches are numbered from 0, and the consumer
// holds one while up to `depth` more are under way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace cupel::bench::pipeline {

enum class Handover {
  ring,           ///< places in shared memory that stay: nothing is made or copied for a batch
  shared_memory,  ///< shared memory of its own for each batch, found by its name (PyTorch's file_system)
  descriptor,     ///< the same, sent as a descriptor over a socket (PyTorch's file_descriptor, its default)
  pipe,           ///< the bytes through a pipe
};

const char* to_string(Handover by);

class Channel {
 public:
  virtual ~Channel() = default;

  // In the worker.

  /// After the fork: closes what only the consumer uses.
  virtual void be_worker() {}
  /// Room for batch `number`, as large as a whole batch.
  virtual std::span<std::byte> begin(std::int64_t number) = 0;
  /// Hands it over; calls `announce` once the consumer may take it.
  virtual void send(std::int64_t number, const std::function<void()>& announce) = 0;

  // In the consumer.

  /// After the fork: closes what only the worker uses.
  virtual void be_consumer() {}
  /// Batch `number`, announced before. Valid until the next one is taken. Throws std::runtime_error where the worker is
  /// gone or gives nothing more for `limit_s`.
  virtual std::span<const std::byte> take(std::int64_t number, double limit_s) = 0;
};

/// Made before the fork; batches of up to `bytes`. `ring` alone also serves a thread.
std::unique_ptr<Channel> make_channel(Handover by, std::size_t bytes, int depth);

// Each in a file of its own.
std::unique_ptr<Channel> make_ring_channel(std::size_t bytes, int depth);
std::unique_ptr<Channel> make_named_channel(std::size_t bytes, int depth);
std::unique_ptr<Channel> make_descriptor_channel(std::size_t bytes, int depth);
std::unique_ptr<Channel> make_pipe_channel(std::size_t bytes);

/// A name for shared memory that no other has: shared_memory_prefix() and a count.
std::string new_shared_memory_name();

}  // namespace cupel::bench::pipeline
