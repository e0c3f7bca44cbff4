// The profile of a training step: kernels by kind, copies, launches, waits, allocations, and which switches were on.
// cupel's own step writes one, and scripts/profile-from-pytorch makes one of a torch.profiler trace. The format is
// docs/foretell.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/record/names.hpp"

namespace cupel::record {

/// The purpose of a kernel.
enum class KernelKind {
  convolution_forward,
  convolution_backward_data,
  convolution_backward_filter,
  gemm,
  norm,
  bias,         ///< of convolutions: added, and its gradient
  elementwise,  ///< activations, residuals and their gradients
  pooling,
  loss,
  optimizer,
  accumulate,  ///< gradients added to what is there
  cast,
  layout,  ///< channels first to channels last or back, outside of convolutions
  copy,    ///< from device memory to device memory
  fill,
  other,  ///< not known
};
constexpr auto names_of(KernelKind) {
  return std::array{"convolution_forward",
                    "convolution_backward_data",
                    "convolution_backward_filter",
                    "gemm",
                    "norm",
                    "bias",
                    "elementwise",
                    "pooling",
                    "loss",
                    "optimizer",
                    "accumulate",
                    "cast",
                    "layout",
                    "copy",
                    "fill",
                    "other"};
}

/// Tells whether memory, not arithmetic, bounds the kernel.
bool is_bound_by_memory(KernelKind);
/// Tells whether it is one of the three products of a convolution.
bool is_convolution(KernelKind);

/// A group of like work: all kernels of a step of one kind, precision, layout and size.
struct StepKernels {
  KernelKind kind = KernelKind::other;
  std::string what = {};  ///< for the eye: a layer, or the kernel's name
  std::string precision =
      {};                   ///< of the numbers it multiplies or moves: "fp32", "tf32", "fp16", "bf16"; empty: not known
  std::string layout = {};  ///< "nchw" or "nhwc"; empty: it has none, or it is not known
  std::int64_t groups = 0;  ///< of a convolution; 0: one, or not known
  std::int64_t calls = 0;   ///< of a library or a layer
  std::int64_t launches = 0;               ///< kernels of all calls; 0: as many
  double time_s = 0;                       ///< all calls, on the device
  std::optional<std::int64_t> bytes = {};  ///< all calls: each input read once, each output written once
  std::optional<std::int64_t> flops = {};  ///< all calls
};

/// The direction of a copy between host and device.
enum class CopyDirection { h2d, d2h };
constexpr auto names_of(CopyDirection) { return std::array{"h2d", "d2h"}; }

/// The host memory that a copy is from or to.
enum class HostMemory { pageable, pinned };
constexpr auto names_of(HostMemory) { return std::array{"pageable", "pinned"}; }

/// A group of like copies between host and device.
struct StepCopies {
  CopyDirection direction = CopyDirection::h2d;
  HostMemory memory = HostMemory::pageable;
  bool blocking = false;    ///< the host waits for it
  bool overlapped = false;  ///< kernels run meanwhile, on another stream
  std::int64_t calls = 0;
  std::int64_t bytes = 0;             ///< all calls
  std::optional<double> time_s = {};  ///< all calls, on the device
};

/// The cause of a wait of the host.
enum class WaitCause {
  copy,    ///< a batch, from the host
  loss,    ///< a number, to the host
  memory,  ///< before memory is given back
  other,
};
constexpr auto names_of(WaitCause) { return std::array{"copy", "loss", "memory", "other"}; }

/// Waits of the host by their cause.
struct StepWaits {
  WaitCause cause = WaitCause::other;
  double calls = 0;  ///< a step: 0.1 is one in ten steps
};

/// Allocations of device memory.
struct StepAllocations {
  std::int64_t calls = 0;   ///< of an allocator that asks the driver or its pool
  std::int64_t bytes = 0;   ///< most that lived at once
  bool given_back = false;  ///< to the system, after the step
};

/// The switches that were on. Empty: not known.
struct StepSwitches {
  std::string precision = {};                         ///< "fp32", "tf32", "amp_fp16", "amp_bf16"
  std::string layout = {};                            ///< "nchw", "nhwc"
  std::string optimizer = {};                         ///< "loop", "foreach", "fused"
  std::string rule = {};                              ///< "sgd", "adamw"
  std::string launch = {};                            ///< "eager", "graph"
  std::string copies = {};                            ///< "pageable", "pinned", "ahead", "resident"
  std::string gradients = {};                         ///< "filled", "replaced"
  std::string memory = {};                            ///< "planned", "kept", "emptied"
  std::optional<std::int64_t> reads_loss_every = {};  ///< steps; 0: never
};

/// The version of the format (docs/foretell.md); other majors are refused.
inline constexpr int kStepProfileMajor = 1;

/// The profile of one training step. Counts and sizes are of a step.
struct StepProfile {
  int major = kStepProfileMajor;  ///< version of the format
  std::string source = {};        ///< what made it: "cupel 1.0", "torch.profiler"
  std::string benchmark = {};     ///< benchmark that measured the same step; empty: none
  std::string net = {};
  std::string device = {};
  std::string note = {};
  std::int64_t batch = 0;
  std::int64_t parameters = 0;           ///< elements; 0: not known
  std::int64_t launches = 0;             ///< by the host, of kernels, copies and fills; of a graph: of its nodes
  double step_s = 0;                     ///< one step, with no profiler on where that could be had
  std::optional<double> enqueue_s = {};  ///< host time to enqueue a step, where it waits for nothing in it
  StepSwitches switches = {};
  std::vector<StepKernels> kernels = {};
  std::vector<StepCopies> copies = {};
  std::vector<StepWaits> waits = {};
  StepAllocations allocations = {};
  std::string unknown = {};  ///< JSON object of fields this version does not know, or empty

  /// Returns the seconds that kernels of this kind took.
  double time_s(KernelKind kind) const;
  /// Returns the seconds that all kernels took.
  double kernels_s() const;

  /// Returns the calls of this kind; a double, since a file may say any number.
  double calls(KernelKind kind) const;
  /// Returns the kernels of this kind that were launched.
  double launches_of(KernelKind kind) const;
  /// Returns the waits of this cause.
  double waits_for(WaitCause cause) const;
};

/// Reads a profile. Throws ReadError: file, JSON pointer, and what is wrong.
StepProfile step_profile_from_json(std::string_view text, const std::string& origin);
/// Reads a profile from a file. Throws ReadError.
StepProfile read_step_profile(const std::filesystem::path&);

/// Writes the profile as JSON; ends with a newline.
std::string to_json(const StepProfile&);

/// Adds kernels, like work in one entry: of equal kind, name, precision, layout and size of a call.
void add(StepProfile& profile, const StepKernels& kernels);

}  // namespace cupel::record
