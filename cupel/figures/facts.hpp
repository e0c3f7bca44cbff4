// What the records of several machines say, and in what one says otherwise than most.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "cupel/record/record.hpp"

namespace cupel::figures {

/// One machine's facts: the keys of its fingerprint that have a value.
using Facts = std::map<std::string, std::string>;

Facts facts_of(const record::Context& context);

/// What machines must share to be compared as equals: "NVIDIA H200, 132 SMs, 139.8 GiB memory, 6016 bit memory bus";
/// without a GPU the CPU.
std::string model_of(const record::Context& context);

/// What most say under each name; nothing where no value is that of more than half of them.
Facts facts_of_most(std::span<const Facts* const> machines);

/// "power limit: 700 W -> 600 W", from what most say to what this one does.
std::vector<std::string> differing(const Facts& most, const Facts& one);

}  // namespace cupel::figures
