#include "cupel/report/page/render.hpp"

namespace cupel::report {

std::string rendered(const Page& page, Format format, const Terminal& terminal) {
  if (format == Format::html) return as_html(page);
  return format == Format::markdown ? as_markdown(page) : as_text(page, terminal);
}

}  // namespace cupel::report
