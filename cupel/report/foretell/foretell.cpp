#include "cupel/report/foretell/foretell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <ranges>
#include <string_view>
#include <utility>

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
      {{"profile", profile.source.empty() ? one.path : fmt::format("{}, by {}", one.path, profile.source)},
       {"benchmark", profile.benchmark},
       {"device", profile.device},
       {"switches", switches_text(profile.switches)},
       {"note", profile.note},
       {"step", fmt::format("{} ms: device {} ms, host {} ms to enqueue {} launches, waits {} ms", ms(profile.step_s),
                            ms(step.device_s()), ms(step.host_s()), profile.launches, ms(step.waits_s()))},
       {"binds",
        step.host_binds() ? "the host: the device waits for launches" : "the device: the host is ahead of it"}});
}

// The time in which neither a kernel nor a copy that is listed by itself runs; less than nothing where some run side by
// side.
double idle_s(const record::StepProfile& profile) {
  double idle_s = profile.step_s - profile.kernels_s();
  for (const record::StepCopies& copy : profile.copies) {
    if (!copy.overlapped) idle_s -= copy.time_s.value_or(0);
  }
  return idle_s;
}

constexpr double kTiny = 0.001;  // a share of the step; parts and gains of less are not listed one by one

struct Part {
  std::string name;
  double calls = 0;
  std::optional<double> time_s = {};
};

// Kernels by kind, the longest first, and the copies.
std::vector<Part> parts_of(const record::StepProfile& profile) {
  std::vector<Part> parts;
  for (int i = 0; i <= static_cast<int>(KernelKind::other); ++i) {
    const auto kind = static_cast<KernelKind>(i);
    if (profile.calls(kind) > 0) parts.push_back({to_string(kind), profile.calls(kind), profile.time_s(kind)});
  }
  std::ranges::stable_sort(parts, std::greater(), &Part::time_s);
  for (const record::StepCopies& copy : profile.copies) {
    parts.push_back({fmt::format("{} {}{}, {}", to_string(copy.direction), to_string(copy.memory),
                                 copy.overlapped ? " overlapped" : "", units::format_size(copy.bytes)),
                     static_cast<double>(copy.calls), copy.time_s});
  }
  return parts;
}

// The parts, those that are tiny as one, and what is left of the step.
void add_parts(Page& page, const record::StepProfile& profile) {
  std::vector<Part> parts = parts_of(profile);
  const auto is_tiny = [&](const Part& part) { return part.time_s && *part.time_s < kTiny * profile.step_s; };
  if (const auto tiny = std::ranges::count_if(parts, is_tiny); tiny > 1) {
    Part rest{fmt::format("{} others, each below {}", tiny, share_text(kTiny, 1)), 0, 0};
    for (const Part& part : parts | std::views::filter(is_tiny)) {
      rest.calls += part.calls;
      *rest.time_s += *part.time_s;
    }
    std::erase_if(parts, is_tiny);
    parts.push_back(std::move(rest));
  }
  Table table({left("part"), right("calls"), right("ms"), right("of the step")});
  for (const Part& part : parts) {
    table.row({part.name, units::format_fixed(part.calls, 0), part.time_s ? ms(*part.time_s) : "",
               part.time_s ? share_text(*part.time_s, profile.step_s) : ""});
  }
  if (const double left_s = idle_s(profile); left_s > 0) {
    table.row({"none: the device idles", "", ms(left_s), share_text(left_s, profile.step_s)});
  } else if (left_s < 0) {
    table.notes.emplace_back("Together they take longer than the step: some run side by side.");
  }
  page.add(table);
}

bool is_tiny(const Foretold& piece, double step_s) {
  return std::max(piece.gain_s.high, -piece.gain_s.low) < kTiny * step_s;
}

