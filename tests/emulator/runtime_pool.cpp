// The emulated CUDA runtime: stream-ordered memory pools.
//
// A pool gets its memory from the device in the sizes that are asked for, and gives it out again to whom the free of it
// comes first: the same stream, or anybody once it has happened.
#include <algorithm>
#include <cstring>
#include <list>
#include <map>

#include "tests/emulator/memory.hpp"
#include "tests/emulator/runtime.hpp"

namespace cupel::emulator {
namespace {

constexpr std::size_t kGranularity = 512;

struct Chunk {
  void* memory;
  std::size_t bytes;
  Ticket freed;  // when that has happened, any stream may have it
};

struct Pool {
  std::size_t most = 0;  // 0: no cap
  std::uint64_t threshold = 0;
  std::size_t reserved = 0;
  std::list<Chunk> free;
  std::size_t used = 0;  // chunks that are out
  bool destroyed = false;
};

using Pools = Handles<cudaMemPool_t, std::shared_ptr<Pool>>;

struct World {
  std::mutex mutex;
  Pools pools;
  std::list<std::shared_ptr<Pool>> all;
  std::map<void*, std::pair<std::shared_ptr<Pool>, std::size_t>> used;  // by memory: owner, bytes of the chunk

  // Never destroyed: programs free memory while they end.
  static World& get() {
    static World& world = *new World;
    return world;
  }
};

void give_back(Pool& pool, std::list<Chunk>::iterator chunk) {
  unpoison(chunk->memory, chunk->bytes);
  release(chunk->memory, Kind::device);
  pool.reserved -= chunk->bytes;
  pool.free.erase(chunk);
}

// What is free and has been so for every stream goes back, until no more than `keep` is left.
void trim(Pool& pool, std::uint64_t keep) {
  for (auto chunk = pool.free.begin(); chunk != pool.free.end() && pool.reserved > keep;) {
    const auto next = std::next(chunk);
    if (chunk->freed.reached()) give_back(pool, chunk);
    chunk = next;
  }
}

std::list<Chunk>::iterator fitting(Pool& pool, std::size_t bytes, const std::shared_ptr<Stream>& stream) {
  const Ticket now = stream->last();
  auto best = pool.free.end();
  for (auto chunk = pool.free.begin(); chunk != pool.free.end(); ++chunk) {
    if (chunk->bytes < bytes || chunk->bytes > 2 * bytes) continue;
    if (chunk->freed.stream != now.stream && !chunk->freed.reached()) continue;
    if (best == pool.free.end() || chunk->bytes < best->bytes) best = chunk;
  }
  return best;
}

std::uint64_t bytes_that_are_free(const Pool& pool) {
  std::uint64_t bytes = 0;
  for (const Chunk& chunk : pool.free) bytes += chunk.bytes;
  return bytes;
}

}  // namespace

void trim_pools() {
  World& world = World::get();
  const std::lock_guard lock(world.mutex);
  for (const auto& pool : world.all) trim(*pool, pool->destroyed ? 0 : pool->threshold);
  std::erase_if(world.all, [](const auto& pool) { return pool->destroyed && pool->free.empty() && pool->used == 0; });
}

}  // namespace cupel::emulator

using namespace cupel::emulator;

