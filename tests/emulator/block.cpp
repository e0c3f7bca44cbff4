#include "tests/emulator/block.hpp"

#include <sched.h>
#include <setjmp.h>
#include <signal.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "tests/emulator/fiber.hpp"
#include "tests/emulator/memory.hpp"

namespace cupel::emulator {

constinit thread_local uint3 thread_index{};
constinit thread_local uint3 block_index{};
constinit thread_local dim3 block_size{};
constinit thread_local dim3 grid_size{};

namespace {

constexpr int kWarp = 32;
constexpr int kMostWarps = 32;
constexpr unsigned kMostThreads = kWarp * kMostWarps;

// Runs blocks for one thread of the CPU.
class Blocks {
 public:
  struct Copy {
    void* to;
    const void* from;
    std::size_t bytes;
  };

  static Blocks& of_this_thread() {
    static thread_local Blocks blocks;
    return blocks;
  }

  void run(const Grid& grid) {
    grid_ = &grid;
    block_size = grid.threads;
    grid_size = grid.blocks;
    is_flat_ = grid.threads.y == 1 && grid.threads.z == 1;
    threads_ = static_cast<int>(grid.threads.x * grid.threads.y * grid.threads.z);
    // Of this size and no other: AddressSanitizer sees what lies behind it.
    shared_ = grid.shared_bytes > 0 ? std::make_unique<char[]>(grid.shared_bytes) : nullptr;
    std::uint64_t number = 0;
    for (unsigned z = 0; z < grid.blocks.z; ++z) {
      for (unsigned y = 0; y < grid.blocks.y; ++y) {
        for (unsigned x = 0; x < grid.blocks.x; ++x) run_block({x, y, z}, number++ % 2 == 1);
      }
    }
    grid_ = nullptr;
  }

  // After a fault: what the stacks hold is given up with them.
  void give_up() {
    stacks_.clear();
    idle_.clear();
    ready_.clear();
    for (auto& copies : copies_) copies.clear();
    grid_ = nullptr;
  }

  const Grid* grid() const { return grid_; }
  Fiber& home() { return home_; }

  int barrier_count(bool said) {
    said_ += said ? 1 : 0;
    ++at_barrier_;
    const std::uint64_t generation = barriers_;
    if (at_barrier_ == threads_ - left_) {
      open_barrier();
    } else {
      waiting_.push_back(current_);
      while (barriers_ == generation) leave("__syncthreads");
    }
    return counted_;
  }

  std::uint64_t from_lane(std::uint64_t value, int lane) {
    Warp& warp = warps_[static_cast<std::size_t>(current_->thread / kWarp)];
    const std::uint64_t generation = warp.exchanges;
    auto& values = warp.values[generation % 2];
    values[static_cast<std::size_t>(current_->thread % kWarp)] = value;
    if (warp.left > 0) fail("exchanges values in a warp of which threads have left");
    if (++warp.here == lanes(current_->thread)) {
      warp.here = 0;
      ++warp.exchanges;
      let_go(warp.waiting);
    } else {
      warp.waiting.push_back(current_);
      while (warp.exchanges == generation) leave("its warp");
    }
    return values[static_cast<std::size_t>(lane)];
  }

  void* shared_memory() const { return shared_.get(); }

  void copy_later(const Copy& copy) { copies_[static_cast<std::size_t>(current_->thread)].push_back(copy); }
  void do_copies() {
    auto& copies = copies_[static_cast<std::size_t>(current_->thread)];
    for (const Copy& copy : copies) std::memcpy(copy.to, copy.from, copy.bytes);
    copies.clear();
  }

  int lanes(int thread) const { return std::min(kWarp, threads_ - thread / kWarp * kWarp); }
  int current_thread() const { return current_->thread; }

  void let_others_run() {
    if (ready_.empty() && next_ == threads_) {
      sched_yield();
      return;
    }
    Stack* self = current_;
    ready_.push(self);
    // Also those that have not begun: the clock may be watched until all have.
    Stack* next = next_ < threads_ ? idle_stack() : ready_.take();
    if (next != self) switch_to(self, next);
  }

