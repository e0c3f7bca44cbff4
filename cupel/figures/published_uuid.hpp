// A board's name where results of many people stand side by side.
#pragma once

#include <string>
#include <string_view>

namespace cupel::figures {

/// Returns "GPU-" and the first 32 digits of the UUID's SHA-256, without hyphens: the same board has the same one, and
/// nobody finds the board by it. One that has that form already stays.
std::string published_uuid(const std::string& uuid);

/// Returns whether the UUID has that form.
bool is_published(std::string_view uuid);

}  // namespace cupel::figures
