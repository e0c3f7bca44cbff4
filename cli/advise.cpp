// `cupel advise`: which advice pays on the machine that a result file is from.
#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/gate_common.hpp"
#include "cli/print.hpp"
#include "cli/terminal.hpp"
#include "cli/tolerance.hpp"
#include "cupel/catalogue/catalogue.hpp"
#include "cupel/figures/join.hpp"
#include "cupel/record/json.hpp"
#include "cupel/report/advise/advise.hpp"
#include "cupel/runner/select.hpp"

namespace cupel::cli {
namespace {

struct AdviseFlags {
  std::vector<std::string> files;
  std::string format = "text", only, output = "-";
  double tolerance_percent = 3;
  bool all = false;
};

report::AdviseOptions options_of(const AdviseFlags& flags) {
  static const std::map<std::string, report::AdviseFormat> kFormats{{"text", report::AdviseFormat::text},
                                                                    {"markdown", report::AdviseFormat::markdown},
                                                                    {"json", report::AdviseFormat::json}};
  report::AdviseOptions options;
  options.format = kFormats.at(flags.format);
  options.only = flags.only;
  options.all = flags.all;
  options.columns = output_columns();
  options.rules.tolerance = flags.tolerance_percent / 100;
  return options;
}

// Throws UsageError with the nearest ids when there is no such piece.
void require_known(const std::string& id, const std::vector<report::AdvisedFile>& files) {
  std::vector<std::string> ids;
  for (const advice::AdviceResult& result : files.front().advice) ids.push_back(result.id);
  for (const report::AdvisedFile& file : files) {
    if (std::ranges::find(file.advice, id, &advice::AdviceResult::id) != file.advice.end()) return;
  }
  throw UsageError(
      fmt::format("there is no advice '{}'; nearest: {}", id, fmt::join(runner::nearest(id, ids, 3), ", ")));
}

int advise(const AdviseFlags& flags) {
  const report::AdviseOptions options = options_of(flags);
  std::vector<figures::NamedResults> read;
  for (const std::string& path : flags.files) read.push_back({path, record::read_any(path).results});
  std::vector<report::AdvisedFile> files;
  bool any_tagged = false;
  for (const auto& [name, results] : figures::join_parts(std::move(read))) {
    any_tagged = any_tagged || advice::has_advice(results);
    files.push_back(report::advised_file(name, results, catalogue::built_in(), options.rules));
  }
  if (!options.only.empty()) require_known(options.only, files);
  if (!any_tagged) {
    complain(fmt::format("nothing in {} belongs to a piece of advice", fmt::join(flags.files, ", ")));
    return kNothing;
  }
  write_text(flags.output, report::advise(files, catalogue::built_in(), options));
  return kDone;
}

}  // namespace

void add_advise(Command& app, Action& action) {
  Command* command = app.add_subcommand("advise", "Say which advice pays, by how much and from which size on");
  const auto flags = std::make_shared<AdviseFlags>();
  command->add_option("files", flags->files, "Result files; of several machines the same advice is shown side by side")
      ->required();
  command->add_option("--advice", flags->only, "One piece of advice with all its points, e.g. pin-memory")
      ->type_name("ID");
  command->add_flag("--all", flags->all, "Every piece with all its points");
  command->add_option("--tolerance", flags->tolerance_percent, "A gain or loss up to so many percent is no difference")
      ->percent(kLeastPercent, kMostPercent)
      ->capture_default_str();
  command->add_option("--format", flags->format, "text (default), markdown or json")
      ->one_of({"text", "markdown", "json"});
  add_output_flag(*command, flags->output);
  command->callback([&action, flags] { action = [flags] { return advise(*flags); }; });
}

}  // namespace cupel::cli
