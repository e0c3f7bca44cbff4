#include "cupel/record/random_results.hpp"

#include <algorithm>
#include <cmath>

#include "cupel/stats/random.hpp"

namespace cupel::record {
namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : random_(seed) {}

  std::int64_t below(std::int64_t limit) {
    return static_cast<std::int64_t>(random_.below(static_cast<std::size_t>(limit)));
  }
  bool flag() { return below(2) == 1; }
  int small() { return static_cast<int>(below(100)); }
  std::int64_t bytes() { return static_cast<std::int64_t>(random_() >> (4 + below(60))); }
  std::uint64_t seed() { return random_(); }

  double amount() {
    const double exponent = static_cast<double>(below(601) - 300);
    return below(8) == 0 ? 0 : (0.1 + 0.9 * random_.uniform()) * std::pow(10, exponent);
  }
  double number() { return flag() ? amount() : -amount(); }

  std::string text() {
    static const std::vector<std::string> kPieces = {"a", "Z", "0", "/", "~", "\"",  "\\",
                                                     ":", " ", "µ", "✓", "𝄞", "<b>", "|"};
    std::string out;
    for (std::int64_t i = below(6); i > 0; --i) {
      out += kPieces[static_cast<std::size_t>(below(static_cast<std::int64_t>(kPieces.size())))];
    }
    return out;
  }
  std::string name() { return "n" + text(); }

  template <typename T>
  std::optional<T> maybe(T value) {
    return flag() ? std::optional<T>(std::move(value)) : std::nullopt;
  }

  template <typename Make>
  auto list(std::int64_t longest, Make make) {
    std::vector<decltype(make())> out;
    for (std::int64_t i = below(longest + 1); i > 0; --i) {
      out.push_back(make());
    }
    return out;
  }

  template <typename E>
  E one_of(std::initializer_list<E> values) {
    return values.begin()[below(static_cast<std::int64_t>(values.size()))];
  }

 private:
  stats::Random random_;
};

Series random_series(Random& random) {
  Series series;
  series.mode = random.one_of({Mode::cold, Mode::hot, Mode::host, Mode::sustained});
  series.engine = random.maybe(random.one_of({Engine::kernel, Engine::copy}));
  series.samples_s = random.list(20, [&] { return random.amount(); });
  series.samples_s.push_back(random.amount());
  series.correction_s = random.number();
  series.calls_per_sample = 1 + random.small();
  if (random.flag()) {
    const auto all = static_cast<std::int64_t>(series.samples_s.size());
    const std::int64_t first = random.below(all);
    series.round_sizes = {first, all - first};
  }
  series.stop = random.one_of({Stop::precision, Stop::tick, Stop::count, Stop::wall, Stop::fixed});
  series.resolution_s = random.amount();
  series.floor_s = random.amount();
  return series;
}

Telemetry random_telemetry(Random& random) {
  Telemetry telemetry;
  telemetry.sm_clock_hz = random.maybe(random.amount());
  telemetry.sm_clock_under_load = random.maybe(random.flag());
  telemetry.sm_clock_min_hz = random.maybe(random.amount());
  telemetry.memory_clock_hz = random.maybe(random.amount());
  telemetry.power_w = random.maybe(random.amount());
  telemetry.energy_j = random.maybe(random.amount());
  telemetry.temperature_c = random.maybe(random.number());
  telemetry.throttle_reasons = random.list(3, [&] { return random.name(); });
  if (random.flag()) {
    telemetry.throttle_s[random.name()] = random.amount();
  }
  telemetry.foreign_processes = random.maybe(random.small());
  telemetry.settled = random.flag();
  return telemetry;
}

AdviceTag random_tag(Random& random) {
  return {random.name(), random.one_of({Role::before, Role::after, Role::variant}), random.text(), random.text()};
}

