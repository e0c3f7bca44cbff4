#include "bench/pipeline/data_set.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <thread>

#include "bench/pipeline/checksum.hpp"
#include "bench/pipeline/containers.hpp"
#include "bench/pipeline/file.hpp"
#include "bench/pipeline/lmdb.hpp"
#include "bench/pipeline/reader.hpp"
#include "bench/pipeline/source_samples.hpp"
#include "cupel/files/descriptor.hpp"
#include "cupel/files/output_file.hpp"

namespace cupel::bench::pipeline {
namespace {

namespace fs = std::filesystem;

// Part of the folder's name: another one where what is made, or how it is laid out, changes.
constexpr int kLayout = 3;
constexpr std::int64_t kFewest = 16;
// JPEG images are there as files, packed, in a tar archive and in a database.
constexpr std::int64_t kForms = 4;

const char* name_of(Format format) {
  switch (format) {
    case Format::jpeg:
      return "jpeg";
    case Format::raw:
      return "raw";
    case Format::cifar10:
      break;
  }
  return "cifar10";
}

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

// The user's data are those of the same names, sizes and times.
std::uint64_t stamp_of(const DataSource& source) {
  std::ostringstream text;
  for (const fs::path& file : own_files(source)) {
    text << file.string() << ' ' << fs::file_size(file) << ' ' << fs::last_write_time(file).time_since_epoch().count()
         << '\n';
  }
  return checksum(bytes_of(text.str()));
}

std::string folder_name(const DataSource& source) {
  std::ostringstream name;
  name << name_of(source.format) << '-';
  if (source.own.empty()) {
    name << "seed" << source.seed;
  } else {
    name << "own" << std::hex << stamp_of(source) << std::dec;
  }
  name << '-' << source.bytes << "-v" << kLayout;
  return name.str();
}

// ---- The list of samples, a line each, and a checksum of it --------------------------------------------------------

std::string to_text(const std::vector<Sample>& samples) {
  std::ostringstream text;
  for (const Sample& sample : samples) {
    text << sample.offset << ' ' << sample.bytes << ' ' << sample.checksum << ' ' << sample.name << '\n';
  }
  return text.str();
}

void write_list(const fs::path& path, const std::vector<Sample>& samples) {
  const std::string text = to_text(samples);
  OutputFile file(path);
  file.write(bytes_of(std::to_string(checksum(bytes_of(text))) + '\n' + text));
}

// Nothing if it is not there, or not as it was written.
std::optional<std::vector<Sample>> read_list(const fs::path& path) {
  std::ifstream in(path);
  std::uint64_t sum = 0;
  if (!(in >> sum)) return std::nullopt;
  std::vector<Sample> samples;
  for (Sample sample; in >> sample.offset >> sample.bytes >> sample.checksum >> sample.name;) samples.push_back(sample);
  if (samples.empty() || checksum(bytes_of(to_text(samples))) != sum) return std::nullopt;
  return samples;
}

// ---- Making --------------------------------------------------------------------------------------------------------

void end_if_asked(const Making& making) {
  if (making.asked_to_end()) throw Interrupted("interrupted while the data were made");
}

// Held while the data are made. The file stays: who waits for it may hold it open. Asks again and again, as a call that
// waits is begun anew after Ctrl-C.
class Lock {
 public:
  Lock(const fs::path& path, const Making& making) : fd_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    constexpr auto kPause = std::chrono::milliseconds(20);
    if (fd_.get() < 0) throw std::runtime_error(path.string() + ": " + std::strerror(errno));
    for (;; std::this_thread::sleep_for(kPause)) {
      const files::Lock state = files::lock(fd_.get());
      if (state == files::Lock::ours) return;
      if (state == files::Lock::unknown) throw std::runtime_error(path.string() + ": " + std::strerror(errno));
      end_if_asked(making);
    }
  }

