// That the emulated device sees what it is there to see, and lets pass what is right. What ends a process is looked at
// in a process of its own.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <numeric>
#include <thread>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "tests/emulator/stream.hpp"
#include "tests/emulator/wrong_kernels.hpp"

namespace cupel::emulator {
namespace {

using cuda::check;
using cuda::DeviceBuffer;
using cuda::PinnedBuffer;

class Emulator : public testing::Test {
 protected:
  void SetUp() override { testing::GTEST_FLAG(death_test_style) = "threadsafe"; }
};

// Bounds.

void write_elements(int elements, int threads) {
  DeviceBuffer<int> out(static_cast<std::size_t>(elements));
  test::launch_without_bound(out.data(), threads, nullptr);
  check(cudaDeviceSynchronize());
}

TEST_F(Emulator, LetsAKernelWriteAllOfABlock) { EXPECT_NO_THROW(write_elements(100, 100)); }

// With AddressSanitizer at the write, without it when the block is freed.
TEST_F(Emulator, SeesAWriteOneElementBehindABlock) {
  EXPECT_DEATH(write_elements(100, 101), "use-after-poison|behind a block of 400 bytes was written to");
}

// The page behind it may not be touched: as on a device, the error comes with the next call and stays.
TEST_F(Emulator, AnswersAWriteBeyondThePageOfABlockAsADeviceDoes) {
  const auto lost = [] {
    DeviceBuffer<int> out(64);
    test::launch_without_bound(out.data(), 65, nullptr);
    const bool at_once = cudaDeviceSynchronize() == cudaErrorIllegalAddress;
    const bool sticky = cudaGetLastError() == cudaErrorIllegalAddress && cudaFree(nullptr) == cudaErrorIllegalAddress;
    std::_Exit(at_once && sticky ? 7 : 1);
  };
  EXPECT_EXIT(lost(), testing::ExitedWithCode(7), "without_bound touches .* 0 bytes behind a block of 256 bytes");
}

TEST_F(Emulator, AnswersAWriteToNowhereAsADeviceDoes) {
  const auto lost = [] {
    test::launch_to_nowhere(nullptr);
    std::_Exit(cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 7 : 1);
  };
  EXPECT_EXIT(lost(), testing::ExitedWithCode(7), "to_nowhere touches");
}

TEST_F(Emulator, SeesTheUseOfMemoryThatWasFreed) {
  const auto use = [] {
    int* freed = DeviceBuffer<int>(64).data();
    test::launch_add_one(freed, 64, nullptr);
    std::_Exit(cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 7 : 1);
  };
  EXPECT_EXIT(use(), testing::ExitedWithCode(7), "add_one touches");
}

TEST_F(Emulator, RefusesACopyBeyondABlock) {
  DeviceBuffer<int> out(100);
  const std::vector<int> host(101);

  EXPECT_EQ(cudaMemcpy(out.data(), host.data(), 404, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(out.data() + 1, 0, 400), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(out.data(), host.data(), 400, cudaMemcpyHostToDevice), cudaSuccess);
  cudaGetLastError();
}

// Three rows of two elements that are four apart: ten elements, not twelve.
TEST_F(Emulator, CopiesRowsAndRefusesThemBeyondABlock) {
  DeviceBuffer<int> device(10);
  check(cudaMemcpy(device.data(), std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}.data(), 40, cudaMemcpyHostToDevice));
  std::vector<int> host(6);

  EXPECT_EQ(cudaMemcpy2D(host.data(), 8, device.data(), 16, 8, 3, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(host, (std::vector<int>{0, 1, 4, 5, 8, 9}));
  EXPECT_EQ(cudaMemcpy2D(device.data(), 16, host.data() + 2, 8, 8, 2, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(device.to_host(), (std::vector<int>{4, 5, 2, 3, 8, 9, 6, 7, 8, 9}));

  EXPECT_EQ(cudaMemcpy2D(host.data(), 8, device.data() + 1, 16, 8, 3, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2D(host.data(), 4, device.data(), 16, 8, 3, cudaMemcpyDeviceToHost), cudaErrorInvalidPitchValue);
  cudaGetLastError();
}

TEST_F(Emulator, RefusesACopyInTheWrongDirection) {
  DeviceBuffer<int> device(1);
  int host = 0;

  EXPECT_EQ(cudaMemcpy(&host, device.data(), 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device.data(), &host, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_F(Emulator, GivesFreshMemoryThatIsNotZero) {
  const DeviceBuffer<float> fresh(1);

  EXPECT_NE(fresh.to_host()[0], fresh.to_host()[0]) << "a number, where nobody wrote one";
}

// Threads of a block.

TEST_F(Emulator, RunsBarriersAndShuffles) {
  DeviceBuffer<int> sums(3);

  for (const int threads : {32, 64, 1024}) {
    test::launch_sum(sums.data(), threads, 3, nullptr);
    EXPECT_EQ(sums.to_host(), std::vector<int>(3, threads * (threads - 1) / 2));
  }
}

TEST_F(Emulator, ShowsThatABarrierIsMissing) {
  std::vector<int> turned(128);
  for (int i = 0; i < 128; ++i) turned[static_cast<std::size_t>(i)] = i / 64 * 64 + 63 - i % 64;
  std::vector<int> values(128);
  std::iota(values.begin(), values.end(), 0);

  for (const bool with_barrier : {true, false}) {
    DeviceBuffer<int> data{std::span<const int>(values)};
    test::launch_turn_round(data.data(), with_barrier, nullptr);
    EXPECT_EQ(data.to_host() == turned, with_barrier);
  }
}

TEST_F(Emulator, SaysThatAKernelHangs) {
  const auto hang = [] {
    DeviceBuffer<int> out(1);
    test::launch_hangs(out.data(), nullptr);
    check(cudaDeviceSynchronize());
  };
  EXPECT_DEATH(hang(), "hangs");
}

TEST_F(Emulator, SaysThatAWarpExchangesValuesWithThreadsThatHaveLeft) {
  const auto exchange = [] {
    DeviceBuffer<int> out(1);
    test::launch_leaves_its_warp(out.data(), nullptr);
    check(cudaDeviceSynchronize());
  };
  EXPECT_DEATH(exchange(), "leaves_its_warp exchanges values in a warp of which threads have left");
}

TEST_F(Emulator, SeesTheUseOfWhatIsStillBeingCopiedToSharedMemory) {
  const std::vector<uint4> values(64, uint4{1, 2, 3, 4});
  const DeviceBuffer<uint4> in{std::span<const uint4>(values)};

  for (const bool wait : {true, false}) {
    DeviceBuffer<uint4> out(64);
    test::launch_through_shared(in.data(), out.data(), 64, wait, 64 * 16, nullptr);
    EXPECT_EQ(out.to_host()[63].w == 4, wait);
  }
}

TEST_F(Emulator, RefusesMoreSharedMemoryThanTheKernelMayHave) {
  const std::vector<uint4> values(64, uint4{1, 2, 3, 4});
  const DeviceBuffer<uint4> in{std::span<const uint4>(values)};
  DeviceBuffer<uint4> out(64);
  constexpr int kMuch = 100 * 1024;

  test::launch_through_shared(in.data(), out.data(), 64, true, kMuch, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);

  test::allow_through_shared(kMuch);
  test::launch_through_shared(in.data(), out.data(), 64, true, kMuch, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(out.to_host()[63].w, 4u);
}

TEST_F(Emulator, RefusesABlockOfMoreThanADevicesThreads) {
  test::launch_too_large(nullptr);

  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

// Streams.

// A stream that a kernel holds until the host lets it go.
class Held : public Emulator {
 protected:
  Held() : flag_(1), out_(1) {
    flag_[0] = 0;
    check(cudaMemset(out_.data(), 0, 4));
    check(cudaDeviceSynchronize());
  }
  ~Held() override { let_go(); }
  void hold(cudaStream_t stream) { test::launch_waits_for_host(flag_.data(), out_.data(), 5, stream); }
  void let_go() { *static_cast<volatile int*>(flag_.data()) = 1; }
  int value() const { return out_.to_host()[0]; }

  PinnedBuffer<int> flag_;
  DeviceBuffer<int> out_;
};

TEST_F(Held, StreamsRunBesideTheProgramAndBesideEachOther) {
  const cuda::Stream held, free;
  DeviceBuffer<int> other(1);

  hold(held);
  check(cudaMemsetAsync(other.data(), 0, 4, free));
  test::launch_add_one(other.data(), 1, free);
  free.synchronize();

  EXPECT_EQ(cudaStreamQuery(held), cudaErrorNotReady);
  cudaGetLastError();
  let_go();
  EXPECT_EQ(value(), 5);
}

TEST_F(Held, NonBlockingStreamsDoNotWaitForTheLegacyOne) {
  const cuda::Stream free;

  hold(nullptr);
  test::launch_add_one(out_.data(), 1, free);
  free.synchronize();

  let_go();
  EXPECT_EQ(value(), 5) << "the held kernel wrote last";
}

TEST_F(Held, BlockingStreamsWaitForTheLegacyOneAndItForThem) {
  const cuda::Stream blocking(cudaStreamDefault);

  hold(nullptr);
  test::launch_add_one(out_.data(), 1, blocking);
  EXPECT_EQ(cudaStreamQuery(blocking), cudaErrorNotReady);
  cudaGetLastError();
  let_go();
  test::launch_add_one(out_.data(), 1, nullptr);

  EXPECT_EQ(value(), 7);
}

TEST_F(Held, AStreamWaitsForAnEventOfAnother) {
  const cuda::Stream first, second;
  const cuda::Event event(cudaEventDisableTiming);

  hold(first);
  check(cudaEventRecord(event, first));
  check(cudaStreamWaitEvent(second, event, 0));
  test::launch_add_one(out_.data(), 1, second);
  EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
  cudaGetLastError();
  let_go();
  second.synchronize();

  EXPECT_EQ(value(), 6);
}

TEST_F(Held, AStreamTakesSoManyOperationsAndThenTheCallWaits) {
  const cuda::Stream stream;

  hold(stream);
  for (std::uint64_t i = 1; i < kQueueDepth; ++i) test::launch_add_one(out_.data(), 1, stream);
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    let_go();
  });
  test::launch_add_one(out_.data(), 1, stream);
  const bool waited = *static_cast<volatile int*>(flag_.data()) == 1;
  opener.join();

  EXPECT_TRUE(waited);
  EXPECT_EQ(value(), 5 + static_cast<int>(kQueueDepth));
}

TEST_F(Held, ACopyFromPageableMemoryTakesItsBytesAtOnceAndOneFromPinnedMemoryLater) {
  const cuda::Stream stream;
  int pageable = 3;
  PinnedBuffer<int> pinned(1);
  pinned[0] = 3;
  DeviceBuffer<int> first(1), second(1);

  hold(stream);
  check(cudaMemcpyAsync(first.data(), &pageable, 4, cudaMemcpyHostToDevice, stream));
  check(cudaMemcpyAsync(second.data(), pinned.data(), 4, cudaMemcpyHostToDevice, stream));
  pageable = pinned[0] = 4;
  let_go();

  EXPECT_EQ(first.to_host()[0], 3);
  EXPECT_EQ(second.to_host()[0], 4);
}

TEST_F(Held, CaptureRunsNothingAndReplayRunsAll) {
  const cuda::Stream stream;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;

  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < 3; ++i) test::launch_add_one(out_.data(), 1, stream);
  check(cudaStreamEndCapture(stream, &graph));
  EXPECT_EQ(value(), 0);
  check(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 2; ++i) check(cudaGraphLaunch(executable, stream));

  EXPECT_EQ(value(), 6);
  check(cudaGraphExecDestroy(executable));
  check(cudaGraphDestroy(graph));
}

TEST_F(Held, ACaptureTakesTheStreamsThatWaitForItAndLetsThemGoAtItsEnd) {
  const cuda::Stream first, second;
  const cuda::Event forked(cudaEventDisableTiming), joined(cudaEventDisableTiming);
  cudaGraph_t graph = nullptr;

  check(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
  check(cudaEventRecord(forked, first));
  check(cudaStreamWaitEvent(second, forked, 0));
  test::launch_add_one(out_.data(), 1, second);
  check(cudaEventRecord(joined, second));
  check(cudaStreamWaitEvent(first, joined, 0));
  check(cudaStreamEndCapture(first, &graph));
  EXPECT_EQ(value(), 0);
  EXPECT_EQ(cudaStreamWaitEvent(first, joined, 0), cudaErrorCapturedEvent);
  cudaGetLastError();
  test::launch_add_one(out_.data(), 1, second);
  EXPECT_EQ(cudaStreamSynchronize(second), cudaSuccess);

  EXPECT_EQ(value(), 1);
  check(cudaGraphDestroy(graph));
}

TEST_F(Emulator, RefusesToWaitOrAllocateInACapture) {
  const cuda::Stream stream;
  cudaGraph_t graph = nullptr;
  void* memory = nullptr;

  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  EXPECT_EQ(cudaMalloc(&memory, 4), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);

  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  cudaGetLastError();
}

// Pools.

TEST_F(Emulator, SeesTheUseOfMemoryThatWentBackToItsPool) {
#if defined(__SANITIZE_ADDRESS__)
  const auto use = [] {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, 0};
    cudaMemPool_t pool = nullptr;
    check(cudaMemPoolCreate(&pool, &properties));
    std::uint64_t all = ~std::uint64_t{0};
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    const cuda::Stream stream;
    void* memory = nullptr;
    check(cudaMallocFromPoolAsync(&memory, 512, pool, stream));
    check(cudaFreeAsync(memory, stream));
    test::launch_add_one(static_cast<int*>(memory), 128, stream);
    check(cudaDeviceSynchronize());
  };
  EXPECT_DEATH(use(), "use-after-poison");
#else
  GTEST_SKIP() << "only AddressSanitizer sees it";
#endif
}

}  // namespace
}  // namespace cupel::emulator
