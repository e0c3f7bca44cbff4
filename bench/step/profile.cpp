#include "bench/step/profile.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace cupel::bench::step {
namespace {

using record::KernelKind;
using record::StepKernels;
using record::StepProfile;
using record::WaitCause;

KernelKind kind_of(const Program& program, const Operation& operation) {
  switch (operation.op) {
    case Op::cast:
      return KernelKind::cast;
    case Op::accumulate:
      return KernelKind::accumulate;
    case Op::convolution:
      return KernelKind::convolution_forward;
    case Op::convolution_data:
      return KernelKind::convolution_backward_data;
    case Op::convolution_filter:
      return KernelKind::convolution_backward_filter;
    case Op::bias:
    case Op::bias_gradient:
      return program.layer(operation).kind == Kind::convolution ? KernelKind::bias : KernelKind::elementwise;
    case Op::batch_norm:
    case Op::batch_norm_backward:
    case Op::batch_norm_evaluation:
    case Op::frozen_norm_backward:
    case Op::update_running:
    case Op::layer_norm:
    case Op::layer_norm_backward:
    case Op::layer_norm_parameters:
      return KernelKind::norm;
    case Op::add:
    case Op::relu:
    case Op::relu_backward:
    case Op::gelu:
    case Op::gelu_backward:
      return KernelKind::elementwise;
    case Op::max_pool:
    case Op::max_pool_backward:
    case Op::mean_pool:
    case Op::mean_pool_backward:
      return KernelKind::pooling;
    case Op::linear:
    case Op::linear_data:
    case Op::linear_weight:
    case Op::attention:
    case Op::attention_backward:
      return KernelKind::gemm;
    case Op::cross_entropy:
    case Op::cross_entropy_backward:
    case Op::scale_loss:
      return KernelKind::loss;
  }
  return KernelKind::other;
}

// Results that stand before the bar in Op; behind it is scratch memory.
std::size_t results_of(const Operation& operation) {
  switch (operation.op) {
    case Op::batch_norm:
    case Op::batch_norm_backward:
    case Op::frozen_norm_backward:
      return 3;
    case Op::layer_norm_parameters:
      return 2;
    case Op::bias_gradient:
    case Op::batch_norm_evaluation:
    case Op::attention_backward:
      return 1;
    default:
      return operation.out.size();
  }
}

std::int64_t bytes_of(const Program& program, const Operation& operation) {
  std::int64_t bytes = 0;
  for (const int id : operation.in) bytes += program.tensor(id).bytes();
  for (std::size_t i = 0; i < results_of(operation); ++i) bytes += program.tensor(operation.out[i]).bytes();
  if (operation.op == Op::accumulate) bytes += program.tensor(operation.out[0]).bytes();  // what is there is read
  return bytes;
}

std::int64_t flops_of(const Program& program, const Operation& operation) {
  const Layer& layer = program.layer(operation);
  const std::int64_t rows = program.options.batch * layer.out.places();
  switch (kind_of(program, operation)) {
    case KernelKind::convolution_forward:
    case KernelKind::convolution_backward_data:
    case KernelKind::convolution_backward_filter:
      return kernels::dot::flops(convolution_of(program, layer));
    case KernelKind::gemm:
      break;
    default:
      return 0;
  }
  if (layer.kind == Kind::linear) return 2 * rows * layer.out.channels * program.net.input_of(layer).out.channels;
  const std::int64_t products = operation.op == Op::attention ? 2 : 4;  // of places x places with the channels
  return products * 2 * rows * layer.out.places() * layer.out.channels;
}

const char* name_of(Number number) {
  switch (number) {
    case Number::fp16:
      return "fp16";
    case Number::bf16:
      return "bf16";
    case Number::fp32:
      return "fp32";
    case Number::byte:
      break;
  }
  return "";
}

bool multiplies(KernelKind kind) { return record::is_convolution(kind) || kind == KernelKind::gemm; }

std::string precision_of(const Program& program, const Operation& operation, KernelKind kind) {
  if (multiplies(kind) && program.options.precision == Precision::tf32) return "tf32";
  if (multiplies(kind)) return name_of(number_of(product_type(program.options.precision)));
  return operation.out.empty() ? "fp32" : name_of(program.tensor(operation.out[0]).number);
}

const char* name_of(Layout layout) { return layout == Layout::channels_last ? "nhwc" : "nchw"; }

const char* name_of(Update update) {
  return update == Update::fused ? "fused" : update == Update::foreach ? "foreach" : "loop";
}

const char* name_of(Loading loading) {
  constexpr const char* kNames[] = {"pageable", "pinned", "ahead", "resident"};
  return kNames[static_cast<std::size_t>(loading)];
}

const char* name_of(Pool pool) { return pool == Pool::planned ? "planned" : pool == Pool::kept ? "kept" : "emptied"; }

record::StepSwitches switches_of(const Recipe& recipe, const Net& net) {
  return {.precision = to_string(recipe.options.precision),
          .layout = net.has_planes() ? name_of(recipe.options.layout) : "",
          .optimizer = name_of(recipe.update),
          .rule = recipe.rule == Rule::adamw ? "adamw" : "sgd",
          .launch = recipe.launch == Launch::graph ? "graph" : "eager",
          .copies = name_of(recipe.loading),
          .gradients = recipe.fills_gradients ? "filled" : "replaced",
          .memory = name_of(recipe.pool),
          .reads_loss_every = recipe.reads_loss_every};
}

std::vector<record::StepWaits> waits_of(const Recipe& recipe) {
  std::vector<record::StepWaits> waits;
  if (recipe.loading == Loading::pageable) waits.push_back({WaitCause::copy, 1});
  if (recipe.reads_loss_every > 0) waits.push_back({WaitCause::loss, 1.0 / recipe.reads_loss_every});
  if (recipe.pool == Pool::emptied) waits.push_back({WaitCause::memory, 1});
  if (host_looks_at_scale(recipe)) waits.push_back({WaitCause::other, 1});
  return waits;
}

record::StepAllocations allocations_of(const Recipe& recipe, const Program& program) {
  if (recipe.pool == Pool::planned) return {};
  std::set<int> tensors;
  for (const Operation& operation : program.operations) {
    for (const int id : operation.out) {
      if (program.tensor(id).home == Home::planned) tensors.insert(id);
    }
  }
  return {.calls = static_cast<std::int64_t>(tensors.size()),
          .bytes = plan_of(program, recipe).most_live_bytes,
          .given_back = recipe.pool == Pool::emptied};
}

// Adds up what was seen, and divides it by the steps.
class Assembly {
 public:
  Assembly(const Recipe& recipe, int steps)
      : recipe_(recipe),
        program_(program_of(recipe, recipe.options.batch)),
        steps_(steps),
        profile_(unseen_profile(recipe)) {}

