// Attention as separate products with a softmax between them, against cuDNN's one operation, which never writes the
// scores: forward as in training, with what the backward pass needs, and backward.
#include <benchmark/benchmark.h>

#include <string>
#include <utility>
#include <vector>

#include "bench/fusion/all_gradients.hpp"
#include "bench/fusion/arrays.hpp"
#include "bench/fusion/attention_check.hpp"
#include "bench/fusion/attention_graph.hpp"
#include "bench/fusion/attention_unfused.hpp"
#include "bench/fusion/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/device/peaks.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/limits.hpp"
#include "cupel/timing/sample_device.hpp"
#include "cupel/vendor/cublas.hpp"
#include "cupel/verify/generator.hpp"
#include "kernels/dot/number_buffer.hpp"

namespace cupel::bench::fusion {
namespace {

using benchmark::State;
using harness::add;
using harness::Definition;
using harness::Profile;
using harness::Sweep;
using kernels::DType;
using record::Role;
using Way = AttentionWay;
using Pass = AttentionPass;

// A benchmark's name, and its shape at each sequence.
struct Variant {
  Pass pass;
  bool causal;
  DType type;
  std::int64_t size;

  AttentionShape at(std::int64_t sequence) const { return attention_shape(type, causal, size, sequence); }
};

// Inputs, of mean 0 and deviation 1, so that scaled scores are too; results that are no numbers yet. The memory is the
// process's, and never given back: the driver may be gone before statics are.
AttentionTensors tensors_of(const AttentionShape& shape) {
  struct Buffers {
    kernels::dot::NumberBuffer q, k, v, out, stats, d_out, d_q, d_k, d_v;
  };
  static auto& all = *new Buffers;
  const auto element = shape.type == DType::bf16 ? kernels::dot::Element::bf16 : kernels::dot::Element::fp16;
  const std::uint64_t seed = 4 * harness::options().seed;
  return {.q = all.q.normal(element, shape.elements(), seed, 1),
          .k = all.k.normal(element, shape.elements(), seed + 1, 1),
          .v = all.v.normal(element, shape.elements(), seed + 2, 1),
          .out = all.out.poison(shape.bytes()),
          .stats = all.stats.poison(shape.stats_bytes()),
          .d_out = all.d_out.normal(element, shape.elements(), seed + 3, 1),
          .d_q = all.d_q.poison(shape.bytes()),
          .d_k = all.d_k.poison(shape.bytes()),
          .d_v = all.d_v.poison(shape.bytes())};
}

// Made once a process: a plan is compiled.
const vendor::CudnnPlan& plan_of(const AttentionShape& shape, Pass pass) {
  return harness::memoized<attention_plan>(shape, pass);
}

cuda::DeviceBuffer<char> memory(std::int64_t bytes) {
  return cuda::DeviceBuffer<char>(static_cast<std::size_t>(bytes));
}

// A pass: what it enqueues, and the memory that it needs beside its inputs and results, which has what the forward pass
// keeps for the backward one.
class Attention {
 public:
  virtual ~Attention() = default;
  virtual void run(cudaStream_t stream) = 0;
  virtual std::int64_t memory_bytes() const = 0;
  virtual int launches() const = 0;
  virtual std::string note() const { return ""; }
};

class Unfused : public Attention {
 public:
  Unfused(const AttentionShape& shape, const AttentionTensors& tensors, Pass pass)
      : shape_(shape), tensors_(tensors), pass_(pass), shares_(memory(shape.scores_bytes())) {
    if (pass == Pass::forward) return;
    slopes_ = memory(shape.scores_bytes());
    const cuda::Stream setup;
    attention_unfused(shape_, tensors_, shares_.data(), setup);
    setup.synchronize();
  }
  void run(cudaStream_t stream) override {
    if (pass_ == Pass::forward) return attention_unfused(shape_, tensors_, shares_.data(), stream);
    attention_backward_unfused(shape_, tensors_, shares_.data(), slopes_.data(), stream);
  }
  std::int64_t memory_bytes() const override {
    return static_cast<std::int64_t>(shares_.size_bytes() + slopes_.size_bytes() +
                                     vendor::CublasHandle::kWorkspaceBytes);
  }
  // cuBLAS may follow a product with a kernel that joins its parts.
  int launches() const override { return pass_ == Pass::forward ? 5 : 9; }

 private:
  AttentionShape shape_;
  AttentionTensors tensors_;
  Pass pass_;
  cuda::DeviceBuffer<char> shares_, slopes_;
};

class Fused : public Attention {
 public:
  Fused(const AttentionShape& shape, const AttentionTensors& tensors, Pass pass)
      : shape_(shape), tensors_(tensors), pass_(pass), plan_(plan_of(shape, pass)) {
    workspace_ = memory(plan_.workspace_bytes());
    if (pass == Pass::forward) return;
    const vendor::CudnnPlan& forward = plan_of(shape, Pass::forward);
    cuda::DeviceBuffer<char> workspace = memory(forward.workspace_bytes());
    const cuda::Stream setup;
    forward.execute(plan_tensors(tensors_, Pass::forward), address(workspace), setup);
    setup.synchronize();
  }
  void run(cudaStream_t stream) override { plan_.execute(plan_tensors(tensors_, pass_), address(workspace_), stream); }
  std::int64_t memory_bytes() const override {
    return shape_.stats_bytes() + static_cast<std::int64_t>(workspace_.size_bytes());
  }
  int launches() const override { return pass_ == Pass::forward ? 2 : 5; }
  std::string note() const override { return "engine " + plan_.engine(); }

