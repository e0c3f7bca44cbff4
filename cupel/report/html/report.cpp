#include "cupel/report/html/report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <system_error>

#include "cupel/advice/words.hpp"
#include "cupel/compare/side_by_side.hpp"
#include "cupel/figures/fingerprint.hpp"
#include "cupel/figures/machine.hpp"
#include "cupel/files/errors.hpp"
#include "cupel/files/input_file.hpp"
#include "cupel/files/output_file.hpp"
#include "cupel/report/advise/advise.hpp"
#include "cupel/report/advise/parts.hpp"
#include "cupel/report/html/advice_section.hpp"
#include "cupel/report/html/measured.hpp"
#include "cupel/report/html/sections.hpp"
#include "cupel/report/page/html_text.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {
namespace {

using html::Device;

// Google Benchmark's files do not say what they were measured on.
std::string machine_of(const ReportedFile& file) { return figures::machine_name(file.results.context, file.name); }

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
    device.board = file.board;
    device.advised = std::make_shared<AdvisedFile>(advised_file(file.name, file.results, {}, file.board));
    device.number = devices.size() - 1;
  }
  std::vector<std::string> labels;
  for (const Device& device : devices) labels.push_back(device.label);
  const std::vector<std::string> names = figures::short_names(labels);
  for (std::size_t i = 0; i < names.size(); ++i) devices[i].name = names[i];
  return devices;
}

std::string title_of(const std::vector<Device>& devices) {
  return devices.size() > 2 ? fmt::format("{} and {} others", devices.front().label, devices.size() - 1)
                            : units::joined(devices | std::views::transform(&Device::label), " and ");
}

void add_section(Page& page, const std::string& title, const std::string& id, Blocks blocks,
                 const std::string& folded = "") {
  page.add(Heading{.title = title, .id = id, .folded = folded});
  page.add(std::move(blocks));
}

// The answer on one screen, without its heading and the options of a terminal, each change linked to how it is made.
Blocks answer_of(const Device& device) {
  Blocks blocks = answer(*device.advised);
  std::erase_if(blocks, [](const Block& block) { return std::holds_alternative<Heading>(block); });
  for (Block& block : blocks) {
    if (Fields* fields = std::get_if<Fields>(&block))
      std::erase_if(fields->labelled, [](const auto& field) { return field.first == "more"; });
    Table* changes = std::get_if<Table>(&block);
    if (changes == nullptr) continue;
    for (const advice::AdviceResult& result : device.advised->advice)
      changes->links[result.id] = "#" + html::how_anchor(result.id);
  }
  return blocks;
}

// A picture of the step that tells, and what to change first.
void add_answer(Page& page, const Device& device) {
  if (!device.name.empty()) page.heading("What to change first on " + device.name, 3);
  Blocks words = answer_of(device);
  if (std::optional<Chart> picture = html::step_picture(device, device.advised->advice, device.advised->figures)) {
    picture->id = fmt::format("step-{}", device.number + 1);
    page.add(PictureAndWords{{std::move(*picture)}, std::move(words)});
  } else {
    page.add(std::move(words));
  }
}

// comparison: of several devices.
void add_summary(Page& page, const std::vector<Device>& devices, const std::vector<html::Family>& families,
                 const compare::CompareReport* comparison) {
  page.add(Heading{.title = comparison != nullptr ? "Which is faster" : "What to change first", .id = "summary"});
  if (comparison != nullptr) {
    page.add(html::which_is_faster(*comparison, devices));
    add_section(page, "Comparison of devices", "devices", html::devices_blocks(*comparison));
    page.add(Heading{.title = "What to change first", .id = "first"});
  }
  std::vector<advice::NamedAdvice> lists;
  for (const Device& device : devices) lists.push_back({device.name, device.advised->advice});
  for (const Device& device : devices) add_answer(page, device);
  if (std::string steps = advice::different_steps_words(lists); !steps.empty()) page.paragraph(steps);
  page.add(html::warnings(devices));
  page.add(html::device_facts(devices, families));
  if (Blocks limits = html::limits_chart(devices, families); !limits.empty()) {
    page.heading("Against its limits", 3);
    page.add(std::move(limits));
  }
}

bool is_report(const std::filesystem::path& path) {
  constexpr std::size_t kHead = 400;
  return files::begin_of_file(path, kHead).find("content=\"cupel report\"") != std::string::npos;
}

}  // namespace

std::string html_report(const std::vector<ReportedFile>& files) {
  if (files.empty()) throw std::invalid_argument("a report needs at least one result file");
  const std::vector<Device> devices = devices_of(files);
  const std::vector<html::Family> families = html::families_of(devices);
  const std::vector<html::AdvicePiece> pieces = html::pieces_of(devices);

  std::optional<compare::CompareReport> comparison;
  if (devices.size() > 1) comparison = html::compared(devices);

  Page page{.made_by = "cupel report", .title = title_of(devices), .sought = "h2d pinned"};
  add_summary(page, devices, families, comparison ? &*comparison : nullptr);
  add_section(page, "Advice", "advice", html::advice_blocks(pieces, devices));
  page.add(html::how_blocks(pieces, devices));
  for (std::size_t i = 0; i < families.size(); ++i) {
    const std::string id = fmt::format("family-{}-{}", i + 1, html::slug(families[i].name));
    const auto benchmarks = std::ssize(html::members_of(families[i]));
    add_section(page, families[i].name, id, html::family_blocks(families[i], pieces, devices, id),
                units::counted(benchmarks, "result"));
  }
  add_section(page, "Environment", "environment", {html::environment_table(devices)});
  add_section(page, "Method", "method", html::method_blocks(families));
  return as_html(page, html::labels_of(devices));
}

IndexEntry index_entry(const record::ResultSet& results, const bands::Judgement& board) {
  const record::RunInfo& run = results.context.run;
  std::set<std::string> names, failed;
  for (const record::Row& row : results.rows) {
    names.insert(row.name);
    if (row.status == record::Status::failed) failed.insert(row.name);
  }
  std::string how = units::joined(run.families);
  units::append(how, run.profile.empty() ? "" : run.profile + " profile", "; ");
  units::append(how, record::processes_text(run), "; ");
  std::string measured = units::counted(std::ssize(names), "benchmark");
  if (!failed.empty()) measured += fmt::format(", {} failed", failed.size());
  return {.when = html::when_text(record::time_text(run)),
          .machine = figures::machine_name(results.context),
          .run = how,
          .measured = measured,
          .answer = advised_file("", results, {}, board).digest};
}

void write_page(const std::string& html, const std::filesystem::path& path, bool force) {
  std::error_code error;
  if (!force && std::filesystem::is_regular_file(path, error) && !is_report(path)) {
    throw files::WriteError(
        fmt::format("{}: exists and is no report of cupel's; --force replaces it", units::visible(path.string())));
  }
  files::write_file(path, html);
}

void write_html(const std::vector<ReportedFile>& files, const std::filesystem::path& path, bool force) {
  write_page(html_report(files), path, force);
}

}  // namespace cupel::report