 private:
  struct Stack {
    std::unique_ptr<Fiber> fiber;
    int thread = 0;
    uint3 index{};  // of the thread
  };
  // First in, first out. A block has no more stacks than threads, and none stands here twice.
  class Queue {
   public:
    bool empty() const { return begin_ == end_; }
    void push(Stack* stack) { stacks_[end_++ % kMostThreads] = stack; }
    Stack* take() { return stacks_[begin_++ % kMostThreads]; }
    void clear() { begin_ = end_; }

   private:
    std::array<Stack*, kMostThreads> stacks_{};
    unsigned begin_ = 0, end_ = 0;
  };
  struct Warp {
    int here = 0, left = 0;
    std::uint64_t exchanges = 0;
    std::array<std::array<std::uint64_t, kWarp>, 2> values{};  // of this exchange and the one before, still being read
    std::vector<Stack*> waiting;
  };

  void run_block(uint3 index, bool backwards) {
    block_index = index;
    backwards_ = backwards;
    next_ = left_ = at_barrier_ = said_ = 0;
    if (shared_) std::memset(shared_.get(), 0xFF, grid_->shared_bytes);
    for (int w = 0; w * kWarp < threads_; ++w) {
      warps_[static_cast<std::size_t>(w)].here = warps_[static_cast<std::size_t>(w)].left = 0;
    }
    Stack* first = idle_stack();
    switch_to(nullptr, first);
  }

  Stack* idle_stack() {
    if (idle_.empty()) {
      stacks_.push_back(std::make_unique<Stack>());
      Stack* stack = stacks_.back().get();
      stack->fiber = std::make_unique<Fiber>([this, stack] { live_on(stack); });
      return stack;
    }
    Stack* stack = idle_.back();
    idle_.pop_back();
    return stack;
  }

  void switch_to(Stack* from, Stack* to) {
    current_ = to;
    if (to != nullptr) thread_index = to->index;
    Fiber::switch_between(from != nullptr ? *from->fiber : home_, to != nullptr ? *to->fiber : home_);
  }

  uint3 index_of(int thread) const {
    const auto t = static_cast<unsigned>(thread);
    if (is_flat_) return {t, 0, 0};
    return {t % block_size.x, t / block_size.x % block_size.y, t / block_size.x / block_size.y};
  }

  // A stack's life: threads that have not begun, one after another; then whoever can go on.
  [[noreturn]] void live_on(Stack* self) {
    for (;;) {
      while (next_ < threads_) {
        self->thread = backwards_ ? threads_ - 1 - next_ : next_;
        ++next_;
        thread_index = self->index = index_of(self->thread);
        grid_->body();
        leave_block(self->thread);
      }
      idle_.push_back(self);
      if (left_ == threads_) {
        switch_to(self, nullptr);
      } else if (!ready_.empty()) {
        switch_to(self, ready_.take());
      } else {
        fail("hangs: threads wait for others that never come");
      }
    }
  }

  void leave_block(int thread) {
    ++left_;
    copies_[static_cast<std::size_t>(thread)].clear();
    Warp& warp = warps_[static_cast<std::size_t>(thread / kWarp)];
    ++warp.left;
    if (warp.here > 0) fail("exchanges values in a warp of which threads have left");
    if (at_barrier_ > 0 && at_barrier_ == threads_ - left_) open_barrier();
  }

  void open_barrier() {
    counted_ = said_;
    said_ = at_barrier_ = 0;
    ++barriers_;
    let_go(waiting_);
  }

  void let_go(std::vector<Stack*>& waiting) {
    for (Stack* stack : waiting) ready_.push(stack);
    waiting.clear();
  }

  // The running thread waits: others go on, or begin. In this order a warp's stacks stay in the CPU's cache while it
  // exchanges values.
  void leave(const char* waits_for) {
    Stack* self = current_;
    if (!ready_.empty()) {
      switch_to(self, ready_.take());
    } else if (next_ < threads_) {
      switch_to(self, idle_stack());
    } else {
      fail((std::string("hangs: all its threads wait, the last one for ") + waits_for).c_str());
    }
  }

