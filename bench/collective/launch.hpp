// How calls come to a stream.
#pragma once

namespace cupel::bench::collective {

/// Call by call from the host, or as one graph of all calls of a sample.
enum class Launch { eager, graph };

}  // namespace cupel::bench::collective
