#include "cli/benchmarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "cli/commands.hpp"
#include "cupel/catalogue/catalogue.hpp"
#include "cupel/figures/figure.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/nearest.hpp"
#include "cupel/version.hpp"

namespace cupel::cli {
namespace {

constexpr std::size_t kSuggestions = 5;
constexpr std::array<const char*, 3> kProfiles = {"quick", "standard", "full"};  // each holds the one before

}  // namespace

std::string suggestions(const std::vector<std::string>& asked, const std::vector<std::string>& there) {
  std::vector<std::string> best;
  for (const std::string& text : asked) {
    for (const std::string& name : units::nearest(text, there, kSuggestions)) units::add_once(best, name);
  }
  return best.empty() ? "there are none" : "nearest: " + fmt::format("{}", fmt::join(best, ", "));
}

namespace {

bool any_has(const std::vector<runner::Family>& families, const std::string& advice) {
  const auto is_its = [&](const record::ListedBenchmark& one) {
    return std::ranges::find(one.advice, advice, &record::AdviceTag::id) != one.advice.end();
  };
  return std::ranges::any_of(
      families, [&](const runner::Family& family) { return std::ranges::any_of(family.listing.benchmarks, is_its); });
}

// The smallest profile above `settings`' that has something the selection matches, and how to ask for it;
// nothing when none does.
std::string in_a_larger_profile(std::vector<runner::Family>& families, runner::Settings settings,
                                const runner::Selection& selection) {
  const auto here = std::ranges::find(kProfiles, settings.profile);
  if (here == kProfiles.end()) return "";
  for (auto larger = here + 1; larger != kProfiles.end(); ++larger) {
    settings.profile = *larger;
    const std::size_t count = runner::make_plan(families, settings, selection).benchmarks();
    if (count > 0)
      return fmt::format("the {0} profile has {1} that {2}: --{0}", *larger, count, count > 1 ? "do" : "does");
  }
  return "";
}

// "; it is measured by the families pipeline, transfer".
std::string measured_by(const std::string& advice) {
  const catalogue::CatalogueRow* const piece = catalogue::built_in().find(advice);
  if (piece == nullptr || piece->families.empty()) return "";
  return fmt::format("; it is measured by the {} {}", piece->families.size() == 1 ? "family" : "families",
                     fmt::join(piece->families, ", "));
}

}  // namespace

std::optional<std::string> ProfileFlags::asked() const {
  if (quick) return "quick";
  if (standard) return "standard";
  if (full) return "full";
  return std::nullopt;
}

void add_profile_flags(Command& command, ProfileFlags& flags, const std::array<const char*, 3>& texts) {
  Option* quick = command.add_flag("--quick", flags.quick, texts[0]);
  Option* standard = command.add_flag("--standard", flags.standard, texts[1]);
  Option* full = command.add_flag("--full", flags.full, texts[2]);
  quick->excludes(standard)->excludes(full);
  standard->excludes(full);
}

void add_filter_flag(Command& command, std::vector<std::string>& filters) {
  command
      .add_option("--filter REGEX", filters,
                  "Regular expression searched in the names; given several times: any of them; -REGEX leaves out")
      ->repeatable();
}

void add_device_flag(Command& command, std::optional<std::string>& device) {
  command.add_option("--device N|UUID", device,
                     "Which GPU: its number among those that CUDA sees, or (the beginning of) its UUID (default 0)");
}

void add_bench_dir_flag(Command& command, std::optional<std::string>& folder) {
  command.add_option("--bench-dir FOLDER", folder, "Folder of the executables cupel_bench_<family>");
}

void add_choice(Command& command, Choice& choice) {
  command.add_option("families", choice.families, "Families to take (default: all)");
  add_filter_flag(command, choice.filters);
  command.add_option("--advice ID", choice.advice, "Only benchmarks of this piece of advice, e.g. pin-memory")
      ->repeatable();
  add_profile_flags(command, choice.profile,
                    {"Few sizes, short sampling, 3 processes (default)", "What published results use: 5 processes",
                     "All sizes and variants, 7 processes"});
  add_bench_dir_flag(command, choice.folder);
}

void check_settings(const runner::Settings& settings, const std::string& where) {
  try {
    runner::check(settings);
  } catch (const std::invalid_argument& problem) {
    throw UsageError(where + problem.what());
  }
}

std::vector<runner::Family> families(const Choice& choice) {
  std::optional<std::filesystem::path> asked;
  if (choice.folder) asked = *choice.folder;
  return runner::find_families(runner::bench_folder(program_path(), asked));
}

std::string unknown_families(const std::vector<std::string>& asked, const std::vector<runner::Family>& there) {
  std::vector<std::string> names;
  for (const runner::Family& family : there) names.push_back(family.name);
  for (const std::string& family : asked) {
    if (units::contains(names, family)) continue;
    const bool host_only = *build_info().cuda_compiler == '\0';
    return fmt::format("there is no family '{}' here; there are: {}{}", family, fmt::join(names, ", "),
                       host_only ? " (this is a host-only build; GPU families need one with CUDA)" : "");
  }
  return "";
}

void require_known_advice(const std::vector<std::string>& asked, const std::vector<runner::Family>& families) {
  for (const std::string& id : asked) {
    if (catalogue::built_in().find(id) != nullptr || any_has(families, id)) continue;
    std::vector<std::string> ids;
    for (const catalogue::CatalogueRow& piece : catalogue::built_in().rows) ids.push_back(piece.id);
    throw UsageError(fmt::format("there is no advice '{}'; {}", id, suggestions({id}, ids)));
  }
}

std::string told_elsewhere(const std::string& advice) {
  const catalogue::CatalogueRow* const piece = catalogue::built_in().find(advice);
  if (piece == nullptr || piece->kind != catalogue::AdviceKind::tool) return "";
  return fmt::format("{} has no benchmark; told by: {}", piece->id, piece->cuda);
}

std::string nothing_matches(std::vector<runner::Family>& families, const runner::Settings& settings,
                            const runner::Selection& selection) {
  if (const std::string larger = in_a_larger_profile(families, settings, selection); !larger.empty()) {
    return fmt::format("nothing of the {} profile matches; {}", settings.profile, larger);
  }
  for (const std::string& id : selection.advice) {
    if (any_has(families, id) || !told_elsewhere(id).empty()) continue;
    return fmt::format("nothing chosen here belongs to the advice '{}'{}", id, measured_by(id));
  }
  for (const std::string& id : selection.advice) {
    if (const std::string told = told_elsewhere(id); !told.empty()) return told;
  }
  std::vector<std::string> names;
  for (const runner::Family& family : families) {
    for (const record::ListedBenchmark& benchmark : family.listing.benchmarks) names.push_back(benchmark.name);
  }
  if (selection.filters.empty()) return "nothing matches";
  return no_match(selection.filters, names);
}

std::string no_match(const std::vector<std::string>& filters, const std::vector<std::string>& names,
                     const std::string& where) {
  if (filters.empty()) return "there is no benchmark" + (where.empty() ? "" : " of " + where);
  std::vector<std::string> operations;
  for (const std::string& name : names) units::add_once(operations, figures::operation_of(name));
  return fmt::format("no benchmark{} matches '{}'; {}", where.empty() ? "" : " of " + where, fmt::join(filters, "', '"),
                     suggestions(filters, operations));
}

std::string several_filters(const std::vector<std::string>& filters) {
  return filters.empty() ? "" : "; several filters are written --filter A --filter B";
}

}  // namespace cupel::cli
