#include "bench/collective/rank_graphs.hpp"

namespace cupel::bench::collective {
namespace {

// Captures on all ranks; what throws meanwhile leaves no stream in capture.
class Captures {
 public:
  Captures() {
    Ranks::get().each([&](int rank) {
      cuda::check(cudaStreamBeginCapture(Ranks::get()[rank].stream, cudaStreamCaptureModeThreadLocal));
      ++open_;
    });
  }
  ~Captures() {
    for (int rank = ended_; rank < open_; ++rank) drop(rank);
  }
  Captures(const Captures&) = delete;
  Captures& operator=(const Captures&) = delete;

  // By rank, each to be destroyed. All captures end before any graph is instantiated: none may be while one is open.
  std::vector<cudaGraph_t> end() {
    std::vector<cudaGraph_t> graphs(static_cast<std::size_t>(open_), nullptr);
    while (ended_ < open_) {
      const int rank = ended_++;
      cuda::check(cudaStreamEndCapture(Ranks::get()[rank].stream, &graphs[static_cast<std::size_t>(rank)]));
    }
    return graphs;
  }

 private:
  static void drop(int rank) noexcept {
    cudaGraph_t graph = nullptr;
    cudaStreamEndCapture(Ranks::get()[rank].stream, &graph);
    if (graph != nullptr) cudaGraphDestroy(graph);
    cudaGetLastError();
  }
  int open_ = 0, ended_ = 0;
};

cudaGraphExec_t instantiated(cudaGraph_t graph) {
  cudaGraphExec_t exec = nullptr;
  const cudaError_t made = cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphDestroy(graph);
  cuda::check(made);
  return exec;
}

}  // namespace

RankGraphs::RankGraphs(const std::function<void()>& work) {
  Captures captures;
  work();
  const std::vector<cudaGraph_t> captured = captures.end();
  Ranks& ranks = Ranks::get();
  ranks.each([&](int rank) { graphs_.emplace_back(instantiated(captured[static_cast<std::size_t>(rank)])); });
  // All of them before the first is launched: one rank's may wait for its peers' while it runs.
  ranks.each([&](int rank) {
    cuda::check(cudaGraphUpload(graphs_[static_cast<std::size_t>(rank)].get(), ranks[rank].stream));
  });
  ranks.wait();
}

void RankGraphs::launch() const {
  Ranks::get().each([&](int rank) {
    cuda::check(cudaGraphLaunch(graphs_[static_cast<std::size_t>(rank)].get(), Ranks::get()[rank].stream));
  });
}

}  // namespace cupel::bench::collective
