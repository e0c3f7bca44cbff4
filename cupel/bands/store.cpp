#include "cupel/bands/store.hpp"

#include <algorithm>
#include <utility>

#include "cupel/figures/suite.hpp"
#include "cupel/files/input_file.hpp"
#include "cupel/files/output_file.hpp"
#include "cupel/record/record.hpp"
#include "cupel/units/format.hpp"

namespace cupel::bands {
namespace {

namespace fs = std::filesystem;

// The model's name is long, and two models of one GPU differ in its end: "nvidia-h200-132-sms-139-8-gib-memory".
fs::path file_of(const fs::path& folder, const std::string& model) { return folder / (units::slug(model) + ".json"); }

Bands read_own(const fs::path& file) { return bands_from_json(files::read_file(file.string()), file.string()); }

}  // namespace

std::vector<Bands> read_bands(const fs::path& folder, const std::optional<std::string>& model) {
  std::vector<Bands> all = built_in(model);
  if (folder.empty() || !fs::is_directory(folder)) return all;
  for (const std::string& file : files::json_files_in(folder)) {
    Bands own = read_own(file);
    const auto of_model = std::ranges::find(all, own.model, &Bands::model);
    if (of_model == all.end()) {
      all.push_back(std::move(own));
    } else {
      *of_model = joined(std::move(*of_model), own);
    }
  }
  return all;
}

Bands bands_of_model(const fs::path& folder, const std::string& model) {
  std::vector<Bands> all = read_bands(folder, model);
  const auto of_model = std::ranges::find(all, model, &Bands::model);
  return of_model == all.end() ? Bands{} : std::move(*of_model);
}

Judgement judge(const fs::path& folder, const record::ResultSet& results) {
  if (!results.context.device) return {};
  const Bands of_model = bands_of_model(folder, figures::model_of(results.context));
  return of_model.model.empty() ? Judgement{} : judge(of_model, figures::suite_of(results, ""));
}

fs::path keep_board(const fs::path& folder, const figures::Suite& suite) {
  const fs::path file = file_of(folder, figures::model_of(suite.context));
  const files::FileLock lock(file);
  Bands bands = fs::exists(file) ? read_own(file) : Bands{};
  add(bands, suite);
  files::write_file(file, to_json(bands));
  return file;
}

}  // namespace cupel::bands
