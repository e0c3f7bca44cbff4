// Writes the made-up result files that the browser test makes its pages of:  make_results FOLDER
//   a.json, b.json          every family, on two devices
//   many-0.json to -3.json  300 benchmarks in 7 processes each, for the size of a page
#include <cstdio>
#include <exception>
#include <filesystem>

#include "cupel/record/json.hpp"
#include "tests/report/synthetic_results.hpp"

namespace {

namespace synthetic = cupel::report::synthetic;

void write_all(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  cupel::record::write(synthetic::results(), folder / "a.json");
  cupel::record::write(synthetic::results(synthetic::second_machine()), folder / "b.json");
  for (int i = 0; i < 4; ++i) {
    synthetic::Machine machine;
    machine.name = "Test GPU " + std::to_string(i);
    machine.processes = 7;
    machine.samples = 150;
    machine.seed = static_cast<std::uint64_t>(i);
    cupel::record::write(synthetic::many(machine, 300), folder / ("many-" + std::to_string(i) + ".json"));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_results FOLDER\n");
    return 2;
  }
  try {
    write_all(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_results: %s\n", error.what());
    return 1;
  }
  return 0;
}
