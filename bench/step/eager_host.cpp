#include "bench/step/eager_host.hpp"

#include <fstream>
#include <utility>

namespace cupel::bench::step {
namespace {

// SGD with momentum and decay launches the decay, two for the moment, one for the parameter.
constexpr double kLaunchesOfSgd = 4;
// Images and labels.
constexpr double kCopies = 2;

double cost_of(Op op, const OperationCosts& costs) {
  switch (op) {
    case Op::convolution:
    case Op::convolution_data:
    case Op::convolution_filter:
      return costs.conv_s;
    case Op::linear:
    case Op::linear_data:
    case Op::linear_weight:
    case Op::attention:
    case Op::attention_backward:
      return costs.linear_s;
    case Op::batch_norm:
    case Op::batch_norm_backward:
    case Op::batch_norm_evaluation:
    case Op::layer_norm:
    case Op::layer_norm_backward:
      return costs.norm_s;
    case Op::update_running:         // PyTorch's norms do it as they go
    case Op::layer_norm_parameters:  // and their gradients come with that of x
      return 0;
    default:
      return costs.add_s;
  }
}

double launches_of_update(const Recipe& recipe, const Program& program) {
  if (!recipe.options.trains) return 0;
  if (recipe.update == Update::fused) return 1;
  const auto tensors = static_cast<double>(program.of(Home::parameter).size());
  return recipe.update == Update::loop ? kLaunchesOfSgd * tensors : kLaunchesOfSgd;
}

}  // namespace

OperationCosts operation_costs(const std::filesystem::path& folder) {
  OperationCosts found;
  for (const auto& [kind, cost_s] : {std::pair("add", &found.add_s), std::pair("linear", &found.linear_s),
                                     std::pair("conv", &found.conv_s), std::pair("norm", &found.norm_s)}) {
    std::ifstream file(folder / kind);
    if (!(file >> *cost_s) || *cost_s <= 0 || *cost_s > 1e-2) return {};
    std::getline(file >> std::ws, found.origin);
  }
  return found;
}

EagerHost::EagerHost(const Recipe& recipe, const Program& program, const OperationCosts& costs)
    : call_s_(costs.add_s), update_s_(launches_of_update(recipe, program) * costs.add_s) {
  for (const Operation& operation : program.operations) operation_s_.push_back(cost_of(operation.op, costs));
  for (const double cost_s : operation_s_) {
    step_s_ += cost_s;
    operations_ += cost_s > 0 ? 1 : 0;
  }
  step_s_ += kCopies * call_s_ + update_s_;
  operations_ += kCopies + launches_of_update(recipe, program);
}

double EagerHost::cost_s(Part part, std::size_t operation) const {
  switch (part) {
    case Part::operation:
      return operation_s_.at(operation);
    case Part::update:
      return update_s_;
    case Part::load:
      return kCopies * call_s_;
    case Part::fill:
    case Part::read_loss:
      break;
  }
  return call_s_;
}

void EagerHost::begins(Part part, std::size_t operation) {
  using std::chrono::steady_clock;
  steady_clock::time_point now = steady_clock::now();
  while (now < free_at_) now = steady_clock::now();
  free_at_ =
      now + std::chrono::duration_cast<steady_clock::duration>(std::chrono::duration<double>(cost_s(part, operation)));
}

}  // namespace cupel::bench::step
