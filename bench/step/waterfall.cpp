// The naive step with one piece of advice after another, in a fixed order, and the tuned step without each: what a
// piece gives depends on what is there already, so that order alone must not decide the credit.
#include <string>

#include "bench/step/measure.hpp"
#include "bench/step/pieces.hpp"
#include "bench/step/topics.hpp"

namespace cupel::bench::step {
namespace {

using harness::Profile;
using record::Role;

template <class Make>
harness::Definition& add(const std::string& name, const harness::Sweep& batches, const Make& make) {
  return harness::add(name, guarded([make](benchmark::State& state) { sample_recipe(state, make(state.range(0))); }))
      .sweep("batch", batches)
      .memory([make](const std::vector<std::int64_t>& sizes) { return memory_of(make(sizes[0])); });
}

void register_net(const std::string& net, const harness::Sweep& batches, Profile from) {
  const std::string where = "net:" + net, behind = "/net:" + net;
  add("step/waterfall/add:nothing" + behind, batches, [net](std::int64_t batch) { return naive(net, batch); })
      .from(from)
      .advice("all-together", Role::before, where);
  for (const Piece& piece : pieces()) {
    const std::string name = piece.name;
    const bool last = &piece == &pieces().back();
    harness::Definition& rung = add("step/waterfall/add:" + name + behind, batches,
                                    [net, name](std::int64_t batch) { return with_pieces_up_to(net, batch, name); });
    rung.from(from);
    if (last) {
      rung.advice("all-together", Role::after, where);
    } else {
      rung.advice("all-together", Role::variant, where, name);
    }
  }
  for (const Piece& piece : pieces()) {
    const std::string name = piece.name;
    add("step/waterfall/drop:" + name + behind, batches, [net, name](std::int64_t batch) {
      return without_piece(net, batch, name);
    }).from(Profile::standard);
  }
}

}  // namespace

void register_waterfall() {
  register_net("resnet18_224", {.quick = {256}, .full = {32}}, Profile::standard);
  register_net("resnet18_32", {.quick = {128}, .full = {512}}, Profile::quick);
}

}  // namespace cupel::bench::step
