// SHA-256, by which a file is known to be the one that was sent.
#pragma once

#include <string>
#include <string_view>

namespace cupel::files {

/// 64 hexadecimal digits, in small letters. Source: FIPS 180-4, section 6.2.
std::string sha256(std::string_view bytes);

}  // namespace cupel::files
