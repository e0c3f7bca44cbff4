// `cupel report`: one page about one or more result files.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "cli/bands_folder.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/gate_common.hpp"
#include "cli/index_page.hpp"
#include "cli/print.hpp"
#include "cupel/catalogue/catalogue.hpp"
#include "cupel/figures/copies.hpp"
#include "cupel/figures/runs.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/files/input_file.hpp"
#include "cupel/files/labels.hpp"
#include "cupel/files/output_file.hpp"
#include "cupel/report/gallery/gallery.hpp"
#include "cupel/report/gallery/models.hpp"
#include "cupel/report/html/index.hpp"
#include "cupel/report/html/report.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::cli {
namespace {

struct ReportFlags {
  std::vector<std::string> files;
  std::string output = "report.html";
  std::optional<std::string> bands, gallery, index;
  bool force = false, quiet = false;
};

// Without folders: a page is sent to others.
std::string names_of(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  for (const std::string& file : files)
    names.push_back(std::filesystem::path(files::shown_path(file)).filename().string());
  return fmt::format("{}", fmt::join(names, ", "));
}

// A run that is all of a folder is known by that, others by their files. A single file is known by its folder only
// where that was named.
std::string run_name(const figures::Run& run, const std::vector<std::string>& named) {
  const std::filesystem::path first = run.files.front();
  const std::filesystem::path folder = std::filesystem::absolute(first).parent_path();
  const bool may_be_folder = run.files.size() > 1 || !units::contains(named, run.files.front());
  const auto is_all = [&] { return files::json_files_in(folder).size() == run.files.size(); };
  if (may_be_folder && is_all()) return std::filesystem::canonical(folder).filename().string();
  const std::string name = std::filesystem::path(files::shown_path(first)).filename().string();
  return run.files.size() == 1 ? name : fmt::format("{} and {} more", name, run.files.size() - 1);
}

// A suite of each file.
std::vector<figures::Suite> parts_of(const figures::Run& run) {
  std::vector<figures::Suite> parts;
  for (const std::string& file : run.files) {
    parts.push_back(run.files.size() == 1 ? figures::suite_of(run.results, "") : figures::read_suite(file));
    parts.back().label = files::shown_path(file);
  }
  return parts;
}

std::vector<report::GalleryModel> gallery_models(const ReportFlags& flags) {
  report::GalleryModels models;
  for (const figures::Run& run : figures::read_runs(flags.files, kComplain)) {
    if (const std::string why = models.left_out(files::names_text(run.files), run.results, run.foreign); !why.empty()) {
      complain(why);
      continue;
    }
    const bands::Bands known = bands_of_model(figures::model_of(run.results.context), flags.bands);
    for (const std::string& line : models.add(run_name(run, flags.files), run.results, parts_of(run), known))
      complain(line);
  }
  return models.models();
}

// A folder with anything but a gallery is somebody's.
void require_gallery_folder(const std::filesystem::path& folder, bool force) {
  std::error_code error;
  if (!std::filesystem::exists(folder, error)) return;
  if (!std::filesystem::is_directory(folder, error)) throw UsageError(folder.string() + ": is no folder");
  const std::string begin = files::begin_of_file(folder / "index.html", 400);
  if (force || std::filesystem::is_empty(folder) || begin.find(report::kGalleryMaker) != std::string::npos) return;
  throw UsageError(folder.string() + ": holds other files and no gallery; --force writes into it");
}

int write_gallery(const ReportFlags& flags) {
  const std::filesystem::path folder = *flags.gallery;
  require_gallery_folder(folder, flags.force);
  const std::vector<report::GalleryModel> models = gallery_models(flags);
  if (models.empty()) return kNothing;
  std::filesystem::create_directories(folder);
  for (const report::GalleryPage& page : report::gallery(models)) files::write_file(folder / page.file, page.html);
  if (!flags.quiet) print((folder / "index.html").string() + "\n");
  return kDone;
}

// The files and the folders that hold results.
std::vector<std::filesystem::path> results_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> results;
  for (const std::string& file : files::json_files_in(folder)) results.emplace_back(file);
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_directory() && !files::json_files_in(entry.path()).empty()) results.push_back(entry.path());
  }
  std::ranges::sort(results);
  return results;
}

std::filesystem::path page_of(const std::filesystem::path& result) {
  return files::without_ending(result.string()).string() + ".html";
}

