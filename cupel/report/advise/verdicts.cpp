// The tables of one machine.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "cupel/figures/fingerprint.hpp"
#include "cupel/report/advise/parts.hpp"
#include "cupel/report/advise/words.hpp"
#include "cupel/report/text/escape.hpp"
#include "cupel/report/text/lists.hpp"
#include "cupel/report/text/machine.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::report {
namespace {

using advice::AdviceGroup;
using advice::AdviceResult;
using advice::AdviceVerdict;
using catalogue::AdviceKind;

using Pieces = std::vector<const AdviceResult*>;

bool is_cost(const AdviceResult& result) { return result.kind == AdviceKind::cost; }

std::string id_text(const AdviceResult& result) { return shorten(result.id, 40); }

using Cells = std::function<std::vector<std::string>(const AdviceResult&)>;

// A row a piece.
void add_pieces(Page& page, const char* title, const Pieces& pieces, std::vector<Column> columns, const Cells& cells) {
  if (pieces.empty()) return;
  page.heading(title);
  columns.back().fold = Fold::prose;
  Table table(std::move(columns));
  for (const AdviceResult* result : pieces) table.row(cells(*result));
  page.table(table);
}

// Tables of what pays and has no rank among steps.
constexpr std::pair<AdviceGroup, const char*> kUnranked[] = {
    {AdviceGroup::stage, "Pays in a loader or one stage of it, or once an epoch: a step gains where that binds"},
    {AdviceGroup::one_call, "Pays inside one API call"},
    {AdviceGroup::chosen, "Pays where somebody chose the before, which no framework starts with"},
    {AdviceGroup::counted, "Saves memory"}};

// Where one of its points is of a benchmark that is unusual here.
std::string unusual_remark(const AdvisedFile& file, const AdviceResult& result) {
  const auto is_unusual = [&](const std::string& name) { return contains(file.unusual, name); };
  const bool any = std::ranges::any_of(result.measured(), [&](const advice::AdvicePoint* point) {
    return is_unusual(point->before_name) || is_unusual(point->after_name);
  });
  return any ? "; unusual here, as said above" : "";
}

// Rank, figure, what a call saves, and from which size on.
void add_gains(Page& page, const AdvisedFile& file, const char* title, const char* figure_title,
               const char* saved_title, const Pieces& pieces) {
  int rank = 0;
  add_pieces(page, title, pieces,
             {{"rank", Align::right},
              {"advice"},
              {figure_title, Align::right},
              {"of", Align::left, Fold::none, 2},
              {saved_title, Align::right, Fold::none, 1},
              {"holds"}},
             [&](const AdviceResult& result) -> std::vector<std::string> {
               const bool follows = result.rank > 0 && !result.leads;  // the cause of the piece above
               return {follows ? "" : std::to_string(++rank),
                       (follows ? "+ " : "") + id_text(result) +
                           (follows && result.group == AdviceGroup::one_call ? " (in one call)" : ""),
                       headline_figure(result),
                       modes_text(result),
                       most_saved(result),
                       holds_text(result) + unusual_remark(file, result)};
             });
}

void add_reasons(Page& page, const char* title, const char* figure_title, const char* reason_title,
                 const Pieces& pieces, const std::function<std::string(const AdviceResult&)>& reason) {
  add_pieces(page, title, pieces, {{"advice"}, {figure_title, Align::right}, {"of"}, {reason_title}},
             [&](const AdviceResult& result) -> std::vector<std::string> {
               return {id_text(result), figure_words(result), modes_text(result), shorten(reason(result), 300)};
             });
}

void add_mixed(Page& page, const Pieces& pieces) {
  if (pieces.empty()) return;
  page.heading("Mixed: pays at some, harms or costs at others");
  std::string cause_above;
  for (const AdviceResult* result : pieces) {
    const bool follows = !result->cause.empty() && result->cause == cause_above;  // one entry with what stands above
    const std::string cause = result->cause.empty() || follows ? "" : " (cause: " + result->cause + ")";
    cause_above = result->cause;
    page.paragraph((follows ? "+ " : "") + result->id + cause + ", " + group_remark(*result) + headline_text(*result) +
                   ": " + holds_text(*result));
    for (const std::string& line : alternatives(*result)) page.bullet(line);
  }
}

std::string names_of(const Pieces& pieces) {
  return joined(pieces | std::views::transform([](const AdviceResult* result) { return result->id; }));
}

// Whether one of the families that were run measures it; of a file that names none, any may have been.
bool was_asked_for(const record::RunInfo& run, const catalogue::CatalogueRow* row) {
  if (run.families.empty() || row == nullptr) return true;
  return std::ranges::any_of(row->families, [&](const std::string& family) { return contains(run.families, family); });
}

void add_not_measured(Page& page, const AdvisedFile& file, const AdviseOptions& options) {
  Pieces here, elsewhere;
  for (const AdviceResult& result : file.advice) {
    if (result.verdict != AdviceVerdict::not_measured || result.kind == AdviceKind::tool) continue;
    const catalogue::CatalogueRow* row = catalogue::built_in().find(result.id);
    (was_asked_for(file.context.run, row) ? here : elsewhere).push_back(&result);
  }
  if (here.empty() && elsewhere.empty()) return;
  const std::string others = options.all         ? names_of(elsewhere)
                             : elsewhere.empty() ? ""
                                                 : fmt::format("{} pieces; --all names them", elsewhere.size());
  page.heading("Not measured");
  page.fields({{"not in this file", names_of(here)}, {"of families not run", others}});
}

// "transfer/h2d" of "transfer/h2d/memory:pinned/bytes:4096".
std::string operation_of(const std::string& name) { return name.substr(0, name.rfind('/', name.find(':'))); }

void add_other(Page& page, const AdvisedFile& file) {
  const Pieces figures = those(file.advice, [](const AdviceResult& result) {
    return result.verdict == AdviceVerdict::not_compared && result.kind == AdviceKind::figure;
  });
  std::vector<std::pair<std::string, std::string>> lines;
  for (const AdviceResult* result : figures) {
    lines.emplace_back(result->id, fmt::format("{} figures; cupel show FILE --filter '{}'", result->names.size(),
                                               operation_of(result->names.front())));
  }
  for (const catalogue::CatalogueRow& row : catalogue::built_in().rows) {
    if (row.kind == AdviceKind::tool) lines.emplace_back(row.id, row.cuda);
  }
  page.heading("Not a matter of before and after");
  page.fields(lines);
}

constexpr std::size_t kNameWidth = 60;

std::string names_in(const advice::Bottleneck& bottleneck) {
  const std::size_t more = bottleneck.names.size() - 1;
  return shorten(bottleneck.names.front(), kNameWidth) + (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

std::string knee_text(const advice::Knee& knee) {
  const std::int64_t at = knee.sizes[knee.at].size;
  const std::string gain = fmt::format("{:.0f} %", 100 * advice::kKneeGain);
  std::string text = knee.reached()
                         ? fmt::format("From {} on no batch up to {}, the largest measured, gives more than {}.", at,
                                       knee.sizes.back().size, gain)
                         : fmt::format("Up to {}, the largest measured, a larger batch gives more than {}.", at, gain);
  if (knee.largest) text += fmt::format(" By its buffers one of {:.0f} would fit, which was not tried.", *knee.largest);
  std::vector<std::string> idle, busy;  // below the knee, where a larger batch pays
  for (std::size_t i = 0; i < knee.at; ++i) {
    (knee.sizes[i].busy < advice::kLittleBusy ? idle : busy).push_back(std::to_string(knee.sizes[i].size));
  }
  const std::string little = fmt::format("{:.0f} %", 100 * advice::kLittleBusy);
  if (!idle.empty())
    text += fmt::format(" At {} the GPU is busy for less than {} of the time, which tells it.", joined(idle), little);
  if (!busy.empty())
    text += fmt::format(" At {} the GPU is busy for {} of the time or more, and a larger batch pays all the same.",
                        joined(busy), little);
  return text;
}

}  // namespace

void add_machine(Page& page, const AdvisedFile& file) {
  const record::Context& context = file.context;
  const record::RunInfo& run = context.run;
  std::vector<std::pair<std::string, std::string>> lines{{"file", file.path}};
  if (context.device) lines.emplace_back("device", device_text(*context.device));
  lines.emplace_back("host", host_text(context.host));
  const std::vector<std::string> revisions = units::split(context.build.git_revision, ',');
  const std::string until = revisions.size() > 1 ? " to " + run.finished : "";
  lines.emplace_back("run",
                     fmt::format("{}{}, {} profile, {}", run.started, until, run.profile, record::processes_text(run)));
  if (revisions.size() > 1) {
    lines.emplace_back("cupel", units::counted(std::ssize(revisions), "revision") + ": " +
                                    figures::shortened(context.build.git_revision, 12));
  }
  page.heading(machine_name(context));
  page.fields(lines);
  if (file.causes.empty()) return;
  page.paragraph("What bears on these numbers:");
  for (const figures::Cause& cause : file.causes) page.bullet(cause.what + " " + cause.remedy);
}

void add_verdicts(Page& page, const AdvisedFile& file, const AdviseOptions& options) {
  using enum AdviceVerdict;
  const auto gains = [&](const char* title, const char* figure_title, const char* saved_title, const auto& is) {
    add_gains(page, file, title, figure_title, saved_title, those(file.advice, is));
  };
  const auto reasons = [&](const char* title, const char* figure_title, const char* reason_title, const auto& is,
                           const auto& reason) {
    add_reasons(page, title, figure_title, reason_title, those(file.advice, is), reason);
  };
  const auto is = [](AdviceVerdict verdict) {
    return [verdict](const AdviceResult& result) { return result.verdict == verdict; };
  };
  const auto is_of = [](AdviceVerdict verdict, bool costs) {
    return [=](const AdviceResult& result) { return result.verdict == verdict && is_cost(result) == costs; };
  };
  gains("Pays", "gain", "saves", [](const AdviceResult& result) { return result.rank > 0; });
  for (const auto& [group, title] : kUnranked) {
    gains(title, "gain", group == AdviceGroup::counted ? "" : "saves", [&, of = group](const AdviceResult& result) {
      return is_of(pays, false)(result) && result.rank == 0 && result.group == of;
    });
  }
  add_mixed(page, those(file.advice, is(mixed)));
  gains("Harms here, against the advice", "gain", "loses", is_of(harms, false));
  for (const bool one_call : {false, true}) {
    gains(one_call ? "What it costs inside one API call" : "What it costs", "longer", "costs",
          [&](const AdviceResult& result) {
            return is_of(harms, true)(result) && (result.group == AdviceGroup::one_call) == one_call;
          });
  }
  gains("Warned of, but faster here", "longer", "saves", is_of(pays, true));
  reasons("Makes no difference here", "gain", "holds", is(no_difference), holds_text);
  reasons("Undecided", "so far", "why", is(undecided), undecided_text);
  reasons(
      "Not measurable here", "so far", "why",
      [](const AdviceResult& result) {
        return result.verdict == not_measurable ||
               (result.verdict == not_compared && result.kind != AdviceKind::figure);
      },
      [](const AdviceResult& result) {
        return result.reason.empty() ? "measured without a before and an after" : result.reason;
      });
  add_not_measured(page, file, options);
  if (options.all) add_other(page, file);
}

void add_bottlenecks(Page& page, const AdvisedFile& file) {
  if (file.bottlenecks.empty()) return;
  page.heading("What binds the input pipeline");
  Table table({{"stage"}, {"what to change"}, {"seen in", Align::left, Fold::below}});
  for (const advice::Bottleneck& bottleneck : file.bottlenecks)
    table.row({escape_text(bottleneck.stage), escape_text(bottleneck.change), names_in(bottleneck)});
  page.table(table);
}

void add_knees(Page& page, const AdvisedFile& file) {
  for (const advice::Knee& knee : file.knees) {
    page.heading("Which batch is large enough: " + escape_text(knee.operation));
    page.paragraph(knee_text(knee));
    Table table({{"batch", Align::right}, {"samples a second", Align::right}, {"GPU busy", Align::right}});
    for (const advice::BatchSize& size : knee.sizes) {
      table.row(
          {std::to_string(size.size), units::format_significant(size.per_second), units::format_percent(size.busy)});
    }
    page.table(table);
  }
}

}  // namespace cupel::report
