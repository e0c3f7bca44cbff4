// Runs of elements that move as one access: 16 bytes of a thread are what fills the bus with the fewest instructions.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/common/convert.hpp"

namespace cupel::kernels {

inline constexpr int kVectorBytes = 16;

/// Elements of T in one access.
template <class T>
inline constexpr int kVector = kVectorBytes / static_cast<int>(sizeof(T));

/// N elements that are loaded and stored together.
template <class T, int N>
struct Pack {
  T values[N];
};

/// The unsigned type whose accesses carry a pack of so many bytes.
template <int kBytes>
using Word = std::conditional_t<
    kBytes % 16 == 0, uint4,
    std::conditional_t<
        kBytes == 8, uint2,
        std::conditional_t<kBytes == 4, unsigned, std::conditional_t<kBytes == 2, unsigned short, unsigned char>>>>;

/// `from` is a multiple of the pack's size, or of 16 bytes where that is less.
template <int N, class T>
__device__ Pack<T, N> load_pack(const T* from) {
  constexpr int kBytes = N * static_cast<int>(sizeof(T));
  using W = Word<kBytes>;
  constexpr int kWords = kBytes / static_cast<int>(sizeof(W));
  W words[kWords];
#pragma unroll
  for (int i = 0; i < kWords; ++i) words[i] = reinterpret_cast<const W*>(from)[i];
  Pack<T, N> pack;
  memcpy(&pack, words, sizeof(pack));
  return pack;
}

// Not through L1, which is left to what threads share.
template <class W>
__device__ W load_word_once(const W* from) {
  return __ldcg(from);
}

/// A pack that stays in registers as it was loaded, once, to be unpacked at each use. Where a pack of 16-bit
/// elements is used again and again the compiler keeps the elements apart, which takes a register each: for the longest
/// rows, more than there are.
template <class T, int N>
class PackWords {
 public:
  PackWords() = default;
  /// `from`: as of load_pack().
  __device__ explicit PackWords(const T* from) {
#pragma unroll
    for (int i = 0; i < kWords; ++i) words_[i] = load_word_once(reinterpret_cast<const W*>(from) + i);
  }

  __device__ explicit PackWords(const Pack<T, N>& pack) { memcpy(words_, &pack, sizeof(pack)); }

  /// To shared memory.
  __device__ void share(T* to) const {
#pragma unroll
    for (int i = 0; i < kWords; ++i) reinterpret_cast<W*>(to)[i] = words_[i];
  }

  /// Reads shared memory, or through L1.
  __device__ static PackWords cached(const T* from) {
    PackWords pack;
#pragma unroll
    for (int i = 0; i < kWords; ++i) pack.words_[i] = reinterpret_cast<const W*>(from)[i];
    return pack;
  }

  /// kAnew: at each use.
  template <bool kAnew = true>
  __device__ Pack<T, N> unpacked() const {
    W words[kWords];
#pragma unroll
    for (int i = 0; i < kWords; ++i) words[i] = words_[i];
    // Not for the compiler to know that they are the same each time.
    if constexpr (kAnew && sizeof(W) == 16 && sizeof(T) == 2) {
#pragma unroll
      for (int i = 0; i < kWords; ++i) {
        asm volatile("" : "+r"(words[i].x), "+r"(words[i].y), "+r"(words[i].z), "+r"(words[i].w));
      }
    }
    Pack<T, N> pack;
    memcpy(&pack, words, sizeof(pack));
    return pack;
  }

 private:
  using W = Word<N* static_cast<int>(sizeof(T))>;
  static constexpr int kWords = N * static_cast<int>(sizeof(T)) / static_cast<int>(sizeof(W));
  W words_[kWords];
};

/// 16 bytes of global memory on their way to shared memory, past the registers. The thread that asked for them has them
/// after wait_for_copies().
__device__ inline void copy_ahead(void* shared, const void* global) {
  __pipeline_memcpy_async(shared, global, kVectorBytes);
}
__device__ inline void wait_for_copies() {
  __pipeline_commit();
  __pipeline_wait_prior(0);
}

// One access each. nvcc 13.0 makes single stores of a plain assignment and puts only some of them together again: the
// first of a thread's packs went out as four stores of 4 bytes, each of which takes the bus for a quarter of its width.
template <class W>
__device__ void store_word(W* to, const W& word) {
  if constexpr (sizeof(W) == 16) {
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(word.x), "r"(word.y), "r"(word.z),
                 "r"(word.w)
                 : "memory");
  } else if constexpr (sizeof(W) == 8) {
    asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(to), "r"(word.x), "r"(word.y) : "memory");
  } else {
    *to = word;
  }
}

/// As load_pack(); `to` is in global memory.
template <int N, class T>
__device__ void store_pack(T* to, const Pack<T, N>& pack) {
  constexpr int kBytes = N * static_cast<int>(sizeof(T));
  using W = Word<kBytes>;
  constexpr int kWords = kBytes / static_cast<int>(sizeof(W));
  W words[kWords];
  memcpy(words, &pack, sizeof(pack));
#pragma unroll
  for (int i = 0; i < kWords; ++i) store_word(reinterpret_cast<W*>(to) + i, words[i]);
}

/// Whether the address is one that a 16-byte access takes.
inline bool is_vector_aligned(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % kVectorBytes == 0;
}

}  // namespace cupel::kernels
