#include "cupel/record/listing.hpp"

#include "cupel/record/document.hpp"
#include "cupel/record/visit.hpp"

namespace cupel::record {

using namespace detail;

std::string to_json(const Listing& listing) { return lines(encode(listing), 2) + '\n'; }

Listing listing_from_json(std::string_view text, const std::string& origin) {
  return read_document<Listing>(text, printable(origin), UnknownKeys::passed_over);
}

}  // namespace cupel::record
