// A file a sample, as a folder of images has it.
#include "bench/pipeline/reader.hpp"
#include "bench/pipeline/runs.hpp"

namespace cupel::bench::pipeline {
namespace {

class FileReader : public Reader {
 public:
  explicit FileReader(const DataSet& data) : data_(data) {}

  void read(std::span<const std::int64_t> indices, std::span<std::byte> out) override {
    for (const std::int64_t index : indices) {
      const std::int64_t bytes = data_.sample(index).bytes;
      InputFile(data_.file(index), bytes).read(0, take_front(out, bytes));
    }
  }

 private:
  const DataSet& data_;
};

}  // namespace

std::unique_ptr<Reader> open_file_reader(const DataSet& data) { return std::make_unique<FileReader>(data); }

}  // namespace cupel::bench::pipeline
