#include "cupel/report/foretell/foretell.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cupel/catalogue/catalogue.hpp"
#include "cupel/foretell/fields.hpp"
#include "cupel/record/data.hpp"
#include "cupel/record/encode.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::report {

using namespace record::detail;
namespace {

using foretell::Foretold;
using foretell::State;
using record::KernelKind;

std::string ms(double seconds) { return units::format_fixed(1e3 * seconds, 3); }

std::string share_text(double part, double whole) { return units::format_fixed(100 * part / whole, 1) + " %"; }

std::string step_name(const record::StepProfile& profile) {
  std::string name = profile.net.empty() ? "step" : profile.net;
  if (profile.batch > 0) name += fmt::format(", batch {}", profile.batch);
  return name;
}

std::string switches_text(const record::StepSwitches& s) {
  std::vector<std::string> on{s.precision, s.layout, s.optimizer, s.launch, s.copies, s.gradients, s.memory};
  std::erase(on, "");
  return units::joined(on);
}

void add_step(Page& page, const foretell::ProfiledStep& one) {
  const foretell::Step& step = one.step;
  const record::StepProfile& profile = step.profile();
  page.heading(step_name(profile));
  page.fields(
      {{"profile", one.path},
       {"of", profile.source},
       {"benchmark", profile.benchmark},
       {"device", profile.device},
       {"switches", switches_text(profile.switches)},
       {"note", profile.note},
       {"step", fmt::format("{} ms: device {} ms, host {} ms to enqueue {} launches, waits {} ms", ms(profile.step_s),
                            ms(step.device_s()), ms(step.host_s()), profile.launches, ms(step.waits_s()))},
       {"binds",
        step.host_binds() ? "the host: the device waits for launches" : "the device: the host is ahead of it"}});
}

// Kernels by kind, the longest first, and the copies.
void add_parts(Page& page, const record::StepProfile& profile) {
  Table table({left("part"), right("calls"), right("ms"), right("of the step")});
  std::vector<KernelKind> kinds;
  for (int kind = 0; kind <= static_cast<int>(KernelKind::other); ++kind) {
    if (profile.calls(static_cast<KernelKind>(kind)) > 0) kinds.push_back(static_cast<KernelKind>(kind));
  }
  std::ranges::stable_sort(kinds, std::greater(), [&](KernelKind kind) { return profile.time_s(kind); });
  for (const KernelKind kind : kinds) {
    const double time_s = profile.time_s(kind);
    table.row(
        {to_string(kind), units::format_fixed(profile.calls(kind), 0), ms(time_s), share_text(time_s, profile.step_s)});
  }
  for (const record::StepCopies& copy : profile.copies) {
    table.row({fmt::format("{} {}{}, {}", to_string(copy.direction), to_string(copy.memory),
                           copy.overlapped ? " overlapped" : "", units::format_size(copy.bytes)),
               std::to_string(copy.calls), copy.time_s ? ms(*copy.time_s) : "",
               copy.time_s ? share_text(*copy.time_s, profile.step_s) : ""});
  }
  page.add(table);
}

void add_gains(Page& page, const std::vector<Foretold>& pieces, double step_s) {
  Table table({left("piece"), right("gain, ms a step"), left("interval"), right("of the step"), left("advice"),
               left("by", Fold::wrapped, 1)});
  for (const Foretold& piece : pieces) {
    if (piece.state != State::foretold) continue;
    table.row({piece.rule->piece, ms(piece.gain_s.value), ms(piece.gain_s.low) + " to " + ms(piece.gain_s.high),
               share_text(piece.gain_s.value, step_s), catalogue::built_in().made_by(piece.rule->piece),
               piece.rule->how});
  }
  page.heading("What a piece would give", 3);
  if (table.empty()) page.paragraph("Nothing: all that can be foretold is on, or the results lack its rows.");
  page.add(table);
}

void add_others(Page& page, const std::vector<Foretold>& pieces, const foretell::ProfiledStep& one) {
  const record::StepProfile& profile = one.step.profile();
  const auto on = units::filtered(pieces, [](const Foretold& piece) { return piece.state == State::on; });
  if (!on.empty()) {
    const auto names = on | std::views::transform([](const Foretold* piece) { return piece->rule->piece; });
    page.paragraph("On already, or nothing for it to do: " + units::joined(names) + ".");
  }
  for (const Foretold& piece : pieces) {
    if (piece.state != State::silent) continue;
    const std::string remedy = piece.lacks_rows ? "; measure them with cupel run --step " + one.path : "";
    page.bullet(fmt::format("{}: nothing is foretold; {}{}.", piece.rule->piece, piece.reason, remedy));
  }
  const double other_s = profile.time_s(KernelKind::other);
  if (other_s > 0) {
    page.paragraph(fmt::format("Kernels that could not be placed take {} ms, {} of the step: no rule sees them.",
                               ms(other_s), share_text(other_s, profile.step_s)));
  }
}

void add_silences(Page& page, bool all) {
  if (!all) {
    std::size_t count = 0;
    for (const catalogue::Silence& silence : catalogue::built_in().silences) count += silence.pieces.size();
    page.paragraph(
        fmt::format("Micro-benchmarks foretell nothing of {} other pieces; --all says which, and why.", count));
    return;
  }
  page.heading("About which micro-benchmarks foretell nothing");
  for (const catalogue::Silence& silence : catalogue::built_in().silences) {
    page.bullet(units::joined(silence.pieces) + ": " + silence.why);
  }
}

constexpr const char* kMethod =
    "A step takes as long as its device or its host, whichever takes longer, and what it waits for. A gain is that of "
    "one piece alone; gains do not add up. Interval: the rows' intervals, and the spread over rows of nearby sizes.";

std::string foretell_csv(std::span<const foretell::ProfiledStep> steps) {
  Json list = Json::array();
  for (const foretell::ProfiledStep& one : steps) {
    const record::StepProfile& profile = one.step.profile();
    for (const Foretold& piece : foretell::foretell(one.step)) {
      list.push_back(encode(piece));
      list.back().update(
          {{"net", profile.net}, {"batch", profile.batch}, {"step_s", profile.step_s}, {"profile", one.path}});
    }
  }
  return csv(list, "profile,net,batch,step_s,piece,advice,standing,gain_s,gain_low_s,gain_high_s,reason", " ");
}

}  // namespace

std::string foretell(std::span<const foretell::ProfiledStep> steps, const std::string& machine,
                     const ForetellOptions& options) {
  constexpr int kToAPiece = 4;  // steps, step, pieces, piece
  if (options.format == Format::json)
    return lines(encode(foretell::ForetellDocument{steps, machine}), kToAPiece) + "\n";
  if (options.format == Format::csv) return foretell_csv(steps);
  Page page;
  page.heading("What a step would gain", 1);
  page.fields({{"micro-benchmarks of", machine}});
  for (const foretell::ProfiledStep& one : steps) {
    const record::StepProfile& profile = one.step.profile();
    const std::vector<Foretold> pieces = foretell::foretell(one.step);
    add_step(page, one);
    add_parts(page, profile);
    add_gains(page, pieces, profile.step_s);
    add_others(page, pieces, one);
  }
  add_silences(page, options.all);
  page.paragraph(kMethod);
  return rendered(page, options.format, options.terminal);
}

}  // namespace cupel::report
