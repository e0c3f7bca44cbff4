// From facts to findings: what is in order, what is not, what it means for measurements, and what to do.
#pragma once

#include <string>
#include <vector>

#include "cupel/doctor/facts.hpp"
#include "cupel/record/faults.hpp"
#include "cupel/record/names.hpp"

namespace cupel::doctor {

/// ok: as it should be. info: worth knowing. warn: numbers will be lower, noisier or not comparable. error: something
/// does not work at all.
enum class Severity { ok, info, warn, error };

constexpr auto names_of(Severity) { return std::array{"ok", "info", "warn", "error"}; }
using record::to_string;

struct Finding {
  Severity severity = Severity::ok;
  std::string id;            ///< stable, for scripts: "pcie-width"
  std::string title;         ///< what was found, one line
  std::string meaning = {};  ///< what it means for measurements; empty when ok
  std::string action = {};   ///< what to do; empty when there is nothing to do
};

/// One that is ok where it `is_fine`; else as severe as is said, with what it means and what to do.
Finding finding(bool is_fine, Severity otherwise, const std::string& id, const std::string& title,
                const std::string& meaning, const std::string& action);

/// The fault, as severe as it is; else that all is as it should be.
Finding finding(const std::optional<record::Fault>& fault, const std::string& id, const std::string& fine);

/// All findings, the GPU's first. Pure: the same facts give the same findings.
std::vector<Finding> judge(const Facts& facts);

/// A device was found on which benchmarks can run.
bool usable_gpu(const Facts& facts);

/// The parts of judge().
void judge_gpu(const Facts& facts, std::vector<Finding>& findings);
void judge_peers(const Facts& facts, std::vector<Finding>& findings);
void judge_host(const Facts& facts, std::vector<Finding>& findings);

}  // namespace cupel::doctor
