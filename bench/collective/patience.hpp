// Waiting for ranks that may never be done.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

namespace cupel::bench::collective {

/// A collective that did not come to its end: what() says why.
class CollectiveFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Look {
  bool done = false;
  std::optional<std::string> error = std::nullopt;  ///< what a rank has met meanwhile
};

/// Looks again and again until all is done. On an error, or when limit_s have passed by `now_s`, calls abort() once and
/// throws CollectiveFailed.
void wait_or_abort(const std::function<Look()>& look, const std::function<void()>& abort, double limit_s,
                   const std::function<double()>& now_s);

/// The same by the host's clock.
void wait_or_abort(const std::function<Look()>& look, const std::function<void()>& abort, double limit_s);

}  // namespace cupel::bench::collective
