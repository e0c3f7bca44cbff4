#include "bench/step/plan.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>

namespace cupel::bench::step {
namespace {

std::int64_t aligned(std::int64_t bytes) { return (bytes + kAlignBytes - 1) / kAlignBytes * kAlignBytes; }

struct Block {
  std::int64_t begin, end;
  Lifetime lifetime;
};

// Where `size` bytes fit between blocks that live at once with them. placed: by their begin.
std::int64_t best_offset(const std::vector<Block>& placed, const Lifetime& lifetime, std::int64_t size) {
  std::int64_t best = -1, smallest = std::numeric_limits<std::int64_t>::max(), end = 0;
  for (const Block& block : placed) {
    if (!block.lifetime.meets(lifetime)) continue;
    const std::int64_t gap = block.begin - end;
    if (gap >= size && gap < smallest) {
      best = end;
      smallest = gap;
    }
    end = std::max(end, block.end);
  }
  return best >= 0 ? best : end;
}

void plan_tensors(const Program& program, const std::vector<Lifetime>& lifetimes, Plan& plan) {
  std::vector<int> order;
  for (const int id : program.of(Home::planned)) {
    if (lifetimes[static_cast<std::size_t>(id)].first >= 0) order.push_back(id);
  }
  const auto size = [&](int id) { return aligned(program.tensor(id).bytes()); };
  std::ranges::stable_sort(order, [&](int a, int b) { return size(a) > size(b); });
  std::vector<Block> placed;
  std::int64_t& bytes = plan.bytes[static_cast<std::size_t>(Home::planned)];
  for (const int id : order) {
    const Lifetime& lifetime = lifetimes[static_cast<std::size_t>(id)];
    const std::int64_t begin = best_offset(placed, lifetime, size(id));
    const Block block{begin, begin + size(id), lifetime};
    plan.offset[static_cast<std::size_t>(id)] = begin;
    bytes = std::max(bytes, block.end);
    placed.insert(std::ranges::upper_bound(placed, begin, {}, &Block::begin), block);
  }
}

std::int64_t most_live(const Program& program, const std::vector<Lifetime>& lifetimes) {
  std::vector<std::int64_t> change(program.operations.size() + 1, 0);
  for (const int id : program.of(Home::planned)) {
    const Lifetime& lifetime = lifetimes[static_cast<std::size_t>(id)];
    if (lifetime.first < 0) continue;
    change[static_cast<std::size_t>(lifetime.first)] += aligned(program.tensor(id).bytes());
    change[static_cast<std::size_t>(lifetime.last) + 1] -= aligned(program.tensor(id).bytes());
  }
  std::int64_t live = 0, most = 0;
  for (const std::int64_t c : change) most = std::max(most, live += c);
  return most;
}

}  // namespace

std::vector<Lifetime> lifetimes(const Program& program) {
  std::vector<Lifetime> all(program.tensors.size());
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    const auto use = [&](int id) {
      Lifetime& lifetime = all[static_cast<std::size_t>(id)];
      if (lifetime.first < 0) lifetime.first = static_cast<int>(i);
      lifetime.last = static_cast<int>(i);
    };
    for (const int id : program.operations[i].in) use(id);
    for (const int id : program.operations[i].out) use(id);
  }
  return all;
}

std::vector<Lifetime> kept_lifetimes(const Program& program) {
  std::vector<Lifetime> all = lifetimes(program);
  for (Lifetime& lifetime : all) {
    if (lifetime.first >= 0) lifetime.last = static_cast<int>(program.operations.size()) - 1;
  }
  return all;
}

std::int64_t Plan::total_bytes() const { return std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0}); }

Plan make_plan(const Program& program, const std::vector<Lifetime>& lifetimes) {
  Plan plan;
  plan.offset.assign(program.tensors.size(), -1);
  for (std::size_t id = 0; id < program.tensors.size(); ++id) {
    const Tensor& tensor = program.tensors[id];
    if (tensor.home == Home::planned) continue;
    std::int64_t& bytes = plan.bytes[static_cast<std::size_t>(tensor.home)];
    plan.offset[id] = bytes;
    bytes += aligned(tensor.bytes());
  }
  plan_tensors(program, lifetimes, plan);
  plan.most_live_bytes = most_live(program, lifetimes);
  return plan;
}

}  // namespace cupel::bench::step
