// How long reading result files takes beside nlohmann's own pass over the same bytes. Asserts nothing: the reader is
// kept to 0.3 of files as cupel writes them and to 1.5 of others, on a machine that does nothing else.
//   cupel_measure_reading FILE...
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cupel/record/json.hpp"

namespace {

// Takes every event and keeps nothing.
struct Nothing final : nlohmann::json_sax<nlohmann::json> {
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }
};

void parse(const char* path) {
  std::ifstream file(path);
  Nothing nothing;
  nlohmann::json::sax_parse(file, &nothing);
}

void read(const char* path) {
  cupel::record::read_rows(path, [](cupel::record::Row&&, bool) {});
}

double seconds(void (*work)(const char*), const char* path) {
  const auto start = std::chrono::steady_clock::now();
  work(path);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kTimes = 7;  // of which the shortest counts; the two take turns
  double bytes = 0, parse_s = 0, read_s = 0;
  for (int file = 1; file < argc; ++file) {
    double shortest_parse_s = 1e9, shortest_read_s = 1e9;
    for (int i = 0; i < kTimes; ++i) {
      shortest_parse_s = std::min(shortest_parse_s, seconds(parse, argv[file]));
      shortest_read_s = std::min(shortest_read_s, seconds(read, argv[file]));
    }
    bytes += static_cast<double>(std::filesystem::file_size(argv[file]));
    parse_s += shortest_parse_s;
    read_s += shortest_read_s;
  }
  fmt::print("{:.1f} MB: parsed in {:.3f} s, read in {:.3f} s, {:.2f} times as long\n", bytes / 1e6, parse_s, read_s,
             read_s / parse_s);
}
