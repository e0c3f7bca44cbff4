#include "cupel/record/contradictions.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "cupel/record/decode.hpp"
#include "cupel/record/entry.hpp"
#include "cupel/record/floor.hpp"
#include "cupel/record/json.hpp"
#include "cupel/record/json_text.hpp"

namespace cupel::record {
namespace {

using detail::Json;
using detail::Path;

bool are_near(double one, double other) {
  constexpr double kEightDigits = 1e-8;
  return std::abs(one - other) <= kEightDigits * std::max(std::abs(one), std::abs(other));
}

// Compares a file with the same one as its samples give it. A field that is absent is null.
class Differences {
 public:
  explicit Differences(std::size_t most) : most_(most) {}

  void find(const Json& said, const Json& given, const Path& path) {
    if (found_.size() >= most_) return;
    if (said.is_object() && given.is_object()) {
      find_in_objects(said, given, path);
    } else if (said.is_array() && given.is_array() && said.size() == given.size()) {
      for (std::size_t i = 0; i < said.size(); ++i) find(said[i], given[i], Path(path, i));
    } else if (!is_same(said, given)) {
      found_.push_back(
          fmt::format("{}is {}, its samples give {}", detail::place_text(path.pointer()), shown(said), shown(given)));
    }
  }

  std::vector<std::string> take() { return std::move(found_); }

 private:
  void find_in_objects(const Json& said, const Json& given, const Path& path) {
    for (const auto& [key, value] : said.items()) find(value, member(given, key), Path(path, key));
    for (const auto& [key, value] : given.items()) {
      if (!said.contains(key)) find(Json(), value, Path(path, key));
    }
  }

  static const Json& member(const Json& object, const std::string& key) {
    static const Json nothing;
    const auto found = object.find(key);
    return found == object.end() ? nothing : *found;
  }

  // A field that is at its default need not be written.
  static bool says_nothing(const Json& value) {
    return value.is_null() || value == Json(false) || value == Json(0) ||
           ((value.is_object() || value.is_array() || value.is_string()) && value.empty()) || value == Json("");
  }

  static bool is_same(const Json& said, const Json& given) {
    if (said.is_number() && given.is_number()) return are_near(said.get<double>(), given.get<double>());
    return said == given || (says_nothing(said) && says_nothing(given));
  }

  static std::string shown(const Json& value) {
    if (value.is_null()) return "absent";
    return value.is_structured() ? detail::kind(value) : detail::line(value);
  }

  std::size_t most_;
  std::vector<std::string> found_;
};

// The file that a result gives.
Json whole_file(const ResultSet& results) {
  Json::array_t rows;
  Json::array_t others = detail::write_rows(results, [&rows](Json&& row) { rows.push_back(std::move(row)); });
  Json root = detail::write_root(results.context, std::move(others));
  root["benchmarks"] = std::move(rows);
  return root;
}

}  // namespace

std::vector<std::string> contradictions(std::string_view text, const ResultSet& results, std::size_t most) {
  ResultSet again = results;
  apply_floor(again);
  if (again.context.schema_minor < kFirstMinorThatSaysUnusual) {
    for (Row& row : again.rows) row.unusual.clear();  // as the file has it
  }
  Json said = detail::parse(text).value, given = whole_file(again);
  const Json::json_pointer written_by("/context/cupel/schema");  // no figure, and newer once it is written again
  for (Json* root : {&said, &given}) root->at(written_by.parent_pointer()).erase(written_by.back());
  Differences differences(most);
  differences.find(said, given, Path());
  return differences.take();
}

}  // namespace cupel::record
