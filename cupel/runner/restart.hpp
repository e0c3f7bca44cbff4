// One process's benchmarks, in as many fresh starts of the executable as it takes: for `run`, `gate` and `calibrate`
// alike.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace cupel::runner {

/// A benchmark that has ended this many processes is not tried again.
inline constexpr int kStrikes = 2;

/// Fresh starts of one process of one executable, unless said otherwise.
inline constexpr int kMostRestarts = 20;

/// Processes that benchmarks have ended, over all that is measured of one executable.
class Strikes {
 public:
  void add(const std::string& name, const std::string& reason);

  /// Why the benchmark is not tried again; empty where it is.
  std::string why_not(const std::string& name) const;

 private:
  struct Strike {
    int count = 0;
    std::string reason;
  };
  std::map<std::string, Strike> strikes_;
};

/// How one start ended.
struct StartEnd {
  enum class Kind {
    well,   ///< it said that it was done, or ended as a program does that is
    badly,  ///< killed, out of its time, with a journal or a result that is broken
    over    ///< interrupted, refused, out of the budget, without a device: nothing more is started
  };
  Kind kind = Kind::well;
  std::vector<std::string> left = {};  ///< of what was asked for, all that has no row yet
  std::string running = {};            ///< the benchmark in which it ended badly; empty where that is not known
  bool named = true;                   ///< the child said so itself; else it is the first that has no row
  std::string reason = {};             ///< why there are no more rows
};

struct Restarting {
  std::function<StartEnd(const std::vector<std::string>& names)> start;
  std::function<void(const std::vector<std::string>& names, const std::string& reason)> fail;
  /// Before a further start, of so many.
  std::function<void(std::size_t left)> again = [](std::size_t) {};
  int most = kMostRestarts;
};

/// Starts until each of `names` has a row, has failed, or a start is over.
///
/// A start that ended badly in a benchmark fails that one, and the others run in a fresh process. Where nobody says
/// which one it was, two starts in a row that gave no row are the program's doing, and fail all. A start that ended
/// well but lacks rows makes no benchmark suspect: the rest runs again by itself, and fails where that gives no row.
void restart_until_done(std::vector<std::string> names, Strikes& strikes, const Restarting& how);

}  // namespace cupel::runner
