#include "cupel/gate/gate_files.hpp"

#include <stdexcept>

namespace cupel::gate {

std::vector<figures::Key> known(std::vector<figures::Key> keys) {
  std::erase_if(keys, [](const figures::Key& key) { return !key.value; });
  return keys;
}

}  // namespace cupel::gate

void cupel::record::detail::decode(const Json& value, const Path& path, Reading& reading, Pattern& target, Rule) {
  std::string text;
  decode(value, path, reading, text);
  try {
    target = Pattern(text);
  } catch (const std::invalid_argument& error) {
    reading.problems.add(path, error.what());
  }
}
