#include "bench/collective/rendezvous.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include "cupel/host/cannot_run.hpp"

namespace cupel::bench::collective {
namespace {

constexpr std::size_t kTextBytes = 512;

struct RankReport {
  std::atomic<int> failed{0};  // as the how manieth; 0: not
  char why[kTextBytes] = {};
  bool cannot_run = false;
  std::atomic<unsigned> meetings{0};  // that this rank has come to
  std::size_t count = 0;
  double samples_s[kMostSamples] = {};
};

[[noreturn]] void fail_with_errno(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

}  // namespace

// Atomics of this kind are free of locks, and so work between processes.
struct Rendezvous::Shared {
  int ranks = 0;
  std::atomic<unsigned> arrived{0};
  std::atomic<int> failed{0};
  std::byte id[kIdBytes] = {};
  RankReport reports[kMostProcesses];
};
static_assert(std::atomic<unsigned>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

Rendezvous Rendezvous::make(int ranks) {
  if (ranks < 1 || ranks > kMostProcesses) {
    throw std::invalid_argument("1 to " + std::to_string(kMostProcesses) + " ranks can meet, not " +
                                std::to_string(ranks));
  }
  const int descriptor = memfd_create("cupel", 0);
  if (descriptor < 0) fail_with_errno("no memory to share with ranks");
  if (ftruncate(descriptor, sizeof(Shared)) != 0) {
    close(descriptor);
    fail_with_errno("no memory to share with ranks");
  }
  Rendezvous made = open(descriptor);
  new (made.shared_) Shared;
  made.shared_->ranks = ranks;
  return made;
}

Rendezvous Rendezvous::open(int descriptor) {
  void* address = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (address == MAP_FAILED) fail_with_errno("the memory that ranks share cannot be mapped");
  return Rendezvous(descriptor, static_cast<Shared*>(address));
}

Rendezvous::Rendezvous(Rendezvous&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      shared_(std::exchange(other.shared_, nullptr)),
      meetings_(other.meetings_) {}

Rendezvous::~Rendezvous() {
  if (shared_ == nullptr) return;
  munmap(shared_, sizeof(Shared));
  close(descriptor_);
}

int Rendezvous::ranks() const { return shared_->ranks; }
std::span<std::byte, kIdBytes> Rendezvous::id() { return shared_->id; }

// Without a sleep, so that all go on within a microsecond where each has a CPU.
void Rendezvous::meet(int rank, double limit_s) {
  const auto start = std::chrono::steady_clock::now();
  const unsigned wanted = ++meetings_ * static_cast<unsigned>(shared_->ranks);
  shared_->reports[rank].meetings.store(meetings_);
  shared_->arrived.fetch_add(1);
  while (shared_->arrived.load() < wanted) {
    if (shared_->failed.load() != 0) throw AnotherFailed();
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > limit_s) {
      char limit[32];
      std::snprintf(limit, sizeof limit, "%g s", limit_s);
      throw NotMet("rank" + absent(meetings_) + " did not come within " + limit);
    }
    sched_yield();
  }
}

std::string Rendezvous::absent(unsigned meeting) const {
  std::string ranks;
  for (int rank = 0; rank < shared_->ranks; ++rank) {
    if (shared_->reports[rank].meetings.load() < meeting) ranks += " " + std::to_string(rank);
  }
  return ranks;
}

void Rendezvous::fail(int rank, const std::exception& error) {
  if (dynamic_cast<const AnotherFailed*>(&error) != nullptr) return;
  RankReport& report = shared_->reports[rank];
  const std::size_t length = std::min(std::strlen(error.what()), kTextBytes - 1);
  std::memcpy(report.why, error.what(), length);
  report.why[length] = '\0';
  report.cannot_run = host::cannot_run(error);
  report.failed.store(shared_->failed.fetch_add(1) + 1);
}

std::optional<RankFailure> Rendezvous::failure() const {
  const RankReport* first = nullptr;
  for (const RankReport& report : std::span(shared_->reports).first(static_cast<std::size_t>(ranks()))) {
    const int failed = report.failed.load();
    if (failed > 0 && (first == nullptr || failed < first->failed.load())) first = &report;
  }
  if (first == nullptr) return std::nullopt;
  return RankFailure{.rank = static_cast<int>(first - shared_->reports),
                     .why = std::string(first->why, strnlen(first->why, kTextBytes)),
                     .cannot_run = first->cannot_run};
}

void Rendezvous::add_sample(int rank, double seconds) {
  RankReport& report = shared_->reports[rank];
  if (report.count == kMostSamples) throw std::length_error("a rank has more samples than there is room for");
  report.samples_s[report.count++] = seconds;
}

std::span<const double> Rendezvous::samples(int rank) const {
  const RankReport& report = shared_->reports[rank];
  return {report.samples_s, report.count};
}

}  // namespace cupel::bench::collective
