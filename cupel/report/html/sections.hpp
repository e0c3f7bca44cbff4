// The sections of the report's page, and the blocks that it opens with. report.cpp puts them together.
#pragma once

#include <string>
#include <vector>

#include "cupel/report/html/advice_section.hpp"
#include "cupel/report/html/measured.hpp"

namespace cupel::report::html {

/// One block of key figures for each device.
std::string device_cards(const std::vector<Device>& devices, const std::vector<Family>& families);

/// Warns of what makes numbers lower or noisier, as figures::causes() sees it; empty where there is nothing.
std::string warnings(const std::vector<Device>& devices);

/// The greatest share of its limit that each operation reaches; empty where nothing is held against a limit.
std::string limits_chart(const std::vector<Device>& devices, const std::vector<Family>& families);

/// The charts of its operations: chosen by the shape of what was measured, not by its name, so that any family has
/// some. A parameter with three or more numeric values is an axis: one line chart, or several where more than eight
/// series would share one. Changes that are added one after another are a waterfall. A parameter that names engines or
/// algorithms makes a ranking, fastest first. Everything else is a bar or a dot for each benchmark; operations with few
/// of them share a chart.
std::vector<Chart> charts_of(const Family& family, const std::vector<Device>& devices);

/// One family: its charts, the gains of its advice, all its numbers, and what was not measured. The advice's anchors
/// stand at the first of its charts. id: the section's, from which its charts' are made.
std::string family_section(const Family& family, const std::vector<AdvicePiece>& pieces,
                           const std::vector<Device>& devices, const std::string& id);

/// The first device is what the others are compared with: families, every benchmark, and what differs around them.
/// Empty with a single device.
std::string devices_section(const std::vector<Device>& devices);

/// All that the files know of the machines and the runs, one column a device. Lines that are not the same everywhere
/// are marked.
std::string environment_section(const std::vector<Device>& devices);

/// How the numbers of the page came about, in short, and where it is told in full.
std::string method_section();

}  // namespace cupel::report::html
