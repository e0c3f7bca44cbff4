// The only file of this family that includes cudnn-frontend.
#include "bench/conv/graph.hpp"

#include <cudnn_frontend.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "cupel/vendor/cudnn_convolution.hpp"
#include "cupel/vendor/handles.hpp"

namespace cupel::bench::conv {
namespace {

namespace fe = cudnn_frontend;
using kernels::dot::Convolution;
using kernels::dot::Element;
using kernels::dot::Layouts;
using kernels::dot::Spatial;
using kernels::dot::Strides;

cudaDataType_t type_of(Element element) {
  switch (element) {
    case Element::fp16:
      return CUDA_R_16F;
    case Element::bf16:
      return CUDA_R_16BF;
    case Element::fp8_e4m3:
      return CUDA_R_8F_E4M3;
    default:
      return CUDA_R_32F;
  }
}

vendor::ConvolutionResult result_of(Pass pass) {
  switch (pass) {
    case Pass::forward:
      return vendor::ConvolutionResult::output;
    case Pass::backward_data:
      return vendor::ConvolutionResult::input;
    case Pass::backward_filter:
      break;
  }
  return vendor::ConvolutionResult::filter;
}

// Planes have two axes of space, volumes three.
bool is_volume(const Convolution& shape) { return shape.in[0] > 1 || shape.filter[0] > 1; }

std::vector<std::int64_t> axes(const Spatial& space, bool volume) {
  std::vector<std::int64_t> values = {space[0], space[1], space[2]};
  if (!volume) values.erase(values.begin());
  return values;
}

vendor::ConvolutionArray array(std::int64_t outer, std::int64_t channels, const Spatial& space, const Strides& strides,
                               bool volume, Element element) {
  std::vector<std::int64_t> sizes = {outer, channels}, steps = {strides.outer, strides.channel};
  for (const std::int64_t size : axes(space, volume)) sizes.push_back(size);
  for (const std::int64_t step : axes(strides.space, volume)) steps.push_back(step);
  return {sizes, steps, type_of(element)};
}

// The result is what is not an operand.
vendor::ConvolutionNode node_of(const Problem& problem) {
  const Convolution& shape = problem.shape;
  const Layouts layouts = layouts_of(problem.layout, shape);
  const bool volume = is_volume(shape);
  const auto element_unless = [&](Pass computed) {
    return problem.pass == computed ? result_element(problem.precision) : operand_element(problem.precision);
  };
  return {.result = result_of(problem.pass),
          .input = array(shape.batch, shape.in_channels, shape.in, layouts.input, volume,
                         element_unless(Pass::backward_data)),
          .filter = array(shape.out_channels, shape.in_channels / shape.groups, shape.filter, layouts.filter, volume,
                          element_unless(Pass::backward_filter)),
          .output = array(shape.batch, shape.out_channels, shape.out(), layouts.output, volume,
                          element_unless(Pass::forward)),
          .padding = axes(shape.padding, volume),
          .stride = axes(shape.stride, volume),
          .dilation = axes(shape.dilation, volume)};
}

Notes notes_of(const std::vector<fe::NumericalNote_t>& numeric, const std::vector<fe::BehaviorNote_t>& behaviour) {
  const auto says = [](const auto& notes, auto note) { return std::ranges::find(notes, note) != notes.end(); };
  using fe::NumericalNote_t;
  return {.deterministic = !says(numeric, NumericalNote_t::NONDETERMINISTIC),
          .tensor_cores = says(numeric, NumericalNote_t::TENSOR_CORE),
          .down_converts = says(numeric, NumericalNote_t::DOWN_CONVERT_INPUTS),
          .reduces_precision = says(numeric, NumericalNote_t::REDUCED_PRECISION_REDUCTION),
          .winograd = says(numeric, NumericalNote_t::WINOGRAD) || says(numeric, NumericalNote_t::WINOGRAD_TILE_4x4) ||
                      says(numeric, NumericalNote_t::WINOGRAD_TILE_6x6) ||
                      says(numeric, NumericalNote_t::WINOGRAD_TILE_13x13),
          .fft = says(numeric, NumericalNote_t::FFT),
          .compiled_at_run_time = says(behaviour, fe::BehaviorNote_t::RUNTIME_COMPILATION)};
}

fe::HeurMode_t mode_of(Heuristic heuristic) {
  switch (heuristic) {
    case Heuristic::mode_a:
      return fe::HeurMode_t::A;
    case Heuristic::mode_b:
      return fe::HeurMode_t::B;
    case Heuristic::fallback:
      break;
  }
  return fe::HeurMode_t::FALLBACK;
}

// The frontend keeps the notes of its plans to those that derive from it.
class NotedGraph : public fe::graph::Graph {
 public:
  std::int64_t count() const { return static_cast<std::int64_t>(plans.numeric_notes.size()); }
  Notes notes(std::int64_t index) const {
    const auto i = static_cast<std::size_t>(index);
    return notes_of(plans.numeric_notes.at(i), plans.behavior_notes.at(i));
  }
};

void require_supported(fe::error_t status) {
  if (status.is_bad()) throw NotSupported("cuDNN has nothing for this: " + status.get_message());
}

}  // namespace

struct Graph::Parts {
  Precision precision;
  NotedGraph graph;

