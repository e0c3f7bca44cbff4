#include "cupel/report/html/report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>

#include "cupel/advice/advice.hpp"
#include "cupel/bands/words.hpp"
#include "cupel/figures/fingerprint.hpp"
#include "cupel/figures/machine.hpp"
#include "cupel/files/errors.hpp"
#include "cupel/files/output_file.hpp"
#include "cupel/report/html/advice_section.hpp"
#include "cupel/report/html/measured.hpp"
#include "cupel/report/html/sections.hpp"
#include "cupel/report/page/html_page.hpp"
#include "cupel/report/page/html_text.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {
namespace {

using html::Device;
using html::Section;

constexpr std::size_t kBestAdvice = 5;

// Google Benchmark's files do not say what they were measured on.
std::string machine_of(const ReportedFile& file) { return figures::machine_name(file.results.context, file.name); }

// A name of several files, "a.json, b.json, c.json", as "a.json and 2 more": it stands in every row.
std::string short_name(const std::string& name) {
  constexpr std::string_view kBetween = ", ";
  int more = 0;
  for (std::size_t at = name.find(kBetween); at != std::string::npos; at = name.find(kBetween, at + 1)) ++more;
  return more == 0 ? name : fmt::format("{} and {} more", name.substr(0, name.find(kBetween)), more);
}

// The machine; where two files have the same one, with its board, or with the file's name where that is the same or not
// known, and a number where that is the same too.
std::vector<Device> devices_of(const std::vector<ReportedFile>& files) {
  std::multiset<std::string> machines, boards;
  for (const ReportedFile& file : files) {
    machines.insert(machine_of(file));
    boards.insert(figures::board_of(file.results.context));
  }
  std::vector<Device> devices;
  std::set<std::string> taken;
  for (const ReportedFile& file : files) {
    const std::string machine = machine_of(file);
    const std::string board = figures::board_of(file.results.context);
    std::string label = machine;
    if (machines.count(machine) > 1) {
      const bool tells = !board.empty() && boards.count(board) == 1;
      label += tells ? " " + board : " (" + short_name(file.name) + ")";
    }
    for (int number = 2; !taken.insert(label).second; ++number) {
      label = fmt::format("{} ({}, {})", machine, short_name(file.name), number);
    }
    Device& device = devices.emplace_back(Device{label, file.name, &file.results, file.foreign});
    device.causes = figures::causes(file.results);
    device.board = file.board;
    device.number = devices.size() - 1;
    if (files.size() > 1) device.name = label;
  }
  return devices;
}

std::string title_of(const std::vector<Device>& devices) {
  return devices.size() > 2 ? fmt::format("{} and {} others", devices.front().label, devices.size() - 1)
                            : units::joined(html::labels_of(devices), " and ");
}

Section summary_section(const std::vector<Device>& devices, const std::vector<html::Family>& families,
                        const html::AdviceOfDevices& advice) {
  std::string body = html::device_cards(devices, families) + html::warnings(devices) +
                     "<h3>What to change first</h3>\n" + html::best_advice(advice, devices, kBestAdvice);
  if (const std::string limits = html::limits_chart(devices, families); !limits.empty()) {
    body += "<h3>Against its limits</h3>\n" + limits;
  }
  return {"summary", "Summary", body, false};
}

std::string read_front(const std::filesystem::path& path, std::size_t length) {
  std::ifstream file(path, std::ios::binary);
  std::string front(length, '\0');
  file.read(front.data(), static_cast<std::streamsize>(length));
  front.resize(static_cast<std::size_t>(file.gcount()));
  return front;
}

bool is_report(const std::filesystem::path& path) {
  constexpr std::size_t kHead = 400;
  return read_front(path, kHead).find("content=\"cupel report\"") != std::string::npos;
}

}  // namespace

std::string html_report(const std::vector<ReportedFile>& files) {
  if (files.empty()) throw std::invalid_argument("a report needs at least one result file");
  std::vector<Device> devices = devices_of(files);
  const std::vector<html::Family> families = html::families_of(devices);
  html::AdviceOfDevices advice;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const bands::Judgement& board = files[i].board;
    advice.push_back(advice::advise(files[i].results, catalogue::built_in()));
    const std::set<std::string> marks = advice::mark_unusual(advice.back(), bands::names_of(board.benchmarks));
    std::ranges::move(bands::unusual_causes(board, marks), std::back_inserter(devices[i].causes));
  }
  const std::vector<html::AdvicePiece> pieces = html::pieces_of(advice, devices);

  std::vector<Section> sections{summary_section(devices, families, advice),
                                {"advice", "Advice", html::advice_table(pieces, devices), false}};
  for (std::size_t i = 0; i < families.size(); ++i) {
    const std::string id = fmt::format("family-{}-{}", i + 1, html::slug(families[i].name));
    sections.push_back({id, "<code>" + html::safe(families[i].name, 80) + "</code>",
                        html::family_section(families[i], pieces, devices, id), true});
  }
  if (devices.size() > 1) {
    sections.push_back({"devices", "Comparison of devices", html::devices_section(devices), false});
  }
  sections.push_back({"environment", "Environment", html::environment_section(devices), false});
  sections.push_back({"method", "Method", html::method_section(), false});
  return html::page("cupel report", title_of(devices), html::labels_of(devices), sections);
}

void write_html(const std::vector<ReportedFile>& files, const std::filesystem::path& path, bool force) {
  std::error_code error;
  if (!force && std::filesystem::is_regular_file(path, error) && !is_report(path)) {
    throw files::WriteError(
        fmt::format("{}: exists and is no report of cupel's; --force replaces it", units::visible(path.string())));
  }
  files::write_file(path, html_report(files));
}

}  // namespace cupel::report
