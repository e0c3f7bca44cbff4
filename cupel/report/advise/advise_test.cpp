#include "cupel/report/advise/advise.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "cupel/advice/words.hpp"
#include "cupel/figures/synthetic.hpp"
#include "cupel/figures/synthetic_advice.hpp"
#include "cupel/report/page/table.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {
namespace {

using figures::synthetic::add_pair;
using record::ResultSet;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

ResultSet several_pieces() {
  ResultSet results{figures::synthetic::context(), {}};
  add_pair(results, "pin-memory", "h2d/bytes:4096", 1.001);
  add_pair(results, "pin-memory", "h2d/bytes:1048576", 2.5);
  add_pair(results, "pin-memory", "h2d/bytes:16777216", 3);
  add_pair(results, "graphs", "complete/bytes:4096/kernels:10", 1.5);
  add_pair(results, "graphs", "complete/bytes:4096/kernels:1000", 3.5);
  add_pair(results, "launch-blocking", "launch", 0.125);
  add_pair(results, "avoid-sync", "step", 1.1, 1e-3, {1.05, 1, 0.95});
  return results;
}

const AdviseOptions kAll{.all = true}, kJson{.format = Format::json}, kMarkdown{.format = Format::markdown};
const AdviseOptions kWide{.verdicts = true, .terminal = {400}};

// With a table for each verdict.
std::string advice_digest(const ResultSet& results) { return advised_file("file.json", results).digest; }

std::string text_of(const ResultSet& results, AdviseOptions options = {}) {
  options.verdicts = true;
  return advise({advised_file("file.json", results, options.rules)}, options);
}

std::string answer_of(const ResultSet& results) {
  return advise({advised_file("file.json", results)}, {.files = "file.json", .terminal = {80}});
}

TEST(AdviseText, IsAtMostAsWideAsAsked) {
  for (const bool all : {false, true}) {
    std::istringstream lines(text_of(several_pieces(), {.all = all, .terminal = {80}}));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(units::display_width(line), 80u) << line;
  }
}

TEST(AdviseAnswer, IsOneScreenWithTheStepTheChangesAndHowToMakeThem) {
  ResultSet results = several_pieces();
  figures::synthetic::add_waterfall(results);
  const std::string text = answer_of(results);

  EXPECT_THAT(text, HasSubstr("Ranked by a step of small (C++): 12.0 ms with nothing, 4.00 ms with all."));
  EXPECT_THAT(text, ContainsRegex("\n1  channels-last +in a step +9.00 ms -> 4.00 ms +2.25x\n    model.to"));
  EXPECT_THAT(text, HasSubstr("\n+  non-blocking "));  // with pin-memory, whose cause it shares
  EXPECT_THAT(text, ContainsRegex("\n4  graphs +by itself +3.50 ms -> 1.00 ms +3.50x\n    torch.compile"));
  EXPECT_THAT(text, ContainsRegex("\ncosts +1 by design: launch-blocking 8.00x"));
  EXPECT_THAT(text, HasSubstr(" undecided, "));
  EXPECT_THAT(text, HasSubstr("--advice ID; --all"));
  EXPECT_THAT(text, HasSubstr("cupel run pytorch --model FILE.py:FUNCTION"));
  EXPECT_LE(std::ranges::count(text, '\n'), 38);
}

TEST(AdviseAnswer, SaysThatAGainIsAMedianOfRatiosWhereItIsNotTheQuotientOfTheTwoTimes) {
  ResultSet results{figures::synthetic::context(), {}};
  figures::synthetic::add_waterfall(results);
  EXPECT_THAT(answer_of(results), HasSubstr(" Rows in\na step: without one change -> with all. "));
  const std::string scenario = "complete";
  figures::synthetic::add(results, {"made/graphs/before/complete",
                                    {"graphs", record::Role::before, scenario, ""},
                                    12e-3,
                                    {10 / 12.0, 1, 14 / 12.0},
                                    record::Mode::host,
                                    3});
  figures::synthetic::add(results, {"made/graphs/after/complete",
                                    {"graphs", record::Role::after, scenario, ""},
                                    2.8e-3,
                                    {1, 3 / 2.8, 2 / 2.8},
                                    record::Mode::host,
                                    3});

  EXPECT_THAT(answer_of(results), HasSubstr(" Rows in\na step: without one change -> with all; gain: median ratio. "));
}

TEST(AdviseAnswer, HasAPriceInALine) {
  ResultSet results{figures::synthetic::context(), {}};
  add_pair(results, "batch-copies", "memory:pinned/copies:16/bytes:16777216", 0.2);

  EXPECT_THAT(answer_of(results), ContainsRegex("\nharms +1: batch-copies 5.00x \\(pinned, copies:16, 16 MiB\\)\n"));

  add_pair(results, "batch-copies", "memory:pinned/copies:16/bytes:65536", 4);
  EXPECT_THAT(answer_of(results), ContainsRegex("\nharms +1 in part: batch-copies 5.00x"));
}

TEST(AdviseAnswer, SaysThatNothingIsRankedOrPaysOrIsDecided) {
  ResultSet few{figures::synthetic::context(), {}}, same = few, noisy = few;
  add_pair(few, "fuse-reduce", "a", 1.32);
  add_pair(few, "fuse-reduce", "b", 1);
  add_pair(same, "graphs", "s", 1.001);
  add_pair(noisy, "graphs", "s", 1.1, 1e-3, {1.3, 1, 0.7});

  EXPECT_THAT(answer_of(few), HasSubstr("\nNothing measured here is ranked: the ranking needs cupel run step"));
  EXPECT_THAT(answer_of(few), ContainsRegex("1  fuse-reduce  by itself, at 1 of 2 "));
  EXPECT_THAT(answer_of(same), HasSubstr("\nNone of the advice measured here pays. Host: Synthetic CPU, 8 CPUs.\n"));
  EXPECT_THAT(answer_of(noisy),
              HasSubstr("\nNo advice could be decided: more processes would. Host: Synthetic CPU, 8 CPUs.\n"));
}

TEST(AdviseAnswer, FoldsWhatBearsOnTheNumbersIntoNotes) {
  ResultSet results = several_pieces();
  results.context.run.interrupted = true;
  const std::vector<AdvisedFile> files{advised_file("file.json", results)};

  EXPECT_THAT(advise(files, {}), HasSubstr("1 thing to know: --notes"));
  EXPECT_THAT(advise(files, {}), Not(HasSubstr("interrupted")));
  EXPECT_THAT(advise(files, {.notes = true}), HasSubstr("The run was interrupted"));
  EXPECT_THAT(advise(files, {.legend = true}), HasSubstr("gain: time before / time after"));
}

TEST(AdviseText, RanksWhatPaysAndSaysHowToApplyIt) {
  const std::string text = text_of(several_pieces());

  EXPECT_THAT(text, testing::ContainsRegex(" 1  graphs +3.50x .*\n +2  pin-memory +3.00x"));
  EXPECT_THAT(text, HasSubstr("pays from 1 MiB on"));
  EXPECT_THAT(text, HasSubstr("pin_memory=True"));
  EXPECT_THAT(text, HasSubstr("cudaHostAlloc"));
  EXPECT_THAT(text, HasSubstr("measured   C++: cudaGraphLaunch; PyTorch: torch.cuda.graph; a model of yours: "));
  EXPECT_THAT(text, HasSubstr("backfires"));
}

// Rows of 512 samples, in batches of a size.
void add_batch(ResultSet& results, int size, double time_s, double busy) {
  for (record::Row row : figures::rows_of("step/batch/size:" + std::to_string(size), {time_s, time_s, time_s})) {
    row.params = {{"size", std::to_string(size)}};
    row.workload.items = 512;
    row.counters["device_time"] = {busy * time_s, "s", record::Better::lower, false};
    results.rows.push_back(std::move(row));
  }
}

TEST(AdviseText, NamesTheKneeOfTheBatchAndWhetherABusyGpuTellsIt) {
  ResultSet results = several_pieces();
  add_batch(results, 32, 0.2, 0.6);
  add_batch(results, 64, 0.15, 0.9);
  add_batch(results, 128, 0.12, 0.95);
  add_batch(results, 256, 0.119, 0.97);

  EXPECT_THAT(
      text_of(results, kWide),
      HasSubstr(
          "From 128 on no batch up to 256, the largest measured, gives more than 5 %. At 32 the GPU is "
          "busy for less than 80 % of the "
          "time, so that a larger batch pays. At 64 the GPU is busy for 80 % of the time or more, and a larger batch "
          "pays all the same."));
}

TEST(AdviseText, SaysWhichSentencesOfSourcesAreFalseBesideThePieceInEveryFormat) {
  ResultSet results = several_pieces();
  add_pair(results, "batch-size", "of:512", 1.5);
  const std::string& refuted = catalogue::built_in().find("batch-size")->refuted;

  EXPECT_THAT(refuted, testing::AllOf(HasSubstr("PyTorch lowers the batch by itself"), HasSubstr("too heavy")));
  EXPECT_THAT(text_of(results, {.only = "batch-size", .terminal = {1000}}), HasSubstr("  not so     " + refuted));
  EXPECT_THAT(text_of(results, kJson), HasSubstr("PyTorch lowers the batch by itself"));
  EXPECT_THAT(text_of(results, {.only = "graphs"}), Not(HasSubstr("not so")));
}

TEST(AdviseText, NamesTheAlternativesOfAMixedPieceInEveryFormat) {
  ResultSet results{figures::synthetic::context(), {}};
  add_pair(results, "fuse-norm", "softmax/columns:256/bytes:4096", 2);
  add_pair(results, "fuse-norm", "layer_norm/columns:256/bytes:4096", 0.5);

  EXPECT_THAT(
      text_of(results),
      HasSubstr(
          "fuse-norm, only if you do the slow thing today: 2.00x slower to 2.00x faster (host): pays at 1,\nharms "
          "at 1 of 2\n- softmax: pays (2.00x)\n- layer_norm: harms (2.00x slower)\n"));
  EXPECT_THAT(text_of(results, kMarkdown), HasSubstr("- softmax: pays"));
  EXPECT_THAT(text_of(results, kJson), HasSubstr(R"("verdict":"mixed")"));
  EXPECT_THAT(text_of(results, kJson), HasSubstr(R"("alternatives":["softmax: pays)"));
  EXPECT_EQ(advice_digest(results), "None of the advice measured here pays throughout; mixed: fuse-norm.");
}

TEST(AdviseText, SaysWhatPiecesGaveToAStepTheGreatestFirstInEveryFormat) {
  ResultSet results = several_pieces();
  figures::synthetic::add_waterfall(results);

  EXPECT_THAT(text_of(results), HasSubstr("What each change gave to the measured training steps"));
  EXPECT_THAT(text_of(results),
              ContainsRegex("channels_last +channels-last +2.00x +2.25x\n +pinned_copies +pin-memory +1.00x +1.75x\n"));
  EXPECT_THAT(text_of(results, kJson), HasSubstr(R"("change":"channels_last","advice":"channels-last","added":)"));
  EXPECT_THAT(text_of(several_pieces()), Not(HasSubstr("What each change gave")));
}

TEST(AdviseText, HasNoSymptomsOfAGpuWhereThereIsNone) {
  ResultSet results = several_pieces();
  EXPECT_THAT(text_of(results), HasSubstr("From symptom to remedy"));

  results.context.device.reset();
  EXPECT_THAT(text_of(results), Not(HasSubstr("From symptom to remedy")));
}

TEST(AdviseText, SaysWhatBindsAnInputPipelineInEveryFormat) {
  ResultSet results = several_pieces();
  for (record::Row& row : results.rows) {
    if (row.advice.front().id == "graphs") row.note = "bound:decode; more workers, up to 8";
  }
  const auto page = [&](Format format) { return text_of(results, {.format = format}); };

  EXPECT_THAT(page(Format::text), HasSubstr("What limits the input pipeline\n"));
  EXPECT_THAT(page(Format::text), ContainsRegex("decode +more workers, up to 8\n +.* and 3 more\n"));
  EXPECT_THAT(page(Format::markdown), HasSubstr("| decode | more workers, up to 8 | "));
  EXPECT_THAT(page(Format::json), HasSubstr("more workers, up to 8"));
  EXPECT_THAT(text_of(several_pieces()), Not(HasSubstr("What limits")));
}

TEST(AdviseText, SaysCostsAsTimesLonger) {
  const AdviseOptions piece{.only = "launch-blocking"};
  EXPECT_THAT(text_of(several_pieces(), piece), HasSubstr("launch-blocking, 8.00x longer (host): "));
  EXPECT_THAT(text_of(several_pieces(), piece), testing::ContainsRegex("host .*8.00x.* costs\n"));
  EXPECT_THAT(text_of(several_pieces()), testing::ContainsRegex("launch-blocking +8.00x"));
}

TEST(AdviseText, SaysByWhatItRanksAndRanksTheDigestAlike) {
  ResultSet results = several_pieces();
  EXPECT_THAT(text_of(results), HasSubstr("What to change first, sorted by the smallest gain at the largest size\n"));

  figures::synthetic::add_waterfall(results);

  const std::string text = text_of(results, kWide);
  EXPECT_THAT(
      text,
      HasSubstr("What to change first: step of small (C++); a row: the step without that change, for a host in C++ ("));
  EXPECT_THAT(text, ContainsRegex("\n +1  channels-last +5.00 ms +2.25x  channels first\n"));
  EXPECT_THAT(text, ContainsRegex("\n +2  pin-memory +3.00 ms +1.75x [^\n]*own benchmarks: pays\n +. non-blocking"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "These pay, too, and were not measured inside a step; sorted by the smallest gain at the largest size"));
  EXPECT_THAT(text, ContainsRegex("\n +4  graphs +3.50x"));
  EXPECT_THAT(text_of(results, kJson),
              HasSubstr(R"("in_step":{"step":"net:small","change":"channels_last","gain":2.2)"));
  EXPECT_EQ(advice_digest(results),
            "First: channels-last 2.25x (in a step), pin-memory 1.75x (in a step), mixed-precision 1.50x (in a step).");
}

TEST(AdviseText, PutsWhatPaysAtFewScenariosApart) {
  ResultSet results{figures::synthetic::context(), {}};
  add_pair(results, "gemm-autotune", "a", 1.1);
  for (const char* scenario : {"b", "c", "d"}) add_pair(results, "gemm-autotune", scenario, 1);

  EXPECT_THAT(text_of(results),
              ContainsRegex("\nThese pay at some sizes or cases, half of [^\n]*\n-+\n[^\n]*\n +1  gemm-autotune"));
  EXPECT_THAT(text_of(results), Not(HasSubstr("What to change first")));
}

TEST(AdviseText, SaysByWhatAPieceIsToldAndWhereOthersPayWithoutCountingThem) {
  ResultSet results{figures::synthetic::context(), {}};
  for (const char* scenario : {"h2d", "d2h"}) add_pair(results, "pin-memory", scenario, 6);
  for (const char* compute : {"short", "equal"})
    add_pair(results, "pin-memory", std::string("loader/compute:") + compute, 1.2);
  const AdviseOptions piece{.only = "pin-memory", .terminal = {400}};

  const std::string text = text_of(results, piece);

  EXPECT_THAT(text, HasSubstr("pays; judged by loader; 2 others are shown, but do not decide (2 pay)\n"));
  EXPECT_THAT(text, ContainsRegex("h2d, host +.not counted.\n"));
}

TEST(AdviseText, SaysOfACostWhereOthersCostWithoutCountingThem) {
  ResultSet results{figures::synthetic::context(), {}};
  add_pair(results, "checkpointing", "net:resnet18_224", 0.8);
  add_pair(results, "checkpointing", "net:transformer_1024x12", 0.7);

  EXPECT_THAT(text_of(results, {.only = "checkpointing", .terminal = {400}}),
              HasSubstr("1 other is shown, but does not decide (1 costs)"));
}

TEST(AdviseText, SaysOfAPieceWithAnyVerdictThatItIsUnusualHere) {
  ResultSet results = several_pieces();
  add_pair(results, "fuse-norm", "softmax", 2);
  add_pair(results, "fuse-norm", "layer_norm", 0.5);
  bands::Judgement board;
  for (const char* name : {"fuse-norm/before/softmax", "avoid-sync/after/step", "scalar-readback/after/s"})
    board.benchmarks.push_back({.name = std::string("made/") + name, .ratio = 1.2, .boards = 6});
  add_pair(results, "scalar-readback", "s", 1);

  const std::string text = advise({advised_file("file.json", results, {}, board)}, kWide);

  EXPECT_THAT(text, ContainsRegex("fuse-norm, [^\n]*harms at 1 of 2; unusual here, as said above\n"));
  EXPECT_THAT(text, ContainsRegex("avoid-sync [^\n]*would decide; unusual here, as said above\n"));
  EXPECT_THAT(text, ContainsRegex("scalar-readback [^\n]*no difference; unusual here, as said above\n"));
  EXPECT_THAT(text, Not(ContainsRegex("graphs +3.50x[^\n]*unusual")));
}

TEST(AdviseText, MarksAsUnusualOnlyWhatItsHeadlineIsOfAndNamesThatToo) {
  const ResultSet results = several_pieces();
  bands::Judgement board;
  for (int i = 0; i < 5; ++i) board.benchmarks.push_back({.name = "other/" + std::to_string(i), .boards = 6});
  const auto page = [&] { return advise({advised_file("file.json", results, {}, board)}, kWide); };
  board.benchmarks.push_back({.name = "made/graphs/after/complete/bytes:4096/kernels:10", .ratio = 1.2, .boards = 6});

  EXPECT_THAT(page(), Not(HasSubstr("unusual here")));

  board.benchmarks.push_back({.name = "made/graphs/after/complete/bytes:4096/kernels:1000", .ratio = 1.2, .boards = 6});

  EXPECT_THAT(page(), Not(HasSubstr("3.50x"))) << "no headline is of an unusual benchmark";
  EXPECT_THAT(page(), ContainsRegex("graphs [^\n]*; unusual here, as said above\n"));
  EXPECT_THAT(page(),
              ContainsRegex("unusual for an : .*; made/graphs/after/complete/bytes:4096/kernels:1000 20.0 % slower"));
}

TEST(AdviseText, HasNoHeadlineOfAnUnusualBenchmarkAndTheNextSizesWhereThatIsUsual) {
  ResultSet results{figures::synthetic::context(), {}};
  for (const auto& [size, gain] : {std::pair("4096", 1.5), {"65536", 2.0}, {"1048576", 92.8}})
    add_pair(results, "reuse-buffers", std::string("step/bytes:") + size, gain);
  add_pair(results, "empty-cache", "step/bytes:4096", 1 / 557.0);
  bands::Judgement board;
  board.benchmarks = {{.name = "made/reuse-buffers/before/step/bytes:1048576", .ratio = 2, .boards = 6},
                      {.name = "made/empty-cache/after/step/bytes:4096", .ratio = 2, .boards = 6}};

  for (const bool verdicts : {false, true}) {
    AdviseOptions options = kWide;
    options.verdicts = verdicts;
    const std::string text = advise({advised_file("file.json", results, {}, board)}, options);

    EXPECT_THAT(text, HasSubstr("2.00x"));
    EXPECT_EQ(text.find("empty-cache (unusual here, as said above)") != text.npos, verdicts) << "at its symptom";
    EXPECT_THAT(text, Not(HasSubstr("92.8x")));
    EXPECT_THAT(text, Not(HasSubstr("557x")));
  }
  EXPECT_THAT(advise({advised_file("file.json", results)}, kWide),
              testing::AllOf(HasSubstr("92.8x"), HasSubstr("557x")));
}

TEST(AdviseText, SaysOfAClaimWhetherItHolds) {
  ResultSet results{figures::synthetic::context(), {}};
  add_pair(results, "use-the-gpu", "a", 44);
  add_pair(results, "use-the-gpu", "b", 2);
  add_pair(results, "all-together", "a", 1.1);
  add_pair(results, "mixed-precision", "a", 4);
  add_pair(results, "graphs", "a", 8);

  EXPECT_THAT(text_of(results), HasSubstr("Claims, and whether they hold here\n"));
  EXPECT_THAT(text_of(results), ContainsRegex("use-the-gpu +20x +holds at 1 of 2: 2.00x to 44.0x\n"));
  EXPECT_THAT(text_of(results), ContainsRegex("mixed-precision [^\n]*not judged: no step was measured\n"));
  EXPECT_THAT(text_of(results, {.only = "all-together"}), HasSubstr("the claim  does not hold: 1.10x\n"));
  EXPECT_THAT(text_of(results, kJson), HasSubstr(R"("claim_held":"holds at 1 of 2: 2.00x to 44.0x")"));

  figures::synthetic::add_waterfall(results);

  EXPECT_THAT(text_of(results, kWide),
              ContainsRegex("mixed-precision [^\n]*does not hold: number 3 in a step of net:small\n"));
}

TEST(AdviseText, HoldsAClaimToBeFirstInPartWhereOnlyAddedChangesTellIt) {
  ResultSet results{figures::synthetic::context(), {}};
  figures::synthetic::add_step(results, "add", "nothing", 12e-3);
  figures::synthetic::add_step(results, "add", "tf32", 6e-3);
  figures::synthetic::add_step(results, "add", "amp", 5e-3);
  figures::synthetic::add_step(results, "add", "channels_last", 4e-3);
  figures::synthetic::add_step(results, "drop", "tf32", 4e-3);
  figures::synthetic::add_step(results, "drop", "amp", 6e-3);
  figures::synthetic::add_step(results, "drop", "channels_last", 9e-3);

  EXPECT_THAT(
      text_of(results, kWide),
      HasSubstr("holds in part: number 1 when changes are added one after the other, number 2 when amp alone is left "
                "out of the tuned step of net:small"));
}

TEST(AdviseText, OfAStepThatWasNotTakenApartAClaimToBeFirstHoldsOrNot) {
  ResultSet results{figures::synthetic::context(), {}};
  figures::synthetic::add_step(results, "add", "nothing", 12e-3);
  figures::synthetic::add_step(results, "add", "amp", 10e-3);
  figures::synthetic::add_step(results, "add", "channels_last", 4e-3);

  EXPECT_THAT(text_of(results, kWide), HasSubstr("does not hold: number 2 in a step of net:small"));
}

TEST(AdviseText, SaysWhatStandsBesideOnlyWhereProcessesAgree) {
  const auto with_slowdowns = [](std::array<double, 3> after) {
    ResultSet results{figures::synthetic::context(), {}};
    add_pair(results, "small-collectives", "one_shot", 2);
    for (record::Row& row : results.rows) {
      const bool is_after = row.advice.front().role == record::Role::after;
      row.counters["product_slowdown"].value = is_after ? after[static_cast<std::size_t>(row.process)] : 1.2;
    }
    return text_of(results);
  };

  EXPECT_THAT(with_slowdowns({1.5, 1.6, 1.5}), HasSubstr("product slowdown 1.25x more"));
  EXPECT_THAT(with_slowdowns({1.5, 1.1, 1.5}), HasSubstr("product slowdown more in some processes and less in others"));
}

TEST(AdviseText, SaysHowManyProcessesWouldDecide) {
  EXPECT_THAT(text_of(several_pieces()), HasSubstr("processes would decide"));
}

TEST(AdviseText, SaysThatThreeProcessesHaveNoExactInterval) {
  EXPECT_THAT(text_of(several_pieces()), HasSubstr("75 %"));
}

TEST(AdviseText, LetsNoNameActOnTheTerminal) {
  ResultSet results{figures::synthetic::context(), {}};
  results.context.device->name = "\x1b[2Jgpu";
  add_pair(results, "evil\x1b[31m\nid", "s\x1b]0;title\x07/bytes:1", 2);

  for (const Format format : kAdviseFormats) {
    const std::string text = text_of(results, {.format = format, .all = true});
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find('\x07'), std::string::npos);
  }
}

TEST(AdviseText, HasRoomForSevenMachines) {
  std::vector<AdvisedFile> files;
  for (int m = 0; m < 7; ++m) files.push_back(advised_file("file.json", several_pieces(), {}));

  std::istringstream lines(advise(files, {.terminal = {80}}));

  for (std::string line; std::getline(lines, line);) EXPECT_LE(units::display_width(line), 80u) << line;
}

TEST(AdviseText, NamesWhatItLeavesOutThatAnotherMachineTurnsRound) {
  std::vector<AdvisedFile> files;
  for (const double last : {1.2, 0.5}) {
    ResultSet results{figures::synthetic::context(), {}};
    for (int i = 0; i < 25; ++i) add_pair(results, "piece-" + std::to_string(i), "a", 2);
    add_pair(results, "turned", "a", last);
    files.push_back(advised_file("file.json", std::move(results), {}));
  }

  const std::string text = advise(files, kMarkdown);

  EXPECT_THAT(text, HasSubstr("The verdict on 1 more is not the same on all: turned."));
  EXPECT_EQ(text.find("turned"), text.rfind("turned")) << "it is left out: " << text;
  files.pop_back();
  files.push_back(files.front());
  EXPECT_THAT(advise(files, kMarkdown), testing::Not(HasSubstr("The verdict on")));
}

ResultSet fragmentation(double gain) {
  ResultSet results{figures::synthetic::context(), {}};
  figures::synthetic::add_fragmentation(results, gain);
  add_pair(results, "graphs", "complete", 1.5);
  return results;
}

TEST(AdviseByCounter, SaysByWhatInEveryFormat) {
  const AdviseOptions piece{.only = "fragmentation"};
  const ResultSet larger = fragmentation(2);

  EXPECT_THAT(text_of(larger, piece), HasSubstr("fragmentation, usable share 25.0 % to 50.0 %: "));
  EXPECT_THAT(text_of(larger, piece), HasSubstr("  judged by  usable share: more is better\n"));
  EXPECT_THAT(text_of(larger),
              testing::ContainsRegex(
                  "1  fragmentation +25.0 % to 50.0 % +usable share +by usable share: pays; time 16.0x shorter\n"));
  EXPECT_THAT(text_of(larger, kMarkdown), HasSubstr("by usable share: pays"));
  EXPECT_THAT(text_of(larger, piece), testing::ContainsRegex("- +25.0 % +50.0 % +2.00x larger +2.00x larger +3 +pays"));
  EXPECT_THAT(text_of(larger, kAll), HasSubstr("25.0 %"));
  EXPECT_THAT(text_of(larger, kJson),
              HasSubstr(R"("judged_by":{"metric":"usable_share","unit":"1","better":"higher"})"));
  EXPECT_THAT(text_of(larger, kJson), HasSubstr(R"("before_value":0.25,"after_value":0.5,"processes":3)"));
  EXPECT_THAT(text_of(larger, kJson), HasSubstr(R"("judged_by":{"metric":"time","unit":"s","better":"lower"})"));
}

TEST(AdviseByCounter, SaysHowItsGainIsMade) {
  EXPECT_THAT(text_of(fragmentation(2), kMarkdown),  // whose lines are not broken

              HasSubstr("in the same process; of fragmentation usable share after / usable share before. A piece that "
                        "pays or harms has"));
  EXPECT_THAT(text_of(several_pieces(), kMarkdown), HasSubstr("in the same process. A piece that pays or harms has"));
}

TEST(AdviseByCounter, StandsWhereItsVerdictBelongs) {
  EXPECT_THAT(
      text_of(fragmentation(1.0 / 32)),
      testing::ContainsRegex(
          "These harm here, though they are advised\n-+\n.*\n +1  fragmentation  25.0 % to 0.781 % +usable share"));
  EXPECT_THAT(text_of(fragmentation(1)),
              testing::ContainsRegex("fragmentation +25.0 % to 25.0 % +usable share +by usable share: no"));
  EXPECT_EQ(advice_digest(fragmentation(2)),
            "First: graphs 1.50x (by itself).");  // its time; of bytes only where nothing else pays
  ResultSet alone{figures::synthetic::context(), {}};
  figures::synthetic::add_fragmentation(alone, 2);

  EXPECT_EQ(advice_digest(alone),
            "Nothing measured here is ranked: the ranking needs cupel run step on a GPU. These save memory or energy: "
            "fragmentation "
            "usable share 25.0 % to 50.0 %.");
}

TEST(AdviseByCounter, StandsInTheMatrixWithTheSameFigure) {
  const std::vector<AdvisedFile> files{advised_file("a.json", fragmentation(2), {}),
                                       advised_file("b.json", fragmentation(1.0 / 32), {})};

  const std::string text = advise(files, {.verdicts = true});

  EXPECT_THAT(text, testing::ContainsRegex("fragmentation  25.0 % to 50.0 % pays  25.0 % to 0.781 % harms  verdict"));
  EXPECT_THAT(text, HasSubstr("of fragmentation usable share after / usable\nshare before"));
}

TEST(AdviseText, CountsWhatIsOfOtherFamiliesAndNamesItOnlyWhenAsked) {
  ResultSet results = several_pieces();
  results.context.run.families = {"transfer", "sync"};
  EXPECT_THAT(text_of(results), testing::ContainsRegex("of families not run +[0-9]+ pieces; --all names"));
  EXPECT_THAT(text_of(results), Not(HasSubstr("fuse-norm")));
  EXPECT_THAT(text_of(results), HasSubstr("batch-copies"));  // of a family that was run
  EXPECT_THAT(text_of(results, kAll), HasSubstr("fuse-norm"));
}

TEST(AdviseText, HasNoEmptyRowForACurveThatCouldNotBeMeasured) {
  ResultSet results{figures::synthetic::context(), {}};
  for (const std::string n : {"n:1", "n:2"}) {
    add_pair(results, "graphs", n, 2);
    figures::synthetic::add(results, {"made/skipped/" + n, {"graphs", record::Role::variant, n, "skipped"}});
  }
  for (record::Row& row : results.rows) {
    if (row.advice[0].variant.empty()) continue;
    row.status = record::Status::skipped;
    row.series.clear();
  }

  const std::string text = text_of(results);

  EXPECT_THAT(text, HasSubstr("[skipped], by n (variant):  not measurable\n"));
  EXPECT_THAT(text, Not(HasSubstr("\n\n\n")));
}

TEST(AdviseText, NamesOnceWhatAllScenariosOfAPieceHaveInCommon) {
  ResultSet results{figures::synthetic::context(), {}};
  add_pair(results, "channels-last", "forward/layer:res2/precision:fp32/batch:64", 1.5);
  add_pair(results, "channels-last", "forward/layer:res5/precision:fp16/batch:64", 2);

  const std::string text = text_of(results);

  EXPECT_THAT(text, HasSubstr("all with forward batch:64\n"));
  EXPECT_THAT(text, testing::ContainsRegex("\nlayer:res2 precision:fp32 +1.50x  host  pays\n"));
}

TEST(AdviseText, IsTheSameForTheSameFile) { EXPECT_EQ(text_of(several_pieces()), text_of(several_pieces())); }

TEST(AdviseDigest, NamesTheThreeThatPayMost) {
  EXPECT_EQ(advice_digest(several_pieces()), "First: graphs 3.50x (by itself), pin-memory 3.00x (by itself).");
}

TEST(AdviseDigest, SaysWhatPaysWithoutARankByGroupAndTheTextRanksNoneEither) {
  ResultSet results{figures::synthetic::context(), {}};
  add_pair(results, "fuse-reduce", "a", 1.32);
  add_pair(results, "fuse-reduce", "b", 1);
  add_pair(results, "reuse-buffers", "c", 30);

  EXPECT_EQ(advice_digest(results),
            "Nothing measured here is ranked: the ranking needs cupel run step on a GPU. First: fuse-reduce 1.32x (by "
            "itself, at 1 of 2), reuse-buffers 30.0x (inside a call).");
  EXPECT_THAT(text_of(results), Not(HasSubstr("What to change first")));
  EXPECT_THAT(text_of(results), Not(HasSubstr("the first changes")));
  EXPECT_THAT(text_of(results), Not(HasSubstr("\nrank ")));
  EXPECT_THAT(text_of(results), HasSubstr("How to apply what pays\n"));
}

TEST(AdviseDigest, SaysWhenNothingPaysAndWhenNothingIsDecided) {
  ResultSet same, noisy, untagged;
  add_pair(same, "graphs", "s", 1.001);
  add_pair(noisy, "graphs", "s", 1.1, 1e-3, {1.3, 1, 0.7});
  figures::synthetic::add(untagged, {"made/x", {}});
  untagged.rows[0].advice.clear();
  untagged.rows.resize(1);

  EXPECT_EQ(advice_digest(same), "None of the advice measured here pays.");
  EXPECT_EQ(advice_digest(noisy), "No advice could be decided: more processes would.");
  EXPECT_EQ(advice_digest(untagged), "");
  for (record::Row& row : noisy.rows) row.counters[record::kCpuWait] = {0.5, "1", record::Better::none};
  EXPECT_EQ(advice_digest(noisy),
            "No advice could be decided: the machine was busy; run nothing else and measure again.");
}

void skip(record::Row& row) {
  row.status = record::Status::skipped;
  row.reason = "no CUDA driver";
  row.series.clear();
}

TEST(AdviseDigest, SaysWhereWhatRanWasNotTimed) {
  ResultSet untimed;
  add_pair(untimed, "graphs", "s", 2);
  for (record::Row& row : untimed.rows) row.series.clear();

  EXPECT_EQ(advice_digest(untimed), "No advice could be decided: nothing was timed, as on a CPU.");
}

TEST(AdviseDigest, AsksForNoMoreProcessesWhereNothingWasMeasured) {
  ResultSet skipped, half, without_after;
  for (ResultSet* results : {&skipped, &half, &without_after}) add_pair(*results, "graphs", "s", 2);
  for (record::Row& row : skipped.rows) skip(row);
  for (record::Row& row : half.rows) {
    if (row.advice.front().role == record::Role::after) skip(row);
  }
  std::erase_if(without_after.rows,
                [](const record::Row& row) { return row.advice.front().role == record::Role::after; });

  EXPECT_EQ(advice_digest(skipped), "No advice could be decided: nothing was measured, for the reasons above.");
  for (const ResultSet* results : {&half, &without_after}) {
    EXPECT_EQ(advice_digest(*results), "No advice could be decided: no before was measured together with its after.");
  }
}

TEST(AdviseWords, SayAtHowManyOfTheLargestSizesACostIs) {
  ResultSet results{figures::synthetic::context(), {}};
  for (const char* size : {"s/bytes:1024", "s/bytes:4096", "t/bytes:1024"})
    add_pair(results, "deterministic", size, 0.5);
  add_pair(results, "deterministic", "t/bytes:4096", 1);

  EXPECT_THAT(text_of(results, kWide), HasSubstr("costs at 3, costs nothing at 1 of 4; costs at 1 of 2 largest sizes"));
}

TEST(AdviseWords, SayWhereItPaysMostOfTheLargestSizesAndOfAll) {
  ResultSet results{figures::synthetic::context(), {}};
  add_pair(results, "fuse-reduce", "bytes:4096", 4);
  add_pair(results, "fuse-reduce", "bytes:65536", 2);

  EXPECT_THAT(text_of(results, kWide), HasSubstr("most       of the largest sizes at bytes:64 KiB: 2.00x (host)"));
  EXPECT_THAT(text_of(results, kWide), HasSubstr("; of all sizes at bytes:4 KiB: 4.00x (host), range of processes"));
}

TEST(AdviseWords, GiveAmountsInTheUnitOfTheMetric) {
  EXPECT_EQ(advice::amount_text(1.5e-3, {}), "1.50 ms");
  EXPECT_EQ(advice::amount_text(1 << 20, {"kept", "bytes", record::Better::lower}), "1 MiB");
  EXPECT_EQ(advice::amount_text(12, {"kept", "tensors", record::Better::lower}), "12.0 tensors");
  EXPECT_EQ(advice::ratio_text({"kept", "bytes", record::Better::lower}), "kept before / kept after");
}

}  // namespace
}  // namespace cupel::report
