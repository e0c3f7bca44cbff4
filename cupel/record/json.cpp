#include "cupel/record/json.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "cupel/files/input_file.hpp"
#include "cupel/files/output_file.hpp"
#include "cupel/record/entry.hpp"
#include "cupel/record/google_benchmark.hpp"

namespace cupel::record {
namespace {

using namespace detail;

// Sets Row::unusual of older rows: the parameter content:zeros marks those that multiply zeros.
void say_unusual(Row& row) {
  const std::pair<std::string, std::string> zeros("content", "zeros");
  if (std::ranges::find(row.params, zeros) != row.params.end()) row.unusual = kOfZeros;
}

// Returns the number of processes that each family of a run was measured in.
class WholeProcesses {
 public:
  void add(const Row& row) { processes_[row.family].insert(row.process); }

  int count(const RunInfo& run) const {
    std::size_t least = processes_.empty() ? 0 : static_cast<std::size_t>(run.processes);
    for (const auto& [family, processes] : processes_) least = std::min(least, processes.size());
    const auto lacks = [this](const std::string& family) { return !processes_.contains(family); };
    return std::ranges::any_of(run.families, lacks) ? 0 : static_cast<int>(least);
  }

 private:
  std::map<std::string, std::set<int>> processes_;
};

// Hands rows on in the order of measurement: those without a time stand elsewhere in the file, with their positions.
class InOrder {
 public:
  explicit InOrder(const TakeRow& take) : take_(take) {}

  /// Takes the rows without a time. Must come before any other row.
  void expect(std::vector<PositionedRow> others) {
    others_ = std::move(others);
    std::ranges::stable_sort(others_, [](const PositionedRow& a, const PositionedRow& b) {
      return static_cast<std::uint64_t>(a.position) < static_cast<std::uint64_t>(b.position);  // -1, unknown, is last
    });
  }

  void add(Row&& row) {
    while (next_ < others_.size() && static_cast<std::uint64_t>(others_[next_].position) <= given_) {
      give(std::move(others_[next_++].row));
    }
    give(std::move(row));
  }

  void finish() {
    while (next_ < others_.size()) {
      give(std::move(others_[next_++].row));
    }
  }

  const WholeProcesses& processes() const { return processes_; }

 private:
  void give(Row&& row) {
    ++given_;
    processes_.add(row);
    take_(std::move(row), false);
  }

  const TakeRow& take_;
  std::vector<PositionedRow> others_;
  std::size_t next_ = 0;
  std::uint64_t given_ = 0;
  WholeProcesses processes_;
};

// Reads one text. Rows are decoded while the text is parsed as soon as the version is known to be ours, so that the
// tree of a long file never exists as a whole.
class Reader {
 public:
  Reader(Problems& problems, const TakeRow& take) : problems_(problems), rows_(take) {}

  /// The text is a file of ours, whatever may be wrong with it.
  bool is_ours() const { return is_ours_; }

  /// text: a std::string_view or a FileReader. Throws Invalid.
  Context read(auto&& text) {
    const Parsed parsed = parse(
        text,
        RowSink{.tree = [this](const Json& root, const Json& row, std::size_t index) { return take(root, row, index); },
                .text = [this](const Json& root, std::string_view row,
                               std::size_t index) { return take_text(root, row, index); }});
    if (!parsed.error.empty()) {
      is_ours_ = is_ours_ || says_ours(parsed.value);
      throw Invalid{parsed.error};
    }
    if (!parsed.value.is_object()) {
      throw Invalid{std::string("must be an object, is ") + kind(parsed.value)};
    }
    check_major(parsed.value);
    return read_root(parsed.value);
  }

 private:
  // Looks at what was read before an error in the first row or above.
  static bool says_ours(const Json& read) { return read.contains(Json::json_pointer("/context/cupel")); }

  void check_major(const Json& root) {
    const int major = schema_major(root);
    is_ours_ = true;
    if (major > kSchemaMajor) {
      throw Invalid{"field /context/cupel/schema/major: schema " + std::to_string(major) +
                    " is newer than this cupel's " + std::to_string(kSchemaMajor) + "; read it with cupel " +
                    std::to_string(major) + ".0 or newer"};
    }
    if (major < kSchemaMajor) {
      throw Invalid{"field /context/cupel/schema/major: there is no schema " + std::to_string(major)};
    }
  }

  bool take(const Json& root, const Json& row, std::size_t index) {
    if (index == 0) begin_rows(root);
    if (streaming_) add(read_row(row, Path(Path(Path(), "benchmarks"), index), problems_));
    return streaming_;
  }

  Taken take_text(const Json& root, std::string_view text, std::size_t index) {
    if (index == 0 ? !root.contains("context") : !streaming_) return {};
    Row row;
    const Taken taken = read_canonical_row(text, row);
    if (taken.size == 0) return taken;
    if (index == 0) begin_rows(root);
    add(std::move(row));
    return taken;
  }

  void begin_rows(const Json& root) {
    streaming_ = root.contains("context");
    if (!streaming_) return;
    check_major(root);
    read_context(root["context"]);
  }

