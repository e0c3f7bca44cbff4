#include "cupel/record/listing.hpp"

#include "cupel/record/decode.hpp"
#include "cupel/record/encode.hpp"
#include "cupel/record/json.hpp"
#include "cupel/record/parse.hpp"
#include "cupel/record/text.hpp"

namespace cupel::record {
namespace detail {

static void decode(const Value& value, const Path& path, Reading& reading, ListedBenchmark& benchmark) {
  Fields fields(value, path, reading);
  fields.read_required("name", benchmark.name);
  if (const Value* params = fields.take("params")) {
    decode_params(*params, Path(path, "params"), reading, benchmark.params);
  }
  fields.read("advice", benchmark.advice);
  fields.read("needs_device", benchmark.needs_device);
  fields.read("device_bytes", benchmark.device_bytes);
  fields.read("host_bytes", benchmark.host_bytes);
  fields.read_amount("seconds", benchmark.seconds);
  fields.read_amount("least_seconds", benchmark.least_seconds);
  fields.read("profile", benchmark.profile);
  fields.finish();
}

static Value encode(const ListedBenchmark& benchmark) {
  Object object;
  put(object, "name", Value{printable(benchmark.name)});
  put(object, "params", encode_params(benchmark.params));
  put(object, "advice", encode_advice(benchmark.advice));
  put(object, "needs_device", Value{benchmark.needs_device});
  put(object, "device_bytes", Value{benchmark.device_bytes});
  put(object, "host_bytes", Value{benchmark.host_bytes});
  put(object, "seconds", Value{benchmark.seconds});
  put(object, "least_seconds", Value{benchmark.least_seconds});
  put(object, "profile", benchmark.profile);
  return Value{std::move(object)};
}

}  // namespace detail

std::string to_json(const Listing& listing) {
  using namespace detail;
  Array benchmarks;
  for (const ListedBenchmark& benchmark : listing.benchmarks) {
    benchmarks.push_back(encode(benchmark));
  }
  Object root;
  put(root, "family", Value{printable(listing.family)});
  put(root, "needs_device", Value{listing.needs_device});
  if (listing.max_wall_s) put(root, "max_wall_s", Value{*listing.max_wall_s});
  put(root, "benchmarks", Value{std::move(benchmarks)});
  return dump(Value{std::move(root)}) + '\n';
}

Listing listing_from_json(std::string_view text, const std::string& origin) {
  using namespace detail;
  try {
    const Parsed parsed = parse(text);
    if (!parsed.error.empty()) {
      throw Invalid{parsed.error};
    }
    Listing listing;
    Problems problems(false);
    Reading reading{problems, {}, 0};
    const Path top("");
    Fields fields(parsed.value, top, reading);
    fields.read_required("family", listing.family);
    fields.read("needs_device", listing.needs_device);
    fields.read_amount("max_wall_s", listing.max_wall_s);
    fields.read_required("benchmarks", listing.benchmarks);
    return listing;
  } catch (const Invalid& invalid) {
    throw ReadError(printable(origin) + ": " + invalid.problem);
  }
}

}  // namespace cupel::record