  [[noreturn]] void fail(const char* what) const {
    std::fprintf(stderr, "emulated device: %s %s (block %u,%u,%u, thread %d)\n", grid_->kernel, what, block_index.x,
                 block_index.y, block_index.z, current_->thread);
    std::abort();
  }

  Fiber home_;
  std::vector<std::unique_ptr<Stack>> stacks_;
  std::vector<Stack*> idle_;
  Queue ready_;
  std::vector<Stack*> waiting_;
  std::array<Warp, kMostWarps> warps_;
  std::array<std::vector<Copy>, kMostThreads> copies_;  // each thread's, not yet done
  std::unique_ptr<char[]> shared_;

  const Grid* grid_ = nullptr;
  Stack* current_ = nullptr;
  bool backwards_ = false, is_flat_ = true;
  int threads_ = 0;
  int next_ = 0;  // threads that have begun
  int left_ = 0;  // threads that have ended
  int at_barrier_ = 0, said_ = 0, counted_ = 0;
  std::uint64_t barriers_ = 0;
};

thread_local sigjmp_buf g_way_out;
thread_local bool g_in_grid = false;

// A kernel that touches what is not there is what a device answers with a sticky error.
void on_fault(int signal, siginfo_t* info, void*) {
  if (!g_in_grid) {
    ::signal(signal, SIG_DFL);
    return;  // and fault again
  }
  const Blocks& blocks = Blocks::of_this_thread();
  char text[512];
  const int length =
      std::snprintf(text, sizeof(text), "emulated device: %s touches %p: %s (block %u,%u,%u, thread %u,%u,%u)\n",
                    blocks.grid()->kernel, info->si_addr, describe_address(info->si_addr).c_str(), block_index.x,
                    block_index.y, block_index.z, thread_index.x, thread_index.y, thread_index.z);
  std::fwrite(text, 1, static_cast<std::size_t>(length), stderr);
  Fiber::leave_for(Blocks::of_this_thread().home());
  siglongjmp(g_way_out, 1);
}

void catch_faults() {
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
}

}  // namespace

bool run_grid(const Grid& grid) {
  static std::once_flag once;
  std::call_once(once, catch_faults);
  Blocks& blocks = Blocks::of_this_thread();
  if (sigsetjmp(g_way_out, 1) != 0) {
    Fiber::landed();
    g_in_grid = false;
    blocks.give_up();
    return false;
  }
  g_in_grid = true;
  blocks.run(grid);
  g_in_grid = false;
  return true;
}

const char* running_kernel() { return g_in_grid ? Blocks::of_this_thread().grid()->kernel : nullptr; }

int barrier_count(bool said) { return Blocks::of_this_thread().barrier_count(said); }

std::uint64_t from_lane(std::uint64_t value, int lane) { return Blocks::of_this_thread().from_lane(value, lane); }

int lane_of_this_thread() { return Blocks::of_this_thread().current_thread() % kWarp; }

int lanes_of_this_warp() {
  const Blocks& blocks = Blocks::of_this_thread();
  return blocks.lanes(blocks.current_thread());
}

void* dynamic_shared_memory() { return Blocks::of_this_thread().shared_memory(); }

void copy_when_waited_for(void* to, const void* from, std::size_t bytes) {
  Blocks::of_this_thread().copy_later({to, from, bytes});
}

void wait_for_copies() { Blocks::of_this_thread().do_copies(); }

void let_others_run() { Blocks::of_this_thread().let_others_run(); }

namespace {
thread_local std::int64_t g_just_read_ns = 0;
std::int64_t steady_ns() { return std::chrono::steady_clock::now().time_since_epoch().count(); }
}  // namespace

std::int64_t now_ns() { return g_just_read_ns = steady_ns(); }

long long clock_cycles() {
  const std::int64_t ns = std::exchange(g_just_read_ns, 0);
  return (ns != 0 ? ns : steady_ns()) * 3 / 2;
}

}  // namespace cupel::emulator
