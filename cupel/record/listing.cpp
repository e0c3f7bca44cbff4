#include "cupel/record/listing.hpp"

#include "cupel/record/fields.hpp"
#include "cupel/record/json.hpp"

namespace cupel::record {

using namespace detail;

std::string to_json(const Listing& listing) { return lines(encode(listing), 2) + '\n'; }

Listing listing_from_json(std::string_view text, const std::string& origin) {
  try {
    const Parsed parsed = parse(text);
    if (!parsed.error.empty()) {
      throw Invalid{parsed.error};
    }
    Listing listing;
    Problems problems(false);
    Reading reading{problems};
    decode(parsed.value, Path(), reading, listing);
    return listing;
  } catch (const Invalid& invalid) {
    throw ReadError(printable(origin) + ": " + invalid.problem);
  }
}

}  // namespace cupel::record
