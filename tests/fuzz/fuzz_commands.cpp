// Any text as any file that a command takes: a reader refuses it by an exception of its own, or what the commands print
// of it is harmless text.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "cupel/bands/judge.hpp"
#include "cupel/compare/comparison.hpp"
#include "cupel/figures/renames.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/gate/gate.hpp"
#include "cupel/history/history.hpp"
#include "cupel/record/google_benchmark.hpp"
#include "cupel/record/journal.hpp"
#include "cupel/record/json.hpp"
#include "cupel/report/advise/advise.hpp"
#include "cupel/report/bands/bands.hpp"
#include "cupel/report/compare/compare.hpp"
#include "cupel/report/gate/gate.hpp"
#include "cupel/report/html/report.hpp"
#include "cupel/report/show/show.hpp"

namespace {

using namespace cupel;

template <class Read>
void refused_or_read(const Read& read) {
  try {
    read();
  } catch (const files::ReadError&) {
  }
}

void require_harmless(std::string_view printed) {
  const auto obeyed = [](char c) { return static_cast<unsigned char>(c) < 0x20 ? c != '\n' : c == 0x7f; };
  if (std::ranges::any_of(printed, obeyed)) std::abort();
}

void read_documents(std::string_view text) {
  refused_or_read([&] { gate::policy_from_json(text, "fuzz"); });
  refused_or_read([&] { gate::calibration_from_json(text, "fuzz"); });
  refused_or_read([&] { figures::renames_from_json(text, "fuzz"); });
  refused_or_read([&] {
    const bands::Bands bands = bands::bands_from_json(text, "fuzz");
    require_harmless(report::bands_list({&bands, 1}, report::Format::text, {80}));
  });
  refused_or_read([&] { history::history_point_from_json(text, "fuzz"); });
  refused_or_read([&] { history::accepted_from_json(text, "fuzz"); });
  static const std::filesystem::path journal = "/dev/shm/cupel-fuzz-" + std::to_string(::getpid());
  std::ofstream(journal, std::ios::binary) << text;
  refused_or_read([&] { record::read_journal(journal); });
  std::filesystem::remove(journal);
}

// Against three boards that were twice as quick.
bands::Judgement judge(const record::ResultSet& results) {
  figures::Suite suite = figures::suite_of(results, "fuzz");
  if (!suite.context.device) return {};
  bands::Bands bands;
  for (const char* uuid : {"GPU-fuzz-a", "GPU-fuzz-b", "GPU-fuzz-c"}) {
    figures::Suite quick = suite;
    quick.context.device->uuid = uuid;
    for (figures::Benchmark& benchmark : quick.benchmarks) {
      for (figures::Locations& locations : benchmark.modes) {
        for (double& time_s : locations.values_s) time_s /= 2;
      }
    }
    bands::add(bands, quick);
  }
  try {
    return bands::judge(bands::bands_from_json(bands::to_json(bands), "again"), suite);
  } catch (const files::ReadError&) {
    std::abort();  // what is written can be read
  }
}

void show(const record::ResultSet& results) {
  report::ShowOptions options;
  options.board = judge(results);
  for (const report::Format format : report::kShowFormats) {
    options.format = format;
    require_harmless(report::show(results, options));
  }
}

void advise(const record::ResultSet& results) {
  report::AdviseOptions options;
  options.all = true;
  std::vector<report::AdvisedFile> files = {report::advised_file("fuzz", results, options.rules, judge(results))};
  for (const report::Format format : report::kAdviseFormats) {
    options.format = format;
    require_harmless(report::advise(files, options));
  }
}

void compare(const record::ResultSet& results) {
  const std::vector<figures::Suite> suites(2, figures::suite_of(results, "fuzz"));
  const compare::CompareReport page = compare::side_by_side(suites);
  report::CompareOptions options;
  options.all = true;
  for (const report::Format format : report::kCompareFormats) {
    options.format = format;
    require_harmless(report::compare(page, options));
  }
}

void gate(const record::ResultSet& results) {
  const figures::Suite suite = figures::suite_of(results, "fuzz");
  gate::Gate gate({}, nullptr, "2026-01-01");
  gate.against_stored(suite, suite);
  const gate::GateReport page{gate.result(), "a", "b", 0};
  for (std::size_t format = 0; format < names_of(report::GateFormat()).size(); ++format) {
    require_harmless(report::gate(page, static_cast<report::GateFormat>(format), {.all = true}));
  }
}

void print_results(const record::ResultSet& results, bool foreign) {
  if (!foreign) show(results), advise(results);
  compare(results);
  gate(results);
  require_harmless(report::html_report({{"fuzz", results, foreign}}));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_documents(text);
  refused_or_read([&] { print_results(record::from_json(text, "fuzz"), false); });
  refused_or_read([&] { print_results(record::from_google_benchmark(text, "fuzz"), true); });
  return 0;
}
