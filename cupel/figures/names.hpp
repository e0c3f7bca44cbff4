// The name of a benchmark, as people read it.
#pragma once

#include <string>

namespace cupel::figures {

/// Returns the family, "transfer" of "transfer/h2d/memory:pinned/bytes:4096": up to the first '/'.
std::string family_of(const std::string& name);

/// Returns the operation, "transfer/h2d" of "transfer/h2d/memory:pinned/bytes:4096": up to the first component with a
/// ':'.
std::string operation_of(const std::string& name);

/// Returns the part of a name that tells a benchmark from the others of its operation, sizes as people read them: of
/// "transfer/h2d/memory:pinned/bytes:4096" it is "memory:pinned bytes:4 KiB"; of a name without parameters its last
/// part.
std::string label_of(const std::string& name);

/// Returns "bytes:4 KiB" of the part "bytes:4096" of a name; other parts stay as they are.
std::string readable_part(const std::string& part);

/// Returns "4 KiB" of the value 4096 of a parameter that counts bytes; other values stay as they are.
std::string readable_value(const std::string& parameter, const std::string& value);

/// Orders as strings are, but runs of digits by their value: "bytes:512" before "bytes:4096".
bool natural_less(const std::string& a, const std::string& b);

}  // namespace cupel::figures