  // Once: it says where the rows without a time belong.
  void read_context(const Json& value) {
    if (context_) return;
    std::vector<PositionedRow> not_measured;
    context_ = detail::read_context(value, Path(Path(), "context"), problems_, &not_measured);
    rows_.expect(std::move(not_measured));
  }

  void add(Row&& row) {
    if (context_ && context_->schema_minor < kFirstMinorThatSaysUnusual) say_unusual(row);
    rows_.add(std::move(row));
  }

  Context read_root(const Json& root) {
    read_context(root["context"]);
    Reading reading{problems_};
    const Path top;
    FieldReader fields(root, top, reading);
    fields.take("context");
    // The rest of the list: everything, or nothing when it was streamed.
    const Json* list = fields.take("benchmarks", kRequired);
    if (list != nullptr && check_list(*list, Path(top, "benchmarks"), reading)) {
      const Path place(top, "benchmarks");
      for (std::size_t i = 0; i < list->size(); ++i) add(read_row((*list)[i], Path(place, i), problems_));
    }
    rows_.finish();
    fields.finish();
    const Json unknown = parse(context_->unknown).value;
    for (const auto& [pointer, value] : unknown.items()) reading.keep(pointer, value);
    context_->unknown = reading.unknown_text();
    RunInfo& run = context_->run;
    if (!run.started.empty() && (run.finished.empty() || run.interrupted))
      run.whole_processes = rows_.processes().count(run);
    return std::move(*context_);
  }

  Problems& problems_;
  InOrder rows_;
  std::optional<Context> context_;
  bool streaming_ = false;
  bool is_ours_ = false;
};

// Throws Invalid.
ResultSet read_whole(auto&& text, Problems& problems) {
  ResultSet results;
  const TakeRow take = [&results](Row&& row, bool) { results.rows.push_back(std::move(row)); };
  results.context = Reader(problems, take).read(text);
  return results;
}

files::ReadError at_origin(const std::string& origin, const Invalid& invalid) {
  return files::ReadError(printable(origin) + ": " + invalid.problem);
}

// A program's file that is not ours is small: it has no samples. Rows may have gone to `take` only after the reader
// knew that the file is ours.
Streamed read_foreign(const std::filesystem::path& path, const TakeRow& take) {
  ResultSet results = read_google_benchmark(path, files::shown_path(path));
  for (Row& row : results.rows) {
    take(std::move(row), true);
  }
  return {std::move(results.context), true};
}

}  // namespace

// A row a line, and what the context says of one thing too.
std::string to_json(const ResultSet& results) {
  std::string benchmarks;
  Json::array_t not_measured = write_rows(
      results, [&benchmarks](Json&& entry) { benchmarks += (benchmarks.empty() ? "\n" : ",\n") + line(entry); });
  std::string text = "{\n";
  const Json root = write_root(results.context, std::move(not_measured));
  for (const auto& [key, value] : root.items()) {
    text += line(key) + ": " + lines(value, 2) + ",\n";
  }
  return text + "\"benchmarks\": [" + benchmarks + "\n]\n}\n";
}

ResultSet from_json(std::string_view text, const std::string& origin) {
  try {
    Problems problems(false);
    return read_whole(text, problems);
  } catch (const Invalid& invalid) {
    throw at_origin(origin, invalid);
  }
}

ResultSet read(const std::filesystem::path& path) {
  files::FileReader file(path);
  try {
    Problems problems(false);
    return read_whole(file, problems);
  } catch (const Invalid& invalid) {
    throw at_origin(files::shown_path(path), invalid);
  }
}

// Whoever names a program where its result is asked for learns so, and not at which of its bytes JSON ends.
static void refuse_executable(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) || files::begin_of_file(path, 4) !=
                                                            "\x7f"
                                                            "ELF")
    return;
  throw files::ReadError(
      files::shown_path(path) +
      ": is an executable, not a result file: run it with --benchmark_out=FILE.json and name that file; "
      "cupel gate takes executables");
}

Streamed read_rows(const std::filesystem::path& path, const TakeRow& take) {
  refuse_executable(path);
  files::FileReader file(path);
  Problems problems(false);
  Reader reader(problems, take);
  try {
    return {reader.read(file), false};
  } catch (const Invalid& invalid) {
    if (reader.is_ours()) throw at_origin(files::shown_path(path), invalid);
  }
  return read_foreign(path, take);
}

AnyResults read_any(const std::filesystem::path& path) {
  AnyResults read;
  Streamed rest = read_rows(path, [&](Row&& row, bool) { read.results.rows.push_back(std::move(row)); });
  read.results.context = std::move(rest.context);
  read.foreign = rest.foreign;
  return read;
}

void write(const ResultSet& results, const std::filesystem::path& path) { files::write_file(path, to_json(results)); }

std::vector<std::string> validate(std::string_view text) {
  Problems problems(true);
  try {
    read_whole(text, problems);
  } catch (const Invalid& invalid) {
    std::vector<std::string> found = problems.found();
    found.push_back(invalid.problem);
    return found;
  }
  return problems.found();
}

}  // namespace cupel::record
