// What binds the loaders that were measured, and what to change about it.
#include "cupel/report/advise/parts.hpp"
#include "cupel/report/text/escape.hpp"

namespace cupel::report {
namespace {

constexpr std::size_t kNameWidth = 60;

std::string names_of(const advice::Bottleneck& bottleneck) {
  const std::size_t more = bottleneck.names.size() - 1;
  return shorten(escape_text(bottleneck.names.front()), kNameWidth) +
         (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

}  // namespace

void add_bottlenecks(Page& page, const AdvisedFile& file) {
  if (file.bottlenecks.empty()) return;
  page.heading("What binds the input pipeline");
  Table table({{"stage"}, {"what to change"}, {"seen in", Align::left, Fold::wrapped}});
  for (const advice::Bottleneck& bottleneck : file.bottlenecks)
    table.row({escape_text(bottleneck.stage), escape_text(bottleneck.change), names_of(bottleneck)});
  page.table(table);
}

}  // namespace cupel::report