cudaError_t cudaMemPoolCreate(cudaMemPool_t* handle, const cudaMemPoolProps* properties) {
  if (properties->allocType != cudaMemAllocationTypePinned || properties->location.type != cudaMemLocationTypeDevice ||
      properties->location.id != 0) {
    return answer(cudaErrorInvalidValue);
  }
  World& world = World::get();
  const std::lock_guard lock(world.mutex);
  auto pool = std::make_shared<Pool>();
  pool->most = properties->maxSize;
  world.all.push_back(pool);
  *handle = world.pools.make(pool);
  return answer(cudaSuccess);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle) {
  World& world = World::get();
  const std::lock_guard lock(world.mutex);
  std::shared_ptr<Pool>* pool = world.pools.find(handle);
  if (pool == nullptr) return answer(cudaErrorInvalidValue);
  (*pool)->destroyed = true;
  trim(**pool, 0);
  world.pools.destroy(handle);
  return answer(cudaSuccess);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  World& world = World::get();
  const std::lock_guard lock(world.mutex);
  std::shared_ptr<Pool>* pool = world.pools.find(handle);
  if (pool == nullptr || attribute != cudaMemPoolAttrReleaseThreshold) return answer(cudaErrorInvalidValue);
  std::memcpy(&(*pool)->threshold, value, sizeof((*pool)->threshold));
  return answer(cudaSuccess);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  World& world = World::get();
  const std::lock_guard lock(world.mutex);
  std::shared_ptr<Pool>* pool = world.pools.find(handle);
  const bool used = attribute == cudaMemPoolAttrUsedMemCurrent;
  if (pool == nullptr || !(used || attribute == cudaMemPoolAttrReservedMemCurrent)) {
    return answer(cudaErrorInvalidValue);
  }
  const std::uint64_t bytes = (*pool)->reserved - (used ? bytes_that_are_free(**pool) : 0);
  std::memcpy(value, &bytes, sizeof(bytes));
  return answer(cudaSuccess);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, std::size_t keep) {
  World& world = World::get();
  const std::lock_guard lock(world.mutex);
  std::shared_ptr<Pool>* pool = world.pools.find(handle);
  if (pool == nullptr) return answer(cudaErrorInvalidValue);
  trim(**pool, keep);
  return answer(cudaSuccess);
}

cudaError_t cudaMallocFromPoolAsync(void** p, std::size_t bytes, cudaMemPool_t handle, cudaStream_t stream_handle) {
  if (device_lost()) return answer(cudaSuccess);
  World& world = World::get();
  const std::lock_guard lock(world.mutex);
  std::shared_ptr<Pool>* found = world.pools.find(handle);
  const std::shared_ptr<Stream> stream = stream_of(stream_handle);
  if (found == nullptr || !stream || bytes == 0) return answer(cudaErrorInvalidValue);
  Pool& pool = **found;
  const std::size_t wanted = (bytes + kGranularity - 1) / kGranularity * kGranularity;

  Chunk chunk{nullptr, wanted, {}};
  if (const auto kept = fitting(pool, wanted, stream); kept != pool.free.end()) {
    chunk = *kept;
    pool.free.erase(kept);
  } else {
    if (pool.most != 0 && pool.reserved + wanted > pool.most) trim(pool, 0);
    if (pool.most != 0 && pool.reserved + wanted > pool.most) return answer(cudaErrorMemoryAllocation);
    chunk.memory = allocate(Kind::device, wanted);
    if (chunk.memory == nullptr) return answer(cudaErrorMemoryAllocation);
    pool.reserved += wanted;
  }
  ++pool.used;
  world.used[chunk.memory] = {*found, chunk.bytes};
  *p = chunk.memory;
  // It may be touched from here on in the order of the stream, as far as it was asked for.
  return answer(submit(stream_handle, [chunk, bytes] {
    unpoison(chunk.memory, bytes);
    poison(static_cast<char*>(chunk.memory) + bytes, chunk.bytes - bytes);
  }));
}

cudaError_t cudaFreeAsync(void* p, cudaStream_t stream_handle) {
  World& world = World::get();
  const std::lock_guard lock(world.mutex);
  const auto found = world.used.find(p);
  if (found == world.used.end()) return answer(cudaErrorInvalidValue);
  const auto [pool, bytes] = found->second;
  Chunk chunk{p, bytes, {}};
  const cudaError_t code = submit(
      stream_handle, [p, bytes = bytes] { poison(p, bytes); }, &chunk.freed);
  if (code != cudaSuccess) return answer(code);
  world.used.erase(found);
  --pool->used;
  pool->free.push_back(chunk);
  return answer(cudaSuccess);
}
