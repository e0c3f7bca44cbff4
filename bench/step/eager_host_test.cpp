#include "bench/step/eager_host.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>

#include "bench/step/pieces.hpp"

namespace cupel::bench::step {
namespace {

double seconds_of_begins(EagerHost& host, const Program& program) {
  const auto start = std::chrono::steady_clock::now();
  host.begins(Part::load, 0);
  for (std::size_t i = 0; i < program.operations.size(); ++i) host.begins(Part::operation, i);
  host.begins(Part::update, 0);
  host.begins(Part::load, 0);  // of the next step: waits for the update
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(EagerHost, TakesAStepAsLongAsItsOperationsTake) {
  Recipe recipe = tuned("resnet18_32", 2);
  recipe.launch = Launch::eager;
  const Program program = program_of(recipe, 2);
  EagerHost host(recipe, program, OperationCosts{});

  EXPECT_GT(host.step_s(), 150 * host.operation_s()) << "a step has some hundreds";
  EXPECT_GT(host.operation_s(), OperationCosts{}.add_s);
  EXPECT_LT(host.operation_s(), OperationCosts{}.linear_s);
  EXPECT_GE(seconds_of_begins(host, program), host.step_s());
}

TEST(EagerHost, SpendsMoreOnAnOptimizerByTensorThanOnAFusedOne) {
  Recipe recipe = tuned("resnet18_32", 2);
  const Program program = program_of(recipe, 2);
  const auto step_s = [&](Update update) {
    recipe.update = update;
    return EagerHost(recipe, program, OperationCosts{}).step_s();
  };

  EXPECT_NEAR(step_s(Update::loop) - step_s(Update::fused), (4 * 62 - 1) * OperationCosts{}.add_s, 1e-9);
  EXPECT_NEAR(step_s(Update::foreach) - step_s(Update::fused), 3 * OperationCosts{}.add_s, 1e-9);
}

class Costs : public testing::Test {
 protected:
  Costs() : folder_(std::filesystem::temp_directory_path() / ("cupel-eager-host-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Costs() override { std::filesystem::remove_all(folder_); }

  void put(const char* kind, const char* text) { std::ofstream(folder_ / kind) << text << '\n'; }
  OperationCosts read() { return operation_costs(folder_); }

 private:
  std::filesystem::path folder_;
};

TEST_F(Costs, AreThoseThatWereMeasuredHere) {
  for (const char* kind : {"add", "linear", "conv"}) put(kind, "1.25e-05 PyTorch 9.9, measured here");
  put("norm", "3e-05 PyTorch 9.9, measured here");

  EXPECT_DOUBLE_EQ(read().add_s, 1.25e-5);
  EXPECT_DOUBLE_EQ(read().norm_s, 3e-5);
  EXPECT_EQ(read().origin, "PyTorch 9.9, measured here");
}

TEST_F(Costs, AreAssumedWhereOneIsLackingOrNoNumber) {
  const OperationCosts assumed;
  EXPECT_EQ(read().origin, assumed.origin);
  for (const char* kind : {"add", "linear", "conv"}) put(kind, "1e-05 here");
  for (const char* text : {"fast", "-1 here", "3 here"}) {
    put("norm", text);
    EXPECT_EQ(read().origin, assumed.origin) << text;
    EXPECT_DOUBLE_EQ(read().add_s, assumed.add_s) << text;
  }
}

}  // namespace
}  // namespace cupel::bench::step
