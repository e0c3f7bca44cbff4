// Waiting for ranks that may never be done.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

#include "cupel/host/cannot_run.hpp"

namespace cupel::bench::collective {

/// A collective that did not come to its end: what() says why.
class CollectiveFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One of which a rank says that it cannot run here.
class CollectiveCannotRun : public CollectiveFailed, public host::CannotRun {
 public:
  using CollectiveFailed::CollectiveFailed;
};

struct Look {
  bool done = false;
  std::optional<std::string> error = std::nullopt;  ///< what a rank has met meanwhile
  bool cannot_run = false;                          ///< and that this is all that is wrong: it cannot run here
};

/// Looks again and again until all is done. On an error, or when limit_s have passed by `now_s`, calls abort() once and
/// throws CollectiveFailed; CollectiveCannotRun where it cannot run here.
void wait_or_abort(const std::function<Look()>& look, const std::function<void()>& abort, double limit_s,
                   const std::function<double()>& now_s);

/// The same by the host's clock.
void wait_or_abort(const std::function<Look()>& look, const std::function<void()>& abort, double limit_s);

}  // namespace cupel::bench::collective
