// What the page opens with: what was measured, what bears on it, and what each machine does against its
// limits.
#pragma once

#include <string>
#include <vector>

#include "cupel/report/html/measured.hpp"

namespace cupel::report::html {

/// One block of key figures for each device.
std::string device_cards(const std::vector<Device>& devices, const std::vector<Family>& families);

/// What makes numbers lower or noisier, as figures::causes() sees it; empty where there is nothing.
std::string warnings(const std::vector<Device>& devices);

/// The greatest share of its limit that each operation reaches; empty where nothing is held against a limit.
std::string limits_figure(const std::vector<Device>& devices, const std::vector<Family>& families);

}  // namespace cupel::report::html
