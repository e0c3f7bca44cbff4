// The fields of what is foretold in JSON, listed once: written by the mechanism that writes a result file
// (cupel/record/encode.hpp). Base units, nothing rounded, absent what has no value.
#pragma once

#include "cupel/catalogue/catalogue.hpp"
#include "cupel/foretell/foretell.hpp"
#include "cupel/record/rule.hpp"

namespace cupel::catalogue {

void visit(auto& v, record::detail::Is<Silence> auto& silence) {
  v("why", silence.why);
  v("pieces", silence.pieces, record::detail::kAlways);
}

}  // namespace cupel::catalogue

namespace cupel::foretell {

using record::detail::Is;
using record::detail::kAlways;
using record::detail::kWholeAlways;

void visit(auto& v, Is<Foretold> auto& piece) {
  v("piece", piece.rule->piece);
  v("advice", catalogue::built_in().made_by(piece.rule->piece));
  v("standing", piece.state);  // the name by which readers of this file know it
  if (piece.state == State::foretold) {
    v("gain_s", piece.gain_s.value, kAlways);
    v("gain_low_s", piece.gain_s.low, kAlways);
    v("gain_high_s", piece.gain_s.high, kAlways);
  }
  v("reason", piece.reason);
  v("part", piece.rule->part, kAlways);
  v("rows", piece.rule->rows);
  v("how", piece.rule->how, kAlways);
  v("pytorch", how_in_pytorch(*piece.rule));
}

void visit(auto& v, Is<ProfiledStep> auto& one) {
  const record::StepProfile& profile = one.step.profile();
  v("profile", one.path, kWholeAlways);
  v("source", profile.source);
  v("benchmark", profile.benchmark);
  v("net", profile.net);
  v("batch", profile.batch);
  v("step_s", profile.step_s);
  v("device_s", one.step.device_s());
  v("host_s", one.step.host_s());
  v("waits_s", one.step.waits_s());
  v("other_s", profile.time_s(record::KernelKind::other));
  v("pieces", foretell(one.step), kAlways);
}

/// The whole document.
struct ForetellDocument {
  std::span<const ProfiledStep> steps;
  const std::string& machine;
};

void visit(auto& v, Is<ForetellDocument> auto& document) {
  v("cupel_foretell", 1);
  v("machine", document.machine, kWholeAlways);
  v("steps", document.steps, kAlways);
  v("silences", catalogue::built_in().silences, kAlways);
}

}  // namespace cupel::foretell
