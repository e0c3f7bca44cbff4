// Streams: each has a thread of the host that runs what was enqueued, one operation after another, whenever it comes to
// it. So a program that does not wait for what it should wait for reads what is not there yet.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace cupel::emulator {

using Operation = std::function<void()>;

/// Operations that a stream takes before the call that enqueues waits, as a device's does.
inline constexpr std::uint64_t kQueueDepth = 1000;

/// What was captured, in the order in which it was enqueued, which is one in which it may run.
struct Graph {
  std::vector<Operation> nodes;
};

/// A capture, of one stream and of those that came to wait for it.
struct Capture {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>();
  bool invalid = false;
  bool ended = false;
};

struct StreamState;

/// The n-th operation of a stream.
struct Ticket {
  std::shared_ptr<StreamState> stream;
  std::uint64_t number = 0;

  bool reached() const;
  void wait() const;
};

class Stream {
 public:
  enum class Order { legacy, blocking, non_blocking };

  static std::shared_ptr<Stream> make(Order order);
  /// The stream that is meant where none is named.
  static std::shared_ptr<Stream> legacy();

  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  /// Waits while the stream holds kQueueDepth operations. On a device that is lost nothing runs any more.
  Ticket enqueue(Operation operation);
  Ticket last() const;

  std::shared_ptr<Capture> capture;  ///< set while the stream is captured

 private:
  explicit Stream(Order order);
  std::shared_ptr<StreamState> state_;
};

/// Waits for all that is in any stream.
void wait_for_all();

/// After a fault every operation is passed over, and every call says so.
void lose_device();
bool device_lost();

/// Runs operations late, each by as many microseconds as CUPEL_EMULATOR_DELAY_US says, so that what does not wait for
/// them is found out.
void delay();

}  // namespace cupel::emulator
