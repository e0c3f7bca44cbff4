#include "cupel/report/page/html_page.hpp"

#include <fmt/core.h>

#include "cupel/report/page/html_text.hpp"
#include "cupel/report/page/palette.hpp"

namespace cupel::report::html {
namespace {

// Nothing may be loaded from anywhere and nothing runs but our own styles and script, whatever a name in a result file
// tries. A test holds the hashes against them and says what they are to be.
constexpr std::string_view kPolicy =
    "default-src 'none'; style-src 'sha256-8b7k7lVpCKLCW8mfmevjFKw1P3oJwPp8EgGSFhpvu8A=' "
    "'sha256-WWGKmJiJbGdteY/4Hj0UDcwRXwBhr59Le+223HkR7e8='; "
    "script-src 'sha256-PCXZ0WFxbbCAk4yB0sOZvwKqavUJ/z+NGFK1LY9Hsb0='; img-src data:; base-uri 'none'; form-action "
    "'none'";

// Colours of both themes; paper is always light.
std::string theme() {
  std::string css =
      fmt::format(":root{{color-scheme:light dark;{}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}\n",
                  css_variables(kLight), css_variables(kDark));
  for (std::size_t i = 0; i < kSeriesColours; ++i) css += fmt::format(".c{}{{--c:var(--s{})}}\n", i, i);
  return css;
}

std::string titled(const Section& section) {
  const std::string title = safe(section.title, 80);
  return section.folded.empty() ? title : "<code>" + title + "</code>";
}

std::string navigation(const std::vector<Section>& sections) {
  std::string out = "<nav aria-label=\"Sections\"><ul>\n";
  for (const Section& section : sections) {
    out += fmt::format("<li{}><a href=\"#{}\">{}</a></li>\n", section.folded.empty() ? "" : " class=\"family\"",
                       section.id, titled(section));
  }
  return out + "</ul></nav>\n";
}

std::string links_to(const std::vector<std::pair<std::string, std::string>>& others) {
  std::string out;
  for (const auto& [name, file] : others)
    out += fmt::format("<a href=\"{}\">{}</a> ", safe(file, kSentence), safe(name, 80));
  return out.empty() ? "" : "<nav aria-label=\"Pages\" class=\"pages\">" + out + "</nav>";
}

// Shown by the script, without which they would do nothing.
std::string controls(const std::string& sought, const std::vector<std::string>& devices) {
  std::string out = fmt::format(
      "<div class=\"controls\" hidden><label>Filter <input type=\"search\" id=\"filter\" placeholder=\"{}\" "
      "autocomplete=\"off\"></label><span id=\"matches\" role=\"status\"></span>",
      safe(sought, 40));
  if (devices.size() > 1) {
    out += "<fieldset><legend>Devices</legend>";
    for (std::size_t i = 0; i < devices.size(); ++i) {
      out += fmt::format("<label class=\"c{}\"><input type=\"checkbox\" data-device=\"{}\" checked> {}</label>",
                         i % kSeriesColours, i, safe(devices[i], 80));
    }
    out += "</fieldset>";
  }
  return out + "</div>\n";
}

}  // namespace

std::string page(const Page& page, const std::vector<std::string>& devices, const std::vector<Section>& sections) {
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"generator\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{}</title>\n<style>\n{}{}</style>\n<style>\n{}</style>\n</head>\n<body>\n",
      page.made_by, kPolicy, safe(page.title), theme(), style_text(), widths_text());
  out += fmt::format("<a class=\"skip\" href=\"#{}\">To the {}</a>\n", sections.front().id, sections.front().id) +
         "<header><p>" + page.made_by + "</p><h1>" + safe(page.title) + "</h1>" + links_to(page.others) +
         "</header>\n" + navigation(sections) + "<main>\n" + controls(page.sought, devices);
  std::size_t bytes = out.size() + script_text().size();
  for (const Section& section : sections) bytes += section.body.size() + 200;
  out.reserve(bytes);  // a section may be large: no more copies of it than need be
  for (const Section& section : sections) {
    const bool is_folded = !section.folded.empty();
    out += fmt::format("<section id=\"{}\">{}<h2>{}</h2>{}\n", section.id,
                       is_folded ? "<details class=\"section\"><summary>" : "", titled(section),
                       is_folded ? " <span>" + safe(section.folded) + "</span></summary>" : "");
    out += section.body;
    out += is_folded ? "</details></section>\n" : "</section>\n";
  }
  out += "</main>\n<script>\n";
  out += script_text();
  out += "</script>\n</body>\n</html>\n";
  return out;
}

}  // namespace cupel::report::html
