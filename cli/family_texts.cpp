#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "cli/commands.hpp"
#include "cupel/catalogue/catalogue.hpp"
#include "cupel/files/input_file.hpp"
#include "cupel/runner/families.hpp"

namespace cupel::cli {
namespace {

namespace fs = std::filesystem;

struct FamilyText {
  std::string file, text;
};

fs::path folder_of_families(const std::optional<std::string>& asked) {
  try {
    return runner::bench_folder(program_path(), asked ? std::optional<fs::path>(*asked) : std::nullopt);
  } catch (const std::invalid_argument&) {
    if (asked) throw;
    return {};  // who only reads results needs no families
  }
}

std::vector<FamilyText> texts_in(const std::optional<std::string>& asked, const std::string& ending) {
  std::vector<FamilyText> texts;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_of_families(asked), none)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("cupel_bench_") || !name.ends_with(ending)) continue;
    texts.push_back({entry.path().string(), files::read_file(entry.path())});
  }
  std::ranges::sort(texts, {}, &FamilyText::file);
  return texts;
}

}  // namespace

std::vector<std::string> family_texts(const std::optional<std::string>& asked_folder, const std::string& ending) {
  std::vector<std::string> texts;
  for (FamilyText& one : texts_in(asked_folder, ending)) texts.push_back(std::move(one.text));
  return texts;
}

void add_family_advice(const std::optional<std::string>& asked_folder) {
  std::vector<std::string> texts;
  std::vector<std::string_view> all = catalogue::texts();
  for (const FamilyText& one : texts_in(asked_folder, ".advice.md")) {
    all.push_back(one.text);
    try {
      catalogue::read_catalogue(all);
    } catch (const std::invalid_argument& problem) {
      throw std::invalid_argument(fmt::format("{}: {}", one.file, problem.what()));
    }
    all.pop_back();
    texts.push_back(one.text);
  }
  catalogue::add(std::move(texts));
}

}  // namespace cupel::cli
