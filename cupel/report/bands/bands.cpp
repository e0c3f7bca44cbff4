#include "cupel/report/bands/bands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cupel/bands/judge.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {

std::string bands_list(std::span<const bands::Bands> all, Format format, const Terminal& terminal) {
  Table table({left("model", Fold::wrapped), right("boards"), right("benchmarks"),
               right(fmt::format("of {} boards", bands::kEnoughBoards)),
               right(fmt::format("of {}", bands::kFewestBoards))});
  for (const bands::Bands& one : all) {
    const auto with = [&](std::size_t fewest) {
      return std::to_string(std::ranges::count_if(
          one.benchmarks, [&](const auto& benchmark) { return benchmark.second.boards.size() >= fewest; }));
    };
    table.row({units::visible(one.model), std::to_string(one.boards.size()), std::to_string(one.benchmarks.size()),
               with(bands::kEnoughBoards), with(bands::kFewestBoards)});
  }
  Page page{"cupel bands", "Boards whose usual times are known"};
  page.add(std::move(table));
  return rendered(page, format, terminal);
}

}  // namespace cupel::report
