#include "cupel/report/bands/bands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cupel/bands/judge.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {

std::string bands_list(std::span<const bands::Bands> all, Format format, const Terminal& terminal) {
  Table table({left("model", Fold::above), right("boards"), right("benchmarks"),
               right(fmt::format("by {}", bands::kFewestBoards)), right(fmt::format("by {}", bands::kEnoughBoards))});
  for (const bands::Bands& one : all) {
    const auto with = [&](std::size_t fewest) {
      return std::to_string(std::ranges::count_if(
          one.benchmarks, [&](const auto& benchmark) { return benchmark.second.boards.size() >= fewest; }));
    };
    table.row({units::visible(one.model), std::to_string(one.boards.size()), std::to_string(one.benchmarks.size()),
               with(bands::kFewestBoards), with(bands::kEnoughBoards)});
  }
  Page page{"cupel bands", "Boards whose usual times are known"};
  page.add(std::move(table));
  page.add(
      List{{fmt::format("by {0}, by {1}: benchmarks that so many boards have or more; {0} others are needed to call a "
                        "board unusual, {1} to be sure.",
                        bands::kFewestBoards, bands::kEnoughBoards),
            "cupel show FILE says whether a result is usual for its model; cupel bands add FILE takes a board of "
            "yours. docs/bands.md has the rule."},
           false});
  return rendered(page, format, terminal);
}

}  // namespace cupel::report
