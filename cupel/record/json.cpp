#include "cupel/record/json.hpp"

#include <algorithm>

#include "cupel/record/decode.hpp"
#include "cupel/record/encode.hpp"
#include "cupel/record/file.hpp"
#include "cupel/record/migrate.hpp"
#include "cupel/record/parse.hpp"
#include "cupel/record/text.hpp"

namespace cupel::record {
namespace {

using namespace detail;

// Puts the rows without a time back where they were among the others.
std::vector<Row> merge(std::vector<Row> measured, std::vector<PositionedRow> others) {
  if (others.empty()) {
    return measured;
  }
  std::stable_sort(others.begin(), others.end(), [](const PositionedRow& a, const PositionedRow& b) {
    return static_cast<std::uint64_t>(a.position) < static_cast<std::uint64_t>(b.position);  // -1, unknown, is last
  });
  std::vector<Row> rows;
  rows.reserve(measured.size() + others.size());
  auto next = measured.begin();
  for (PositionedRow& other : others) {
    while (next != measured.end() && rows.size() < static_cast<std::uint64_t>(other.position)) {
      rows.push_back(std::move(*next++));
    }
    rows.push_back(std::move(other.row));
  }
  std::move(next, measured.end(), std::back_inserter(rows));
  return rows;
}

// Reads one text. Rows are decoded while the text is parsed as soon as the version is known to be ours, so that the
// tree of a long file never exists as a whole.
class Reader {
 public:
  explicit Reader(Problems& problems) : problems_(problems) {}

  /// Throws Invalid.
  ResultSet read(std::string_view text) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
      throw Invalid{"/: is empty"};
    }
    Parsed parsed =
        parse(text, [this](const Object& root, Value& row, std::size_t index) { return take(root, row, index); });
    if (!parsed.error.empty()) {
      throw Invalid{parsed.error};
    }
    const Object* root = parsed.value.as<Object>();
    if (root == nullptr) {
      throw Invalid{std::string("/: must be an object, is ") + kind(parsed.value)};
    }
    const int major = checked_major(*root);
    if (major != kSchemaMajor) {
      parsed.value = migration().apply(std::move(parsed.value), major);
      root = parsed.value.as<Object>();
    }
    return decode_root(*root);
  }

 private:
  static int checked_major(const Object& root) {
    const int major = schema_major(root);
    if (major > kSchemaMajor) {
      throw Invalid{"/context/cupel/schema/major: schema " + std::to_string(major) + " is newer than this cupel's " +
                    std::to_string(kSchemaMajor) + "; read it with cupel " + std::to_string(major) + ".0 or newer"};
    }
    return major;
  }

  bool take(const Object& root, Value& row, std::size_t index) {
    if (!checked_) {
      streaming_ = find(root, "context") != nullptr && checked_major(root) == kSchemaMajor;
      checked_ = true;
    }
    if (streaming_) {
      add(row, index);
    }
    return streaming_;
  }

  void add(const Value& row, std::size_t index) {
    const Path top("");
    const Path list(top, "benchmarks");
    rows_.push_back(decode_row(row, Path(list, index), problems_));
  }

  ResultSet decode_root(const Object& root) {
    const Path top("");
    ResultSet results;
    std::vector<PositionedRow> not_measured;
    Object unknown;
    bool has_benchmarks = false;
    for (const Member& member : root) {
      if (member.key == "context") {
        results.context = decode_context(member.value, Path(top, "context"), problems_, &not_measured);
      } else if (member.key == "benchmarks") {
        has_benchmarks = true;
        add_all(member.value, Path(top, "benchmarks"));
      } else {
        unknown.push_back({'/' + pointer_token(member.key), member.value});
      }
    }
    if (!has_benchmarks) {
      problems_.add(Path(top, "benchmarks"), "is missing");
    }
    keep_unknown(results.context, std::move(unknown));
    results.rows = merge(std::move(rows_), std::move(not_measured));
    return results;
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
  bool checked_ = false;
  bool streaming_ = false;
  std::vector<Row> rows_;
};

}  // namespace

std::string to_json(const ResultSet& results) { return dump(encode(results)) + '\n'; }

ResultSet from_json(std::string_view text, const std::string& origin) {
  try {
    Problems problems(false);
    return Reader(problems).read(text);
  } catch (const Invalid& invalid) {
    throw ReadError(printable(origin) + ": " + invalid.problem);
  }
}

ResultSet read(const std::filesystem::path& path) { return from_json(read_file(path), path.string()); }

void write(const ResultSet& results, const std::filesystem::path& path) { replace_file(path, to_json(results)); }

std::vector<std::string> validate(std::string_view text) {
  Problems problems(true);
  try {
    Reader(problems).read(text);
  } catch (const Invalid& invalid) {
    std::vector<std::string> found = problems.found();
    found.push_back(invalid.problem);
    return found;
  }
  return problems.found();
}

}  // namespace cupel::record
