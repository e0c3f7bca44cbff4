#include "cupel/vendor/cudnn_plan.hpp"

#include <cudnn_frontend.h>

#include <vector>

#include "cupel/vendor/handles.hpp"

namespace cupel::vendor {
namespace {

namespace fe = cudnn_frontend;

void require_supported(fe::error_t status) {
  if (status.is_bad()) throw NotSupported("cuDNN has nothing for this: " + status.get_message());
}

std::vector<fe::NumericalNote_t> notes_of(const Refused& refused) {
  std::vector<fe::NumericalNote_t> notes;
  if (refused.tensor_cores) notes.push_back(fe::NumericalNote_t::TENSOR_CORE);
  if (refused.rounded_operands) notes.push_back(fe::NumericalNote_t::DOWN_CONVERT_INPUTS);
  if (refused.rounded_sums) notes.push_back(fe::NumericalNote_t::REDUCED_PRECISION_REDUCTION);
  return notes;
}

}  // namespace

struct CudnnPlan::Parts {
  fe::graph::Graph graph;
  std::int64_t index = 0;  // of the plan
  std::string engine;

  // The first of a heuristic's proposals that can be built, in their order.
  bool build_first(fe::HeurMode_t heuristic, const std::vector<fe::NumericalNote_t>& refused) {
    const std::int64_t first = graph.get_execution_plan_count();
    if (graph.create_execution_plans({heuristic}).is_bad()) return false;
    graph.deselect_numeric_notes(refused);
    for (index = first; index < graph.get_execution_plan_count(); ++index) {
      if (graph.build_plan_at_index(index).is_good()) return true;
    }
    return false;
  }
};

CudnnPlan::CudnnPlan(const Describe& describe, const Refused& refused) : parts_(std::make_unique<Parts>()) {
  const cudnnHandle_t cudnn = cudnn_on(nullptr);
  fe::graph::Graph& graph = parts_->graph;
  graph.set_intermediate_data_type(fe::DataType_t::FLOAT).set_compute_data_type(fe::DataType_t::FLOAT);
#if CUDNN_FRONTEND_VERSION >= 13200
  // Who captures a call keeps the plan for as long as the graph. Otherwise each call of a plan that was compiled at run
  // time asks the stream whether it is captured, through a CUDA runtime of the frontend's own that need not be there.
  graph.set_cuda_graph_retention(fe::CudaGraphRetention_t::NONE);
#endif
  describe(graph);
  require_supported(graph.validate());
  require_supported(graph.build_operation_graph(cudnn));
  const std::vector<fe::NumericalNote_t> notes = notes_of(refused);
  if (!parts_->build_first(fe::HeurMode_t::A, notes) && !parts_->build_first(fe::HeurMode_t::FALLBACK, notes)) {
    throw NotSupported("cuDNN's heuristics propose no engine that can do this");
  }
  if (graph.get_plan_name_at_index(parts_->index, parts_->engine).is_bad()) {
    parts_->engine = "number " + std::to_string(parts_->index);
  }
}

CudnnPlan::~CudnnPlan() = default;
CudnnPlan::CudnnPlan(CudnnPlan&&) noexcept = default;
CudnnPlan& CudnnPlan::operator=(CudnnPlan&&) noexcept = default;

const std::string& CudnnPlan::engine() const { return parts_->engine; }

std::int64_t CudnnPlan::workspace_bytes() const {
  std::int64_t bytes = 0;
  require_supported(parts_->graph.get_workspace_size_plan_at_index(parts_->index, bytes));
  return bytes;
}

void CudnnPlan::execute(std::unordered_map<std::int64_t, void*> tensors, void* workspace, cudaStream_t stream) const {
  auto status = parts_->graph.execute_plan_at_index(cudnn_on(stream), tensors, workspace, parts_->index);
  if (status.is_bad()) throw std::runtime_error(parts_->engine + ": " + status.get_message());
}

}  // namespace cupel::vendor
