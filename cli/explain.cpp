// `cupel explain`: what a benchmark measures, why, how, what is usual, and when it misleads; what a piece of advice
// says; and what a word of a table or a verdict means. The texts are docs/explain/<family>.md, docs/advice/ and
// docs/glossary/, built in.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cli/benchmarks.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/explain_texts.hpp"
#include "cli/print.hpp"
#include "cupel/catalogue/catalogue.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::cli {
namespace {

// `title` is the name, or a whole number of its first components.
bool covers(const std::string& title, const std::string& name) {
  return name == title || name.starts_with(title + "/");
}

// The section that says most precisely what was asked for, or null.
const Section* section_of(const std::vector<Section>& sections, const std::string& name) {
  const Section* best = nullptr;
  std::size_t longest = 0;
  for (const Section& section : sections) {
    for (const std::string& title : section.names) {
      if (!covers(title, name) || title.size() <= longest) continue;
      best = &section;
      longest = title.size();
    }
  }
  return best;
}

std::vector<const Section*> sections_for(const std::vector<Section>& sections, const std::string& name) {
  std::vector<const Section*> found;
  if (const Section* section = section_of(sections, name)) found.push_back(section);
  if (!found.empty()) return found;
  for (const Section& section : sections) {
    const bool below =
        std::ranges::any_of(section.names, [&](const std::string& title) { return covers(name, title); });
    if (units::contains(section.advice, name) || below) found.push_back(&section);
  }
  return found;
}

// The text of a piece of advice, whether or not this build has a benchmark for it.
std::string text_of(const catalogue::CatalogueRow& piece) {
  report::Page page;
  page.fields({{"advice", piece.advice},
               {"before", piece.before},
               {"after", piece.after},
               {"PyTorch", piece.pytorch},
               piece.kind == catalogue::AdviceKind::tool ? std::pair{"benchmark", "none; told by: " + piece.cuda}
                                                         : std::pair{"CUDA", piece.cuda},
               {"backfires", piece.backfires},
               {"claimed", fmt::format("{} ({})", piece.claim, piece.source)}});
  return piece.id + "\n\n" + report::as_text(page, {output_columns()});
}

// Words are asked for as tables print them: SAME, NOT-COMPARABLE, "below floor", "by 5".
std::string as_in_glossary(std::string word) {
  std::ranges::transform(word, word.begin(),
                         [](unsigned char c) { return c == '-' ? ' ' : static_cast<char>(std::tolower(c)); });
  std::vector<std::string> parts = units::split(word, ' ');
  std::erase_if(parts, [](const std::string& part) {
    return !part.empty() && part.find_first_not_of("0123456789") == part.npos;
  });
  return fmt::format("{}", fmt::join(parts, " "));
}

// A head of a table is asked for as it is printed, too: "gain, ms" is the gain.
const Section* meaning_of(const std::vector<Section>& glossary, const std::string& asked) {
  const std::string word = asked.substr(0, asked.find(", "));
  const auto means = [&](const Section& section) {
    return std::ranges::any_of(section.names, [&](const std::string& name) {
      return name == word || as_in_glossary(name) == as_in_glossary(word);
    });
  };
  const auto found = std::ranges::find_if(glossary, means);
  return found == glossary.end() ? nullptr : &*found;
}

constexpr const char* kLegendName = "legend";

struct ExplainFlags {
  std::string name, output = "-";
  std::optional<std::string> folder;
};

int explain(const ExplainFlags& flags) {
  const std::string& name = flags.name;
  if (name.empty() || name == kLegendName) {
    write_text(flags.output, plain_text(read_sections(legend_texts()).front(), output_columns()));
    return kDone;
  }
  const std::vector<Section> glossary = read_sections(glossary_texts());
  add_family_advice(flags.folder);
  const std::vector<std::string> of_families = family_texts(flags.folder, ".explain.md");
  std::vector<std::string_view> texts_of_all = explain_texts();
  texts_of_all.insert(texts_of_all.end(), of_families.begin(), of_families.end());
  const std::vector<Section> sections = read_sections(texts_of_all);
  // A change of a training step is explained as the piece of advice that it makes.
  const catalogue::Catalogue& catalogue = catalogue::built_in();
  const std::string made = catalogue.find(name) == nullptr ? catalogue.made_by(name) : "";
  const std::string& asked = made.empty() ? name : made;
  const std::vector<const Section*> found = sections_for(sections, asked);
  const catalogue::CatalogueRow* const piece = catalogue.find(asked);
  std::vector<std::string> texts;
  if (!made.empty()) texts.push_back(fmt::format("{} is the change that makes {} in a training step.\n", name, made));
  if (const Section* word = meaning_of(glossary, name)) texts.push_back(plain_text(*word, output_columns()));
  if (piece != nullptr) texts.push_back(text_of(*piece));
  for (const Section* section : found) texts.push_back(plain_text(*section, output_columns()));
  if (!texts.empty()) {
    write_text(flags.output, fmt::format("{}", fmt::join(texts, "\n")));
    return kDone;
  }
  std::vector<std::string> known;
  for (const catalogue::CatalogueRow& row : catalogue.rows) {
    known.push_back(row.id);
    known.insert(known.end(), row.in_a_step.begin(), row.in_a_step.end());
  }
  for (const Section& section : sections) {
    known.insert(known.end(), section.names.begin(), section.names.end());
    for (const std::string& id : section.advice) units::add_once(known, id);
  }
  for (const Section& section : glossary) known.insert(known.end(), section.names.begin(), section.names.end());
  complain(fmt::format("nothing is known of '{}'; {}", name, suggestions({name}, known)));
  return kNothing;
}

}  // namespace

void add_explain(Command& app) {
  Command& command =
      app.add_subcommand("explain", "Say what a benchmark or a piece of advice is about, or what a word means");
  ExplainFlags& flags = command.runs(explain);
  command.add_option(
      "name", flags.name,
      "Benchmark, operation, family, advice id, change of a training step (amp), or a word of a table: floor, hot, "
      "undecided (default: legend, the columns of all tables)");
  add_bench_dir_flag(command, flags.folder);
  add_output_flag(command, flags.output);
  command.examples({{"cupel explain transfer/h2d", "Says what these copies measure, and what is usual"},
                    {"cupel explain pin-memory", "Says what a piece of advice is, and what is measured for it"}});
  command.exits({{kNothing, "nothing is known of it"}});
}

}  // namespace cupel::cli
