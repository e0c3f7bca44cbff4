// Writes the made-up result files that the browser test makes its pages of:  make_results FOLDER
// a.json and b.json: every family, on two devices.
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
