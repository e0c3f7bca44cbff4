#include "bench/collective/clique.hpp"

#include <map>

#include "bench/collective/patience.hpp"

namespace cupel::bench::collective {
namespace {

bool g_aborted = false;

std::map<int, Clique>& cliques() {
  static auto& made = *new std::map<int, Clique>;
  return made;
}

}  // namespace

Clique::Clique(const vendor::NcclChoice& choice) : comms_(vendor::communicators(Ranks::get().devices(), choice)) {}

std::optional<std::string> Clique::async_error() const {
  for (const vendor::Communicator& comm : comms_) {
    if (auto error = comm.async_error()) return error;
  }
  return std::nullopt;
}

void Clique::abort() noexcept {
  for (vendor::Communicator& comm : comms_) comm.abort();
}

const Clique& clique(int ctas) {
  if (g_aborted) throw CollectiveFailed("NCCL was aborted earlier in this process");
  const auto found = cliques().find(ctas);
  if (found != cliques().end()) return found->second;
  return cliques().try_emplace(ctas, vendor::NcclChoice{ctas}).first->second;
}

std::optional<std::string> error_of_cliques() {
  if (g_aborted) return std::nullopt;
  for (const auto& [ctas, made] : cliques()) {
    if (auto error = made.async_error()) return error;
  }
  return std::nullopt;
}

void abort_cliques() noexcept {
  g_aborted = true;
  for (auto& [ctas, made] : cliques()) made.abort();
}

}  // namespace cupel::bench::collective
