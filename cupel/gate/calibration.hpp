// The noise of each benchmark on one machine, from runs of the same executables against themselves: how much its
// processes differ, and so what a gate can promise there.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/figures/fingerprint.hpp"
#include "cupel/stats/power.hpp"

namespace cupel::figures {
struct Suite;
}

namespace cupel::gate {

/// Process locations in seconds, in the order of time. A group: processes that ran one after the other. A session: the
/// groups of one call of `cupel calibrate`.
using Groups = std::vector<std::vector<double>>;

/// The target of a gate unless its policy says otherwise.
inline constexpr double kUsualTarget = 0.03;

struct CalibratedBenchmark {
  std::vector<Groups> sessions;

  std::size_t processes() const;

  /// sd of the logarithms between processes of a group, at least compare::kLeastSigma; nothing below 4 degrees of
  /// freedom.
  std::optional<double> sigma() const;

  /// Largest shift (Hodges-Lehmann, of logarithms, without its sign) between two groups, of whatever sessions. The gate
  /// against a stored baseline takes 1.25 times this as the shift that sessions have by themselves.
  std::optional<double> largest_shift() const;

  /// The noise for a rank test that is to find a difference of `target` (ratio less one): sigma, or less where single
  /// processes far off widen that; see stats::rank_sigma().
  std::optional<double> sigma_at(double target = kUsualTarget) const;

  /// Smallest difference (ratio less one) that the gate finds with 95 % probability, with the greatest number of
  /// processes that a confirmation takes.
  std::optional<double> mde(double target = kUsualTarget) const;

  /// The smallest difference that the gate promises to find: sigma_at() is at most half of it.
  std::optional<double> gateable_at() const;

  bool operator==(const CalibratedBenchmark&) const = default;
};

/// The shift that a stored baseline may have made by itself, as a multiple of the largest one seen.
inline constexpr double kMarginFactor = 1.25;

struct MachineNoise {
  std::string made;                       ///< UTC, ISO 8601, of the latest session
  std::vector<figures::Key> fingerprint;  ///< of the machine
  std::map<std::string, CalibratedBenchmark, std::less<>> benchmarks;

  const CalibratedBenchmark* find(std::string_view name) const;
  bool operator==(const MachineNoise&) const = default;
};

/// Adds a session: the same executables under two names, `group_size` processes of each in a group, interleaved.
void add_session(MachineNoise& calibration, const figures::Suite& a, const figures::Suite& b, int group_size);

/// In what the machine differs from the calibrated one so that its noise may be another; one line each.
std::vector<std::string> differences(const MachineNoise& calibration, const record::Context& here);

std::string to_json(const MachineNoise& calibration);

/// Throws files::ReadError.
MachineNoise calibration_from_json(std::string_view text, const std::string& origin);

}  // namespace cupel::gate