  void add(const Seen& seen) {
    launches_ += seen.launches;
    if (seen.what == Seen::What::h2d || seen.what == Seen::What::d2h) return add_copy(seen);
    Sum& sum = of_part_[{seen.part, seen.part == Part::operation ? seen.operation : kind_index(seen)}];
    sum.time_s += seen.time_s;
    sum.launches += seen.launches;
    sum.bytes += seen.bytes;
    sum.what = seen.what;
  }

  StepProfile take() {
    profile_.launches = a_step(launches_);
    for (const auto& [place, sum] : of_part_) record::add(profile_, kernels_of(place.first, place.second, sum));
    for (record::StepCopies& copy : profile_.copies) {
      copy.calls = a_step(copy.calls);
      copy.bytes = a_step(copy.bytes);
      copy.time_s = *copy.time_s / steps_;
    }
    return std::move(profile_);
  }

 private:
  struct Sum {
    double time_s = 0;
    std::int64_t launches = 0, bytes = 0;
    Seen::What what = Seen::What::kernel;
  };

  static std::size_t kind_index(const Seen& seen) { return static_cast<std::size_t>(seen.what); }
  std::int64_t a_step(std::int64_t all) const { return (all + steps_ / 2) / steps_; }

  void add_copy(const Seen& seen) {
    const auto direction = seen.what == Seen::What::h2d ? record::CopyDirection::h2d : record::CopyDirection::d2h;
    const auto memory = seen.is_pageable ? record::HostMemory::pageable : record::HostMemory::pinned;
    const auto alike = [&](const record::StepCopies& c) { return c.direction == direction && c.memory == memory; };
    auto copy = std::ranges::find_if(profile_.copies, alike);
    if (copy == profile_.copies.end()) {
      profile_.copies.push_back({.direction = direction,
                                 .memory = memory,
                                 .blocking = seen.is_pageable || seen.part == Part::read_loss,
                                 .overlapped = seen.part == Part::load && recipe_.loading == Loading::ahead,
                                 .time_s = 0.0});
      copy = profile_.copies.end() - 1;
    }
    copy->calls += seen.launches;
    copy->bytes += seen.bytes;
    *copy->time_s += seen.time_s;
  }

  StepKernels kernels_of(Part part, std::size_t operation, const Sum& sum) const {
    StepKernels kernels;
    if (part == Part::operation) {
      kernels = work_of(program_, program_.operations[operation]);
    } else if (part == Part::update) {
      kernels.kind = KernelKind::optimizer;
      kernels.precision = "fp32";
    } else {
      kernels.kind = sum.what == Seen::What::fill ? KernelKind::fill : KernelKind::copy;
      kernels.bytes = a_step(sum.what == Seen::What::fill ? sum.bytes : 2 * sum.bytes);
    }
    kernels.calls = 1;
    kernels.launches = std::max<std::int64_t>(a_step(sum.launches), 1);
    kernels.time_s = sum.time_s / steps_;
    return kernels;
  }

  const Recipe& recipe_;
  Program program_;
  int steps_;
  StepProfile profile_;
  std::int64_t launches_ = 0;
  std::map<std::pair<Part, std::size_t>, Sum> of_part_;
};

}  // namespace

StepKernels work_of(const Program& program, const Operation& operation) {
  StepKernels kernels;
  kernels.kind = kind_of(program, operation);
  kernels.what = to_string(operation.op);
  kernels.precision = precision_of(program, operation, kernels.kind);
  if (program.net.has_planes() && kernels.kind != KernelKind::gemm && kernels.kind != KernelKind::loss) {
    kernels.layout = name_of(program.options.layout);
  }
  if (const std::int64_t bytes = bytes_of(program, operation); bytes > 0) kernels.bytes = bytes;
  if (const std::int64_t flops = flops_of(program, operation); flops > 0) kernels.flops = flops;
  return kernels;
}

StepProfile unseen_profile(const Recipe& recipe) {
  const Program program = program_of(recipe, recipe.options.batch);
  StepProfile profile;
  profile.source = "cupel";
  profile.net = recipe.net;
  profile.batch = recipe.options.batch;
  profile.parameters = parameter_count(program.net);
  profile.switches = switches_of(recipe, program.net);
  profile.waits = waits_of(recipe);
  profile.allocations = allocations_of(recipe, program);
  return profile;
}

StepProfile profile_of(const Recipe& recipe, std::span<const Seen> seen, int steps) {
  Assembly assembly(recipe, steps);
  for (const Seen& one : seen) assembly.add(one);
  return assembly.take();
}

bool never_waits(const Recipe& recipe) { return waits_of(recipe).empty(); }

}  // namespace cupel::bench::step
