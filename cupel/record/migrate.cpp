#include "cupel/record/migrate.hpp"

#include <string>

#include "cupel/record/fields.hpp"
#include "cupel/record/record.hpp"

namespace cupel::record::detail {

Value Migration::apply(Value tree, int from_major) const {
  const int newest = first_major + static_cast<int>(steps.size());
  if (from_major < first_major || from_major > newest) {
    throw Invalid{"/context/cupel/schema/major: there is no schema " + std::to_string(from_major)};
  }
  for (int major = from_major; major < newest; ++major) {
    tree = steps[static_cast<std::size_t>(major - first_major)](std::move(tree));
  }
  return tree;
}

const Migration& migration() {
  static const Migration all{.first_major = kSchemaMajor, .steps = {}};
  return all;
}

}  // namespace cupel::record::detail
