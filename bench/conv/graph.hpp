// cuDNN's graph API for one convolution: the engines it has for it, and their plans. cudnn-frontend, whose headers take
// a minute to compile, is in the .cpp alone.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/conv/notes.hpp"
#include "bench/conv/problem.hpp"
#include "cupel/vendor/cudnn_plan.hpp"

namespace cupel::bench::conv {

using vendor::NotSupported;

/// A plan that was made does not run: one line with what cuDNN said.
class PlanFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Heuristic {
  mode_a,    ///< fast: a decision tree
  mode_b,    ///< better and slower: a model of more features
  fallback,  ///< engines that work for nearly everything
};

/// An engine with its settings, as a heuristic gave it.
struct Candidate {
  std::int64_t index = 0;  ///< in its graph
  std::string name;        ///< engine and knobs, as cuDNN writes them
  std::int64_t engine = 0;
  Notes notes;
};

/// Device memory of a plan: input, filter and output of the forward pass, or their gradients.
struct Tensors {
  void* input = nullptr;
  void* filter = nullptr;
  void* output = nullptr;
};

class Graph {
 public:
  /// Describes the problem to cuDNN. Throws NotSupported, Unavailable, CudnnError.
  explicit Graph(const Problem& problem);
  ~Graph();
  Graph(Graph&&) noexcept;
  Graph& operator=(Graph&&) noexcept;

  /// The proposals of a heuristic, best first by its own judgement: legal candidates only. Empty if it has none.
  std::vector<Candidate> ask(Heuristic heuristic);

  /// Engines that are not among `known`, with their default settings. Most cannot do the problem, which build() finds.
  std::vector<Candidate> other_engines(const std::vector<Candidate>& known);

  /// Makes the plan of a candidate; false if it cannot be made.
  bool build(const Candidate& candidate);

  /// Bytes that a built plan wants.
  std::int64_t workspace_bytes(const Candidate& candidate) const;

  /// Enqueues a built plan. workspace: device memory of workspace_bytes(), or null if that is 0. Throws
  /// PlanFailed.
  void execute(const Candidate& candidate, const Tensors& tensors, void* workspace, cudaStream_t stream) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

enum class Engines { all, deterministic };

/// The first candidate of a heuristic that can be built, among these engines, else of the fallback: where mode A names
/// only engines with tensor cores, fp32 has none of its own. Frameworks do the same. Throws NotSupported.
Candidate build_first(Graph& graph, Heuristic heuristic, Engines engines = Engines::all);

/// Makes the process's cuDNN handle, if it is not there. Throws Unavailable, CudnnError.
void make_handle();

}  // namespace cupel::bench::conv
