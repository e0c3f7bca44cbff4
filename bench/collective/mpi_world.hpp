// Ranks that mpirun or srun has started, on one node or many.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/collective/meeting.hpp"

namespace cupel::bench::collective {

/// Whether a launcher that MPI knows has started this process as one of several.
bool started_by_launcher();

/// All of them. One a process; MPI is initialised by the first and ended with it. Where a rank fails, abort() ends all.
class MpiWorld : public Meeting {
 public:
  /// Throws std::runtime_error where MPI cannot begin.
  static MpiWorld& get();

  int ranks() const override { return ranks_; }
  int rank() const override { return rank_; }
  /// This process's number among those of its node.
  int rank_on_node() const { return rank_on_node_; }
  int nodes() const { return nodes_; }

  void meet(double limit_s) override;
  void share(std::span<std::byte, kIdBytes> id, double limit_s) override;

  /// Gives all ranks what rank 0 has in `bytes`, however long that takes: they wait for work.
  void hand_out(std::span<std::byte> bytes);

  /// At rank 0: the samples of all ranks, one rank behind the other; elsewhere nothing. All have as many. Throws NotMet
  /// after limit_s.
  std::vector<double> gather(const std::vector<double>& samples, double limit_s);

  /// Says why on stderr, and ends all ranks.
  [[noreturn]] void abort(const std::string& why);

 private:
  MpiWorld();

  int ranks_ = 0, rank_ = 0, rank_on_node_ = 0, nodes_ = 0;
};

}  // namespace cupel::bench::collective
