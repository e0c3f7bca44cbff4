#include "cupel/advice/bottleneck.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupel/record/row.hpp"

namespace cupel::advice {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

record::Row row(const std::string& name, const std::string& note, record::Status status = record::Status::ok) {
  record::Row made;
  made.name = name;
  made.note = note;
  made.status = status;
  return made;
}

using Rows = std::vector<record::Row>;

TEST(Bottlenecks, JoinBenchmarksThatSayTheSame) {
  const std::vector<Bottleneck> found = bottlenecks(Rows{row("load/workers:1", "bound:decode; more workers, up to 4"),
                                                         row("load/workers:4", "bound:decode; decode on the GPU"),
                                                         row("epoch", "bound:decode; more workers, up to 4")});

  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].stage, "decode");
  EXPECT_EQ(found[0].change, "more workers, up to 4");
  EXPECT_THAT(found[0].names, ElementsAre("load/workers:1", "epoch"));
  EXPECT_EQ(found[1].change, "decode on the GPU");
  EXPECT_THAT(found[1].names, ElementsAre("load/workers:4"));
}

TEST(Bottlenecks, AreNotTakenFromALoaderThatKeepsUpWhileTheGpuWaits) {
  Rows file{row("stall/250", "bound:consume; nothing: the loader keeps up"),
            row("stall/1000", "bound:consume; nothing: the loader keeps up")};
  file[0].counters["gpu_waits"] = {0.31, "1", record::Better::lower, false};
  file[1].counters["gpu_waits"] = {0.12, "1", record::Better::lower, false};

  const std::vector<Bottleneck> found = bottlenecks(file);

  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].names, ElementsAre("stall/1000"));
}

TEST(Bottlenecks, AreWhatMostProcessesSay) {
  const std::vector<Bottleneck> found =
      bottlenecks(Rows{row("load", "bound:read; packed files"), row("load", "bound:augment; augment on the GPU"),
                       row("load", "bound:augment; augment on the GPU")});

  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].stage, "augment");
}

TEST(Bottlenecks, AreOfOtherNotesNone) {
  EXPECT_THAT(bottlenecks(Rows{row("gemm", "cuBLASLt 7"), row("handover", "bound:hand_over"),
                               row("load", "bound:read; packed files", record::Status::failed)}),
              IsEmpty());
}

}  // namespace
}  // namespace cupel::advice
