#include "cupel/advice/own_step.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "cupel/record/record.hpp"

namespace cupel::advice {
namespace {

// 64 samples a call.
record::Row row(const std::string& name, std::vector<std::pair<std::string, std::string>> params, double time_s) {
  record::Row row;
  row.name = name;
  row.family = "pytorch";
  row.params = std::move(params);
  row.workload.items = 64;
  row.series.resize(1);
  row.series[0].samples_s = {time_s, time_s, time_s};
  return row;
}

record::Row rung(const std::string& net, const std::string& change, double time_s) {
  return row("pytorch/step/net:" + net + "/batch:64/add:" + change, {{"net", net}, {"batch", "64"}, {"add", change}},
             time_s);
}

record::Row loader(const std::string& workers, double time_s) {
  return row("pytorch/loader/workers:" + workers, {{"workers", workers}}, time_s);
}

std::vector<figures::Figure> figures_of(std::vector<record::Row> rows) {
  return figures::figures_of(record::ResultSet{{}, std::move(rows)});
}

TEST(LoaderAndStep, HoldsTheBestLoaderAgainstTheFastestStepOfItsNet) {
  const auto figures = figures_of({rung("resnet18_224", "nothing", 32e-3), rung("resnet18_224", "graph", 8e-3),
                                   rung("resnet18_32", "nothing", 2e-3), rung("resnet18_32", "graph", 1e-3),
                                   loader("0", 640e-3), loader("16", 32e-3)});

  const auto found = loader_and_step(figures);

  ASSERT_TRUE(found);
  EXPECT_NEAR(found->loader_per_s, 2000, 1);
  EXPECT_EQ(found->workers, "16");
  EXPECT_NEAR(found->step_per_s, 8000, 1);
  EXPECT_EQ(found->step, "net:resnet18_224 batch:64");
  EXPECT_TRUE(found->loader_binds());
}

TEST(LoaderAndStep, DoesNotBindWhereTheLoaderGivesMore) {
  const auto found = loader_and_step(
      figures_of({rung("resnet18_224", "nothing", 64e-3), rung("resnet18_224", "graph", 40e-3), loader("16", 32e-3)}));

  ASSERT_TRUE(found);
  EXPECT_FALSE(found->loader_binds());
}

TEST(LoaderAndStep, IsNothingWhereOneOfThemIsLacking) {
  EXPECT_FALSE(loader_and_step(figures_of({loader("16", 32e-3)})));
  EXPECT_FALSE(
      loader_and_step(figures_of({rung("resnet18_224", "nothing", 32e-3), rung("resnet18_224", "graph", 8e-3)})));
}

TEST(OwnStep, IsToldAsItIsAndWithAllChanges) {
  const auto figures = figures_of({row("pytorch/model/add:nothing", {{"add", "nothing"}}, 42e-3),
                                   row("pytorch/model/add:amp", {{"add", "amp"}}, 30e-3),
                                   row("pytorch/model/add:graph", {{"add", "graph"}}, 18e-3)});

  const auto own = own_step(figures);

  ASSERT_TRUE(own);
  EXPECT_NEAR(own->before_s, 42e-3, 1e-6);
  EXPECT_NEAR(own->after_s, 18e-3, 1e-6);
  EXPECT_FALSE(own_step(figures_of({loader("16", 32e-3)})));
}

}  // namespace
}  // namespace cupel::advice
