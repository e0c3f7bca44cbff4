// Samples from storage to device memory without the host in between, by cuFile (GPUDirect Storage). Skipped with the
// reason where storage cannot be reached so. cuFile would read through the host instead; it is told not to.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "bench/pipeline/epoch_costs.hpp"
#include "bench/pipeline/page_cache.hpp"
#include "bench/pipeline/setup.hpp"
#include "bench/pipeline/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/sample_host.hpp"
#include "cupel/vendor/library.hpp"

namespace cupel::bench::pipeline {
namespace {

constexpr std::size_t kSamples = 64;  // of one call
// As in cufile.h, which toolkits may lack.
struct CuFileError {
  int error = 0;  // CU_FILE_SUCCESS
  int driver_error = 0;
};
struct CuFileDescription {
  int type = 1;  // CU_FILE_HANDLE_TYPE_OPAQUE_FD
  union {
    int fd;
    void* other;
  } handle = {};
  const void* operations = nullptr;
};
using CuFileHandle = void*;

vendor::SharedLibrary& cufile_library() {
  static vendor::SharedLibrary library("cuFile", {"libcufile.so.0"});
  return library;
}

const vendor::Entry<CuFileError()> cufile_open_driver(cufile_library, "cuFileDriverOpen");
const vendor::Entry<CuFileError(CuFileHandle*, CuFileDescription*)> cufile_register(cufile_library,
                                                                                    "cuFileHandleRegister");
const vendor::Entry<void(CuFileHandle)> cufile_deregister(cufile_library, "cuFileHandleDeregister");
const vendor::Entry<ssize_t(CuFileHandle, void*, std::size_t, off_t, off_t)> cufile_read(cufile_library, "cuFileRead");

void succeed_or_skip(const CuFileError& result, const std::string& call) {
  if (result.error != 0) {
    harness::skip("cuFile cannot reach this storage directly: " + call + " gave " + std::to_string(result.error));
  }
}

// A file that cuFile reads.
class DirectFile {
 public:
  explicit DirectFile(const std::filesystem::path& path) : file_(path) {
    setenv("CUFILE_ALLOW_COMPAT_MODE", "false", 1);  // read once, when the driver is opened
    setenv("CUFILE_LOGFILE_PATH", "/dev/null", 0);   // else cufile.log in this folder
    static const CuFileError opened = cufile_open_driver();
    succeed_or_skip(opened, "cuFileDriverOpen");
    CuFileDescription description;
    description.handle.fd = file_.fd();
    succeed_or_skip(cufile_register(&handle_, &description), "cuFileHandleRegister");
  }
  ~DirectFile() { cufile_deregister(handle_); }
  DirectFile(const DirectFile&) = delete;

  void read(std::int64_t offset, std::byte* device, std::int64_t bytes) const {
    const ssize_t got = cufile_read(handle_, device, static_cast<std::size_t>(bytes), offset, 0);
    harness::require(got == bytes,
                     "cuFileRead gave " + std::to_string(got) + " of " + std::to_string(bytes) + " bytes");
  }

 private:
  InputFile file_;
  CuFileHandle handle_ = nullptr;
};

void read(benchmark::State& state) {
  const DataSet& data = data_of(Format::jpeg);
  const std::vector<std::int64_t> all = order_of(Order::shuffled, data.size(), 1, harness::input_seed(), 0);
  const auto indices = std::span(all).first(std::min(kSamples, all.size()));
  cuda::DeviceBuffer<std::byte> out(static_cast<std::size_t>(bytes_of(data, indices)));
  const auto file = std::make_unique<DirectFile>(data.packed());

  HostCpu cpu;
  const record::Workload work = {.bytes_read = static_cast<std::int64_t>(out.size()),
                                 .items = static_cast<std::int64_t>(indices.size())};
  const auto call = [&] {
    std::byte* place = out.data();
    for (const std::int64_t index : indices) {
      const Sample& sample = data.sample(index);
      file->read(sample.offset, place, sample.bytes);
      place += sample.bytes;
    }
    cpu.took(work.items);
  };
  // Pages that the page cache has would come from there.
  const auto drop = [&] { make_cold_or_skip({data.packed()}); };
  harness::sample_host(state, work, call, cpu.counting({.before = drop, .calls = 1}));

  const std::vector<std::byte> result = out.to_host();
  std::span<const std::byte> rest = result;
  for (const std::int64_t index : indices) {
    const auto bytes = static_cast<std::size_t>(data.sample(index).bytes);
    require_intact(data.sample(index), rest.first(bytes));
    rest = rest.subspan(bytes);
  }
  cpu.tell();
}

}  // namespace

void register_read_to_gpu() {
  harness::add("pipeline/read/by:cufile/order:shuffled/cache:cold", read)
      .advice("faster-reader", record::Role::variant, "order:shuffled/cache:cold", "cufile")
      .memory([](const auto&) { return harness::Memory{.device_bytes = kSamples * (std::int64_t{100} << 10)}; });
}

}  // namespace cupel::bench::pipeline
