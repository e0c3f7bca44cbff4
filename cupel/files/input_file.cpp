#include "cupel/files/input_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <limits>
#include <new>
#include <string_view>
#include <system_error>

#include "cupel/files/output_file.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/printable.hpp"

namespace cupel::files {
namespace {

constexpr std::size_t kPiece = 1 << 16;

std::string system_reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void cannot_read(const std::filesystem::path& path, const std::string& why) {
  throw ReadError(units::printable(shown_path(path) + ": cannot be read: " + why));
}

// As many bytes as there are, up to `room`.
std::size_t read_all(int descriptor, char* into, std::size_t room, const std::filesystem::path& path) {
  std::size_t filled = 0;
  while (filled < room) {
    const ssize_t count = ::read(descriptor, into + filled, room - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) cannot_read(path, system_reason(errno));
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  return filled;
}

// Standard input as a file in memory: readers look at its beginning and start anew, some of them side by side.
Descriptor kept_input() {
  Descriptor kept(::memfd_create("standard input", MFD_CLOEXEC));
  if (!kept.is_open()) cannot_read(kStandardInput, system_reason(errno));
  std::array<char, kPiece> piece{};
  std::int64_t taken = 0;
  while (const std::size_t count = read_all(STDIN_FILENO, piece.data(), piece.size(), kStandardInput)) {
    taken += static_cast<std::int64_t>(count);
    if (taken > kLargestFile) cannot_read(kStandardInput, "larger than " + units::format_size(kLargestFile));
    if (!write_all(kept.get(), {piece.data(), count})) cannot_read(kStandardInput, system_reason(errno));
  }
  return kept;
}

std::string path_to_open(const std::filesystem::path& path) {
  if (path != kStandardInput) return path.string();
  static const Descriptor kept = kept_input();
  return "/proc/self/fd/" + std::to_string(kept.get());
}

}  // namespace

// The unpacked text of a file that gzip packed: one member after another, as `cat a.gz b.gz` makes them.
class FileReader::Unpacking {
 public:
  Unpacking() {
    constexpr int kLargestWindow = 15, kWithGzipHeader = 16;
    if (::inflateInit2(&stream_, kLargestWindow + kWithGzipHeader) != Z_OK) throw std::bad_alloc();
  }
  ~Unpacking() { ::inflateEnd(&stream_); }
  Unpacking(const Unpacking&) = delete;
  Unpacking& operator=(const Unpacking&) = delete;

  std::size_t read(FileReader& file, char* into, std::size_t room) {
    room = std::min<std::size_t>(room, std::numeric_limits<uInt>::max());
    stream_.next_out = reinterpret_cast<Bytef*>(into);
    stream_.avail_out = static_cast<uInt>(room);
    while (stream_.avail_out > 0 && refill(file)) {
      const int code = ::inflate(&stream_, Z_NO_FLUSH);
      within_member_ = code != Z_STREAM_END;
      if (code == Z_STREAM_END) {
        ::inflateReset(&stream_);
      } else if (code != Z_OK && code != Z_BUF_ERROR) {
        cannot_read(file.path_, "what gzip packed is damaged");
      }
    }
    return room - stream_.avail_out;
  }

 private:
  // False at the end of the file.
  bool refill(FileReader& file) {
    if (stream_.avail_in > 0) return true;
    stream_.next_in = reinterpret_cast<Bytef*>(packed_.data());
    stream_.avail_in = static_cast<uInt>(file.read_stored(packed_.data(), packed_.size()));
    if (stream_.avail_in == 0 && within_member_)
      cannot_read(file.path_, "the packed data end too early, the file was cut off");
    return stream_.avail_in > 0;
  }

  z_stream stream_{};
  std::array<char, kPiece> packed_{};
  bool within_member_ = false;
};

// Without O_NONBLOCK, opening a FIFO that nobody writes to would wait for ever.
FileReader::FileReader(const std::filesystem::path& path, std::int64_t largest, Packed packed)
    : path_(path),
      descriptor_(::open(path_to_open(path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)),
      largest_(largest) {
  struct stat status {};
  if (!descriptor_.is_open() || ::fstat(descriptor_.get(), &status) != 0) cannot_read(path, system_reason(errno));
  if (!S_ISREG(status.st_mode)) cannot_read(path, "not a file");
  if (status.st_size > largest) cannot_read(path, "larger than " + units::format_size(largest));
  stored_size_ = static_cast<std::size_t>(status.st_size);
  if (packed == Packed::unpacked && is_packed()) unpacking_ = std::make_unique<Unpacking>();
}

FileReader::~FileReader() = default;

// Gzip's magic number (RFC 1952, 2.3.1), which no JSON begins with.
bool FileReader::is_packed() const {
  std::array<char, 2> first{};
  return ::pread(descriptor_.get(), first.data(), first.size(), 0) == std::ssize(first) &&
         std::string_view(first.data(), first.size()) == "\x1f\x8b";
}

std::size_t FileReader::read_stored(char* into, std::size_t room) {
  return read_all(descriptor_.get(), into, room, path_);
}

std::size_t FileReader::read(char* into, std::size_t room) {
  const std::size_t count = unpacking_ ? unpacking_->read(*this, into, room) : read_stored(into, room);
  taken_ += static_cast<std::int64_t>(count);
  if (taken_ > largest_) {
    cannot_read(path_, "larger than " + units::format_size(largest_) + (unpacking_ ? " when unpacked" : ""));
  }
  return count;
}

}  // namespace cupel::files

namespace cupel::files {

std::string shown_path(const std::filesystem::path& path) {
  return path == kStandardInput ? "standard input" : path.string();
}

namespace {

std::string all_of(FileReader& file) {
  constexpr std::size_t kRoom = 1 << 20;
  std::string text;
  text.reserve(file.stored_size() + kRoom);
  std::size_t had = 0;
  do {
    had = text.size();
    text.resize(had + kRoom);
    text.resize(had + file.read(text.data() + had, kRoom));
  } while (text.size() > had);
  return text;
}

}  // namespace

std::string read_file(const std::filesystem::path& path, std::int64_t largest) {
  FileReader file(path, largest);
  return all_of(file);
}

std::string read_stored(const std::filesystem::path& path, std::int64_t largest) {
  FileReader file(path, largest, FileReader::Packed::as_it_is);
  return all_of(file);
}

std::string content_mark(const std::vector<std::filesystem::path>& paths) {
  std::uint64_t mark = 14695981039346656037ull;
  std::vector<char> bytes(1 << 20);
  for (const std::filesystem::path& path : paths) {
    FileReader file(path, kLargestFile, FileReader::Packed::as_it_is);
    while (const std::size_t count = file.read(bytes.data(), bytes.size())) {
      for (std::size_t i = 0; i < count; ++i) mark = (mark ^ static_cast<unsigned char>(bytes[i])) * 1099511628211ull;
    }
  }
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(mark));
  return digits.data();
}

std::vector<std::string> json_files_in(const std::filesystem::path& folder) {
  std::error_code error;
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string path = entry.path().string();
    if ((path.ends_with(".json") || path.ends_with(".json.gz")) && entry.is_regular_file()) files.push_back(path);
  }
  if (error) throw ReadError(folder.string() + ": " + error.message());
  std::sort(files.begin(), files.end());
  return files;
}

std::string begin_of_file(const std::filesystem::path& path, std::size_t count) {
  std::string text(count, '\0');
  try {
    text.resize(FileReader(path).read(text.data(), count));
  } catch (const ReadError&) {
    text.clear();
  }
  return text;
}

}  // namespace cupel::files
