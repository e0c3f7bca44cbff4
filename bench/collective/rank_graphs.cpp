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

  // By rank. All captures end before any graph is instantiated: none may be while one is open.
  std::vector<cuda::Graph> end() {
    std::vector<cuda::Graph> graphs;
    while (ended_ < open_) graphs.push_back(cuda::end_capture(Ranks::get()[ended_++].stream));
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

}  // namespace

RankGraphs::RankGraphs(const std::function<void()>& work) {
  Captures captures;
  work();
  const std::vector<cuda::Graph> captured = captures.end();
  Ranks& ranks = Ranks::get();
  ranks.each([&](int rank) { graphs_.push_back(cuda::instantiate(captured[static_cast<std::size_t>(rank)])); });
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
