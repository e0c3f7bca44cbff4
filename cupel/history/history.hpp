// One benchmark over many commits, on one machine: where it made a step, and whether small steps have added up since
// the last release.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/figures/fingerprint.hpp"
#include "cupel/gate/policy.hpp"

namespace cupel::figures {
struct Suite;
}

namespace cupel::history {

/// The measurements of one commit on one day: process locations in seconds.
struct HistoryPoint {
  std::string commit;
  std::string date;  ///< UTC, ISO 8601: the order of points
  std::vector<figures::Key> fingerprint;
  std::map<std::string, std::vector<double>, std::less<>> benchmarks;
  std::map<std::string, std::string, std::less<>> modes = {};  ///< "cold", "hot", "host"; none in older files
  bool operator==(const HistoryPoint&) const = default;
};

/// Names the machine whose times can be held against each other: its GPU, else its CPU, and a hash of all hard keys.
/// "nvidia-h200-3f2a9c01". Where a file says neither, as another program's, the host's name, with its CPUs and caches
/// in the hash. Fit for a folder's name.
std::string machine_id(const record::Context& context);

/// Tells whether a result may be of the machine that the points are of: it has a GPU, and no hard key that it and a
/// point know differs. One of them may leave keys unsaid, as PyTorch's records ECC, and has another machine_id then.
bool may_be_of(const std::vector<HistoryPoint>& points, const record::Context& context);

/// The names of the hosts of these points, each once. Points that do not say theirs are passed over.
std::vector<std::string> hosts_of(const std::vector<HistoryPoint>& points);

HistoryPoint history_point(const figures::Suite& suite, std::string commit, std::string date);

std::string to_json(const HistoryPoint& point);

/// Throws files::ReadError.
HistoryPoint history_point_from_json(std::string_view text, const std::string& origin);

/// A slower level that was agreed to: until it expires, a reference from before `commit` counts as `ratio` times
/// slower.
struct Accepted {
  record::Pattern benchmark{""};
  double ratio = 1;
  std::string reason;
  std::string commit;
  std::string expires;  ///< YYYY-MM-DD, the last day
};

/// {"cupel_accepted": 1, "accepted": [...]}. Throws files::ReadError; a key that is not known is an error.
std::vector<Accepted> accepted_from_json(std::string_view text, const std::string& origin);

/// A change of level, between the last commit of the old level and the first of the new one.
struct LevelChange {
  std::string benchmark;
  std::string from, to;  ///< commits
  double ratio = 1;
  double p = 1;
  std::vector<std::string> differences;  ///< what else changed between the two: driver, CUDA, ...
  std::string mode = {};                 ///< of the times; empty where older files do not say
};

/// Processes of either commit from which on the newest may be called slower.
inline constexpr std::size_t kFewestProcesses = 5;

/// Points from which on they say how much points differ without a change.
inline constexpr std::size_t kFewestPoints = 6;

/// One sentence, without a full stop: what a reference is, and what it takes.
std::string reference_text();

/// The newest commit against a reference.
struct Drift {
  std::string benchmark;
  std::string reference;        ///< commit
  double ratio = 1;             ///< newest / reference, of what was accepted free
  double lower = 1, upper = 1;  ///< 95 %, for the noise between points
  double p_adjusted = 1;
  bool decidable = true;  ///< both commits have processes enough for a p below alpha; without them nothing is slower
  bool slower = false;
  std::string accepted;                       ///< reasons of what was accepted; empty if nothing was
  std::string mode;                           ///< of the times; empty where older files do not say
  std::vector<std::string> differences = {};  ///< of what is slower: what else changed since the reference
  /// INCONCLUSIVE: it would be slower if sessions were normal, lies above those before it, and there are too few of
  /// them to show it by ranks.
  bool undecided = false;
  std::optional<int> sessions_to_show = std::nullopt;  ///< of the newest commit that can, beside those there are
  int sessions = 0, sessions_before = 0;               ///< of the newest commit; of the reference's level
};

struct HistoryOptions {
  std::size_t window = 50;              ///< points that are looked at for steps
  std::vector<std::string> references;  ///< commits: the merge base, the last release
  std::vector<Accepted> accepted;
  gate::GatePolicy policy;  ///< tolerances and alpha
  std::string today;        ///< YYYY-MM-DD
};

/// A fact of the environment that is not the same of all points, or the boards that they were on.
struct Around {
  std::string name;  ///< "board"
  struct Value {
    std::string value;
    int points = 0;
  };
  std::vector<Value> values;  ///< that which came first comes first
};

/// A point without its times, and what changed around it: "driver: 570.86 -> 580.65", "board: GPU-a -> GPU-b".
struct Session {
  std::string commit, date;
  std::vector<std::string> changes;
};

/// The times of a benchmark, in order.
struct Trend {
  struct At {
    std::size_t session = 0;                   ///< its index
    double time_s = 0, low_s = 0, high_s = 0;  ///< median over processes, the least and the greatest
  };
  std::string benchmark, mode;
  std::vector<At> at;
};

/// A benchmark that the newest commit lacks: nothing is said of it.
struct Dropped {
  std::string benchmark;
  std::string last;  ///< the last commit that has it
};

struct HistoryResult {
  std::string machine;  ///< the newest point's GPU, else its CPU or host: "NVIDIA H200"; empty where it says none
  std::size_t points = 0, benchmarks = 0;
  std::vector<Dropped> dropped;    ///< by name; `benchmarks` does not count them
  std::vector<Session> sessions;   ///< by time
  std::vector<Trend> trends;       ///< by benchmark
  std::vector<Around> around;      ///< boards, revisions of cupel, and how the SM clock was read
  std::optional<double> noise;     ///< sd of the logarithm between points of one level, the median of all benchmarks
  std::string newest;              ///< commit
  std::vector<LevelChange> steps;  ///< the latest first
  std::vector<Drift> drifts;       ///< worst first
  std::vector<std::string> warnings;
  bool regression() const;
  bool undecided() const;  ///< at least one drift is
  bool decidable() const;  ///< of at least one drift
};

/// points: of one machine, in any order.
///
/// The benchmarks are those of the newest commit, whichever of its points have them: families may be measured one by
/// one. Times of two modes are two quantities: of a benchmark the points in the newest one's mode are looked at, and
/// those that do not say theirs.
///
/// A step is what stats::change_points() accepts at p < 0.001 with at least 3 points on either side and a shift of at
/// least the tolerance. Where fewer points than that lie apart from the level before them, a warning says how many more
/// would make a step of them.
///
/// Drift: the mean logarithm of the newest commit's points against that of the reference's, of benchmarks with
/// kFewestPoints points or more. Slower where the shift is at least the tolerance and p, by Holm over all benchmarks of
/// a reference, at most alpha, where the processes of the two commits differ by ranks too. p is that the points do not
/// differ: the greatest of Student's t and of ranks of the sessions, of the newest commit or of all since the
/// reference, against those up to it since the last step. Ranks hold the level whatever sessions are like; where there
/// are too few for them, what Student's t would call slower is undecided. The noise of a point is taken from the
/// differences of neighbouring points about their median, so that neither a steady creep nor a step is taken for noise.
HistoryResult analyse(std::vector<HistoryPoint> points, const HistoryOptions& options);

}  // namespace cupel::history
