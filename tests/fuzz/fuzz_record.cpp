// Any text: the readers refuse it by an exception of theirs, or give results that are written and read back the same.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cupel/record/google_benchmark.hpp"
#include "cupel/record/json.hpp"
#include "cupel/record/listing.hpp"

namespace {

using namespace cupel::record;

void fuzz_results(std::string_view text) {
  ResultSet results;
  try {
    results = from_json(text, "fuzz");
  } catch (const cupel::files::ReadError&) {
    if (validate(text).empty()) {
      std::abort();  // refused, and nothing wrong with it?
    }
    return;
  }
  results.context.schema_minor = std::max(results.context.schema_minor, kSchemaMinor);  // what is written
  const std::string again = to_json(results);
  const ResultSet back = from_json(again, "again");
  if (!(back == results) || to_json(back) != again || !validate(text).empty()) {
    std::abort();
  }
}

void fuzz_listing(std::string_view text) {
  try {
    listing_from_json(to_json(listing_from_json(text, "fuzz")), "again");
  } catch (const cupel::files::ReadError&) {
  }
}

void fuzz_foreign(std::string_view text) {
  ResultSet results;
  try {
    results = from_google_benchmark(text, "fuzz");
  } catch (const cupel::files::ReadError&) {
    return;
  }
  ResultSet back = from_json(to_json(results), "again");
  back.context.run.whole_processes.reset();  // counted where a file of ours has no end
  HostInfo& host = results.context.host;     // what only other programs say of it is no field of ours
  host.name.clear();
  host.clock_hz = 0;
  host.caches.clear();
  host.scaling.reset();
  if (!(back == results)) {
    std::abort();  // what is imported can be kept
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  fuzz_results(text);
  fuzz_listing(text);
  fuzz_foreign(text);
  return 0;
}