Row random_row(Random& random) {
  Row row;
  row.name = random.name();
  row.family = random.text();
  row.params = random.list(3, [&] { return std::pair(random.name(), random.text()); });
  row.status = random.one_of({Status::ok, Status::ok, Status::ok, Status::skipped, Status::failed});
  row.reason = random.text();
  row.advice = random.list(2, [&] { return random_tag(random); });
  row.process = random.small();
  row.workload = {random.bytes(), random.bytes(), random.bytes(), random.bytes(), random.bytes()};
  if (row.status == Status::ok) {
    row.series = random.list(3, [&] { return random_series(random); });
  }
  row.limit = random.maybe(Limit{random.name(), random.text(), random.amount(), random.text()});
  for (const std::string& name : random.list(3, [&] { return random.text(); })) {
    row.counters[name] = {random.number(), random.text(), random.one_of({Better::lower, Better::higher, Better::none}),
                          random.flag()};
  }
  row.telemetry = random.maybe(random_telemetry(random));
  row.wall_s = random.amount();
  row.timed_s = random.amount();
  row.below_floor = random.flag();
  row.disturbed = random.flag();
  row.cut_short = random.flag();
  row.note = random.text();
  return row;
}

DeviceInfo random_device(Random& random) {
  DeviceInfo device;
  device.name = random.text();
  device.uuid = random.text();
  device.pci_id = random.text();
  device.compute_major = random.small();
  device.compute_minor = random.small();
  device.sm_count = random.small();
  device.sm_clock_max_hz = random.amount();
  device.memory_clock_max_hz = random.amount();
  device.memory_bytes = random.bytes();
  device.memory_bus_bits = random.small();
  device.memory_peak_bytes_per_s = random.amount();
  device.l2_bytes = random.bytes();
  device.shared_bytes_per_sm = random.bytes();
  device.copy_engines = random.small();
  device.pcie_generation = random.maybe(random.small());
  device.pcie_generation_max = random.maybe(random.small());
  device.pcie_width = random.maybe(random.small());
  device.pcie_width_max = random.maybe(random.small());
  device.ecc = random.maybe(random.flag());
  device.mig = random.maybe(random.flag());
  device.persistence = random.maybe(random.flag());
  device.power_limit_w = random.maybe(random.amount());
  device.driver_version = random.text();
  device.driver_cuda = random.small();
  device.numa_node = random.maybe(random.small());
  return device;
}

Context random_context(Random& random) {
  Context context;
  context.build = {random.text(), random.text(), random.flag(), random.text(), random.text(),
                   random.text(), random.text(), random.text(), random.flag()};
  context.run.started = random.text();
  context.run.finished = random.text() + "Z";  // without one the reader counts processes
  context.run.profile = random.text();
  context.run.seed = random.seed();
  context.run.processes = random.small();
  context.run.rounds = random.small();
  context.run.timer = random.text();
  context.run.interrupted = random.flag();
  context.run.families = random.list(3, [&] { return random.text(); });
  context.run.filters = random.list(3, [&] { return random.text(); });
  context.run.notes[random.text()] = random.text();
  context.host = {random.text(), random.small(), random.small(), random.bytes(),
                  random.text(), random.text(),  random.text(),  random.flag()};
  context.device = random.maybe(random_device(random));
  context.calibration = random.maybe(Calibration{
      .event_floor_kernel_s = random.amount(),
      .event_floor_copy_s = random.amount(),
      .shortest_kernel_s = random.maybe(random.amount()),
      .shortest_copy_s = random.maybe(random.amount()),
      .shortest_source = random.text(),
      .event_pairs = random.list(3,
                                 [&] {
                                   return EventPair{random.small(), random.small(), random.amount(), random.amount()};
                                 }),
      .event_resolution_s = random.amount(),
      .flush = random.text(),
      .flush_bytes = random.bytes(),
      .launch_spacing_s = random.maybe(random.amount()),
      .slowest_launch_spacing_s = random.maybe(random.amount())});
  context.libraries = random.list(3, [&] { return Library{random.name(), random.text(), random.text()}; });
  return context;
}

}  // namespace

ResultSet random_results(std::uint64_t seed) {
  Random random(seed);
  ResultSet results;
  results.context = random_context(random);
  results.rows = random.list(8, [&] { return random_row(random); });
  return results;
}

}  // namespace cupel::record
