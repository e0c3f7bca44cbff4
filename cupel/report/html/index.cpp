#include "cupel/report/html/index.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "cupel/report/page/render.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::report {
namespace {

// As a link has it: a name may begin like an address or hold what ends one.
std::string link_to(const std::string& name) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./";
  std::string link = "./";
  for (const char c : name) {
    if (kPlain.find(c) != std::string_view::npos)
      link += c;
    else
      link += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return link;
}

}  // namespace

std::string index_page(std::vector<IndexEntry> entries, const std::vector<Unlisted>& unlisted) {
  std::ranges::stable_sort(entries, std::greater(), &IndexEntry::when);
  Table table({left("result"), left("when"), left("machine"), left("run"), left("measured"), left("advice")});
  table.instead = "The folder holds no result.";
  for (const IndexEntry& entry : entries) {
    table.row({entry.file, entry.when, entry.machine, entry.copy_of.empty() ? entry.run : "a copy of " + entry.copy_of,
               entry.measured, entry.answer});
    if (!entry.page.empty()) table.links[table.lines.back().cells.front()] = link_to(entry.page);
  }
  Page page{.made_by = "cupel report", .title = "Results", .sought = "H200 gemm"};
  const auto copies = std::ranges::count_if(entries, [](const IndexEntry& one) { return !one.copy_of.empty(); });
  const std::string title = units::counted(std::ssize(entries) - copies, "result");
  const std::string further = copies == 0 ? "" : " and " + units::counted(copies, "copy", "copies");
  page.add(Heading{.title = title + further, .id = "results"});
  page.add(std::move(table));
  if (!unlisted.empty()) {
    page.add(Heading{
        .title = units::counted(std::ssize(unlisted), "file that cannot be listed", "files that cannot be listed"),
        .id = "unlisted"});
    Table others({left("file"), left("why")});
    for (const auto& [file, why] : unlisted) others.row({file, why});
    page.add(std::move(others));
  }
  return as_html(page);
}

}  // namespace cupel::report
