#include "bench/collective/patience.hpp"

#include <chrono>
#include <cstdio>

namespace cupel::bench::collective {

void wait_or_abort(const std::function<Look()>& look, const std::function<void()>& abort, double limit_s,
                   const std::function<double()>& now_s) {
  const double start_s = now_s();
  const auto give_up = [&](const std::string& why) {
    abort();
    throw CollectiveFailed(why);
  };
  for (;;) {
    const Look seen = look();
    if (seen.error && seen.cannot_run) {
      abort();
      throw CollectiveCannotRun("a rank cannot run here: " + *seen.error);
    }
    if (seen.error) give_up("a rank failed: " + *seen.error);
    if (seen.done) return;
    if (now_s() - start_s <= limit_s) continue;
    char text[96];
    std::snprintf(text, sizeof text, "the ranks were not done within %g s, and were ended", limit_s);
    give_up(text);
  }
}

void wait_or_abort(const std::function<Look()>& look, const std::function<void()>& abort, double limit_s) {
  const auto start = std::chrono::steady_clock::now();
  wait_or_abort(look, abort, limit_s,
                [=] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); });
}

}  // namespace cupel::bench::collective
