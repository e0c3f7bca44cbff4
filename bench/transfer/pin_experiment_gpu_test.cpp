// An experiment: prints what cudaHostAlloc and cudaHostRegister cost call by call, so that the calls that pin are told
// from those that hand out what is pinned already. Nothing is judged. Some seconds.
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <vector>

#include "cupel/cuda/cuda.hpp"

namespace cupel::bench::transfer {
namespace {

using cuda::check;
constexpr std::size_t kKiB = 1024, kMiB = 1024 * kKiB;
constexpr double kPins_us = 20;  // a call that takes longer has not only looked something up

template <class Call>
double us_of(const Call& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

void print(const char* what, std::size_t bytes, std::vector<double> us) {
  std::size_t long_ones = 0, last = 0, apart = 0;
  for (std::size_t i = 0; i < us.size(); ++i) {
    if (us[i] < kPins_us) continue;
    if (long_ones > 0) apart = i - last;
    last = i;
    ++long_ones;
  }
  const double first = us.front(), mean = std::accumulate(us.begin(), us.end(), 0.0) / static_cast<double>(us.size());
  std::sort(us.begin(), us.end());
  std::printf("%-36s %6zu KiB x %5zu: first %8.1f  median %8.1f  mean %8.1f  max %8.1f us; %4zu over %.0f us", what,
              bytes / kKiB, us.size(), first, us[us.size() / 2], mean, us.back(), long_ones, kPins_us);
  if (apart > 0) std::printf(", the last two %zu apart (%.1f MiB)", apart, static_cast<double>(apart * bytes) / kMiB);
  std::printf("\n");
}

TEST(PinExperiment, Allocation) {
  check(cudaFree(nullptr));
  struct Flags {
    const char* name;
    unsigned value;
  };
  for (const Flags& flags :
       {Flags{"default", cudaHostAllocDefault}, Flags{"mapped", cudaHostAllocMapped},
        Flags{"portable", cudaHostAllocPortable}, Flags{"write-combined", cudaHostAllocWriteCombined}}) {
    std::printf("\ncudaHostAlloc, %s: blocks that are all held; then all given back and taken again\n", flags.name);
    for (const std::size_t bytes :
         {4 * kKiB, 64 * kKiB, 256 * kKiB, 512 * kKiB, kMiB, kMiB + 4 * kKiB, 2 * kMiB, 4 * kMiB, 16 * kMiB}) {
      const std::size_t count = std::min<std::size_t>(64 * kMiB / bytes, 1024);
      for (const char* turn : {"taken", "taken again"}) {
        std::vector<void*> blocks(count);
        std::vector<double> alloc_us, free_us;
        for (void*& block : blocks)
          alloc_us.push_back(us_of([&] { check(cudaHostAlloc(&block, bytes, flags.value)); }));
        print(turn, bytes, alloc_us);
        for (void* block : blocks) free_us.push_back(us_of([&] { check(cudaFreeHost(block)); }));
        print("  given back", bytes, free_us);
      }
      std::vector<double> one_us;
      for (int i = 0; i < 20; ++i) {
        void* block = nullptr;
        one_us.push_back(us_of([&] { check(cudaHostAlloc(&block, bytes, flags.value)); }));
        check(cudaFreeHost(block));
      }
      print("one, given back, taken again", bytes, one_us);
    }
  }
}

TEST(PinExperiment, Registration) {
  check(cudaFree(nullptr));
  std::printf("\ncudaHostRegister: fresh mappings, and the same pages again\n");
  for (const bool huge : {false, true}) {
    std::printf("%s pages\n", huge ? "huge (asked for)" : "base");
    for (const std::size_t bytes : {64 * kKiB, kMiB, 16 * kMiB, 64 * kMiB}) {
      const std::size_t count = std::min<std::size_t>(256 * kMiB / bytes, 64);
      std::vector<double> untouched_us, touched_us, again_us, free_us;
      for (std::size_t i = 0; i < 2 * count; ++i) {
        void* p = mmap(nullptr, bytes + 2 * kMiB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        ASSERT_NE(p, MAP_FAILED);
        auto* pages =
            reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(p) + 2 * kMiB - 1) / (2 * kMiB) * (2 * kMiB));
        madvise(pages, bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
        const bool touched = i % 2 == 1;
        if (touched) std::memset(pages, 1, bytes);
        const auto lock = [&] { check(cudaHostRegister(pages, bytes, cudaHostRegisterDefault)); };
        (touched ? touched_us : untouched_us).push_back(us_of(lock));
        free_us.push_back(us_of([&] { check(cudaHostUnregister(pages)); }));
        if (touched) {
          again_us.push_back(us_of(lock));
          check(cudaHostUnregister(pages));
        }
        munmap(p, bytes + 2 * kMiB);
      }
      print("untouched", bytes, untouched_us);
      print("touched", bytes, touched_us);
      print("touched and registered before", bytes, again_us);
      print("  unregistered", bytes, free_us);
    }
  }
}

}  // namespace
}  // namespace cupel::bench::transfer