  Candidate candidate(std::int64_t index) const {
    Candidate found;
    found.index = index;
    found.notes = graph.notes(index);
    std::unordered_map<fe::KnobType_t, std::int64_t> knobs;
    const bool named = graph.get_plan_name_at_index(index, found.name).is_good();
    const bool known = graph.get_engine_and_knobs_at_index(index, found.engine, knobs).is_good();
    if (!named || !known) found.name = "candidate " + std::to_string(index);
    return found;
  }

  // The legal candidates from `first` on.
  std::vector<Candidate> legal_from(std::int64_t first) const {
    std::vector<Candidate> candidates;
    for (std::int64_t i = first; i < graph.count(); ++i) {
      Candidate found = candidate(i);
      if (legal(precision, found.notes)) candidates.push_back(std::move(found));
    }
    return candidates;
  }
};

Graph::Graph(const Problem& problem) : parts_(std::make_unique<Parts>()) {
  const cudnnHandle_t cudnn = vendor::cudnn_on(nullptr);
  parts_->precision = problem.precision;
  NotedGraph& graph = parts_->graph;
  graph.set_intermediate_data_type(fe::DataType_t::FLOAT).set_compute_data_type(fe::DataType_t::FLOAT);
#if CUDNN_FRONTEND_VERSION >= 13200
  // No call is captured here. Otherwise each call of a plan that was compiled at run time asks the stream whether it
  // is, through a CUDA runtime of the frontend's own that need not be there.
  graph.set_cuda_graph_retention(fe::CudaGraphRetention_t::NONE);
#endif
  vendor::add_convolution(graph, node_of(problem));
  require_supported(graph.validate());
  require_supported(graph.build_operation_graph(cudnn));
}

Graph::~Graph() = default;
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;

std::vector<Candidate> Graph::ask(Heuristic heuristic) {
  const std::int64_t first = parts_->graph.count();
  if (parts_->graph.create_execution_plans({mode_of(heuristic)}).is_bad()) return {};
  return parts_->legal_from(first);
}

std::vector<Candidate> Graph::other_engines(const std::vector<Candidate>& known) {
  std::set<std::int64_t> seen;
  for (const Candidate& candidate : known) seen.insert(candidate.engine);
  std::int64_t engines = 0;
  if (parts_->graph.get_engine_count(engines).is_bad()) return {};
  const std::int64_t first = parts_->graph.count();
  for (std::int64_t engine = 0; engine < engines; ++engine) {
    if (seen.contains(engine)) continue;
    if (parts_->graph.create_execution_plan(engine, {}).is_bad()) continue;  // it does not take this graph
  }
  return parts_->legal_from(first);
}

bool Graph::build(const Candidate& candidate) { return parts_->graph.build_plan_at_index(candidate.index).is_good(); }

std::int64_t Graph::workspace_bytes(const Candidate& candidate) const {
  std::int64_t bytes = 0;
  require_supported(parts_->graph.get_workspace_size_plan_at_index(candidate.index, bytes));
  return bytes;
}

void Graph::execute(const Candidate& candidate, const Tensors& tensors, void* workspace, cudaStream_t stream) const {
  std::unordered_map<std::int64_t, void*> pointers = {{vendor::kConvolutionInput, tensors.input},
                                                      {vendor::kConvolutionFilter, tensors.filter},
                                                      {vendor::kConvolutionOutput, tensors.output}};
  auto status = parts_->graph.execute_plan_at_index(vendor::cudnn_on(stream), pointers, workspace, candidate.index);
  if (status.is_bad()) throw PlanFailed(candidate.name + ": " + status.get_message());
}

Candidate build_first(Graph& graph, Heuristic heuristic, Engines engines) {
  for (const Heuristic asked : {heuristic, Heuristic::fallback}) {
    for (const Candidate& candidate : graph.ask(asked)) {
      if (engines == Engines::deterministic && !candidate.notes.deterministic) continue;
      if (graph.build(candidate)) return candidate;
    }
  }
  throw NotSupported("cuDNN's heuristics propose no engine that can do this in this precision");
}

void make_handle() { vendor::cudnn_on(nullptr); }

}  // namespace cupel::bench::conv
