#include "cupel/foretell/foretell.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "cupel/catalogue/catalogue.hpp"
#include "cupel/foretell/synthetic.hpp"

namespace cupel::foretell {
namespace {

using record::CopyDirection;
using record::HostMemory;
using record::KernelKind;
using record::StepProfile;
using record::WaitCause;

Foretold of(const StepProfile& profile, const Micro& micro, const std::string& piece) {
  for (const Foretold& one : foretell(Step(profile, micro))) {
    if (one.rule->piece == piece) return one;
  }
  ADD_FAILURE() << "no rule for " << piece;
  return {};
}

// Rows that say what launching kernels one by one costs: a graph has no gaps, so that these are 1 us a kernel.
std::vector<figures::Figure> with_launches(std::vector<figures::Figure> figures) {
  figures.push_back(figure("sync/graph/enqueue/impl:launches/bytes:4096/kernels:100", 0.0001));
  figures.push_back(figure("sync/graph/complete/impl:launches/bytes:16777216/kernels:100", 0.0011));
  figures.push_back(figure("sync/graph/complete/impl:graph/bytes:16777216/kernels:100", 0.001));
  return figures;
}
constexpr double kGap_s = 1e-6;

constexpr record::Workload kConvolution{.bytes_read = 50, .bytes_written = 50, .flops = 1000};

figures::Figure convolution(const std::string& precision, const std::string& layout, double time_s) {
  return figure("conv/forward/layer:a/precision:" + precision + "/layout:" + layout + "/batch:1", time_s, kConvolution);
}

StepProfile with_convolution(const std::string& precision, const std::string& layout) {
  StepProfile profile = profile_of_10_ms();
  profile.kernels = {{.kind = KernelKind::convolution_forward,
                      .precision = precision,
                      .layout = layout,
                      .calls = 2,
                      .time_s = 0.008,
                      .bytes = 200,
                      .flops = 2000}};
  return profile;
}

TEST(Foretell, TensorCoresByTheRatioOfTheNearestRows) {
  const Micro micro({convolution("fp32", "nchw", 4), convolution("tf32", "nchw", 1)});

  const Foretold tf32 = of(with_convolution("fp32", "nchw"), micro, "tf32");

  EXPECT_EQ(tf32.state, State::foretold);
  EXPECT_NEAR(tf32.gain_s.value, 0.006, 1e-9);
}

TEST(Foretell, APassWithoutRowsTakesThoseOfTheForwardPass) {
  StepProfile profile = with_convolution("fp32", "nchw");
  profile.kernels[0].kind = KernelKind::convolution_backward_data;
  const Micro micro({convolution("fp32", "nchw", 4), convolution("tf32", "nchw", 1)});

  EXPECT_NEAR(of(profile, micro, "tf32").gain_s.value, 0.006, 1e-9);
}

TEST(Foretell, HalvesByTheBytesOfWhatMemoryBinds) {
  StepProfile profile = profile_of_10_ms();
  profile.parameters = 0;
  profile.kernels = {{.kind = KernelKind::norm, .precision = "fp32", .calls = 1, .time_s = 0.004, .bytes = 200},
                     {.kind = KernelKind::elementwise, .precision = "bf16", .calls = 1, .time_s = 0.004, .bytes = 200}};
  const Micro micro(
      with_launches({figure("memory/limits/copy/bytes:50", 1, {.bytes_read = 50, .bytes_written = 50}),
                     figure("memory/limits/copy/bytes:100", 2, {.bytes_read = 100, .bytes_written = 100})}));
  profile.switches.precision = "tf32";

  EXPECT_NEAR(of(profile, micro, "amp").gain_s.value, 0.002 - 2 * kGap_s, 1e-9)
      << "the norm's half, less the launches of two casts; the other has it already";
}

TEST(Foretell, WhatIsFarFromMemorysRateGainsNothingByHalfTheBytes) {
  StepProfile profile = profile_of_10_ms();
  profile.parameters = 0;
  profile.switches = {.precision = "tf32", .launch = "graph"};
  profile.kernels = {{.kind = KernelKind::norm, .precision = "fp32", .calls = 2, .time_s = 0.01, .bytes = 200}};
  const Micro micro({figure("memory/limits/copy/bytes:50", 0.001, {.bytes_read = 50, .bytes_written = 50}),
                     figure("memory/limits/copy/bytes:25", 0.0005, {.bytes_read = 25, .bytes_written = 25})});

  const Estimate gain = of(profile, micro, "amp").gain_s;

  EXPECT_NEAR(gain.value, 0, 1e-9) << "memory would take 2 of 10 ms";
  EXPECT_NEAR(gain.high, 0.001, 1e-9);
}

TEST(Foretell, WorkOfUnknownSizeGainsHalfOrNothing) {
  StepProfile profile = profile_of_10_ms();
  profile.parameters = 0;
  profile.switches = {.precision = "tf32", .launch = "graph"};
  profile.kernels = {{.kind = KernelKind::norm, .precision = "fp32", .calls = 1, .time_s = 0.004},
                     {.kind = KernelKind::pooling, .precision = "fp32", .calls = 1, .time_s = 0.002, .bytes = 0},
                     {.kind = KernelKind::other, .calls = 1, .time_s = 0.004}};  // so that nothing is between them

  const Estimate gain = of(profile, Micro({}), "amp").gain_s;

  EXPECT_NEAR(gain.value, 0.003, 1e-9);
  EXPECT_NEAR(gain.low, 0, 1e-9);
}

TEST(Foretell, ChannelsLastByTheNormsRate) {
  StepProfile profile = profile_of_10_ms();
  profile.switches.layout = "nchw";
  profile.kernels = {
      {.kind = KernelKind::norm, .precision = "bf16", .layout = "nchw", .calls = 2, .time_s = 0.004, .bytes = 200}};
  const Micro micro({figure("fusion/norm_relu/pass:forward/layer:a/impl:fused/batch:1", 0.0015,
                            {.bytes_read = 50, .bytes_written = 50})});

  EXPECT_NEAR(of(profile, micro, "channels_last").gain_s.value, 0.001, 1e-9);
}

TEST(Foretell, ChannelsLastByConvolutionsAndConversions) {
  StepProfile profile = with_convolution("bf16", "nchw");
  profile.kernels.push_back({.kind = KernelKind::layout, .calls = 1, .time_s = 0.001});
  const Micro micro(with_launches({convolution("fp16", "nchw", 2), convolution("fp16", "nhwc", 1)}));

  EXPECT_NEAR(of(profile, micro, "channels_last").gain_s.value, 0.004 + 0.001 + kGap_s, 1e-9);
}

TEST(Foretell, ChannelsLastThatHarmsIsForetoldAsALoss) {
  const Micro micro({convolution("fp32", "nchw", 1), convolution("fp32", "nhwc", 1.25)});

  EXPECT_NEAR(of(with_convolution("fp32", "nchw"), micro, "channels_last").gain_s.value, -0.002, 1e-9);
}

TEST(Foretell, PinnedCopiesByBothRates) {
  StepProfile profile = profile_of_10_ms();
  profile.copies = {
      {.direction = CopyDirection::h2d, .memory = HostMemory::pageable, .blocking = true, .calls = 1, .bytes = 100}};
  const Micro micro({figure("transfer/h2d/memory:pageable/bytes:100", 0.003),
                     figure("transfer/h2d/memory:pinned/bytes:100", 0.001), figure("transfer/d2d/bytes:100", 0.0001)});

  EXPECT_NEAR(of(profile, micro, "pinned_copies").gain_s.value, 0.002, 1e-9);
  EXPECT_NEAR(of(profile, micro, "copies_ahead").gain_s.value, 0.0009, 1e-9) << "of the pinned copy that it then is";
}

TEST(Foretell, AWaitForTheLossByWhatReadingBackCosts) {
  StepProfile profile = profile_of_10_ms();
  profile.waits = {{WaitCause::loss, 1}};
  const Micro micro({figure("sync/readback/every_step/memory:pinned/kernels:1/bytes:64", 0.032),
                     figure("sync/readback/at_end/memory:pinned/kernels:1/bytes:64", 0.016)});

  EXPECT_NEAR(of(profile, micro, "no_wait").gain_s.value, 0.001, 1e-9);
}

TEST(Foretell, MemoryThatIsKeptByWhatAskingForItCostsTheHost) {
  StepProfile profile = profile_of_10_ms();
  profile.enqueue_s.reset();
  profile.allocations = {.calls = 10, .bytes = 1000};
  const auto alloc = [](const std::string& way, double time_s) {
    return figure("memory/alloc/impl:" + way + "/wait:none/bytes:100", time_s);
  };
  const Micro micro({alloc("pool/threshold:unlimited", 0.0013), alloc("preallocated", 0.0001)});

  EXPECT_NEAR(of(profile, micro, "kept_memory").gain_s.value, 0.010, 1e-9) << "12 ms of the host's: it binds";

  profile.kernels = {{.kind = KernelKind::gemm, .precision = "bf16", .calls = 1, .time_s = 0.008}};
  EXPECT_NEAR(of(profile, micro, "kept_memory").gain_s.value, 0.002, 1e-9) << "then the device does";
}

TEST(Foretell, MemoryThatIsGivenBackByWhatThatCosts) {
  StepProfile profile = profile_of_10_ms();
  profile.allocations = {.bytes = 100, .given_back = true};
  const Micro micro({figure("memory/empty_cache/cache:emptied/bytes:100", 0.003),
                     figure("memory/empty_cache/cache:kept/bytes:100", 0.001)});

  const Estimate gain = of(profile, micro, "kept_memory").gain_s;

  EXPECT_NEAR(gain.value, 0.002, 1e-9);
  EXPECT_NEAR(gain.low, 0.001, 1e-9);
}

TEST(Foretell, FillsAndSumsWhole) {
  StepProfile profile = profile_of_10_ms();
  profile.kernels = {{.kind = KernelKind::fill, .calls = 1, .time_s = 0.001},
                     {.kind = KernelKind::accumulate, .calls = 1, .time_s = 0.002}};
  const Micro micro(with_launches({}));

  EXPECT_NEAR(of(profile, micro, "no_fill").gain_s.value, 0.003 + 2 * kGap_s, 1e-9);

  profile.switches.launch = "graph";
  profile.kernels.push_back({.kind = KernelKind::gemm, .calls = 98, .time_s = 0.00695});
  EXPECT_NEAR(of(profile, Micro({}), "no_fill").gain_s.value, 0.003 + 2 * 0.5e-6, 1e-9)
      << "100 kernels of a graph take 50 us less than the step: half a microsecond between two";
}

TEST(Foretell, AFusedOptimizerByTheBytesOfItsParameters) {
  StepProfile profile = profile_of_10_ms();  // a million parameters: 20 MB by momentum
  profile.kernels = {{.kind = KernelKind::optimizer, .calls = 1, .time_s = 0.003}};
  const Micro micro({figure("optimizer/step/rule:sgd/model:a/way:fused", 0.002,
                            {.bytes_read = 24'000'000, .bytes_written = 16'000'000})});

  const Estimate gain = of(profile, micro, "fused_optimizer").gain_s;

  EXPECT_NEAR(gain.value, 0.001, 1e-9) << "less bytes than the least row: at most as long as that";
  EXPECT_NEAR(gain.high, 0.002, 1e-9) << "at least in proportion";
}

TEST(Foretell, AGraphByTheHostsTimeAboveTheDevices) {
  StepProfile profile = profile_of_10_ms();
  profile.enqueue_s = 0.012;
  profile.kernels = {{.kind = KernelKind::gemm, .precision = "bf16", .calls = 100, .time_s = 0.004}};
  const auto both = [](const std::string& what, double launches_s, double graph_s) {
    return std::pair(figure("sync/graph/" + what + "/impl:launches/bytes:16777216/kernels:100", launches_s),
                     figure("sync/graph/" + what + "/impl:graph/bytes:16777216/kernels:100", graph_s));
  };
  const auto [launches, graph] = both("complete", 0.02, 0.02);
  const Micro micro({launches, graph, figure("sync/graph/enqueue/impl:graph/bytes:4096/kernels:100", 1e-6)});

  EXPECT_NEAR(of(profile, micro, "graph").gain_s.value, 0.006, 1e-9);

  profile.enqueue_s = 0.001;
  EXPECT_NEAR(of(profile, micro, "graph").gain_s.value, 0, 1e-9) << "the host is ahead: there is nothing to gain";
}

TEST(Foretell, BiasesBeforeNormsWhole) {
  StepProfile profile = profile_of_10_ms();
  profile.kernels = {{.kind = KernelKind::bias, .calls = 2, .time_s = 0.001}};
  const Micro micro(with_launches({}));

  EXPECT_NEAR(of(profile, micro, "norm_bias").gain_s.value, 0.001 + 2 * kGap_s, 1e-9);
}

TEST(Foretell, SaysWhichRowsItLacks) {
  const Foretold tf32 = of(with_convolution("fp32", "nchw"), Micro({}), "tf32");

  EXPECT_EQ(tf32.state, State::silent);
  EXPECT_THAT(tf32.reason, ::testing::HasSubstr("conv/forward/layer:*/precision:fp32/layout:nchw"));
}

TEST(Foretell, SaysThatItLacksRowsOfDepthwiseConvolutions) {
  StepProfile profile = with_convolution("tf32", "nchw");
  profile.kernels.front().groups = 64;
  const Micro micro({convolution("tf32", "nchw", 4), convolution("tf32", "nhwc", 1)});

  const Foretold silent = of(profile, micro, "channels_last");

  EXPECT_TRUE(silent.lacks_rows);
  EXPECT_THAT(silent.reason, ::testing::HasSubstr("conv/forward/layer:grouped_3x3/precision:tf32/layout:nchw"));
}

TEST(Foretell, RanksByGainAndPutsWhatIsOnLast) {
  StepProfile profile = with_convolution("fp32", "nchw");
  profile.kernels.push_back({.kind = KernelKind::bias, .calls = 1, .time_s = 0.001});
  const Micro micro(with_launches({convolution("fp32", "nchw", 4), convolution("tf32", "nchw", 1)}));

  const std::vector<Foretold> all = foretell(Step(profile, micro));

  ASSERT_EQ(all.size(), std::ranges::count(rules(), nullptr, &Rule::is_of));
  EXPECT_STREQ(all[0].rule->piece, "tf32");
  EXPECT_STREQ(all[1].rule->piece, "norm_bias");
  EXPECT_EQ(all.back().state, State::on);
}

TEST(Foretell, PutsWhatMayGiveNothingBelowWhatSurelyGains) {
  StepProfile profile = with_convolution("fp32", "nchw");
  profile.kernels.push_back({.kind = KernelKind::bias, .calls = 1, .time_s = 0.001});
  constexpr double kWide = 4;
  const Micro micro(
      with_launches({convolution("fp32", "nchw", 4),
                     figure("conv/forward/layer:a/precision:tf32/layout:nchw/batch:1", 1, kConvolution, kWide)}));

  const std::vector<Foretold> all = foretell(Step(profile, micro));

  EXPECT_STREQ(all[0].rule->piece, "norm_bias");
  EXPECT_STREQ(all[1].rule->piece, "tf32");
  EXPECT_LT(all[0].gain_s.value, all[1].gain_s.value);
  EXPECT_LT(all[1].gain_s.low, 0);
}

TEST(Foretell, PiecesTogetherAreNoLongerHiddenBehindEachOther) {
  StepProfile profile = profile_of_10_ms();
  profile.kernels = {{.kind = KernelKind::bias, .calls = 1, .time_s = 0.004},
                     {.kind = KernelKind::fill, .calls = 1, .time_s = 0.004}};
  profile.enqueue_s = 0.007;
  profile.switches.launch = "graph";
  const Micro micro({});
  std::vector<const Rule*> both;
  for (const Rule& rule : rules()) {
    if (std::string(rule.piece) == "norm_bias" || std::string(rule.piece) == "no_fill") both.push_back(&rule);
  }

  EXPECT_NEAR(gain_of(Step(profile, micro), both).value, 0.003, 1e-9) << "then the host binds";
}

TEST(Foretell, NamesARuleByItsPieceOfAdviceAndByTheChangeWhereSeveralMakeIt) {
  const auto named = [](const char* piece) {
    return name_of(*std::ranges::find(rules(), std::string_view(piece), &Rule::piece));
  };

  EXPECT_EQ(named("pinned_copies"), "pin-memory");
  EXPECT_EQ(named("amp"), "mixed-precision (amp)");
  EXPECT_EQ(named("tf32"), "mixed-precision (tf32)");
  EXPECT_EQ(named("no_fill"), "no_fill");
}

TEST(Rules, EveryPieceOfTheCatalogueIsForetoldOrItIsSaidWhyNot) {
  std::set<std::string> foretold;
  for (const Rule& rule : rules()) foretold.insert(catalogue::built_in().made_by(rule.piece));

  for (const catalogue::CatalogueRow& row : catalogue::built_in().rows) {
    EXPECT_NE(foretold.contains(row.id), !row.silence.empty()) << row.id;
  }
}

TEST(Rules, EachSaysHowItIsAppliedInPyTorch) {
  for (const Rule& rule : rules()) EXPECT_NE(how_in_pytorch(rule), "") << rule.piece;
}

// ---- What PyTorch makes of a change, where the profile is of its trace

StepProfile traced(StepProfile profile) {
  profile.source = "torch.profiler";
  profile.switches.launch = "eager";
  return profile;
}

std::vector<figures::Figure> with_a_graphs_launch(std::vector<figures::Figure> figures) {
  figures.push_back(figure("sync/graph/enqueue/impl:graph/bytes:4096/kernels:100", 0.0001));
  return figures;
}

TEST(ForetellOfPyTorch, AGraphLeavesTheKernelsAndShortGapsWhateverTheHostTook) {
  StepProfile profile = traced(profile_of_10_ms());
  profile.kernels = {{.kind = KernelKind::gemm, .precision = "bf16", .calls = 100, .time_s = 0.006}};
  for (const double enqueue_s : {0.001, 0.004, 0.02}) {
    profile.enqueue_s = enqueue_s;

    const Foretold graph = of(profile, Micro(with_a_graphs_launch({})), "graph");

    EXPECT_NEAR(graph.gain_s.value, 0.010 - 0.006, 100 * 1e-6) << "100 gaps of less than 1 us";
    EXPECT_LT(graph.gain_s.low, graph.gain_s.value);
    EXPECT_GT(graph.gain_s.high, graph.gain_s.value);
  }
}

TEST(ForetellOfPyTorch, AGraphsLaunchIsSeenWhereEachStepWaits) {
  StepProfile profile = traced(profile_of_10_ms());
  profile.kernels = {{.kind = KernelKind::gemm, .precision = "bf16", .calls = 100, .time_s = 0.006}};
  const Micro micro(with_a_graphs_launch({}));
  const double alone_s = of(profile, micro, "graph").gain_s.value;
  profile.waits = {{WaitCause::other, 1}};

  EXPECT_NEAR(of(profile, micro, "graph").gain_s.value, alone_s - 0.0001, 1e-9);
}

TEST(ForetellOfPyTorch, ConvolutionsHaveTF32Already) {
  const Micro micro({convolution("fp32", "nchw", 4), convolution("tf32", "nchw", 1)});

  EXPECT_EQ(of(traced(with_convolution("fp32", "nchw")), micro, "tf32").gain_s.value, 0);
  EXPECT_GT(of(with_convolution("fp32", "nchw"), micro, "tf32").gain_s.value, 0);
}

TEST(ForetellOfPyTorch, ProductsInFp32GainFromTF32WhereConvolutionsHaveIt) {
  StepProfile profile = traced(with_convolution("tf32", "nchw"));
  profile.switches.precision = "tf32";
  profile.kernels.push_back(
      {.kind = KernelKind::gemm, .what = "aten::mm", .precision = "fp32", .calls = 1, .time_s = 0.001});
  const Micro micro({figure("gemm/square/precision:fp32/n:1024", 4, kConvolution),
                     figure("gemm/square/precision:tf32/n:1024", 1, kConvolution)});

  EXPECT_NEAR(of(profile, micro, "tf32").gain_s.value, 0.001 * (1 - 1.5 / 4), 1e-9);
  profile.kernels.back().time_s = 0.00001;
  EXPECT_EQ(of(profile, micro, "tf32").state, State::on) << "a last layer is no reason";
}

TEST(ForetellOfPyTorch, FusedAttentionHasNoTF32AndProductsGainLessThanSquares) {
  StepProfile profile = traced(profile_of_10_ms());
  profile.kernels = {{.kind = KernelKind::gemm, .what = "aten::mm", .precision = "fp32", .calls = 1, .time_s = 0.0099}};
  const Micro micro({figure("gemm/square/precision:fp32/n:1024", 4, kConvolution),
                     figure("gemm/square/precision:tf32/n:1024", 1, kConvolution)});

  EXPECT_NEAR(of(profile, micro, "tf32").gain_s.value, 0.0099 * (1 - 1.5 / 4), 1e-9);
  profile.kernels.front().what = "aten::_efficient_attention_forward";
  EXPECT_EQ(of(profile, micro, "tf32").gain_s.value, 0);
}

TEST(ForetellOfPyTorch, ChannelsLastIsSilentForTokens) {
  StepProfile profile = traced(with_convolution("tf32", "nchw"));
  profile.kernels.push_back({.kind = KernelKind::gemm, .precision = "fp32", .calls = 1, .time_s = 0.2});
  const Micro micro({convolution("tf32", "nchw", 4), convolution("tf32", "nhwc", 1)});

  const Foretold silent = of(profile, micro, "channels_last");

  EXPECT_EQ(silent.state, State::silent);
  EXPECT_FALSE(silent.lacks_rows) << "no row would tell";
  EXPECT_THAT(silent.reason, testing::HasSubstr("tokens"));
}

// A copy of any size takes this long for each byte.
constexpr double kSecondsOfByte = 1e-12;

std::vector<figures::Figure> with_copies(std::vector<figures::Figure> figures) {
  for (const double bytes : {1e3, 1e9}) {
    const auto half = static_cast<std::int64_t>(bytes / 2);
    figures.push_back(figure("memory/limits/copy/bytes:" + std::to_string(half), bytes * kSecondsOfByte,
                             {.bytes_read = half, .bytes_written = half}));
  }
  return with_launches(std::move(figures));
}

StepProfile with_norm(const std::string& what, const std::string& layout) {
  StepProfile profile = traced(profile_of_10_ms());
  profile.launches = 100;
  profile.parameters = 0;
  profile.kernels = {{.kind = KernelKind::norm,
                      .what = what,
                      .precision = "fp32",
                      .layout = layout,
                      .calls = 10,
                      .time_s = 0.0098,  // so that the device does not idle
                      .bytes = 1'000'000'000}};
  return profile;
}

TEST(ForetellOfPyTorch, BatchNormsWithChannelsFirstCostUnderAutocastAndLastGain) {
  const Micro micro(with_copies({}));

  EXPECT_LT(of(with_norm("aten::cudnn_batch_norm", "nchw"), micro, "amp").gain_s.value, -0.1 * 0.0098);
  EXPECT_GT(of(with_norm("aten::cudnn_batch_norm", "nhwc"), micro, "amp").gain_s.value, 0.1 * 0.0098);
}

TEST(ForetellOfPyTorch, GroupNormsAreTurnedWhereChannelsComeLastButNotByACompiler) {
  const Micro micro(with_copies({convolution("tf32", "nchw", 4), convolution("tf32", "nhwc", 1)}));
  StepProfile profile = traced(with_convolution("tf32", "nchw"));
  const double without_s = of(profile, micro, "channels_last").gain_s.value;
  profile.kernels.push_back({.kind = KernelKind::norm,
                             .what = "aten::native_group_norm",
                             .layout = "nchw",
                             .calls = 1,
                             .time_s = 0.0001,
                             .bytes = 1000000});

  const double turned_s = 3 * 2e6 * kSecondsOfByte;
  EXPECT_NEAR(of(profile, micro, "channels_last").gain_s.value, without_s - turned_s, 0.01 * turned_s);
  profile.kernels.back().what = "aten::native_group_norm_backward";
  EXPECT_NEAR(of(profile, micro, "channels_last").gain_s.value, without_s - turned_s * 2 / 3, 0.01 * turned_s);

  const double compiled_s = of(profile, micro, "compile").gain_s.value;
  profile.kernels.back().what = "aten::native_layer_norm";
  EXPECT_EQ(of(profile, micro, "compile").gain_s.value, compiled_s);
}

TEST(ForetellOfPyTorch, LayerNormsStayInFp32AndWhatTheyGiveIsCast) {
  const double cast_s = 0.75 * 1e9 * kSecondsOfByte;  // an element in fp32 and in half, of two in fp32
  const double gain_s = of(with_norm("aten::native_layer_norm", ""), Micro(with_copies({})), "amp").gain_s.value;

  EXPECT_NEAR(gain_s, -cast_s - 10 * kGap_s, 0.1 * cast_s);
}

TEST(ForetellOfPyTorch, ASoftmaxIsCastOnEitherSide) {
  const double one = of(with_norm("aten::native_layer_norm", ""), Micro(with_copies({})), "amp").gain_s.value;

  EXPECT_NEAR(of(with_norm("aten::_softmax", ""), Micro(with_copies({})), "amp").gain_s.value, 2 * one,
              0.05 * std::abs(one));
}

TEST(ForetellOfPyTorch, TheHostThatIsLeftIsNotKnownToTheMillisecond) {
  StepProfile profile = traced(profile_of_10_ms());
  profile.enqueue_s = 0.006;
  profile.kernels = {{.kind = KernelKind::gemm, .what = "aten::mm", .precision = "fp32", .calls = 1, .time_s = 0.0099}};
  const Micro micro({figure("gemm/square/precision:fp32/n:1024", 8, kConvolution),
                     figure("gemm/square/precision:tf32/n:1024", 1, kConvolution)});

  const Estimate gain = of(profile, micro, "tf32").gain_s;

  EXPECT_NEAR(gain.value, 0.010 - 0.006, 1e-4) << "the device would take less than the host";
  EXPECT_NEAR(gain.low, 0.010 - 1.25 * 0.006, 1e-4);
  EXPECT_NEAR(gain.high, 0.010 - 0.75 * 0.006, 1e-4);
}

TEST(ForetellOfPyTorch, ThinProductsGainLessFromTF32) {
  StepProfile profile = traced(profile_of_10_ms());
  profile.kernels = {{.kind = KernelKind::gemm,
                      .what = "aten::mm",
                      .precision = "fp32",
                      .calls = 1,
                      .time_s = 0.0099,
                      .bytes = 1000,
                      .flops = 100'000}};
  const Micro micro({figure("gemm/square/precision:fp32/n:1024", 8, kConvolution),
                     figure("gemm/square/precision:tf32/n:1024", 1, kConvolution)});

  const double thin_s = of(profile, micro, "tf32").gain_s.value;
  profile.kernels.front().flops = 200'000;

  EXPECT_LT(thin_s, of(profile, micro, "tf32").gain_s.value);
}

TEST(ForetellOfPyTorch, DepthwiseConvolutionsWithChannelsLastAreSlowInFp32AndNotInHalves) {
  StepProfile profile = traced(with_convolution("fp32", "nhwc"));
  profile.kernels.front().groups = 64;
  profile.parameters = 0;

  const Estimate gain = of(profile, Micro(with_copies({})), "amp").gain_s;

  EXPECT_NEAR(gain.value, 0.8 * 0.008, 1e-4) << "no rows are wanted";
  EXPECT_LT(gain.low, 0.3 * 0.008);
}

TEST(ForetellOfPyTorch, TwiceTheBatchHalvesWhatDoesNotDependOnIt) {
  StepProfile profile = traced(profile_of_10_ms());
  profile.kernels = {{.kind = KernelKind::gemm, .precision = "fp32", .calls = 1, .time_s = 0.0059},
                     {.kind = KernelKind::optimizer, .calls = 1, .time_s = 0.004}};

  const Estimate gain = of(profile, Micro({}), "batch").gain_s;

  EXPECT_NEAR(gain.value, 0.5 * 0.004 + 0.03 * 0.0059, 5e-5);
  EXPECT_NEAR(gain.low, 0.5 * 0.004, 1e-9);
  EXPECT_GT(gain.high, gain.value);
  profile.waits = {{WaitCause::loss, 1}};
  EXPECT_EQ(of(profile, Micro({}), "batch").state, State::foretold) << "though nothing is known of waits";
}

TEST(ForetellOfPyTorch, TwiceTheBatchHalvesTheHostWhereItBinds) {
  StepProfile profile = traced(profile_of_10_ms());
  profile.enqueue_s = 0.010;
  profile.kernels = {{.kind = KernelKind::gemm, .precision = "fp32", .calls = 1, .time_s = 0.001}};

  EXPECT_NEAR(of(profile, Micro({}), "batch").gain_s.value, 0.005, 1e-4);
}

StepProfile with_attention() {
  StepProfile profile = traced(profile_of_10_ms());
  profile.launches = 400;
  profile.kernels = {
      {.kind = KernelKind::gemm, .what = "aten::bmm", .precision = "fp32", .calls = 60, .time_s = 0.003},
      {.kind = KernelKind::norm, .what = "aten::_softmax", .calls = 10, .time_s = 0.001, .bytes = 10'000},
      {.kind = KernelKind::elementwise, .what = "aten::mul", .calls = 10, .time_s = 0.0012, .bytes = 15'000},
      {.kind = KernelKind::elementwise, .what = "a mask", .calls = 10, .time_s = 0.0009},
      {.kind = KernelKind::elementwise, .what = "aten::gelu", .calls = 10, .time_s = 0.0018, .bytes = 10'000},
      {.kind = KernelKind::elementwise, .what = "aten::mul", .calls = 10, .time_s = 0.0019, .bytes = 1'000}};
  return profile;
}

TEST(ForetellOfPyTorch, FusedAttentionLeavesTheScoresUnwritten) {
  const Foretold fused = of(with_attention(), Micro(with_launches({})), "fused_attention");

  ASSERT_EQ(fused.state, State::foretold) << fused.reason;
  EXPECT_NEAR(fused.gain_s.value, 0.001 + 0.0012 + 0.0009, 30 * kGap_s + 1e-6) << "not the rest, which is smaller";
  EXPECT_LT(fused.gain_s.low, fused.gain_s.value);
}

TEST(ForetellOfPyTorch, AttentionThatIsFusedAlreadyHasNothingToGain) {
  StepProfile profile = with_attention();
  std::erase_if(profile.kernels, [](const record::StepKernels& k) { return k.kind == KernelKind::norm; });

  EXPECT_EQ(of(profile, Micro(with_launches({})), "fused_attention").state, State::on);
}

StepProfile to_compile() {
  StepProfile profile = traced(profile_of_10_ms());
  profile.launches = 100;
  profile.kernels = {{.kind = KernelKind::gemm, .what = "aten::mm", .precision = "bf16", .calls = 50, .time_s = 0.0049},
                     {.kind = KernelKind::elementwise, .what = "aten::gelu", .calls = 40, .time_s = 0.004},
                     {.kind = KernelKind::norm, .what = "aten::native_layer_norm", .calls = 10, .time_s = 0.001}};
  return profile;
}

TEST(ForetellOfPyTorch, ACompilerMakesOneOfKernelsThatMemoryBinds) {
  const Foretold compiled = of(to_compile(), Micro({}), "compile");

  ASSERT_EQ(compiled.state, State::foretold) << compiled.reason;
  EXPECT_NEAR(compiled.gain_s.value, 0.55 * 0.004 + 0.15 * 0.001, 5e-5) << "and nothing of the products";
  EXPECT_GT(compiled.gain_s.low, 0);
}

TEST(ForetellOfPyTorch, ACompilerTakesHalfOfAHostThatBinds) {
  StepProfile profile = to_compile();
  for (record::StepKernels& k : profile.kernels) k.time_s /= 10;
  profile.enqueue_s = 0.010;

  EXPECT_NEAR(of(profile, Micro({}), "compile").gain_s.value, 0.005, 1e-4);
}

TEST(ForetellOfPyTorch, ACompilerPutsChannelsLastByItself) {
  const Micro micro({convolution("tf32", "nchw", 4), convolution("tf32", "nhwc", 1)});

  EXPECT_GT(of(traced(with_convolution("tf32", "nchw")), micro, "compile").gain_s.value, 0.001);
  EXPECT_LT(of(traced(with_convolution("tf32", "nhwc")), micro, "compile").gain_s.value, 0.001);
}

TEST(ForetellOfPyTorch, KernelsOfACompilerShowThatItIsOn) {
  StepProfile profile = to_compile();
  profile.kernels.back().what = "triton_per_fused_native_layer_norm_0";

  EXPECT_EQ(of(profile, Micro({}), "compile").state, State::on);
}

TEST(Foretell, AFrameworksPiecesAreOfItsTracesAlone) {
  for (const Foretold& one : foretell(Step(profile_of_10_ms(), Micro({})))) {
    EXPECT_THAT(one.rule->piece, testing::Not(testing::AnyOf("batch", "compile", "fused_attention")));
  }
}

TEST(Foretell, ADepthwiseConvolutionByItsOwnRows) {
  StepProfile profile = with_convolution("tf32", "nchw");
  profile.kernels.front().groups = 64;
  profile.kernels.front().flops = 400;
  profile.kernels.front().bytes = 200;
  const auto depthwise = [](const std::string& layout, double time_s) {
    return figure("conv/forward/layer:depthwise_3x3/precision:tf32/layout:" + layout + "/batch:1", time_s,
                  kConvolution);
  };
  const Micro micro(
      {convolution("tf32", "nchw", 4), convolution("tf32", "nhwc", 1), depthwise("nchw", 1), depthwise("nhwc", 2)});

  EXPECT_NEAR(of(profile, micro, "channels_last").gain_s.value, -0.008, 1e-9) << "twice as long";
}

}  // namespace
}  // namespace cupel::foretell
