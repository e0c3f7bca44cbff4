// The rules of all pieces, as a table.
#include <algorithm>
#include <initializer_list>
#include <iterator>

#include "cupel/foretell/foretell.hpp"

namespace cupel::foretell {
namespace {

using record::CopyDirection;
using record::HostMemory;
using record::KernelKind;
using record::StepCopies;
using record::StepKernels;
using record::StepProfile;
using record::WaitCause;

// Rows of another pass stand in where a pass has none: they count as so far away, as a logarithm.
constexpr double kOtherPass = 1;

double number(std::int64_t count) { return static_cast<double>(count); }

// A trace of PyTorch: what that makes of a change is not only the hardware's matter.
bool is_pytorch(const StepProfile& p) { return p.source == "torch.profiler"; }

// ---- what is on: by the switches, and where the profile has none, by the parts themselves

bool is_amp(const std::string& precision) { return precision == "fp16" || precision == "bf16"; }

bool multiplies(const StepKernels& kernels) {
  return record::is_convolution(kernels.kind) || kernels.kind == KernelKind::gemm;
}

template <class Test>
bool any_product(const StepProfile& profile, const Test& test) {
  return std::ranges::any_of(profile.kernels, [&](const StepKernels& k) { return multiplies(k) && test(k); });
}

bool is_named(const StepKernels& kernels, std::initializer_list<const char*> words) {
  return std::ranges::any_of(words, [&](const char* word) { return kernels.what.find(word) != std::string::npos; });
}

// Fused attention in fp32 has no TF32 to switch on.
bool is_attention(const StepKernels& kernels) { return is_named(kernels, {"attention"}); }

// Below this share of the kernels' time products in fp32 are a last layer.
constexpr double kLeastProducts = 0.01;

// A trace says tf32 where convolutions take it, as PyTorch lets them unless told not to; products ask for it
// themselves.
bool has_products_in_fp32(const StepProfile& p) {
  double products_s = 0;
  for (const StepKernels& k : p.kernels) {
    if (k.kind == KernelKind::gemm && k.precision == "fp32" && !is_attention(k)) products_s += k.time_s;
  }
  return products_s > kLeastProducts * p.kernels_s();
}

bool tf32_is_on(const StepProfile& p) {
  if (is_pytorch(p) && p.switches.precision == "tf32") return !has_products_in_fp32(p);
  if (!p.switches.precision.empty()) return p.switches.precision != "fp32";
  return !any_product(p, [](const StepKernels& k) { return k.precision == "fp32"; });
}

bool amp_is_on(const StepProfile& p) {
  if (!p.switches.precision.empty()) return p.switches.precision.starts_with("amp");
  return any_product(p, [](const StepKernels& k) { return is_amp(k.precision); });
}

bool channels_last_is_on(const StepProfile& p) {
  if (!p.switches.layout.empty()) return p.switches.layout == "nhwc";
  return any_product(p, [](const StepKernels& k) { return k.layout == "nhwc"; });
}

template <class Test>
bool any_copy_in(const StepProfile& profile, const Test& test) {
  return std::ranges::any_of(
      profile.copies, [&](const StepCopies& copy) { return copy.direction == CopyDirection::h2d && test(copy); });
}

bool pinned_copies_are_on(const StepProfile& p) {
  return !any_copy_in(p, [](const StepCopies& copy) { return copy.memory == HostMemory::pageable; });
}

bool copies_ahead_are_on(const StepProfile& p) {
  return !any_copy_in(p, [](const StepCopies& copy) { return !copy.overlapped; });
}

bool no_wait_is_on(const StepProfile& p) { return p.waits_for(WaitCause::loss) == 0; }

bool kept_memory_is_on(const StepProfile& p) { return p.allocations.calls == 0 && !p.allocations.given_back; }

bool no_fill_is_on(const StepProfile& p) {
  if (!p.switches.gradients.empty()) return p.switches.gradients == "replaced";
  return p.calls(KernelKind::accumulate) == 0;
}

bool fused_optimizer_is_on(const StepProfile& p) {
  return p.switches.optimizer == "fused" || p.calls(KernelKind::optimizer) == 0;
}

bool graph_is_on(const StepProfile& p) { return p.switches.launch == "graph"; }

bool norm_bias_is_off(const StepProfile& p) { return p.calls(KernelKind::bias) == 0; }

// ---- what is saved

// Between two nodes of a graph the device waits for what the step takes longer than its kernels. Where that is more
// than a microsecond it waits for something else.
constexpr double kMostGapInGraph_s = 1e-6;

Estimate gap_in_graph(const Step& step) {
  const double rest_s = step.device_s() - step.profile().kernels_s();
  const double gap_s = std::clamp(rest_s / number(step.profile().launches), 0.0, kMostGapInGraph_s);
  return {gap_s, 0, 2 * gap_s};
}

// Launches that are no more, from the host and from the gaps between kernels: of a graph from these alone.
Saving launches_saved(const Step& step, double count) {
  const auto all = number(step.profile().launches);
  if (count <= 0 || all <= 0) return {};
  if (graph_is_on(step.profile())) return {.device = count * gap_in_graph(step)};
  // An eager host does more than launch: an equal share of its time for each.
  const Estimate host = step.is_traced() ? step.host_s() * Estimate{1, 0.6, 1.6} : step.launches_s(all);
  return {.device = count / all * step.gaps_s(all), .host = count / all * host};
}

// Kernels that are no more.
Saving kernels_saved(const Step& step, std::initializer_list<KernelKind> kinds) {
  Saving saved;
  for (const KernelKind kind : kinds) {
    saved = saved + Saving{.device = Estimate::exactly(step.profile().time_s(kind))} +
            launches_saved(step, step.profile().launches_of(kind));
  }
  return saved;
}

// Depthwise and grouped convolutions are other kernels, which have rows of their own.
constexpr double kDepthwise = 4;  // operations for each byte: a 3 x 3 filter of one channel does 2.25 in fp32

std::string layer_of(const StepKernels& kernels) {
  if (kernels.groups <= 1) return "*";
  const double bytes = number(kernels.bytes.value_or(0));
  return number(kernels.flops.value_or(0)) < kDepthwise * bytes ? "depthwise_3x3" : "grouped_3x3";
}

// The products' rows that stand for a kernel: of its pass, or where that has none, of the forward pass.
std::vector<Known> ratios_for(const Step& step, const StepKernels& kernels, const std::string& params,
                              const std::string& before, const std::string& after) {
  if (kernels.kind == KernelKind::gemm) {
    std::vector<Known> all;
    for (const char* rows : {"gemm/square", "gemm/transformer/layer:*", "gemm/backward/pass:*/layer:*"}) {
      const std::string sizes = std::string(rows) == "gemm/square" ? "/n:*" : "/hidden:*/tokens:*";
      std::ranges::copy(step.micro().ratios(rows + params + sizes, before, after), std::back_inserter(all));
    }
    return all;
  }
  const std::string pass = kernels.kind == KernelKind::convolution_forward         ? "forward"
                           : kernels.kind == KernelKind::convolution_backward_data ? "backward_data"
                                                                                   : "backward_filter";
  const std::string rest = "/layer:" + layer_of(kernels) + params + "/batch:*";
  std::vector<Known> all = step.micro().ratios("conv/" + pass + rest, before, after);
  if (pass != "forward") {
    std::ranges::copy(step.micro().ratios("conv/forward" + rest, before, after, kOtherPass), std::back_inserter(all));
  }
  return all;
}

// Bytes of one call; 0: not known.
double bytes_of_call(const StepKernels& kernels) {
  return number(kernels.bytes.value_or(0)) / std::max(number(kernels.calls), 1.0);
}

// Where nothing is known of the work: as a layer of a ResNet.
Place place_of(const StepKernels& kernels) {
  const double flops = number(kernels.flops.value_or(0)) / std::max(number(kernels.calls), 1.0);
  const double bytes = bytes_of_call(kernels);
  return flops > 0 && bytes > 0 ? place_of_work(flops, bytes) : place_of_work(1e10, 1e8);
}

// The precision of rows to look at: fp32 where it is not known.
std::string precision_of(const StepKernels& kernels) { return kernels.precision.empty() ? "fp32" : kernels.precision; }

// A net's products take so many times as long as rows of large squares say. Measured on an H100: four nets took 0.22 to
// 0.30 of fp32's time in TF32, where rows say 0.17.
// Thin ones, which do less for each byte than any row, gain less from TF32: a ConvNeXt's took half of fp32's time.
constexpr double kThin = 170;  // operations a byte, of a square of 1024 in fp32

Estimate of_rows(const StepKernels& kernels, const std::string& precision) {
  if (precision != "tf32") return {1.5, 1, 3.5};
  const bool is_thin = number(kernels.flops.value_or(0)) < kThin * number(kernels.bytes.value_or(0));
  return is_thin ? Estimate{2.5, 1.2, 4} : Estimate{1.5, 1.1, 2};
}

// PyTorch's kernels for depthwise and grouped filters are slow in fp32 and not in halves where channels come last: a
// ConvNeXt's take 0.12 of the time, a ResNeXt's and an EfficientNet's with it 0.15 to 0.8.
bool is_slow_in_fp32(const Step& step, const StepKernels& kernels) {
  return is_pytorch(step.profile()) && kernels.groups > 1 && kernels.layout == "nhwc";
}
constexpr Estimate kOfSlowGroups{0.2, 0.05, 0.8};

// PyTorch's convolutions may use TF32 unless they are told not to, whatever precision the kernel of one shows.
std::string precision_now(const Step& step, const StepKernels& kernels) {
  const std::string precision = precision_of(kernels);
  const bool may_tf32 = is_pytorch(step.profile()) && record::is_convolution(kernels.kind) && precision == "fp32";
  return may_tf32 ? "tf32" : precision;
}

// Kernels' time less that of their twins. One precision of a half stands for the other: tensor cores run both alike.
Estimate products_saved(const Step& step, const std::string& precision) {
  Estimate saved;
  for (const StepKernels& k : step.profile().kernels) {
    const std::string now = precision_now(step, k);
    if (!multiplies(k) || is_amp(now) || now == precision) continue;
    if (precision == "tf32" && is_attention(k)) continue;
    if (precision != "tf32" && is_slow_in_fp32(step, k)) {
      saved += k.time_s * (Estimate::exactly(1) - kOfSlowGroups);
      continue;
    }
    const std::string before = "precision:" + now;
    const std::string layout = k.kind == KernelKind::gemm ? "" : "/layout:" + (k.layout.empty() ? "nchw" : k.layout);
    std::vector<Known> known;
    for (const std::string& after :
         precision == "tf32" ? std::vector<std::string>{"tf32"} : std::vector<std::string>{"bf16", "fp16"}) {
      std::ranges::copy(ratios_for(step, k, "/" + before + layout, before, "precision:" + after),
                        std::back_inserter(known));
    }
    const std::string rows = k.kind == KernelKind::gemm ? "gemm/square/" : "conv/forward/layer:" + layer_of(k) + "/";
    const Estimate ratio = nearest(known, place_of(k), rows + before + layout);
    const bool is_slower = is_pytorch(step.profile()) && k.kind == KernelKind::gemm;
    saved += k.time_s * (Estimate::exactly(1) - (is_slower ? ratio * of_rows(k, precision) : ratio));
  }
  return saved;
}

Estimate copy_on_device_s(const Step& step, double bytes) {
  return step.micro().time_of_bytes({"memory/limits/copy/bytes:*"}, bytes);
}

// A kernel that moves its bytes at less than this share of memory's rate is bound by something else.
constexpr double kBoundByMemory = 0.5;

// Kernels that memory binds move half the bytes; a kernel of unknown bytes saves half its time, or nothing.
Estimate halved_bytes_saved(const Step& step) {
  Estimate saved;
  for (const StepKernels& k : step.profile().kernels) {
    if (!record::is_bound_by_memory(k.kind) || is_amp(k.precision) || k.calls == 0) continue;
    const double bytes = bytes_of_call(k);
    if (bytes <= 0) {
      saved += k.time_s * Estimate{0.5, 0, 0.5};
      continue;
    }
    const Estimate whole = copy_on_device_s(step, bytes), half = copy_on_device_s(step, bytes / 2);
    const Estimate share{1 - half.value / whole.value, 1 - half.high / whole.low, 1 - half.low / whole.high};
    const double in_memory_s = number(k.calls) * whole.value;
    saved += in_memory_s >= kBoundByMemory * k.time_s ? k.time_s * share : Estimate{0, 0, in_memory_s * share.high};
  }
  return saved;
}

// A cast that autocast brings takes a PyTorch host less than the mean of its launches: five steps of an H100's host
// took 0.88 to 1.13 times as long with 0.2 to 0.6 more launches.
Estimate host_of_casts(const Step& step, const Estimate& equal_share) {
  return step.is_traced() ? equal_share.value * Estimate{0.3, 0, 1} : equal_share;
}

// Parameters to a half, and their gradients back: six bytes moved for each, twice.
Saving casts_added(const Step& step) {
  const StepProfile& p = step.profile();
  const double weights = std::max(p.calls(KernelKind::convolution_forward) + p.calls(KernelKind::gemm) / 3, 1.0);
  const double bytes = 6 * number(p.parameters) / weights;
  const Saving launches = launches_saved(step, 2 * weights);
  const Estimate casts = bytes > 0 ? 2 * weights * copy_on_device_s(step, bytes) : Estimate{};
  return {.device = -casts - launches.device, .host = -host_of_casts(step, launches.host)};
}

// Autocast has these in fp32 whatever comes in, and their neighbours in halves.
bool is_fp32_island(const StepKernels& kernels) {
  if (kernels.kind == KernelKind::loss) return true;
  return kernels.kind == KernelKind::norm && is_named(kernels, {"layer_norm", "group_norm", "softmax"});
}

bool has_islands(const StepProfile& p) {
  return std::ranges::any_of(p.kernels,
                             [](const StepKernels& k) { return k.kind == KernelKind::norm && is_fp32_island(k); });
}

// An element is read once in fp32 and once in half, where the kernel reads and writes it in fp32.
constexpr double kBytesOfCast = 0.75;

// A softmax has halves on either side, a norm reads the fp32 sum that it is in.
Saving casts_at_islands(const Step& step) {
  Saving added;
  for (const StepKernels& k : step.profile().kernels) {
    const double bytes = kBytesOfCast * bytes_of_call(k);
    if (!is_fp32_island(k) || is_amp(k.precision) || k.calls == 0 || bytes <= 0) continue;
    const double casts = number(k.calls) * (is_named(k, {"softmax"}) && k.kind == KernelKind::norm ? 2 : 1);
    const Saving launches = launches_saved(step, casts);
    added.device += -(casts * copy_on_device_s(step, bytes)) - launches.device;
    added.host += -host_of_casts(step, launches.host);
  }
  return added;
}

// The share of its time that a kernel saves under autocast beside products. Batch norms with channels first are not
// bound by memory; a sum with what an fp32 island gave is in fp32 itself.
Estimate share_under_autocast(const StepKernels& kernels, bool beside_islands) {
  if (is_fp32_island(kernels)) return {};
  if (kernels.kind == KernelKind::norm)
    return kernels.layout == "nhwc" ? Estimate{0.35, 0.1, 0.5} : Estimate{-0.3, -0.5, 0.1};
  if (beside_islands && is_named(kernels, {"aten::add"})) return {0, 0, 0.3};
  return {0.45, 0.3, 0.55};
}

Estimate memory_bound_under_autocast(const Step& step) {
  const bool beside_islands = has_islands(step.profile());
  Estimate saved;
  for (const StepKernels& k : step.profile().kernels) {
    if (!record::is_bound_by_memory(k.kind) || is_amp(k.precision) || k.calls == 0) continue;
    saved += k.time_s * share_under_autocast(k, beside_islands);
  }
  return saved;
}

Saving autocast(const Step& step) {
  return Saving{.device = products_saved(step, "bf16") + memory_bound_under_autocast(step)} + casts_added(step) +
         casts_at_islands(step);
}

Saving tf32(const Step& step) { return {.device = products_saved(step, "tf32")}; }

Saving amp(const Step& step) {
  if (is_pytorch(step.profile())) return autocast(step);
  return Saving{.device = products_saved(step, "bf16") + halved_bytes_saved(step)} + casts_added(step);
}

// PyTorch's own kernels for channels that come last read what is normed twice, and a gradient with it: 3 bytes for 2
// that are counted forward, 5 for 3 backward. Its sums over few places are slower than memory: in bf16 a ResNet-50 on
// an H100 takes 2.8 times as long as its bytes.
constexpr Estimate kReadAgain{2, 1.5, 3};

Estimate norm_with_channels_last_s(const Step& step, double bytes) {
  if (is_pytorch(step.profile())) return copy_on_device_s(step, bytes) * kReadAgain;
  return step.micro().time_of_bytes({"fusion/norm_relu/pass:*/layer:*/impl:fused/batch:*",
                                     "fusion/norm/op:batch_norm_training/impl:single_pass/columns:*/bytes:*"},
                                    bytes);
}

// Other kernels take norms where channels come last.
Estimate norms_saved(const Step& step) {
  Estimate saved;
  for (const StepKernels& k : step.profile().kernels) {
    const double bytes = bytes_of_call(k);
    if (k.kind != KernelKind::norm || is_fp32_island(k) || k.layout == "nhwc" || bytes <= 0) continue;
    saved += Estimate::exactly(k.time_s) - number(k.calls) * norm_with_channels_last_s(step, bytes);
  }
  return saved;
}

// Below this share of the kernels' time convolutions are no net's body: those that cut an image into tokens.
constexpr double kLeastConvolutions = 0.05;

double share_of_convolutions(const StepProfile& p) {
  double convolutions_s = 0;
  for (const StepKernels& k : p.kernels) convolutions_s += record::is_convolution(k.kind) ? k.time_s : 0;
  return p.kernels_s() > 0 ? convolutions_s / p.kernels_s() : 0;
}

void require_images(const StepProfile& p) {
  if (share_of_convolutions(p) < kLeastConvolutions) {
    throw Silence("its convolutions take less than 5 % of its kernels' time, and tokens have no channels to put last");
  }
}

// PyTorch's group norm has kernels for channels first alone, and turns what it is given and what it gives: four times
// its input, of the two that are counted forward and the three backward. A diffusion net's conversions on an H100 moved
// a third of what memory does.
constexpr Estimate kOfTurning{3, 1.5, 4};

Estimate group_norms_turned_s(const Step& step) {
  Estimate turned_s;
  for (const StepKernels& k : step.profile().kernels) {
    if (!is_pytorch(step.profile()) || !is_named(k, {"group_norm"}) || bytes_of_call(k) <= 0) continue;
    const double counted = is_named(k, {"backward"}) ? 3 : 2;
    turned_s += number(k.calls) * (copy_on_device_s(step, 4 / counted * bytes_of_call(k)) * kOfTurning);
  }
  return turned_s;
}

Saving put_channels_last(const Step& step) {
  if (is_pytorch(step.profile())) require_images(step.profile());
  Saving saved = kernels_saved(step, {KernelKind::layout});
  saved.device += norms_saved(step);
  for (const StepKernels& k : step.profile().kernels) {
    if (!record::is_convolution(k.kind) || k.layout == "nhwc") continue;
    // Halves have rows as fp16.
    const std::string params = "/precision:" + (is_amp(k.precision) ? "fp16" : precision_now(step, k)) + "/layout:nchw";
    const Estimate ratio = nearest(ratios_for(step, k, params, "layout:nchw", "layout:nhwc"), place_of(k),
                                   "conv/forward/layer:" + layer_of(k) + params);
    saved.device += k.time_s * (Estimate::exactly(1) - ratio);
  }
  return saved;
}

Saving channels_last(const Step& step) {
  Saving saved = put_channels_last(step);
  saved.device += -group_norms_turned_s(step);
  return saved;
}

// Behind a copy that it waited for the host is not ahead: an eager step may gain more than the copy took, or less.
constexpr double kLeastOfCopy = 0.75, kMoreThanCopy = 0.4;

// A pageable copy holds the host and the device up; a pinned one takes its time on the stream.
Saving pinned_copies(const Step& step) {
  Saving saved;
  for (const StepCopies& copy : step.profile().copies) {
    if (copy.direction != CopyDirection::h2d || copy.memory != HostMemory::pageable || copy.calls == 0) continue;
    const double bytes = number(copy.bytes);
    const Estimate took = copy.time_s ? Estimate::exactly(*copy.time_s) : step.pageable_s(bytes);
    saved.waits += step.is_traced() ? Estimate{took.value, kLeastOfCopy * took.low, took.high} : took;
    saved.device += -step.pinned_s(bytes);
    if (step.is_traced()) saved.device += Estimate{0, 0, kMoreThanCopy * took.high};
  }
  const double waits = step.profile().waits_for(WaitCause::copy);
  if (waits > 0) saved.waits += waits * step.wait_s(false);
  return saved;
}

// The rest of the step hides the copy's time on the stream; a copy inside the device comes instead.
Saving copies_ahead(const Step& step) {
  Saving saved;
  for (const StepCopies& copy : step.profile().copies) {
    if (copy.direction != CopyDirection::h2d || copy.overlapped || copy.calls == 0) continue;
    const double bytes = number(copy.bytes);
    const bool is_seen = copy.memory == HostMemory::pinned && copy.time_s;
    const Estimate pinned = is_seen ? Estimate::exactly(*copy.time_s) : step.pinned_s(bytes);
    const double rest_s = step.device_s() - (copy.memory == HostMemory::pinned ? pinned.value : 0);
    const Estimate hidden{std::min(pinned.value, rest_s), std::min(pinned.low, rest_s), std::min(pinned.high, rest_s)};
    saved.device += hidden - step.micro().time_at("transfer/d2d/bytes:*", bytes);
  }
  return saved;
}

Saving no_wait(const Step& step) { return {.waits = step.profile().waits_for(WaitCause::loss) * step.wait_s(true)}; }

Saving kept_memory(const Step& step) {
  const StepProfile& p = step.profile();
  Saving saved{.host = step.allocations_s()};
  if (p.allocations.given_back) saved.waits += step.given_back_s();
  const double waits = p.waits_for(WaitCause::memory);
  if (waits > 0) saved.waits += waits * step.wait_s(false);
  return saved;
}

Saving no_fill(const Step& step) { return kernels_saved(step, {KernelKind::fill, KernelKind::accumulate}); }

// PyTorch's fused kernels are not ours. Drawn from steps of one H100, of which those with small gains lie outside.
constexpr Estimate kOfFused{1, 0.6, 1.3};

// The optimizer's time now, less the time of the fused one for the same parameters.
Saving fused_optimizer(const Step& step) {
  const StepProfile& p = step.profile();
  const bool adam = p.switches.rule == "adamw";
  const double bytes = (adam ? 28 : 20) * number(p.parameters);  // p, g and moments read; p and moments written
  if (bytes <= 0) throw Silence("the profile lacks the number of parameters");
  const std::string rows = std::string("optimizer/step/rule:") + (adam ? "adamw" : "sgd") + "/model:*/way:fused";
  Estimate device = Estimate::exactly(p.time_s(KernelKind::optimizer)) - step.micro().time_of_bytes({rows}, bytes);
  if (is_pytorch(p) && device.value > 0) device = device.value * kOfFused;
  return Saving{.device = device} + launches_saved(step, p.launches_of(KernelKind::optimizer) - 1);
}

// The kernels of a trace, one behind the other. Where each step waits for the host, nothing hides the graph's launch.
Saving graph_of_trace(const Step& step) {
  const auto launches = number(step.profile().launches);
  const Estimate launch = step.graph_launch_s(launches);
  Saving saved{.device = Estimate::exactly(step.device_s()) - step.as_graph_s(),
               .host = Estimate::exactly(step.host_s()) - launch};
  if (!step.profile().waits.empty()) saved.device += -launch;
  return saved;
}

// A launch for all; and the gaps between kernels become shorter.
Saving graph(const Step& step) {
  if (step.is_traced()) return graph_of_trace(step);
  const auto launches = number(step.profile().launches);
  return {.device = step.gaps_s(launches), .host = Estimate::exactly(step.host_s()) - step.graph_launch_s(launches)};
}

Saving norm_bias(const Step& step) { return kernels_saved(step, {KernelKind::bias}); }

// ---- a framework's step

bool is_softmax(const StepKernels& k) { return k.kind == KernelKind::norm && is_named(k, {"softmax"}); }

bool has_no_written_out_attention(const StepProfile& p) { return std::ranges::none_of(p.kernels, is_softmax); }

// Kernels between the two products of attention move the scores once in and once out, or with a mask besides.
bool moves_scores(const StepKernels& kernels, double softmax_bytes, double softmax_s) {
  if (is_softmax(kernels)) return true;
  if (multiplies(kernels) || kernels.kind == KernelKind::optimizer || kernels.kind == KernelKind::loss) return false;
  const double calls = std::max(number(kernels.calls), 1.0), bytes = bytes_of_call(kernels);
  if (bytes > 0) {
    const bool may = kernels.kind == KernelKind::copy || is_named(kernels, {"aten::mul", "aten::div", "aten::where"});
    return may && bytes > 0.9 * softmax_bytes && bytes < 2.1 * softmax_bytes;
  }
  // A mask or a dropout, of which the trace does not say what they take.
  return kernels.kind == KernelKind::elementwise && kernels.time_s / calls > 0.5 * softmax_s &&
         kernels.time_s / calls < 2 * softmax_s;
}

// The fused kernel's time for that of the products, in fp32 and in halves. Seen of one net, in fp32.
constexpr Estimate kFusedAttention{1, 0.6, 1.5}, kFusedAttentionInHalves{0.7, 0.4, 1.2};

// The scores are not written any more. What multiplied them is one kernel forward, and computes them anew backward.
Saving fused_attention(const Step& step) {
  const auto& kernels = step.profile().kernels;
  const auto softmax = std::ranges::find_if(kernels, is_softmax);
  const double softmax_bytes = bytes_of_call(*softmax), softmax_s = softmax->time_s / number(softmax->calls);
  if (softmax_bytes <= 0) throw Silence("the trace has no shapes, which say what attention moves");
  Saving saved;
  double softmaxes_s = 0, others_s = 0;
  for (const StepKernels& k : kernels) {
    if (k.kind == KernelKind::gemm && is_named(k, {"bmm"})) {
      saved.device +=
          k.time_s * (Estimate::exactly(1) - (is_amp(k.precision) ? kFusedAttentionInHalves : kFusedAttention));
    } else if (moves_scores(k, softmax_bytes, softmax_s)) {
      (is_softmax(k) ? softmaxes_s : others_s) += k.time_s;
      saved = saved + launches_saved(step, number(std::max(k.launches, k.calls)));
    }
  }
  saved.device += softmaxes_s * Estimate::exactly(1) + others_s * Estimate{1, 0.5, 1.3};
  return saved;
}

// With twice the batch products' time for as many samples falls by this share, small kernels' by that. Drawn from eight
// steps of one H100.
constexpr Estimate kOfProductsByBatch{0.03, 0, 0.055}, kOfFloorByBatch{0.5, 0, 0.75};
constexpr double kFloor_s = 4e-6;  // of a kernel, however little it does

// For as many samples: what does not depend on their number counts half.
Saving larger_batch(const Step& step) {
  const StepProfile& p = step.profile();
  double fixed_s = 0, products_s = 0, floors_s = 0;
  for (const StepKernels& k : p.kernels) {
    const bool is_fixed =
        k.kind == KernelKind::optimizer || k.kind == KernelKind::accumulate || k.kind == KernelKind::fill;
    fixed_s += is_fixed ? k.time_s : 0;
    products_s += multiplies(k) ? k.time_s : 0;
    floors_s += is_fixed ? 0 : std::min(k.time_s, number(k.calls) * kFloor_s);
  }
  const double gaps_s = std::max(step.device_s() - step.as_graph_s().value, 0.0);
  return {.device = 0.5 * Estimate::exactly(fixed_s) + gaps_s * Estimate{0.4, 0, 0.5} +
                    products_s * kOfProductsByBatch + floors_s * kOfFloorByBatch,
          .host = step.host_s() * Estimate{0.5, 0.2, 0.5}};
}

bool never(const StepProfile&) { return false; }

// ---- torch.compile

// A compiler's own kernels are named by it.
bool is_compiled(const StepProfile& p) {
  return std::ranges::any_of(p.kernels, [](const StepKernels& k) { return is_named(k, {"triton_"}); });
}

// The share of its time that goes where kernels that memory binds are made one with those beside them. What is read and
// written only between two of them is not moved any more; a norm is read as often as before.
Estimate share_fused(const StepKernels& k) {
  switch (k.kind) {
    case KernelKind::elementwise:
    case KernelKind::bias:
      return {0.55, 0.2, 0.85};
    case KernelKind::cast:
      return {0.6, 0.2, 0.95};
    case KernelKind::copy:
    case KernelKind::layout:
      return {0.5, 0, 0.9};
    case KernelKind::norm:
      return {0.15, -0.2, 0.5};
    default:
      return {};
  }
}

// An eager host's time for a launch, less what compiled code takes.
constexpr Estimate kOfCompiledHost{0.5, 0.15, 0.75};

// It puts channels last by itself, where it takes that for faster, and has group norms of its own for them.
constexpr double kPutsLast = 0.7, kMostPutLast = 1.1;

Estimate put_last(const Step& step) {
  const StepProfile& p = step.profile();
  if (channels_last_is_on(p) || share_of_convolutions(p) < kLeastConvolutions) return {};
  const Estimate gain = put_channels_last(step).device;
  return {kPutsLast * gain.value, std::min(0.0, kMostPutLast * gain.low), std::max(0.0, kMostPutLast * gain.high)};
}

Saving compile(const Step& step) {
  const StepProfile& p = step.profile();
  Saving saved{.device = put_last(step)};
  double launches = 0;
  for (const StepKernels& k : p.kernels) {
    const Estimate share = share_fused(k);
    saved.device += k.time_s * share;
    launches += share.value * number(std::max(k.launches, k.calls));
  }
  if (!step.is_traced()) return saved + launches_saved(step, launches);
  const double gaps_s = std::max(step.device_s() - step.as_graph_s().value, 0.0);
  saved.device += launches / std::max(number(p.launches), 1.0) * Estimate::exactly(gaps_s);
  saved.host = step.host_s() * kOfCompiledHost;
  return saved;
}

}  // namespace

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = {
      {"pinned_copies", "copies from pageable memory, waits for them",
       "transfer/h2d/memory:{pageable,pinned}/bytes:*, sync/every_step/call:stream/*, sync/at_end/*",
       "what the pageable copy takes and its wait, less what the pinned copy takes on the stream", pinned_copies_are_on,
       pinned_copies},
      {"no_wait", "waits for the loss", "sync/readback/{every_step,at_end}/memory:pinned/*",
       "waits, each at what reading back in every step costs against reading at the end", no_wait_is_on, no_wait},
      {"kept_memory", "allocations, waits for memory",
       "memory/alloc/impl:{pool/threshold:unlimited,preallocated}/wait:none/*, memory/empty_cache/*",
       "calls at a pool's cost less preallocated memory's; giving memory back against keeping it", kept_memory_is_on,
       kept_memory},
      {"tf32", "convolutions and products in fp32",
       "conv/{forward,backward_*}/*, gemm/{square,transformer,backward}/*, precision fp32 and tf32",
       "time x (1 - ratio of the nearest rows)", tf32_is_on, tf32, nullptr,
       R"(torch.set_float32_matmul_precision("high"))"},
      {"amp", "convolutions and products; norms and elementwise kernels in fp32",
       "conv/*, gemm/*, precision as now and bf16 or fp16; memory/limits/copy/*",
       "time x (1 - ratio of the nearest rows); half the bytes of what memory binds; less the casts of parameters",
       amp_is_on, amp},
      {"channels_last", "convolutions, norms and conversions in nchw",
       "conv/*/layout:{nchw,nhwc}; fusion/norm_relu/*/impl:fused, fusion/norm/op:batch_norm_training/impl:single_pass",
       "convolutions: time x (1 - ratio); norms: time less bytes at the rows' rate; conversions whole",
       channels_last_is_on, channels_last},
      {"no_fill", "fills, gradients added up",
       "sync/graph/enqueue/impl:launches/*, sync/graph/complete/impl:*/bytes:16777216/*",
       "the time of these kernels, their launches and gaps", no_fill_is_on, no_fill, nullptr,
       "optimizer.zero_grad(set_to_none=True)"},
      {"fused_optimizer", "kernels of the optimizer, parameters", "optimizer/step/rule:*/model:*/way:fused",
       "the time of these kernels less the fused one's for as many bytes, their launches and gaps",
       fused_optimizer_is_on, fused_optimizer},
      {"graph", "launches, host time to enqueue",
       "sync/graph/enqueue/impl:{launches,graph}/*, sync/graph/complete/impl:*/bytes:16777216/*",
       "host time above the device's, less the graph's launch; shorter gaps between kernels", graph_is_on, graph},
      {"copies_ahead", "copies from the host that are not overlapped", "transfer/h2d/memory:pinned/*, transfer/d2d/*",
       "what the copy takes on the stream, as far as the step hides it, less a copy inside the device",
       copies_ahead_are_on, copies_ahead},
      {"norm_bias", "biases of convolutions and their gradients",
       "sync/graph/enqueue/impl:launches/*, sync/graph/complete/impl:*/bytes:16777216/*",
       "the time of these kernels, their launches and gaps", norm_bias_is_off, norm_bias},
      {"fused_attention", "softmax, and what else moves the scores; their products", "",
       "what moves the scores whole; products' time for that of the fused kernel", has_no_written_out_attention,
       fused_attention, is_pytorch},
      {"batch", "optimizer, small kernels, gaps, launches", "",
       "twice the batch, for as many samples: half of what does not depend on their number, a share of the products",
       never, larger_batch, is_pytorch},
      {"compile", "elementwise kernels, casts, copies, norms, launches", "",
       "a share of these kernels' time, since they become one with their neighbours; a share of the host's time; "
       "channels last where convolutions lack it",
       is_compiled, compile, is_pytorch},
  };
  return all;
}

}  // namespace cupel::foretell
