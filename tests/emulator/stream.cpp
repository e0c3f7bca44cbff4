#include "tests/emulator/stream.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

namespace cupel::emulator {
namespace {

std::atomic<bool> g_lost = false;

}  // namespace

struct StreamState {
  struct Item {
    Operation run;
    std::vector<Ticket> after;  // what other streams must have done before
  };

  explicit StreamState(Stream::Order o) : order(o) {}

  void wait(std::uint64_t number) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return done >= number; });
  }

  Stream::Order order;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Item> items;
  std::uint64_t enqueued = 0, done = 0;
  bool closed = false;
};

namespace {

// All streams that still have a worker. Never destroyed: workers outlive main().
struct All {
  std::mutex mutex;
  std::set<std::shared_ptr<StreamState>> states;

  static All& get() {
    static All& all = *new All;
    return all;
  }
};

void work(const std::shared_ptr<StreamState>& state) {
  std::unique_lock lock(state->mutex);
  for (;;) {
    state->changed.wait(lock, [&] { return state->closed || !state->items.empty(); });
    if (state->items.empty()) break;
    StreamState::Item item = std::move(state->items.front());
    state->items.pop_front();
    lock.unlock();
    for (const Ticket& ticket : item.after) ticket.wait();
    delay();
    if (!device_lost()) item.run();
    item = {};  // what it holds goes before anybody hears that it is done
    lock.lock();
    ++state->done;
    state->changed.notify_all();
  }
  lock.unlock();
  const std::lock_guard all_lock(All::get().mutex);
  All::get().states.erase(state);
}

}  // namespace

bool Ticket::reached() const {
  const std::lock_guard lock(stream->mutex);
  return stream->done >= number;
}

void Ticket::wait() const { stream->wait(number); }

Stream::Stream(Order order) : state_(std::make_shared<StreamState>(order)) {
  {
    const std::lock_guard lock(All::get().mutex);
    All::get().states.insert(state_);
  }
  std::thread(work, state_).detach();
}

Stream::~Stream() {
  const std::lock_guard lock(state_->mutex);
  state_->closed = true;
  state_->changed.notify_all();
}

std::shared_ptr<Stream> Stream::make(Order order) { return std::shared_ptr<Stream>(new Stream(order)); }

std::shared_ptr<Stream> Stream::legacy() {
  static auto& legacy = *new std::shared_ptr<Stream>(make(Order::legacy));
  return legacy;
}

Ticket Stream::enqueue(Operation operation) {
  // The legacy stream comes after all that blocking streams hold, and they after all that it holds.
  StreamState::Item item{std::move(operation), {}};
  if (state_->order == Order::legacy) {
    const std::lock_guard lock(All::get().mutex);
    for (const auto& other : All::get().states) {
      if (other->order != Order::blocking) continue;
      const std::lock_guard other_lock(other->mutex);
      item.after.push_back({other, other->enqueued});
    }
  } else if (state_->order == Order::blocking) {
    item.after.push_back(legacy()->last());
  }
  std::unique_lock lock(state_->mutex);
  state_->changed.wait(lock, [&] { return state_->enqueued - state_->done < kQueueDepth; });
  state_->items.push_back(std::move(item));
  ++state_->enqueued;
  state_->changed.notify_all();
  return {state_, state_->enqueued};
}

Ticket Stream::last() const {
  const std::lock_guard lock(state_->mutex);
  return {state_, state_->enqueued};
}

void wait_for_all() {
  std::vector<Ticket> tickets;
  {
    const std::lock_guard lock(All::get().mutex);
    for (const auto& state : All::get().states) {
      const std::lock_guard state_lock(state->mutex);
      tickets.push_back({state, state->enqueued});
    }
  }
  for (const Ticket& ticket : tickets) ticket.wait();
}
void lose_device() { g_lost = true; }
bool device_lost() { return g_lost; }

void delay() {
  static const long delay_us = [] {
    const char* text = std::getenv("CUPEL_EMULATOR_DELAY_US");
    return text == nullptr ? 0 : std::atol(text);
  }();
  if (delay_us > 0) std::this_thread::sleep_for(std::chrono::microseconds(delay_us));
}

}  // namespace cupel::emulator
