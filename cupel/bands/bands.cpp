#include "cupel/bands/bands.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "cupel/figures/published_uuid.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/record/canonical.hpp"
#include "cupel/record/document.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/units/format.hpp"

namespace cupel::bands {

using namespace record::detail;

namespace {

constexpr const char* kHostFamily = "host";

constexpr std::size_t kShownUuid = 12;  // "GPU-" and the first eight digits

// Shares are known to four digits at best, and a file of a thousand benchmarks is to be read by people.
double rounded(double number) { return units::rounded(number, 5); }

}  // namespace

// [time, sd between processes]
static Json encode(const BoardTime& measured) {
  return record::detail::encode(std::vector<double>{rounded(measured.time_s), rounded(measured.between)});
}

static bool take(const std::vector<double>& numbers, BoardTime& measured) {
  if (numbers.size() != 2 || numbers.front() <= 0) return false;
  measured = {numbers.front(), numbers.back()};
  return true;
}

static void decode(const Json& value, const Path& path, Reading& reading, BoardTime& measured, Rule = {}) {
  std::vector<double> numbers;
  record::detail::decode(value, path, reading, numbers);
  if (!take(numbers, measured)) reading.problems.add(path, "must be a time above 0 and the sd between processes");
}

static void decode(CanonicalText& text, BoardTime& measured, Rule = {}) {
  std::vector<double> numbers;
  record::detail::decode(text, numbers);
  if (!take(numbers, measured)) text.refuse();
}

static void visit(auto& v, Is<Band> auto& band) {
  v("family", band.family, kRequired);
  v("mode", band.mode, kRequired);
  v("boards", band.boards, kRequired);
}

static void visit(auto& v, Is<Board> auto& board) {
  v("measured", board.measured, kRequiredTime);
  v("facts", board.facts);
}

static void visit(auto& v, Is<Bands> auto& bands) {
  record::visit_version(v, "cupel_bands");
  v("model", bands.model, kName);
  v("boards", bands.boards, kRequired);
  v("benchmarks", bands.benchmarks, kRequired);
}

std::vector<std::string> boards_of(const record::Context& context) {
  std::vector<std::string> boards;
  if (!context.device) return boards;
  std::istringstream parts(context.device->uuid);
  for (std::string uuid; std::getline(parts, uuid, ',');)
    boards.push_back(figures::published_uuid(uuid).substr(0, kShownUuid));
  return boards;
}

bool multiplied_zeros(const record::Context& context) { return context.run.notes.contains("--zeros"); }

// The family host measures the CPU; sustained times are longer than those of the short runs that bands are of.
static bool tells_no_board(const figures::Benchmark& benchmark) {
  const figures::Locations* times = benchmark.times();
  return benchmark.family == kHostFamily || (times != nullptr && times->mode == record::Mode::sustained);
}

// The mode that speaks for a short benchmark may differ from board to board: the one by which others are known counts.
static const figures::Locations* times_of(const figures::Benchmark& benchmark, const Band& band) {
  const figures::Locations* as_known = band.boards.empty() ? nullptr : benchmark.times(band.mode);
  return as_known != nullptr ? as_known : benchmark.times();
}

void add(Bands& bands, const figures::Suite& suite) {
  const std::vector<std::string> boards = boards_of(suite.context);
  if (boards.size() != 1) throw std::invalid_argument("is not of one GPU with a UUID: bands are of boards");
  const std::string &board = boards.front(), model = figures::model_of(suite.context);
  if (multiplied_zeros(suite.context)) throw std::invalid_argument("is of products of zeros, which are quicker");
  const auto is_kept = [](const figures::Benchmark& one) { return one.times() != nullptr && !tells_no_board(one); };
  if (std::ranges::none_of(suite.benchmarks, is_kept) && std::ranges::any_of(suite.benchmarks, tells_no_board))
    throw std::invalid_argument(suite.benchmarks.front().family == kHostFamily
                                    ? "is of the family host, which says nothing of a GPU"
                                    : "has only --sustained times, which are longer");
  if (bands.model.empty()) bands.model = model;
  if (bands.model != model) throw std::invalid_argument("is of another model: " + model);
  Board& known = bands.boards[board];
  if (known.measured <= suite.context.run.started) {
    known = {suite.context.run.started, figures::facts_of(suite.context)};
  }
  for (const figures::Benchmark& benchmark : suite.benchmarks) {
    if (!is_kept(benchmark)) continue;
    Band& band = bands.benchmarks[benchmark.name];
    const figures::Locations* times = times_of(benchmark, band);
    if (band.mode != times->mode) band = {};  // it is measured in another way now
    band.family = benchmark.family;
    band.mode = times->mode;
    const double between =
        times->values_s.size() < 2 ? 0 : stats::standard_deviation(stats::logarithms(times->values_s));
    band.boards[board] = {times->value_s(), between};
  }
}

Bands joined(Bands first, const Bands& second) {
  if (first.model.empty()) return second;
  for (const auto& [name, board] : second.boards) first.boards[name] = board;
  for (const auto& [name, band] : second.benchmarks) {
    Band& both = first.benchmarks[name];
    if (both.mode != band.mode) {  // the times of more boards stay
      if (both.boards.size() > band.boards.size()) continue;
      both = {};
    }
    both.family = band.family;
    both.mode = band.mode;
    for (const auto& [board, measured] : band.boards) both.boards[board] = measured;
  }
  return first;
}

std::string to_json(const Bands& bands) { return lines(record::detail::encode(bands), 2) + "\n"; }

Bands bands_from_json(std::string_view text, const std::string& origin) {
  std::optional<Bands> read = read_canonical<Bands>(text);
  Bands bands = read ? std::move(*read) : record::read_document<Bands>(text, origin, record::UnknownKeys::passed_over);
  std::erase_if(bands.benchmarks, [](const auto& entry) { return entry.second.family == kHostFamily; });
  return bands;
}

std::vector<Bands> built_in(const std::optional<std::string>& model) {
  std::vector<Bands> all;
  for (const std::string_view text : texts()) {
    if (model && text.find(line(*model)) == std::string_view::npos) continue;
    all.push_back(bands_from_json(text, "built-in bands"));
  }
  if (model) std::erase_if(all, [&](const Bands& bands) { return bands.model != *model; });
  return all;
}

}  // namespace cupel::bands