report::IndexEntry entry_of(const std::filesystem::path& result, const std::optional<std::string>& bands,
                            figures::SeenResults& seen, bool makes_pages, std::vector<std::filesystem::path>& made) {
  const record::ResultSet results = figures::read_run(result.string()).results;
  const bands::Judgement board = judge_board(results, bands);
  report::IndexEntry entry = report::index_entry(results, board);
  entry.file = result.filename().string();
  entry.copy_of = seen.copy_of(entry.file, figures::prints_of(results));
  std::filesystem::path page = page_of(result);
  const bool is_copy = !entry.copy_of.empty();
  if (is_copy && !std::filesystem::is_regular_file(page)) page = page_of(result.parent_path() / entry.copy_of);
  if (makes_pages && !is_copy && !std::filesystem::exists(page)) {
    report::write_html({{entry.file, results, false, board}}, page);
    made.push_back(page);
  }
  if (std::filesystem::is_regular_file(page)) entry.page = page.filename().string();
  return entry;
}

// Without the file's path before them, as a page is sent to others.
std::string why_unlisted(const std::string& path, std::string what) {
  if (what.starts_with(path + ": ")) what.erase(0, path.size() + 2);
  return what;
}

int write_report(const ReportFlags& flags) {
  if (flags.index) {
    if (!flags.files.empty()) throw UsageError("--index FOLDER lists that folder; leave out the files");
    add_family_advice(std::nullopt);
    const WrittenIndex written = write_index_of(*flags.index, flags.force, flags.bands, true);
    for (const auto& [file, why] : written.unlisted) complain(fmt::format("{} is not in the list: {}", file, why));
    for (const std::filesystem::path& page : written.made) {
      if (!flags.quiet) print(page.string() + "\n");
    }
    if (!flags.quiet) print(written.page.string() + "\n");
    return kDone;
  }
  if (flags.files.empty())
    throw UsageError(
        "name result files to make a page of, or a folder of results: --index FOLDER; cupel report --help says more");
  add_family_advice(std::nullopt);
  if (flags.gallery) return write_gallery(flags);
  std::vector<report::ReportedFile> files;
  for (figures::Run& run : figures::read_runs(flags.files, kComplain))
    files.push_back({names_of(run.files), std::move(run.results), run.foreign});
  const auto is_empty = [](const report::ReportedFile& file) { return file.results.rows.empty(); };
  if (std::ranges::all_of(files, is_empty)) return kNothing;
  for (report::ReportedFile& file : files) file.board = judge_board(file.results, flags.bands);
  if (flags.output == "-") {
    print(report::html_report(files));
    return kDone;
  }
  report::write_html(files, flags.output, flags.force);
  if (!flags.quiet) print(fmt::format("{}\n", flags.output));
  return kDone;
}

}  // namespace

WrittenIndex write_index_of(const std::filesystem::path& folder, bool force, const std::optional<std::string>& bands,
                            bool makes_pages) {
  WrittenIndex written{folder / "index.html", {}, {}};
  std::vector<report::IndexEntry> entries;
  figures::SeenResults seen;
  for (const std::filesystem::path& result : results_in(folder)) {
    try {
      entries.push_back(entry_of(result, bands, seen, makes_pages, written.made));
    } catch (const std::exception& error) {
      written.unlisted.push_back({result.filename().string(), why_unlisted(result.string(), error.what())});
    }
  }
  report::write_page(report::index_page(std::move(entries), written.unlisted), written.page, force);
  return written;
}

void add_report(Command& app) {
  Command& command = app.add_subcommand("report", "Make one HTML page of result files");
  ReportFlags& flags = command.runs(write_report);
  command.add_option("files", flags.files,
                     "Result files, or Google Benchmark's, or folders of them; the others are compared with the first");
  Option* const output = command.add_option("-o,--output FILE", flags.output,
                                            "The page (default report.html); a report there is replaced; - prints it");
  Option* const gallery =
      command.add_option("--gallery DIR", flags.gallery,
                         "In place of one page a site of any number of results: verdicts on each model, boards, times");
  gallery->excludes(output);
  command
      .add_option("--index FOLDER", flags.index,
                  "List the results in that folder and in its folders in FOLDER/index.html, with a report of each")
      ->excludes(output)
      ->excludes(gallery);
  command.add_flag("-f,--force", flags.force, "Replace whatever is there");
  command.add_flag("-q,--quiet", flags.quiet, "Do not print the page's name");
  add_bands_flag(command, flags.bands);
  command.examples(
      {{"cupel report results/nvidia-h200 new.json -o page.html", "Compares another machine with that one"},
       {"cupel report results/nvidia-* --gallery site", "Makes a site of all results: site/index.html"}});
  command.exits({{kNothing, "no file has results"}});
}

}  // namespace cupel::cli