 private:
  static void* address(cuda::DeviceBuffer<char>& workspace) {
    return workspace.size() == 0 ? nullptr : workspace.data();
  }

  AttentionShape shape_;
  AttentionTensors tensors_;
  Pass pass_;
  const vendor::CudnnPlan& plan_;
  cuda::DeviceBuffer<char> workspace_;
};

// Both ends, where a mask shows, and rows between them.
std::vector<std::int64_t> looked_at(std::int64_t sequence, const verify::Generator& random) {
  const auto any = [&](std::uint64_t i) {
    return static_cast<std::int64_t>(random.bits(i) % static_cast<std::uint64_t>(sequence));
  };
  return {0, 1, any(1), any(2), sequence - 1};
}

void require_right(const AttentionShape& shape, const AttentionTensors& tensors, Pass pass, Way way) {
  const verify::Generator random(harness::look_seed());
  const auto matrix = random.bits(0) % static_cast<std::uint64_t>(shape.matrices());
  AttentionCheck check(shape, tensors, way, static_cast<std::int64_t>(matrix));
  for (const std::int64_t row : looked_at(shape.sequence, random)) {
    if (pass == Pass::forward) {
      check.out(row);
    } else {
      check.d_query(row);
      check.d_key(row);
      check.d_value(row);
    }
  }
  harness::require(check.passed(), "attention: " + check.message());
  const std::string wrong =
      pass == Pass::forward ? wrong_query(shape, tensors, way) : wrong_gradient(shape, tensors, way);
  harness::require(wrong.empty(), "attention: " + wrong);
  harness::set_counter("relative_error", {check.relative_error(), "1", record::Better::lower});
}

// Above this, a millisecond or so, the cache state is no news.
constexpr std::int64_t kLongWork = std::int64_t{1} << 38;

template <class By>
void measure(State& state, const Variant& variant, Way way) {
  const AttentionShape shape = variant.at(state.range(0));
  timing::require_arithmetic(kernels::to_string(shape.type), arithmetic_of(shape.type));
  const AttentionTensors tensors = tensors_of(shape);
  const record::Workload work = attention_work(shape, variant.pass);
  By attention(shape, tensors, variant.pass);
  timing::set_roof_limit(arithmetic_of(shape.type), work);
  timing::count_intensity(work);

  timing::sample_device(state, work, [&](cudaStream_t stream) { attention.run(stream); },
                        {.hot = work.flops < kLongWork, .launches = attention.launches()});

  require_right(shape, tensors, variant.pass, way);
  harness::set_counter("working_memory", {static_cast<double>(attention.memory_bytes()), "bytes", record::Better::lower,
                                          /*exact=*/true});
  harness::set_note(attention.note());
}

// The fused way's backward pass has the larger workspace: a gradient in fp32.
harness::Memory wanted(const AttentionShape& shape, Pass pass, Way way) {
  const bool is_forward = pass == Pass::forward;
  const std::int64_t of_way =
      way == Way::unfused ? (is_forward ? 1 : 2) * shape.scores_bytes() : 2 * shape.bytes() + 2 * shape.stats_bytes();
  return {.device_bytes = 8 * shape.bytes() + of_way + (is_forward ? 0 : gradient_check_bytes(shape))};
}

std::string described(const Variant& variant) {
  return std::string("pass:") + (variant.pass == Pass::forward ? "forward" : "backward") +
         "/mask:" + (variant.causal ? "causal" : "none") + "/type:" + to_string(variant.type) +
         "/head:" + std::to_string(variant.size);
}

// Names are put together here: "fusion/attention/pass:.../mask:.../type:.../head:.../impl:{unfused,fused}".
void register_variant(const Variant& variant, Profile smallest, const Sweep& sequences) {
  const std::string what = described(variant);
  const auto define = [&](const std::string& impl, Way way, harness::Body body) -> Definition& {
    return add("fusion/attention/" + what + "/impl:" + impl, std::move(body))
        .from(smallest)
        .sweep("sequence", sequences)
        .memory([variant, way](const auto& args) { return wanted(variant.at(args[0]), variant.pass, way); });
  };
  define("unfused", Way::unfused, [variant](State& state) {
    measure<Unfused>(state, variant, Way::unfused);
  }).advice("fuse-attention", Role::before, what);
  define("fused", Way::fused, [variant](State& state) {
    measure<Fused>(state, variant, Way::fused);
  }).advice("fuse-attention", Role::after, what);
}

}  // namespace

void register_attention() {
  const Sweep all = {.quick = {2048}, .standard = {512, 16384}, .full = {1024, 4096, 8192}};
  const Sweep some = {.quick = {2048}, .full = {512, 16384}};
  for (const Pass pass : {Pass::forward, Pass::backward}) {
    for (const bool causal : {true, false}) {
      for (const DType type : {DType::fp16, DType::bf16}) {
        for (const std::int64_t size : {128, 64}) {
          const bool usual = type == DType::fp16 && size == 128, forward = pass == Pass::forward;
          const Profile smallest = !usual || (!forward && !causal) ? Profile::full
                                   : forward && causal             ? Profile::quick
                                                                   : Profile::standard;
          register_variant({pass, causal, type, size}, smallest, usual && forward && causal ? all : some);
        }
      }
    }
  }
}

}  // namespace cupel::bench::fusion