void add_gains(Page& page, const std::vector<Foretold>& pieces, double step_s) {
  Table table({left("advice"), right("gain, ms"), left("interval"), right("of the step"),
               left("foretold from", Fold::none, 1), left("in PyTorch", Fold::always_below)});
  bool is_sure = true;
  for (const Foretold& piece : pieces) {
    if (piece.state != State::foretold || is_tiny(piece, step_s)) continue;
    if (std::exchange(is_sure, foretell::surely_gains(piece)) && !foretell::surely_gains(piece))
      table.group("may give nothing: 0 lies in the interval");
    table.row({foretell::name_of(*piece.rule), ms(piece.gain_s.value),
               ms(piece.gain_s.low) + " to " + ms(piece.gain_s.high), share_text(piece.gain_s.value, step_s),
               piece.rule->how, foretell::how_in_pytorch(*piece.rule)});
  }
  page.heading("What a piece would give", 3);
  if (table.empty()) page.paragraph("Nothing: all that can be foretold is on, or the results lack its rows.");
  page.add(table);
}

// The next thing to do; of a step whose host is hidden behind the device, when graphs begin to count.
std::string next_words(const foretell::Step& step, const std::vector<Foretold>& pieces) {
  double device_s = step.device_s();
  for (const Foretold& piece : pieces) device_s -= foretell::surely_gains(piece) ? piece.gain_s.value : 0;
  const auto is_graph = [](const Foretold& piece) {
    return piece.state == State::foretold && piece.rule->piece == std::string_view("graph");
  };
  std::string text = "After the first change, record the step again and run this on it.";
  if (step.host_binds() || device_s > step.host_s() || std::ranges::none_of(pieces, is_graph)) return text;
  return fmt::format("The host takes {} ms a step: once the device takes less, the host binds, and graphs count. ",
                     ms(step.host_s())) +
         text;
}

// "pin-memory, graphs"
template <class Is>
std::string names_of(const std::vector<Foretold>& pieces, const Is& is) {
  return units::joined(units::filtered(pieces, is) |
                       std::views::transform([](const Foretold* piece) { return foretell::name_of(*piece->rule); }));
}

// Why nothing is foretold of pieces, and what measures the rows that are lacking.
void add_silent(Page& page, const std::vector<Foretold>& pieces, const std::string& path) {
  std::vector<const Foretold*> silent =
      units::filtered(pieces, [](const Foretold& piece) { return piece.state == State::silent; });
  if (silent.empty()) return;
  const bool lacks_rows = std::ranges::any_of(silent, &Foretold::lacks_rows);
  page.paragraph("Nothing is foretold of these" +
                 (lacks_rows ? "; cupel run --step " + path + " measures what the results lack:" : std::string(":")));
  for (const Foretold* piece : silent)
    page.bullet(fmt::format("{}: {}.", foretell::name_of(*piece->rule), piece->reason));
}

void add_others(Page& page, const std::vector<Foretold>& pieces, const foretell::ProfiledStep& one) {
  const record::StepProfile& profile = one.step.profile();
  const std::string on = names_of(pieces, [](const Foretold& piece) { return piece.state == State::on; });
  const std::string tiny = names_of(
      pieces, [&](const Foretold& piece) { return piece.state == State::foretold && is_tiny(piece, profile.step_s); });
  std::string text = on.empty() ? "" : "On already, or nothing for it to do: " + on + ".";
  if (!tiny.empty()) units::append(text, fmt::format("Less than {} of the step: {}.", share_text(kTiny, 1), tiny), " ");
  if (!text.empty()) page.paragraph(text);
  add_silent(page, pieces, one.path);
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
    "A step takes the longer of device and host, and its waits. Each gain is that of one piece alone: gains do not add "
    "up. Interval: from the rows' intervals and from how much rows of nearby sizes differ.";

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
    page.paragraph(next_words(one.step, pieces));
    add_others(page, pieces, one);
  }
  add_silences(page, options.all);
  page.paragraph(kMethod);
  return rendered(page, options.format, options.terminal);
}

}  // namespace cupel::report
