#include "cupel/files/gzip.hpp"

#include <zlib.h>

#include <limits>
#include <new>

namespace cupel::files {
namespace {

// A compressor with one owner. Throws std::bad_alloc.
class Packing {
 public:
  Packing() {
    constexpr int kLargestWindow = 15, kWithGzipHeader = 16, kMemory = 9;
    if (::deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kLargestWindow + kWithGzipHeader, kMemory,
                       Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~Packing() { ::deflateEnd(&stream_); }
  Packing(const Packing&) = delete;
  Packing& operator=(const Packing&) = delete;

  void add(std::string_view piece, bool is_last, std::string& out) {
    // zlib reads what is not const here, and leaves it as it is.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
    stream_.avail_in = static_cast<uInt>(piece.size());
    constexpr std::size_t kRoom = 1 << 16;
    do {
      const std::size_t before = out.size();
      out.resize(before + kRoom);
      stream_.next_out = reinterpret_cast<Bytef*>(out.data() + before);
      stream_.avail_out = static_cast<uInt>(kRoom);
      ::deflate(&stream_, is_last ? Z_FINISH : Z_NO_FLUSH);
      out.resize(before + kRoom - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

 private:
  z_stream stream_{};
};

}  // namespace

std::string gzipped(std::string_view text) {
  constexpr std::size_t kPiece = std::numeric_limits<uInt>::max();
  Packing packing;
  std::string out;
  do {
    const std::string_view piece = text.substr(0, kPiece);
    text.remove_prefix(piece.size());
    packing.add(piece, text.empty(), out);
  } while (!text.empty());
  return out;
}

}  // namespace cupel::files
