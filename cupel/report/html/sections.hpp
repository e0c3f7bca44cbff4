// The sections of the report's page, and the blocks that it opens with. report.cpp puts them together.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/report/html/advice_section.hpp"
#include "cupel/report/html/measured.hpp"

namespace cupel::compare {
struct CompareReport;
}

namespace cupel::report::html {

/// "2026-11-25 04:08 UTC" of record::time_text(), of joined files "2026-11-25 04:08 to 05:12 UTC".
std::string when_text(const std::string& text);

/// Answers what a reader asks first of each device.
Fields device_facts(const std::vector<Device>& devices, const std::vector<Family>& families);

/// Lists what makes numbers lower or noisier, folded; empty where there is nothing.
Blocks warnings(const std::vector<Device>& devices);

/// The greatest share of its limit that each operation reaches; empty where nothing is held against a limit.
Blocks limits_chart(const std::vector<Device>& devices, const std::vector<Family>& families);

/// The step that pieces of advice are ranked by, one change after another; nothing where none was measured.
std::optional<Chart> step_picture(const Device& device, std::span<const advice::AdviceResult> advice,
                                  std::span<const figures::Figure> figures);

/// The charts of its operations: chosen by the shape of what was measured, not by its name, so that any family has
/// some. A parameter with three or more numeric values is an axis: one line chart, or several where more than eight
/// series would share one. Changes that are added one after another are a waterfall. A parameter that names engines or
/// algorithms makes a ranking, fastest first. Everything else is a bar or a dot for each benchmark; operations with few
/// of them share a chart.
std::vector<Chart> charts_of(const Family& family, const std::vector<Device>& devices);

/// One family: its charts, the gains of its advice, all its numbers, and what was not measured. The advice's anchors
/// stand at the first of its charts. id: the section's, from which its charts' are made.
Blocks family_blocks(const Family& family, const std::vector<AdvicePiece>& pieces, const std::vector<Device>& devices,
                     const std::string& id);

/// The first device is what the others are compared with.
compare::CompareReport compared(const std::vector<Device>& devices);

/// Which device is faster, at which families and by how much: a picture, a sentence for each device, and what the
/// first pieces of advice give on each.
Block which_is_faster(const compare::CompareReport& report, const std::vector<Device>& devices);

/// Families, every benchmark, and what differs around them.
Blocks devices_blocks(const compare::CompareReport& report);

/// All that the files know of the machines and the runs, one column a device. Lines that are not the same everywhere
/// are marked, and first in their part.
Table environment_table(const std::vector<Device>& devices);

/// How the numbers of the page came about, in short, where limits come from, and where it is told in full.
Blocks method_blocks(const std::vector<Family>& families = {});

}  // namespace cupel::report::html
