#include "cupel/report/foretell/json.hpp"

#include "cupel/catalogue/catalogue.hpp"
#include "cupel/report/text/data.hpp"

namespace cupel::report {
namespace {

using foretell::Foretold;
using foretell::Held;
using foretell::Standing;
using record::detail::lines;
using record::detail::put;

void put_range(Json& object, const std::string& name, const foretell::Range& range) {
  object[name + "_s"] = range.value;
  object[name + "_low_s"] = range.low;
  object[name + "_high_s"] = range.high;
}

Json piece_json(const Foretold& piece) {
  Json object{{"piece", piece.rule->piece}};
  put(object, "advice", catalogue::built_in().made_by(piece.rule->piece));
  object["standing"] = to_string(piece.standing);
  if (piece.standing == Standing::foretold) put_range(object, "gain", piece.gain_s);
  put(object, "reason", piece.reason);
  object["part"] = piece.rule->part;
  put(object, "rows", piece.rule->rows);
  object["how"] = piece.rule->how;
  return object;
}

Json step_json(const ProfiledStep& one) {
  const record::StepProfile& profile = one.step.profile();
  Json object{{"profile", one.path}};
  put(object, "source", profile.source);
  put(object, "benchmark", profile.benchmark);
  put(object, "net", profile.net);
  object["batch"] = profile.batch;
  object["step_s"] = profile.step_s;
  object["device_s"] = one.step.device_s();
  object["host_s"] = one.step.host_s();
  object["waits_s"] = one.step.waits_s();
  object["other_s"] = profile.time_s(record::KernelKind::other);
  object["pieces"] = list_of(foretell::foretell(one.step), piece_json);
  return object;
}

Json silence_json(const foretell::Silence& silence) { return {{"why", silence.why}, {"pieces", silence.pieces}}; }

Json change_json(const Held& held) {
  Json object{{"where", held.where}, {"change", held.change}, {"pieces", held.pieces}, {"before_s", held.before_s}};
  put_range(object, "measured", held.measured_s);
  put(object, "silent", held.silent);
  object["matters"] = held.matters();
  if (!held.silent.empty()) return object;
  put_range(object, "foretold", held.foretold_s);
  object["sign_is_right"] = held.sign_is_right();
  if (held.measured_s.value != 0) object["error"] = held.error();
  return object;
}

}  // namespace

std::string foretell_json(std::span<const ProfiledStep> steps, const std::string& machine) {
  const Json root{{"cupel_foretell", 1},
                  {"machine", machine},
                  {"steps", list_of(steps, step_json)},
                  {"silences", list_of(foretell::silences(), silence_json)}};
  constexpr int kToAPiece = 4;  // steps, step, pieces, piece
  return lines(root, kToAPiece) + "\n";
}

std::string held_json(std::span<const Held> held) {
  const foretell::Tally tally = foretell::tally_of(held);
  Json root{{"cupel_held", 1},        {"changes", list_of(held, change_json)},
            {"held", tally.held},     {"silent", tally.silent},
            {"matter", tally.matter}, {"sign_is_right", tally.right}};
  if (tally.matter > 0) root["median_error"] = tally.error;
  constexpr int kToAChange = 2;
  return lines(root, kToAChange) + "\n";
}

std::string foretell_csv(std::span<const ProfiledStep> steps) {
  Json list = Json::array();
  for (const ProfiledStep& one : steps) {
    const record::StepProfile& profile = one.step.profile();
    for (const Foretold& piece : foretell::foretell(one.step)) {
      list.push_back(piece_json(piece));
      list.back().update(
          {{"net", profile.net}, {"batch", profile.batch}, {"step_s", profile.step_s}, {"profile", one.path}});
    }
  }
  return csv(list, "profile,net,batch,step_s,piece,advice,standing,gain_s,gain_low_s,gain_high_s,reason", " ");
}

std::string held_csv(std::span<const Held> held) {
  return csv(list_of(held, change_json),
             "where,change,pieces,before_s,foretold_s,foretold_low_s,foretold_high_s,measured_s,measured_low_s,"
             "measured_high_s,matters,sign_is_right,error,silent",
             " ");
}

}  // namespace cupel::report
