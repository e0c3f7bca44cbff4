// The fields of a fleet in JSON, listed once: written by the mechanism that writes a result file
// (cupel/record/encode.hpp). Base units, nothing rounded, absent what has no value.
#pragma once

#include "cupel/fleet/fleet.hpp"
#include "cupel/record/rule.hpp"

namespace cupel::fleet {

using record::detail::Is;
using record::detail::kAlways;
using record::detail::kWhole;
using record::detail::kWholeAlways;

/// A part of a fleet, whose machines are indices into these labels.
template <typename Part>
struct Labelled {
  const Part& part;
  const std::vector<std::string>& labels;
};

template <typename Part>
std::vector<Labelled<Part>> labelled(const std::vector<Part>& parts, const std::vector<std::string>& labels) {
  std::vector<Labelled<Part>> all;
  for (const Part& part : parts) all.push_back({part, labels});
  return all;
}

void visit(auto& v, Is<Labelled<FleetFigure>> auto& of) {
  v("machine", of.labels[of.part.machine], kWholeAlways);
  v("name", of.part.name, kWholeAlways);
  v("ratio", of.part.ratio, kAlways);
  v("z", of.part.z, kAlways);
  v("benchmarks", of.part.benchmarks);
  v("outlier", of.part.outlier);
  v("mode", of.part.mode);
}

void visit(auto& v, Is<Labelled<Differs>> auto& of) {
  v("machine", of.labels[of.part.machine], kWholeAlways);
  v("what", of.part.what, kAlways);
}

void visit(auto& v, Is<Labelled<Kinds>> auto& of) {
  std::vector<std::string> slower;
  for (const std::size_t machine : of.part.slower) slower.push_back(of.labels[machine]);
  v("family", of.part.family, kAlways);
  v("ratio", of.part.ratio, kAlways);
  v("slower", slower, kAlways);
  v("differs", of.part.differs, kAlways);
}

/// A line of CSV that has no figure.
struct Mention {
  std::string machine, what, name;
};

void visit(auto& v, Is<Mention> auto& mention) {
  v("machine", mention.machine, kWhole);
  v("what", mention.what);
  v("name", mention.name, kWhole);
}

struct FailedOn {
  const std::string& label;
  int failed;
};

void visit(auto& v, Is<FailedOn> auto& machine) {
  v("label", machine.label, kWholeAlways);
  v("failed", machine.failed);
}

void visit(auto& v, Is<Labelled<Fleet>> auto& of) {
  std::vector<FailedOn> machines;
  for (std::size_t i = 0; i < of.part.machines.size(); ++i)
    machines.push_back({of.labels[of.part.machines[i]], of.part.failed[i]});
  v("model", of.part.model, kAlways);
  v("everything", labelled(of.part.everything, of.labels), kAlways);
  v("kinds", labelled(of.part.kinds, of.labels), kAlways);
  v("differs", labelled(of.part.differs, of.labels), kAlways);
  v("machines", machines, kAlways);
  v("judged", of.part.judged, kAlways);
  v("families", labelled(of.part.families, of.labels), kAlways);
  v("benchmarks", labelled(of.part.benchmarks, of.labels), kAlways);
}

void visit(auto& v, Is<Absent> auto& absent) {
  v("node", absent.node, kWholeAlways);
  v("result", absent.what);
  v("why", absent.why, kAlways);
}

void visit(auto& v, Is<Attendance> auto& attendance) {
  v("expected", attendance.expected);
  v("absent", attendance.absent, kAlways);
  v("unexpected", attendance.unexpected, kAlways);
  v("unreadable", attendance.unreadable);
}

void visit(auto& v, Is<Judged> auto& judged) {
  std::map<std::string, int> why;
  for (const auto& [one, count] : judged.not_judged) why[to_string(one)] = count;
  v("benchmarks", judged.benchmarks);
  v("judged", judged.judged);
  v("enough", judged.is_enough());
  v("not_judged", why, kAlways);
}

void visit(auto& v, Is<Again> auto& again) {
  v("machine", again.label, kWholeAlways);
  v("counted_as", again.counted_as, kWholeAlways);
  v("board", again.board, kAlways);
  v("benchmarks_added", again.added);
}

/// The whole document.
struct FleetDocument {
  const std::vector<Fleet>& fleets;
  const std::vector<std::string>& labels;
  const FleetFiles& files;
};

void visit(auto& v, Is<FleetDocument> auto& document) {
  v("schema", record::detail::DocumentSchema{"cupel-fleet", 1, 4});
  v("nodes", document.files.attendance);
  v("same_boards", document.files.again);
  v("fleets", labelled(document.fleets, document.labels), kAlways);
}

}  // namespace cupel::fleet