 private:
  Descriptor fd_;
};

// Removes what processes that were killed have left half-made, of any data: nobody holds its lock.
void sweep_half_made(const fs::path& parent) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(parent)) {
    if (entry.path().extension() == ".making") found.push_back(entry.path());
  }
  for (const fs::path& folder : found) {
    std::error_code ignored;
    const Descriptor lock(
        open(fs::path(folder).replace_extension(".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (lock.is_open() && files::lock(lock.get()) == files::Lock::ours) fs::remove_all(folder, ignored);
  }
}

// A folder that is gone at the end unless it was given its name.
class FolderInTheMaking {
 public:
  explicit FolderInTheMaking(fs::path path) : path_(std::move(path)) {
    fs::remove_all(path_);  // of a process that was killed
    files::make_folders(path_);
  }
  ~FolderInTheMaking() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  FolderInTheMaking(const FolderInTheMaking&) = delete;
  FolderInTheMaking& operator=(const FolderInTheMaking&) = delete;

  const fs::path& path() const { return path_; }
  void become(const fs::path& name) const {
    fs::remove_all(name);  // damaged
    fs::rename(path_, name);
  }

 private:
  fs::path path_;
};

void require_room(const fs::path& folder, const DataSource& source) {
  const std::int64_t wanted = source.bytes * (source.format == Format::jpeg ? kForms : 1);
  const auto free = static_cast<std::int64_t>(std::min<std::uintmax_t>(fs::space(folder).available, INT64_MAX));
  if (free < wanted) {
    throw std::runtime_error(folder.string() + ": the data want " + std::to_string(wanted) + " bytes, " +
                             std::to_string(free) + " are free");
  }
}

// A path may hold anything, a line's end too.
std::string on_a_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text + '\n';
}

std::vector<Sample> write_packed(const fs::path& path, const DataSource& source, const Making& making,
                                 OutputFile& left_out) {
  const SampleSource next = samples_of(source, [&](const fs::path& file, const std::string& why) {
    making.left_out(file, why);
    left_out.write(bytes_of(on_a_line(file.string() + ": " + why)));
  });
  OutputFile packed(path);
  std::vector<Sample> samples;
  while (packed.size() < source.bytes || static_cast<std::int64_t>(samples.size()) < kFewest) {
    end_if_asked(making);
    const NamedBytes made = next();
    if (made.name.empty()) break;
    samples.push_back({made.name, packed.size(), static_cast<std::int64_t>(made.bytes.size()), checksum(made.bytes)});
    packed.write(made.bytes);
    making.progress(std::min(1.0, static_cast<double>(packed.size()) / static_cast<double>(source.bytes)));
  }
  if (samples.empty()) throw std::runtime_error(source.own + ": none of its images can be decoded");
  return samples;
}

void write_other_forms(const fs::path& folder, const std::vector<Sample>& samples, const Making& making) {
  const InputFile packed(folder / "packed.bin");
  fs::create_directory(folder / "files");
  OutputFile tar(folder / "samples.tar");
  std::vector<std::byte> content;
  for (const Sample& sample : samples) {
    end_if_asked(making);
    content.resize(static_cast<std::size_t>(sample.bytes));
    packed.read(sample.offset, content);
    OutputFile(folder / "files" / sample.name).write(content);
    add_to_tar(tar, sample.name, content);
  }
  end_tar(tar);
  write_lmdb(folder / "samples.mdb", packed, samples, [&] { end_if_asked(making); });
}

void make(const fs::path& folder, const DataSource& source, const Making& making) {
  const FolderInTheMaking making_in(folder.string() + ".making");
  require_room(making_in.path(), source);
  OutputFile left_out(making_in.path() / "left_out");
  const std::vector<Sample> samples = write_packed(making_in.path() / "packed.bin", source, making, left_out);
  if (source.format == Format::jpeg) write_other_forms(making_in.path(), samples, making);
  write_list(making_in.path() / "samples", samples);
  making_in.become(folder);
}

bool has_size(const fs::path& path, std::int64_t bytes) {
  std::error_code error;
  return static_cast<std::int64_t>(fs::file_size(path, error)) == bytes && !error;
}

bool is_whole_lmdb(const fs::path& path) {
  try {
    open_lmdb(path);
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

bool reads_as_made(const DataSet& data, ReadBy by) {
  const std::unique_ptr<Reader> reader = open_reader(by, data);
  std::vector<std::byte> bytes;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    bytes.resize(static_cast<std::size_t>(data.sample(i).bytes));
    reader->read({&i, 1}, bytes);
    if (checksum(bytes) != data.sample(i).checksum) return false;
  }
  return true;
}

// Whether each sample is the one that was made, in each form. Sets that take longer to look through than a benchmark
// takes are not looked through: their samples are looked at as they are read.
bool is_intact(const DataSet& data) {
  constexpr std::int64_t kLookedThrough = std::int64_t{256} << 20;
  if (data.bytes() > kLookedThrough) return true;
  if (data.format() != Format::jpeg) return reads_as_made(data, ReadBy::pread);
  constexpr ReadBy kEachForm[] = {ReadBy::pread, ReadBy::file, ReadBy::tar, ReadBy::lmdb};
  try {
    return std::ranges::all_of(kEachForm, [&](ReadBy by) { return reads_as_made(data, by); });
  } catch (const std::runtime_error&) {
    return false;
  }
}

// All forms are there, as long as they were made: somebody may have cleaned up a part, or a disk lost it.
bool is_whole(const DataSet& data) {
  if (!has_size(data.packed(), data.bytes())) return false;
  if (data.format() != Format::jpeg) return true;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    if (!has_size(data.file(i), data.sample(i).bytes)) return false;
  }
  return has_size(data.tar(), tar_size(data.samples())) && is_whole_lmdb(data.lmdb());
}

}  // namespace

DataSet::DataSet(const fs::path& parent, const DataSource& source, const Making& making)
    : format_(source.format), folder_(parent / folder_name(source)) {
  const auto open_list = [&] {
    samples_ = read_list(folder_ / "samples").value_or(std::vector<Sample>{});
    return !samples_.empty() && is_whole(*this) && is_intact(*this);
  };
  files::make_folders(parent);
  const Lock lock(folder_.string() + ".lock", making);
  if (open_list()) return;
  sweep_half_made(parent);
  make(folder_, source, making);
  if (!open_list()) throw std::runtime_error(folder_.string() + ": was made, and cannot be read");
}

void require_intact(const Sample& sample, std::span<const std::byte> bytes) {
  if (static_cast<std::int64_t>(bytes.size()) == sample.bytes && checksum(bytes) == sample.checksum) return;
  throw std::runtime_error(sample.name + ": not the " + std::to_string(sample.bytes) +
                           " bytes that it was made of: the checksum differs");
}

}  // namespace cupel::bench::pipeline
