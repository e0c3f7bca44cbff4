#include "bench/pipeline/measure_epochs.hpp"

#include <chrono>
#include <optional>
#include <span>
#include <thread>

#include "bench/pipeline/checksum.hpp"
#include "bench/pipeline/epoch_costs.hpp"
#include "cupel/harness/cpus.hpp"
#include "cupel/harness/sample_host.hpp"

namespace cupel::bench::pipeline {
namespace {

// The consumer and what it sees, epoch by epoch.
class Consumer {
 public:
  Consumer(const Setup& setup, Workers workers) : setup_(setup), workers_(workers), recipe_(recipe_of(setup)) {
    if (workers == Workers::kept) loader_.emplace(recipe_, options_of(setup));
  }

  void take_epoch() {
    costs_.account(
        setup_.samples, [this] { return loader_ ? &*loader_ : nullptr; },
        [this] { return run_epoch(++epoch_, [](const Batch&) { return true; }); });
  }

  // Epoch 0 holds what is made in line; there, its first batch does.
  void warm_up_and_require_right() {
    const std::vector<std::uint64_t>& all = expected_sums(setup_);
    const auto samples = static_cast<std::size_t>(setup_.workers == 0 ? setup_.batch : setup_.samples);
    const auto expected = std::span(all).first(std::min(all.size(), samples));
    const auto bytes = static_cast<std::size_t>(sample_bytes(recipe_));
    std::size_t place = 0, wrong = 0;
    run_epoch(0, [&](const Batch& batch) {
      for (std::size_t i = 0; i < batch.indices.size() && place < expected.size(); ++i, ++place)
        wrong += checksum(batch.bytes.subspan(i * bytes, bytes)) != expected[place];
      return setup_.workers > 0;
    });
    harness::require(place == expected.size() && wrong == 0, std::to_string(wrong) + " of " +
                                                                 std::to_string(expected.size()) +
                                                                 " samples differ from those that are made in line");
  }

  void tell() const { costs_.tell(); }
  Waits waits() const { return costs_.waits(); }

 private:
  // As long as `use` says that it goes on. What it waited for batches.
  template <class Use>
  Waited run_epoch(std::int64_t epoch, const Use& use) {
    if (workers_ == Workers::respawned) loader_.emplace(recipe_, options_of(setup_));
    const Waited waited_before = loader_->waited();
    bool goes_on = true;
    for (loader_->start_epoch(epoch); goes_on && loader_->has_next();) {
      const Batch batch = loader_->next();
      goes_on = use(batch);
      if (setup_.staged) stage_.assign(batch.bytes.begin(), batch.bytes.end());
      if (setup_.consume_s > 0) std::this_thread::sleep_for(std::chrono::duration<double>(setup_.consume_s));
    }
    const Waited waited = loader_->waited() - waited_before;
    if (workers_ == Workers::respawned) loader_.reset();
    return waited;
  }

  Setup setup_;
  Workers workers_;
  Recipe recipe_;
  std::optional<Loader> loader_;
  std::vector<std::byte> stage_;
  std::int64_t epoch_ = 0;
  EpochCosts costs_;
};

}  // namespace

void tell_what_binds(const Setup& setup, const StageTimes& times, const Waits& waits, Copies copies) {
  const int cpus = harness::usable_cpu_count();
  const Bound bound = bound_of(times, setup.workers, cpus, copies);
  for (const Stage stage : kStages) {
    const double share_s = bound.share_s[static_cast<std::size_t>(stage)];
    if (share_s > 0) {
      harness::set_counter(std::string(to_string(stage)) + "_rate",
                           {.value = 1 / share_s, .unit = "1/s", .better = record::Better::none});
    }
  }
  std::string note = std::string("bound:") + to_string(bound.stage);
  // Raw images stand for a part of a loader: there is nothing to change about it as a whole.
  const Loading loading = {.workers = setup.workers, .cpus = cpus, .intra_threads = setup.intra_threads};
  if (setup.format != Format::raw) note += "; " + what_to_change(bound, loading, waits);
  harness::set_note(std::move(note));
}

void measure_epochs(benchmark::State& state, const Setup& setup, Workers workers) {
  Consumer consumer(setup, workers);
  consumer.warm_up_and_require_right();
  harness::sample_host(state, {.items = setup.samples}, [&] { consumer.take_epoch(); }, {.calls = 1, .warm_up = 0});
  if (harness::options().once) return;
  consumer.tell();
  tell_pinned(0);  // no batch goes to a GPU
  // Respawned workers are slow to start, which no stage is.
  if (workers == Workers::kept) tell_what_binds(setup, alone(setup), consumer.waits());
}

// From what a sample takes on a processor, and what starting a worker does; seen on Intel Xeons of 2023 with 16 and 32
// CPUs.
harness::Duration duration_of(const Setup& setup, Workers workers) {
  constexpr double kPhotograph_s = 1.6e-3, kKept_s = 0.7e-3, kRaw_s = 0.1e-3, kCifar_s = 0.02e-3;
  constexpr double kProcess_s = 8e-3, kThread_s = 0.1e-3;  // a process that is forked from one with a CUDA context
  constexpr double kCrowd_s = 9e-3;  // threads of OpenMP that wait for each other, n a processor: n times
  constexpr double kAlone_s = 0.02;  // the stages alone, which rows share
  const int cpus = harness::usable_cpu_count(), makers = std::max(1, setup.workers);
  double making_s = setup.format == Format::raw ? kRaw_s : setup.format == Format::cifar10 ? kCifar_s : kPhotograph_s;
  if (setup.format == Format::jpeg && setup.kept_decoded) making_s = kKept_s;
  if (setup.intra_threads > 1) making_s += kCrowd_s * makers * setup.intra_threads / cpus;
  const double sample_s = making_s / std::min(makers, cpus) + setup.read_sleep_s / makers +
                          setup.consume_s / static_cast<double>(setup.batch);
  const double start_s = setup.workers * (setup.kind == WorkerKind::process ? kProcess_s : kThread_s);
  const double epoch_s = static_cast<double>(setup.samples) * sample_s;
  const double alone_s = kAlone_s + (setup.intra_threads > 1 ? 2 * (epoch_s + start_s) : 0);  // these, side by side
  if (workers == Workers::respawned) return {.call_s = epoch_s + start_s, .round_s = alone_s + epoch_s + start_s};
  return {.call_s = epoch_s, .round_s = alone_s + start_s + epoch_s};
}

harness::Memory memory_of(const Setup& setup) {
  constexpr std::int64_t kImage = 3 * 224 * 224 * 4, kDecoded = 3 * 375 * 500;
  const std::int64_t kept_bytes = setup.kept_decoded ? setup.among * kDecoded : 0;
  return {.host_bytes = setup.batch * kImage * (setup.depth + 1) * std::max(1, setup.workers) + kept_bytes};
}

}  // namespace cupel::bench::pipeline
