#include "cupel/record/json.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "cupel/record/decode.hpp"
#include "cupel/record/encode.hpp"
#include "cupel/record/file.hpp"
#include "cupel/record/google_benchmark.hpp"
#include "cupel/record/parse.hpp"
#include "cupel/record/text.hpp"

namespace cupel::record {
namespace {

using namespace detail;

// In how many processes each family of a run was measured.
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

// Hands rows on in the order in which they were before those without a time were put elsewhere.
class InOrder {
 public:
  explicit InOrder(const TakeRow& take) : take_(take) {}

  /// Those without a time. Must come before any other row.
  void expect(std::vector<PositionedRow> others) {
    others_ = std::move(others);
    std::stable_sort(others_.begin(), others_.end(), [](const PositionedRow& a, const PositionedRow& b) {
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

  /// Throws Invalid.
  Context read(Text& text) {
    if (!text.skip_space()) {
      throw Invalid{"/: is empty"};
    }
    Parsed parsed =
        parse(text, [this](const Object& root, Value& row, std::size_t index) { return take(root, row, index); });
    if (!parsed.error.empty()) {
      is_ours_ = is_ours_ || says_ours(parsed.value);
      throw Invalid{parsed.error};
    }
    const Object* root = parsed.value.as<Object>();
    if (root == nullptr) {
      throw Invalid{std::string("/: must be an object, is ") + kind(parsed.value)};
    }
    check_major(*root);
    return decode_root(*root);
  }

 private:
  // Of what was read before an error in the first row or above.
  static bool says_ours(const Value& read) {
    const Object* root = read.as<Object>();
    const Value* context = root == nullptr ? nullptr : find(*root, "context");
    const Object* said = context == nullptr ? nullptr : context->as<Object>();
    return said != nullptr && find(*said, "cupel") != nullptr;
  }

  void check_major(const Object& root) {
    const int major = schema_major(root);
    is_ours_ = true;
    if (major > kSchemaMajor) {
      throw Invalid{"/context/cupel/schema/major: schema " + std::to_string(major) + " is newer than this cupel's " +
                    std::to_string(kSchemaMajor) + "; read it with cupel " + std::to_string(major) + ".0 or newer"};
    }
    if (major < kSchemaMajor) {
      throw Invalid{"/context/cupel/schema/major: there is no schema " + std::to_string(major)};
    }
  }

  bool take(const Object& root, Value& row, std::size_t index) {
    if (!checked_) {
      streaming_ = find(root, "context") != nullptr;
      checked_ = true;
      if (streaming_) {
        check_major(root);
        read_context(*find(root, "context"));
      }
    }
    if (streaming_) {
      add(row, index);
    }
    return streaming_;
  }

  // Once: it says where the rows without a time belong.
  void read_context(const Value& value) {
    if (context_) {
      return;
    }
    const Path top("");
    std::vector<PositionedRow> not_measured;
    context_ = decode_context(value, Path(top, "context"), problems_, &not_measured);
    rows_.expect(std::move(not_measured));
  }

  void add(const Value& row, std::size_t index) {
    const Path top("");
    const Path list(top, "benchmarks");
    rows_.add(decode_row(row, Path(list, index), problems_));
  }

  Context decode_root(const Object& root) {
    const Path top("");
    Object unknown;
    read_context(*find(root, "context"));
    const Value* benchmarks = find(root, "benchmarks");
    if (benchmarks != nullptr) {
      add_all(*benchmarks, Path(top, "benchmarks"));
    } else {
      problems_.add(Path(top, "benchmarks"), "is missing");
    }
    rows_.finish();
    RunInfo& run = context_->run;
    if (!run.started.empty() && run.finished.empty()) run.whole_processes = rows_.processes().count(run);
    for (const Member& member : root) {
      if (member.key != "context" && member.key != "benchmarks") {
        unknown.push_back({'/' + pointer_token(member.key), member.value});
      }
    }
    keep_unknown(*context_, std::move(unknown));
    return std::move(*context_);
  }

  // What is left in the tree of the list: everything, or nothing when it was streamed.
  void add_all(const Value& list, const Path& path) {
    if (const Array* array = list.as<Array>()) {
      for (std::size_t i = 0; i < array->size(); ++i) {
        add((*array)[i], i);
      }
    } else if (const Numbers* numbers = list.as<Numbers>(); numbers == nullptr || !numbers->empty()) {
      problems_.add(path,
                    std::string("must be a list of objects") + (numbers ? "" : std::string(", is ") + kind(list)));
    }
  }

  static void keep_unknown(Context& context, Object&& unknown) {
    if (unknown.empty()) {
      return;
    }
    if (!context.unknown.empty()) {
      Value known = parse(context.unknown).value;
      Object& members = *known.as<Object>();
      std::move(members.begin(), members.end(), std::back_inserter(unknown));
    }
    context.unknown = dump_line(Value{std::move(unknown)});
  }

  Problems& problems_;
  InOrder rows_;
  std::optional<Context> context_;
  bool checked_ = false;
  bool streaming_ = false;
  bool is_ours_ = false;
};

// Throws Invalid.
ResultSet read_whole(Text& text, Problems& problems) {
  ResultSet results;
  const TakeRow take = [&results](Row&& row, bool) { results.rows.push_back(std::move(row)); };
  results.context = Reader(problems, take).read(text);
  return results;
}

ReadError at_origin(const std::string& origin, const Invalid& invalid) {
  return ReadError(printable(origin) + ": " + invalid.problem);
}

// A program's file that is not ours is small: it has no samples. Rows may have gone to `take` only after the reader
// knew that the file is ours.
Streamed read_foreign(const std::filesystem::path& path, const TakeRow& take) {
  ResultSet results = from_google_benchmark(read_file(path), path.string());
  for (Row& row : results.rows) {
    take(std::move(row), true);
  }
  return {std::move(results.context), true};
}

}  // namespace

std::string to_json(const ResultSet& results) { return dump(encode(results)) + '\n'; }

ResultSet from_json(std::string_view text, const std::string& origin) {
  try {
    Problems problems(false);
    Text whole(text);
    return read_whole(whole, problems);
  } catch (const Invalid& invalid) {
    throw at_origin(origin, invalid);
  }
}

ResultSet read(const std::filesystem::path& path) {
  FileReader file(path);
  try {
    Problems problems(false);
    Text text([&file](char* room, std::size_t size) { return file.read(room, size); });
    return read_whole(text, problems);
  } catch (const Invalid& invalid) {
    throw at_origin(path.string(), invalid);
  }
}

Streamed read_rows(const std::filesystem::path& path, const TakeRow& take) {
  FileReader file(path);
  Problems problems(false);
  Text text([&file](char* room, std::size_t size) { return file.read(room, size); });
  Reader reader(problems, take);
  try {
    return {reader.read(text), false};
  } catch (const Invalid& invalid) {
    if (reader.is_ours()) {
      throw at_origin(path.string(), invalid);
    }
  }
  return read_foreign(path, take);
}

void write(const ResultSet& results, const std::filesystem::path& path) { replace_file(path, to_json(results)); }

std::vector<std::string> validate(std::string_view text) {
  Problems problems(true);
  Text whole(text);
  try {
    read_whole(whole, problems);
  } catch (const Invalid& invalid) {
    std::vector<std::string> found = problems.found();
    found.push_back(invalid.problem);
    return found;
  }
  return problems.found();
}

}  // namespace cupel::record
