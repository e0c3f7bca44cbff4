#include "cupel/runner/restart.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace cupel::runner {

void Strikes::add(const std::string& name, const std::string& reason) {
  Strike& strike = strikes_[name];
  ++strike.count;
  strike.reason = reason;
}

std::string Strikes::why_not(const std::string& name) const {
  const auto found = strikes_.find(name);
  if (found == strikes_.end() || found->second.count < kStrikes) return "";
  return fmt::format("not tried again after it ended {} processes: {}", found->second.count, found->second.reason);
}

void restart_until_done(std::vector<std::string> names, Strikes& strikes, const Restarting& how) {
  int fruitless = 0;  // starts in a row that gave no row and did not say why
  for (int restarts = 0; !names.empty(); ++restarts) {
    if (restarts > how.most)
      return how.fail(names, fmt::format("not run: {} fresh processes were not enough", how.most));
    if (restarts > 0) how.again(names.size());
    StartEnd end = how.start(names);
    if (end.kind == StartEnd::Kind::over) return;
    const bool gave_rows = end.left.size() < names.size();
    names = std::move(end.left);
    const bool has_suspect = end.kind == StartEnd::Kind::badly && std::ranges::count(names, end.running) > 0;
    fruitless = gave_rows || (has_suspect && end.named) ? 0 : fruitless + 1;
    if (fruitless > (has_suspect ? 1 : 0)) return how.fail(names, end.reason);
    if (!has_suspect) continue;
    strikes.add(end.running, end.reason);
    how.fail({end.running}, end.reason);
    std::erase(names, end.running);
  }
}

}  // namespace cupel::runner
