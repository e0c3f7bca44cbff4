#include "bench/step/pieces.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace cupel::bench::step {
namespace {

const Piece& piece(const std::string& name) {
  const auto found = std::ranges::find_if(pieces(), [&](const Piece& one) { return one.name == name; });
  if (found == pieces().end()) throw std::invalid_argument("there is no piece \"" + name + "\"");
  return *found;
}

}  // namespace

const std::vector<Piece>& pieces() {
  static const std::vector<Piece> all = {
      {"pinned_copies", [](Recipe& r) { r.loading = Loading::pinned; }},
      {"no_wait", [](Recipe& r) { r.reads_loss_every = 0; }},
      {"kept_memory", [](Recipe& r) { r.pool = Pool::planned; }},
      {"tf32", [](Recipe& r) { r.options.precision = Precision::tf32; }},
      {"amp_fp16", [](Recipe& r) { r.options.precision = Precision::amp_fp16; }},
      {"channels_last", [](Recipe& r) { r.options.layout = Layout::channels_last; }},
      {"no_fill",
       [](Recipe& r) {
         r.fills_gradients = false;
         r.options.adds_gradients = false;
       }},
      {"fused_optimizer", [](Recipe& r) { r.update = Update::fused; }},
      {"graph", [](Recipe& r) { r.launch = Launch::graph; }, "kept_memory"},
      {"copies_ahead", [](Recipe& r) { r.loading = Loading::ahead; }, "pinned_copies"},
  };
  return all;
}

Recipe naive(const std::string& net, std::int64_t batch) {
  Recipe recipe{.net = net,
                .update = Update::loop,
                .loading = Loading::pageable,
                .reads_loss_every = 1,
                .fills_gradients = true,
                .pool = Pool::emptied};
  recipe.options.batch = batch;
  recipe.options.adds_gradients = true;
  return recipe;
}

Recipe by_default(const std::string& net, std::int64_t batch) {
  Recipe recipe{.net = net, .loading = Loading::pageable, .reads_loss_every = 1};
  recipe.options.precision = Precision::tf32;
  recipe.options.batch = batch;
  return recipe;
}

Recipe with_pieces_up_to(const std::string& net, std::int64_t batch, const std::string& last) {
  const Piece& end = piece(last);
  Recipe recipe = naive(net, batch);
  for (const Piece& one : pieces()) {
    one.apply(recipe);
    if (&one == &end) break;
  }
  return recipe;
}

Recipe without_piece(const std::string& net, std::int64_t batch, const std::string& dropped) {
  const Piece& left_out = piece(dropped);
  Recipe recipe = naive(net, batch);
  for (const Piece& one : pieces()) {
    if (&one != &left_out && one.needs != dropped) one.apply(recipe);
  }
  return recipe;
}

namespace {

std::string name_of(bool adds, const std::string& change, const std::string& net) {
  return std::string("step/waterfall/") + (adds ? "add:" : "drop:") + change + "/net:" + net;
}

}  // namespace

std::vector<Rung> rungs(const std::string& net, Layout layout, Host host) {
  const bool first = layout == Layout::channels_first;
  std::vector<Rung> all;
  const auto add = [&](bool adds, const std::string& change, Recipe recipe) {
    if (first) recipe.options.layout = layout;
    recipe.host = host;
    const char* const eager = host == Host::eager ? "/host:eager" : "";
    all.push_back(
        {change, adds, name_of(adds, change, net) + (first ? "/layout:nchw" : "") + eager, std::move(recipe)});
  };
  const auto is_one = [first](const Piece& piece) { return !first || piece.name != std::string("channels_last"); };
  add(true, kNothing, naive(net, 1));
  for (const Piece& one : pieces()) {
    if (is_one(one)) add(true, one.name, with_pieces_up_to(net, 1, one.name));
  }
  for (const Piece& one : pieces()) {
    if (is_one(one)) add(false, one.name, without_piece(net, 1, one.name));
  }
  return all;
}

std::vector<Rung> rungs_in_bf16(const std::string& net) {
  std::vector<Rung> all;
  for (const Piece& one : pieces()) {
    Recipe recipe = with_pieces_up_to(net, 1, one.name);
    if (recipe.options.precision != Precision::amp_fp16) continue;
    recipe.options.precision = Precision::amp_bf16;
    const std::string change = all.empty() ? "amp_bf16" : one.name;
    all.push_back({change, true, name_of(true, change, net) + "/amp:bf16", std::move(recipe)});
  }
  return all;
}

Recipe tuned(const std::string& net, std::int64_t batch) { return with_pieces_up_to(net, batch, pieces().back().name); }

}  // namespace cupel::bench::step
