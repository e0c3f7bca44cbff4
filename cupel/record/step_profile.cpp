#include "cupel/record/step_profile.hpp"

#include <algorithm>

#include "cupel/files/input_file.hpp"
#include "cupel/record/document.hpp"

namespace cupel::record {

using namespace detail;

namespace detail {

void visit(auto& v, Is<StepKernels> auto& kernels) {
  v("kind", kernels.kind, kRequired);
  v("what", kernels.what);
  v("precision", kernels.precision);
  v("layout", kernels.layout);
  v("groups", kernels.groups, kZeroIsAbsent);
  v("calls", kernels.calls, kRequired);
  v("launches", kernels.launches, kZeroIsAbsent);
  v("time_s", kernels.time_s, kRequired);
  v("bytes", kernels.bytes);
  v("flops", kernels.flops);
}

void visit(auto& v, Is<StepCopies> auto& copies) {
  v("direction", copies.direction, kRequired);
  v("memory", copies.memory, kRequired);
  v("blocking", copies.blocking, kRequired);
  v("overlapped", copies.overlapped);
  v("calls", copies.calls, kRequired);
  v("bytes", copies.bytes, kRequired);
  v("time_s", copies.time_s);
}

void visit(auto& v, Is<StepWaits> auto& waits) {
  v("cause", waits.cause, kRequired);
  v("calls", waits.calls, kRequired);
}

void visit(auto& v, Is<StepAllocations> auto& allocations) {
  v("calls", allocations.calls);
  v("bytes", allocations.bytes);
  v("given_back", allocations.given_back);
}

void visit(auto& v, Is<StepSwitches> auto& switches) {
  v("precision", switches.precision);
  v("layout", switches.layout);
  v("optimizer", switches.optimizer);
  v("rule", switches.rule);
  v("launch", switches.launch);
  v("copies", switches.copies);
  v("gradients", switches.gradients);
  v("memory", switches.memory);
  v("reads_loss_every", switches.reads_loss_every);
}

void visit(auto& v, Is<StepProfile> auto& profile) {
  v("cupel_step_profile", profile.major, only(kStepProfileMajor));
  v("source", profile.source);
  v("benchmark", profile.benchmark);
  v("net", profile.net);
  v("device", profile.device);
  v("note", profile.note);
  v("batch", profile.batch, kZeroIsAbsent);
  v("parameters", profile.parameters, kZeroIsAbsent);
  v("launches", profile.launches, kRequired);
  v("step_s", profile.step_s, kRequired);
  v("enqueue_s", profile.enqueue_s);
  v("switches", profile.switches);
  v("kernels", profile.kernels, kRequired);
  v("copies", profile.copies, kAlways);
  v("waits", profile.waits, kAlways);
  v("allocations", profile.allocations);
}

void check(const StepProfile& profile, const Path& path, Reading& reading) {
  if (profile.major != kStepProfileMajor) {
    reading.problems.add(
        Path(path, "cupel_step_profile"),
        "is " + std::to_string(profile.major) + ", this cupel reads " + std::to_string(kStepProfileMajor));
  }
  if (!(profile.step_s > 0)) reading.problems.add(Path(path, "step_s"), "must be more than 0");
}

}  // namespace detail

namespace {

template <class List, class Get>
double sum_of(const List& list, const Get& get) {
  double sum = 0;
  for (const auto& element : list) sum += get(element);
  return sum;
}

bool is_alike(const StepKernels& a, const StepKernels& b) {
  const auto size_of_call = [](const std::optional<std::int64_t>& all, std::int64_t calls) {
    return all && calls > 0 ? *all / calls : std::int64_t{-1};
  };
  return a.kind == b.kind && a.what == b.what && a.precision == b.precision && a.layout == b.layout &&
         a.groups == b.groups && size_of_call(a.bytes, a.calls) == size_of_call(b.bytes, b.calls) &&
         size_of_call(a.flops, a.calls) == size_of_call(b.flops, b.calls);
}

}  // namespace

bool is_convolution(KernelKind kind) { return kind <= KernelKind::convolution_backward_filter; }

bool is_bound_by_memory(KernelKind kind) {
  return kind == KernelKind::norm || kind == KernelKind::bias || kind == KernelKind::elementwise ||
         kind == KernelKind::pooling;
}

double StepProfile::time_s(KernelKind kind) const {
  return sum_of(kernels, [kind](const StepKernels& k) { return k.kind == kind ? k.time_s : 0.0; });
}

double StepProfile::kernels_s() const {
  return sum_of(kernels, [](const StepKernels& k) { return k.time_s; });
}

double StepProfile::calls(KernelKind kind) const {
  return sum_of(kernels, [kind](const StepKernels& k) { return k.kind == kind ? static_cast<double>(k.calls) : 0; });
}

double StepProfile::launches_of(KernelKind kind) const {
  return sum_of(kernels, [kind](const StepKernels& k) {
    return k.kind == kind ? static_cast<double>(k.launches > 0 ? k.launches : k.calls) : 0;
  });
}

double StepProfile::waits_for(WaitCause cause) const {
  return sum_of(waits, [cause](const StepWaits& w) { return w.cause == cause ? w.calls : 0.0; });
}

StepProfile step_profile_from_json(std::string_view text, const std::string& origin) {
  return read_document<StepProfile>(text, printable(origin), UnknownKeys::passed_over,
                                    "the profile of a training step, as scripts/profile-from-pytorch makes one,");
}

StepProfile read_step_profile(const std::filesystem::path& path) {
  return step_profile_from_json(files::read_file(path), files::shown_path(path));
}

std::string to_json(const StepProfile& profile) { return lines(encode(profile), 2) + "\n"; }

void add(StepProfile& profile, const StepKernels& kernels) {
  const auto alike = std::ranges::find_if(profile.kernels, [&](const StepKernels& k) { return is_alike(k, kernels); });
  if (alike == profile.kernels.end()) {
    profile.kernels.push_back(kernels);
    return;
  }
  alike->calls += kernels.calls;
  alike->launches += kernels.launches;
  alike->time_s += kernels.time_s;
  if (alike->bytes) *alike->bytes += kernels.bytes.value_or(0);
  if (alike->flops) *alike->flops += kernels.flops.value_or(0);
}

}  // namespace cupel::record
