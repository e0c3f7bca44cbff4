// cupel_smoke smallest|sizes EXECUTABLE [PART/PARTS]: runs benchmarks of a family, or a part of them, and looks at what
// came out.
//
// smallest: each at its smallest size, timed. sizes: each at its smallest size and at larger ones, and all once more in
// the same order and process, untimed: what is kept for one size must not be taken for another.
// Exit code 0: all well. 1: something is wrong, said on stderr. 77: the family needs a device and there is none.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "cupel/host/child.hpp"
#include "cupel/record/json.hpp"
#include "cupel/record/listing.hpp"
#include "cupel/runner/output.hpp"
#include "tests/smoke/selection.hpp"
#include "tests/smoke/verdict.hpp"

namespace {

namespace fs = std::filesystem;
using namespace cupel;

constexpr int kWrong = 1;
constexpr int kNotRun = 77;          // ctest's SKIP_RETURN_CODE
constexpr int kNoDevice = 3;         // of a family's executable
constexpr double kRunLimit_s = 540;  // a minute before ctest ends the test, so that it says what did not end

std::string ending_of(const host::ChildResult& child) {
  return host::ending_text(child, "ended with " + std::to_string(child.code));
}

record::Listing listing_of(const fs::path& executable) {
  const host::ChildResult child = host::run_listing(executable, {"--cupel_list", "--cupel_profile=full"});
  if (!host::exited_with(child, 0)) {
    throw std::runtime_error(executable.string() + " --cupel_list " + ending_of(child) + "\n" + child.error_text);
  }
  return record::listing_from_json(child.output_text, executable.string() + " --cupel_list");
}

void write_lines(const fs::path& file, const std::vector<std::string>& lines) {
  std::ofstream out(file);
  for (const std::string& line : lines) out << line << '\n';
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

void say(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) std::fprintf(stderr, "%s\n", line.c_str());
}

// What is run, and how.
struct Way {
  std::vector<std::string> (*selection)(const record::Listing&, smoke::Part);
  std::vector<std::string> flags;
  bool timed;
};

Way way_called(const std::string& name) {
  if (name == "smallest") {
    return {smoke::smallest_of_each, {"--cupel_rounds=1", "--cupel_min_samples=3", "--cupel_max_samples=3"}, true};
  }
  if (name == "sizes") return {smoke::sizes_in_turn, {"--cupel_once", "--cupel_rounds=2"}, false};
  throw std::invalid_argument(name + ": neither smallest nor sizes");
}

int run_benchmarks(const Way& way, const fs::path& executable, smoke::Part part) {
  const runner::ScratchFolder folder;
  const record::Listing listing = listing_of(executable);
  const std::vector<std::string> names = way.selection(listing, part);
  if (names.empty()) {
    std::printf("%s: nothing to run\n", listing.family.c_str());
    return 0;
  }
  write_lines(folder.path() / "only", names);

  const fs::path out = folder.path() / "result.json";
  std::vector<std::string> arguments = way.flags;
  arguments.insert(arguments.end(), {"--cupel_profile=full", "--cupel_only=" + (folder.path() / "only").string(),
                                     "--cupel_out=" + out.string()});
  const host::ChildResult child = host::run_child(
      {.program = executable, .arguments = arguments, .time_limit_s = kRunLimit_s, .keep_bytes = 64 << 20});
  if (listing.needs_device && host::exited_with(child, kNoDevice)) {
    std::fprintf(stderr, "not run: %s\n", host::last_line(child.error_text).c_str());
    return kNotRun;
  }
  std::fputs(child.error_text.c_str(), stderr);
  if (!host::exited_with(child, 0)) {
    std::fprintf(stderr, "%s %s\n", executable.c_str(), ending_of(child).c_str());
    return kWrong;
  }

  const record::ResultSet result = record::read(out);
  std::vector<std::string> wrong = smoke::complaints(result, names);
  if (way.timed) std::ranges::copy(smoke::without_times(result), std::back_inserter(wrong));
  say(smoke::skipped(result));
  say(wrong);
  std::printf("%s: %zu of %zu benchmarks run, %zu complaints\n", listing.family.c_str(), names.size(),
              listing.benchmarks.size(), wrong.size());
  return wrong.empty() ? 0 : kWrong;
}

}  // namespace

int main(int argc, char** argv) {
  smoke::Part part;
  const bool has_part = argc == 4 && std::sscanf(argv[3], "%zu/%zu", &part.number, &part.of) == 2 && part.number >= 1 &&
                        part.number <= part.of;
  if (argc != 3 && !has_part) {
    std::fprintf(stderr, "usage: cupel_smoke smallest|sizes EXECUTABLE [PART/PARTS]\n");
    return kWrong;
  }
  try {
    return run_benchmarks(way_called(argv[1]), argv[2], part);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cupel_smoke: %s\n", error.what());
    return kWrong;
  }
}
