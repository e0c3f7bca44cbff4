// How well figures repeat and what getting them cost: `cupel show --noise`.
#include <fmt/core.h>

#include <optional>
#include <vector>

#include "cupel/figures/fields.hpp"
#include "cupel/figures/figure.hpp"
#include "cupel/figures/noise_summary.hpp"
#include "cupel/figures/power_limit.hpp"
#include "cupel/record/encode.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/report/show/show.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::report {

using namespace record::detail;
namespace {

using figures::Noise;

std::string percent(double share) { return fmt::format("{:.2f} %", 100 * share); }

std::string stops_text(const Noise& noise, int processes) {
  std::string text;
  const auto add = [&](int count, const char* word) {
    if (count > 0) units::append(text, count == processes ? word : fmt::format("{} {}", count, word));
  };
  add(noise.precise, "precise");
  add(noise.counted, "count");
  add(noise.timed_out, "wall");
  return text;
}

std::string clock_text(const figures::Figure& figure) {
  const Noise& noise = *figure.noise;
  if (!noise.sm_clock_hz) return "";
  const bool idle = figure.mode != record::Mode::host && noise.clock_under_load == false;
  return fmt::format("{:.0f} MHz{}{}{}", *noise.sm_clock_hz * 1e-6, idle ? " idle" : "",
                     noise.unsettled ? ", unsettled" : "", noise.power_limited ? ", limited" : "");
}

std::string line_of(const char* whose, const std::optional<figures::Spread>& spread) {
  if (!spread) return "";
  return fmt::format("process-to-process sd of {} {}: median {}, 95th percentile {}, greatest {}", spread->benchmarks,
                     whose, percent(spread->median), percent(spread->ninety_fifth), percent(spread->greatest));
}

std::vector<std::string> conclusion(const std::vector<figures::Figure>& all) {
  const figures::NoiseSummary summary = figures::noise_summary(all);
  if (!summary.all) return {"one process: how much processes differ is not known"};
  std::vector<std::string> lines{
      line_of("benchmarks", summary.all),
      line_of("of device time over 10 us, not power-limited by itself", summary.long_device)};
  std::erase(lines, "");
  return lines;
}

std::vector<std::string> noise_legend() {
  return {
      "between: standard deviation over processes; inside: standard deviation inside a process, from its quartiles.",
      "samples: processes x samples of each.",
      "stopped by: why a process took no more samples: it was precise enough, or the count or the wall time was over.",
      "SM clock: median over processes; idle: read beside the work, which is too short to read it in.",
      "power: the board's highest reading beside a round.",
      "wall: time of one process; overhead: the share of it that was not measured work.",
  };
}

std::vector<figures::Figure> noisy(const record::ResultSet& results, const ShowOptions& options) {
  std::vector<figures::Figure> all = figures::figures_of(results);
  std::erase_if(all, [&](const figures::Figure& figure) {
    return !figure.is_main || !figure.noise || (options.keep && !options.keep(figure.name));
  });
  return all;
}

}  // namespace

std::string show_noise(const record::ResultSet& results, const ShowOptions& options) {
  const std::vector<figures::Figure> all = noisy(results, options);
  if (options.format == Format::json) {
    std::vector<figures::NoiseOf> noises;
    for (const figures::Figure& figure : all) noises.push_back({figure});
    return lines(encode(noises), 1) + "\n";
  }
  Table table({left("benchmark", Fold::above), left("mode"), right("time"), right("between"), right("inside"),
               right("samples", 3), left("stopped by", Fold::none, 1), left("SM clock"), right("power", 2),
               right("wall", 4), right("overhead")});
  std::string operation;
  for (const figures::Figure& figure : all) {
    if (figure.operation != operation) {
      operation = figure.operation;
      table.group(operation);
    }
    const Noise& noise = *figure.noise;
    const int processes = static_cast<int>(figure.time->processes_s.size());
    table.row({figures::label_of(figure.name), record::to_string(figure.mode),
               units::format(figure.time->location_s, units::Unit::seconds),
               noise.between ? percent(*noise.between) : "", percent(noise.inside),
               fmt::format("{} x {}", processes, figure.samples / processes), stops_text(noise, processes),
               clock_text(figure), noise.power_w ? units::format(*noise.power_w, units::Unit::watts) : "",
               units::format(noise.wall_s, units::Unit::seconds), percent(noise.overhead)});
  }
  List below{conclusion(all), false};
  const std::string limited = figures::power_limited_text(figures::power_limited(results, options.keep));
  if (!limited.empty()) below.items.push_back("power: " + limited + ", which is normal");
  std::ranges::move(options.legend ? noise_legend() : std::vector<std::string>{kLegend},
                    std::back_inserter(below.items));
  return rendered({"cupel show --noise", "Noise", {std::move(table), std::move(below)}}, options.format,
                  options.terminal);
}

}  // namespace cupel::report
