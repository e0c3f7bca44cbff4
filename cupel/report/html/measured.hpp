// The figures of the files, arranged for charts: every benchmark of every device, grouped by family and operation.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cupel/bands/judge.hpp"
#include "cupel/figures/figure.hpp"
#include "cupel/figures/quantity.hpp"
#include "cupel/record/forward.hpp"

namespace cupel::report {
struct AdvisedFile;
}

namespace cupel::report::html {

using figures::Quantity;
using figures::Value;

/// A result file and how the page calls the machine it is from.
struct Device {
  std::string label;  ///< unique within the page
  std::string file;
  const record::ResultSet* results = nullptr;
  bool foreign = false;                             ///< see ReportedFile
  std::size_t number = 0;                           ///< on the page: its colour, marks and dashes
  std::string name = {};                            ///< short, where the page has several devices, else empty
  bands::Judgement board = {};                      ///< what is unusual of it
  std::shared_ptr<const AdvisedFile> advised = {};  ///< what follows from it
};

/// One benchmark on one device in one mode.
struct DeviceFigure {
  figures::Figure figure;
  const Device* device;

  std::optional<figures::Value> value(const figures::Quantity& quantity) const { return value_of(figure, quantity); }
};

/// Benchmarks of one operation, all devices, figures before second modes as in their files.
struct Operation {
  std::string name;
  std::vector<DeviceFigure> measured;
};

struct Family {
  std::string name;
  std::vector<Operation> operations;
};

using Members = std::vector<const DeviceFigure*>;

/// Whether a best figure may be this one. One that is above its limit needs fewer operations or bytes than are counted,
/// and says nothing of the machine; nor does one of unusual work.
bool tells_of_the_machine(const figures::Figure& figure);

/// Whether any has processes enough for an interval of 95 %.
bool have_intervals(const Members& members);

/// The name of what is drawn around their times: "interval" where any has one, else "range".
const char* spread_word(const Members& members);

/// All that the family has, operation by operation.
Members members_of(const Family& family);

/// Their figures alone.
std::vector<const figures::Figure*> figures_of(const Members& members);

/// Returns the names that charts and switches have for them.
std::vector<std::string> labels_of(const std::vector<Device>& devices);

/// In the order in which they first appear, the first device's before those that only others have. The devices must
/// outlive them.
std::vector<Family> families_of(const std::vector<Device>& devices);

/// "54.90 to 55.80", in the unit of value_text() of the location; "none" where one process has too few samples.
std::string ends_text(const Value& value, const Quantity& quantity);

/// "interval 54.90 to 55.80 GB/s (95.0 %)", "range 54.90 to 55.80 GB/s", or "interval none".
std::string spread_text(const DeviceFigure& measured, const Quantity& quantity);

/// The value that a chart draws of it. intervals: lines are intervals there, so that it has none where it has a range.
Value drawn(const DeviceFigure& measured, const Quantity& quantity, bool intervals);

/// "bf16 at 1601 MHz" of a limit of 1980 MHz where that clock was seen.
std::string limit_name(const DeviceFigure& measured, const Value& value);

/// All that is known of a point, for a tooltip. Not escaped.
std::vector<std::string> tip_lines(const DeviceFigure& measured, const Quantity& quantity);

/// "5 / 210", processes and samples of all of them; the processes alone of a counter, which is one number a process.
std::string n_text(const DeviceFigure& measured, const Quantity& quantity = Quantity::time);

// ---- The sentences under a chart, of what it shows

/// "n: 7 / 210, intervals 98.4 % over processes.": processes and their samples of each point. A counter has no samples:
/// it is one number a process.
std::string n_sentence(const Members& members, const Quantity& quantity = Quantity::time);

/// "Limits: PCIe 5.0 x16, 63.0 GB/s; device memory, 4.81 TB/s (H200)." with the device's name where not all have it. A
/// family says it once, a legend and a tip name the limits alone, and the page's method says where they come from.
std::string limits_sentence(const Members& members);

/// n_sentence() and modes ("Cold."). has_n_column: a column of the figure says n and whether it has ranges. How any
/// figure is read stands once, in the page's method.
std::string caption(const Members& members, const Quantity& quantity, bool has_n_column = false);

}  // namespace cupel::report::html
