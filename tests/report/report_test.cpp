#include "cupel/report/html/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <locale>

#include "cupel/figures/synthetic_advice.hpp"
#include "cupel/report/page/html_text.hpp"
#include "tests/report/synthetic_results.hpp"

namespace cupel::report {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<ReportedFile> one_file() { return {{"a.json", synthetic::results()}}; }

std::vector<ReportedFile> two_files() {
  return {{"a.json", synthetic::results()}, {"b.json", synthetic::results(synthetic::second_machine())}};
}

// The before of a piece of advice takes `gain` times as long as its after.
struct Pair {
  std::string piece, scenario;
  double gain;
};

record::ResultSet results_of(const std::vector<Pair>& pairs) {
  record::ResultSet results{figures::synthetic::context(), {}};
  for (const auto& [piece, scenario, gain] : pairs) figures::synthetic::add_pair(results, piece, scenario, gain);
  return results;
}

std::string page_of(const record::ResultSet& results) { return html_report({{"a.json", results}}); }

std::string summary_of(const std::string& page) {
  const std::size_t begin = page.find("<section id=\"summary\">");
  return page.substr(begin, page.find("</section>", begin) - begin);
}

TEST(HtmlReport, HasASectionForEachFamilyAndTheRest) {
  const std::string page = html_report(one_file());

  for (const char* id :
       {"summary", "family-1-transfer", "family-2-sync", "family-3-gemm", "family-4-conv", "family-5-fusion",
        "family-6-memory", "family-7-host", "family-8-storage", "advice", "environment", "method"}) {
    EXPECT_THAT(page, HasSubstr("<section id=\"" + std::string(id) + "\">"));
    EXPECT_THAT(page, HasSubstr("href=\"#" + std::string(id) + "\""));
  }
}

TEST(HtmlReport, SaysThatTheMachineWasBusyWhereThatLeftAdviceUndecided) {
  record::ResultSet busy = results_of({{"graphs", "s", 2}});
  for (record::Row& row : busy.rows) row.counters[record::kCpuWait] = {0.5, "1", record::Better::none};

  const std::string page = html_report({{"busy.json", busy}});

  EXPECT_THAT(page, HasSubstr("No advice could be decided: the machine was busy"));
  EXPECT_THAT(page, HasSubstr("the machine was busy: threads waited for a CPU</td>"));
}

TEST(HtmlReport, ComparesDevicesWhereThereAreSeveral) {
  EXPECT_THAT(html_report(one_file()), Not(HasSubstr("<section id=\"devices\">")));
  EXPECT_THAT(html_report(two_files()), HasSubstr("<section id=\"devices\">"));
}

TEST(HtmlReport, NamesAtMostSixPiecesThatPay) {
  record::ResultSet results{figures::synthetic::context(), {}};
  for (int n = 1; n <= 9; ++n) figures::synthetic::add_pair(results, "made-" + std::to_string(n), "s", 1 + n);
  const std::string summary = summary_of(page_of(results));

  std::size_t changes = 0;
  for (std::size_t at = 0; (at = summary.find("href=\"#how-", at)) != std::string::npos; ++at) ++changes;
  EXPECT_EQ(changes, 6u);
}

TEST(HtmlReport, SaysByWhatAdviceIsJudgedThatIsNotAboutTime) {
  record::ResultSet results{figures::synthetic::context(), {}};
  figures::synthetic::add_fragmentation(results, 2);

  const std::string page = page_of(results);

  EXPECT_THAT(page, HasSubstr(">usable share 25.0 % to 50.0 %</td>"));
  EXPECT_THAT(page, HasSubstr("by usable share: pays"));
  EXPECT_THAT(page, HasSubstr("gain (usable share after / usable share before)"));
  EXPECT_THAT(page, HasSubstr("usable share before 25.0 %, after 50.0 %"));
}

TEST(HtmlReport, SaysWhatToChangeFirstAndWhetherClaimsHoldAsTheTextDoes) {
  record::ResultSet results =
      results_of({{"fuse-norm", "softmax", 2}, {"fuse-norm", "layer_norm", 0.5}, {"use-the-gpu", "a", 44}});
  figures::synthetic::add_waterfall(results);
  ReportedFile file{"a.json", results};
  file.board.benchmarks.push_back({.name = "made/fuse-norm/before/softmax", .ratio = 1.2, .boards = 6});

  const std::string page = html_report({file});

  EXPECT_THAT(summary_of(page), HasSubstr("12.0 ms with nothing, 4.00 ms with all"));
  EXPECT_THAT(summary_of(page), HasSubstr("</a> step of small (C++) <span>time with each change added"));
  EXPECT_THAT(summary_of(page), HasSubstr("in the table one is taken out of all."));
  EXPECT_THAT(summary_of(page), HasSubstr(">mixed-precision</th>"));
  EXPECT_THAT(page, HasSubstr("harms at 1 of 2; unusual here, as said above"));
  EXPECT_THAT(page, HasSubstr("<dt>the claim</dt><dd>holds: 44.0x</dd>"));
}

TEST(HtmlReport, SaysOfWhatPaysAtFewThatItPaysAtSomeAndRanksNothingThatTheTextDoesNotRank) {
  record::ResultSet results =
      results_of({{"gemm-autotune", "a", 1.1}, {"gemm-autotune", "b", 1}, {"gemm-autotune", "c", 1}});

  const std::string page = page_of(results);

  EXPECT_THAT(page, HasSubstr("<span class=\"badge warn\">pays at some</span>"));
  EXPECT_THAT(summary_of(page), HasSubstr("Nothing measured here is ranked"));

  figures::synthetic::add_pair(results, "graphs", "s", 2);
  const std::string ranked = page_of(results);
  EXPECT_THAT(summary_of(ranked), Not(HasSubstr("Nothing measured here is ranked")));
}

TEST(HtmlReport, SaysThatWhatIsDearerCosts) {
  const std::string page = page_of(results_of({{"launch-blocking", "launch", 0.125}}));

  const std::string verdict = "<span class=\"badge bad\">costs</span>";
  EXPECT_THAT(page, HasSubstr(verdict));
  EXPECT_EQ(page.find(verdict), page.rfind(verdict));  // where it costs is not said by the verdict once more
  EXPECT_THAT(page, HasSubstr("8.00x: costs"));
}

TEST(HtmlReport, CountsThePowerLimitByBenchmarkAndNotAsThrottling) {
  record::ResultSet results = results_of({{"graphs", "complete", 2}});
  for (record::Row& row : results.rows) row.telemetry.emplace().throttle_reasons = {"sw_power_cap"};

  const std::string page = page_of(results);

  EXPECT_THAT(page, HasSubstr("100 % of the benchmarks ran at the power limit"));
  EXPECT_THAT(page, Not(HasSubstr("throttled: sw_power_cap")));
}

TEST(HtmlReport, SaysWhenTheClockWasReadWhereTheFileDoes) {
  record::ResultSet results = results_of({{"graphs", "s", 2}});
  for (record::Row& row : results.rows) row.telemetry.emplace();
  EXPECT_THAT(page_of(results), Not(HasSubstr("SM clock read")));

  results.rows.front().telemetry->sm_clock_under_load = true;
  results.rows.back().telemetry->sm_clock_under_load = false;

  const std::string total = std::to_string(results.rows.size());
  EXPECT_THAT(page_of(results), HasSubstr(">1 of " + total + " results, else before and after it<"));
}

TEST(HtmlReport, DoesNotBoastOfAGainThatIsUndecided) {
  std::vector<ReportedFile> files = one_file();
  // The greatest gain of all, in one process of five.
  for (record::Row& row : files[0].results.rows) {
    if (row.name.starts_with("memory/alloc/")) row.advice[0].id = "made";  // reuse-buffers has no card
    if (row.name != "memory/alloc/allocator:malloc/bytes:4096") continue;
    for (double& sample : row.series[0].samples_s) sample *= row.process == 0 ? 1e-6 : 1e6;
  }

  const std::string page = html_report(files);

  EXPECT_THAT(page, HasSubstr("<dd>at alloc/bytes:256 MiB"));
  EXPECT_THAT(page, Not(HasSubstr("<dd>at alloc/bytes:4 KiB")));
}

TEST(HtmlReport, QuotesTheMostOfWhatTheHeadlineIsOf) {
  const std::string page =
      page_of(results_of({{"pin-memory", "loader/bytes:1024", 1.5}, {"pin-memory", "h2d/bytes:1024", 7}}));

  EXPECT_THAT(page, HasSubstr("<dd>at loader/bytes:1 KiB: 1.50x"));
  EXPECT_THAT(page, Not(HasSubstr("<dd>at h2d")));
}

TEST(HtmlReport, HasOneBestBenchmarkOfAnOperationWhateverItsLimits) {
  record::ResultSet results{figures::synthetic::context(), {}};
  const auto add = [&](const char* precision, const char* size, const char* quantity, double per_second) {
    figures::synthetic::add(results, {"gemm/square/precision:" + std::string(precision) + "/n:" + size, {}});
    for (record::Row& row : results.rows) {
      if (!row.name.ends_with(size)) continue;
      row.params = {{"precision", precision}, {"n", size}};
      row.workload.flops = row.workload.bytes_read = 1'000'000;
      row.limit = record::Limit{precision, quantity, per_second, "invented"};
    }
  };
  add("tf32", "256", "bytes", 30e9);    // 3 % of it
  add("fp16", "8192", "flops", 1.1e9);  // 91 %
  add("bf16", "4096", "flops", 2e9);

  const std::string page = page_of(results);
  const std::size_t begin = page.find("id=\"summary-limits\"");
  const std::string chart = page.substr(begin, page.find("</figure>", begin) - begin);

  EXPECT_THAT(chart, HasSubstr("gemm/square precision:fp16 n:8192</th>"));
  EXPECT_THAT(chart, Not(HasSubstr("n:256</th>")));
  EXPECT_THAT(chart, Not(HasSubstr("n:4096</th>")));
}

TEST(HtmlReport, SaysHowMuchPaysWhereItSaysHowToApplyIt) {
  std::vector<Pair> pairs;
  for (const char* size :
       {"s/bytes:1024", "s/bytes:2048", "s/bytes:4096", "t/bytes:1024", "t/bytes:2048", "u/bytes:4096"})
    pairs.push_back({"fuse-reduce", size, 2});
  pairs.push_back({"fuse-reduce", "t/bytes:4096", 1});

  const std::string page = page_of(results_of(pairs));

  EXPECT_THAT(page, HasSubstr("<dt>here</dt><dd>pays at 6, no difference at 1 of 7; pays at 2 of 3 largest sizes"));
}

TEST(HtmlReport, SaysThatTheMostOfTheLargestSizesIsNotTheMostOfAllAsTheTextDoes) {
  const std::string page = page_of(results_of({{"fuse-reduce", "bytes:4096", 4}, {"fuse-reduce", "bytes:65536", 2}}));

  EXPECT_THAT(page, HasSubstr("<dd>of the largest sizes at bytes:64 KiB: 2.00x (host), range of processes 2.00x, 3 "
                              "processes; of all sizes at bytes:4 KiB: 4.00x (host)"));
}

TEST(HtmlReport, LinksToAnchorsThatAreThereAndOnlyOnce) {
  const std::string page = html_report(two_files());

  for (std::size_t at = page.find("href=\"#"); at != std::string::npos; at = page.find("href=\"#", at + 1)) {
    const std::size_t begin = at + 7;
    const std::string id = " id=\"" + page.substr(begin, page.find('"', begin) - begin) + "\"";
    const std::size_t target = page.find(id);
    ASSERT_NE(target, std::string::npos) << id;
    EXPECT_EQ(page.find(id, target + 1), std::string::npos) << id;
  }
}

TEST(HtmlReport, ReachesForNothing) {
  const std::string page = html_report(two_files());

  for (const char* reach : {"http://", "https://", "src=", "@import", "url(", "fetch(", "XMLHttpRequest"}) {
    EXPECT_THAT(page, Not(HasSubstr(reach)));
  }
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
}

TEST(HtmlReport, LetsNoNameActAsMarkup) {
  const std::string evil = "</title></script><script>alert(1)</script><img src=x onerror=alert(1)>\"' \x1b[31m\n";
  std::vector<ReportedFile> files = two_files();
  for (ReportedFile& file : files) {
    file.name = evil;
    record::ResultSet& results = file.results;
    record::Context& context = results.context;
    context.device->name = context.host.cpu = context.device->driver_version = context.run.profile = evil;
    context.libraries.push_back({evil, evil, evil});
    context.run.notes[evil] = evil;
    context.build.git_revision = evil;
    for (record::Row& row : results.rows) {
      row.name += evil;
      row.family += evil;
      row.reason = row.note = evil;
      row.params.emplace_back(evil, evil);
      row.counters[evil] = {1, evil, record::Better::none, false};
      for (record::AdviceTag& tag : row.advice) {
        tag.id += evil;
        tag.scenario += evil;
        tag.variant += evil;
      }
      if (row.limit) row.limit->name = row.limit->source = evil;
      if (row.telemetry) row.telemetry->throttle_reasons = {evil};
    }
  }

  const std::string page = html_report(files);

  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("\x1b")));
}

TEST(HtmlReport, StaysSmallWithNamesOfAMegabyte) {
  std::vector<ReportedFile> files = one_file();
  files[0].results.rows.resize(50);
  for (record::Row& row : files[0].results.rows) row.name += std::string(1 << 20, 'n');

  EXPECT_LT(html_report(files).size(), std::size_t{1} << 20);
}

TEST(HtmlReport, OfAnEmptyFileSaysSo) {
  const std::string page = html_report({{"empty.json", {}}});

  EXPECT_THAT(page, HasSubstr("<h1>empty.json</h1>"));
  EXPECT_THAT(page, HasSubstr("No advice was measured here."));
}

TEST(HtmlReport, RefusesToBeAboutNothing) { EXPECT_THROW(html_report({}), std::invalid_argument); }

TEST(HtmlReport, OfValuesThatNoAxisCanShowIsStillAPage) {
  std::vector<ReportedFile> files = one_file();
  double time_s = 1e-300;
  for (record::Row& row : files[0].results.rows) {
    for (record::Series& series : row.series) {
      for (double& sample : series.samples_s) sample = time_s;
    }
    time_s = time_s < 1e300 ? time_s * 1e6 : 0;
  }

  const std::string page = html_report(files);

  EXPECT_THAT(page, Not(HasSubstr("=\"nan")));
  EXPECT_THAT(page, Not(HasSubstr("=\"inf")));
}

TEST(HtmlReport, HasDevicesSideBySideInItsTablesWithTheRatioAndDifferencesFirst) {
  record::ResultSet first = results_of({{"graphs", "s", 2}, {"fuse-reduce", "t", 2}}), second = first;
  for (record::Row& row : second.rows) {
    if (row.name != "made/fuse-reduce/after/t") continue;
    for (double& sample : row.series[0].samples_s) sample *= 3;
  }
  const std::string page = html_report({{"a.json", first}, {"b.json", second}});
  const std::size_t begin = page.find("All numbers of ");
  const std::string numbers = page.substr(begin, page.find("</table>", begin) - begin);

  EXPECT_THAT(numbers, HasSubstr(">time (a.json)</th><th scope=\"col\" class=\"num d1\">time (b.json)</th>"));
  EXPECT_THAT(numbers, HasSubstr(">3.00</td>"));
  EXPECT_THAT(numbers, HasSubstr(">(b.json) / (a.json)</th>"));
  EXPECT_LT(numbers.find("fuse-reduce"), numbers.find("graphs"));
}

TEST(HtmlReport, CallsDevicesByTheFirstWordsThatTellThemApart) {
  std::vector<ReportedFile> files{{"a.json", synthetic::results()}, {"b.json", synthetic::results()}};
  files[0].results.context.device->name = "NVIDIA H100 80GB HBM3";
  files[1].results.context.device->name = "NVIDIA H200";
  for (ReportedFile& file : files) file.results.context.device->uuid = "GPU-1,GPU-2";
  for (record::Row& row : files[1].results.rows) {
    if (row.limit && row.limit->name == "device memory") row.limit->per_second *= 1.4;
  }
  const std::string page = html_report(files);

  EXPECT_THAT(page, HasSubstr("<h1>NVIDIA H100 80GB HBM3, 2 boards and NVIDIA H200, 2 boards</h1>"));
  EXPECT_THAT(page, HasSubstr("<h3>What to change first on H100</h3>"));
  EXPECT_THAT(page, HasSubstr("<h3>What to change first on H200</h3>"));
  EXPECT_THAT(page, HasSubstr("device memory of H200"));  // a limit, in legends
}

TEST(HtmlReport, SaysFirstWhichOfTwoDevicesIsFasterAtWhatAndByHowMuch) {
  std::vector<Pair> pairs;
  for (int n = 1; n <= 8; ++n) pairs.push_back({"graphs", std::to_string(n), 2});
  record::ResultSet first = results_of(pairs), second = first;
  first.context.device->name = "GPU A";
  second.context.device->name = "GPU B";
  for (record::Row& row : second.rows) {
    for (double& sample : row.series[0].samples_s) sample /= 1.25;
  }
  const std::string summary = summary_of(html_report({{"a.json", first}, {"b.json", second}}));

  const std::string answer = "B against A, by geometric means: faster at made 1.25x.";
  EXPECT_THAT(summary, HasSubstr(answer));
  EXPECT_LT(summary.find(answer), summary.find("What to change first on A"));
  EXPECT_THAT(summary_of(page_of(first)), Not(HasSubstr("against")));
}

TEST(HtmlReport, SaysOfTwoDevicesHowEachRankedChangeIsMadeAsTheTextOfOneDoes) {
  const record::ResultSet results = results_of({{"channels-last", "s", 2}, {"deterministic", "s", 0.5}});
  record::ResultSet other = results;
  other.context.device->name = "NVIDIA Synthetic 2";

  const std::string one = summary_of(page_of(results));
  const std::string two = summary_of(html_report({{"a.json", results}, {"b.json", other}}));

  const std::string how = "<td>" + html::breakable("model.to(memory_format=torch.channels_last), and the input likewise");
  EXPECT_THAT(one, HasSubstr(how));
  EXPECT_THAT(two, HasSubstr(how));
  EXPECT_THAT(two, HasSubstr(">in PyTorch</th>"));
  EXPECT_THAT(two, Not(HasSubstr("use_deterministic_algorithms")));  // it costs, and has no rank
}

TEST(HtmlReport, SaysWhereAPieceHoldsOnEachDeviceWhereItIsApplied) {
  record::ResultSet first = results_of({{"graphs", "s", 2}, {"graphs", "t", 1}});
  record::ResultSet second = results_of({{"graphs", "s", 2}, {"graphs", "t", 2}});
  first.context.device->name = "GPU A";
  second.context.device->name = "GPU B";
  const std::string page = html_report({{"a.json", first}, {"b.json", second}});
  const std::size_t how = page.find("<details id=\"how-graphs\">");

  ASSERT_NE(how, std::string::npos);
  const std::string details = page.substr(how, page.find("</details>", how) - how);
  EXPECT_THAT(details, HasSubstr("<dt>A</dt><dd>"));
  EXPECT_THAT(details, HasSubstr("no difference at 1 of 2"));
  EXPECT_THAT(details, HasSubstr("<dt>B</dt><dd>"));
  EXPECT_THAT(page, Not(HasSubstr("A: pays at 1")));  // the table says what all have alike
}

TEST(HtmlReport, SaysOnceHowItsFiguresAreRead) {
  const std::string page = html_report(one_file());

  const std::size_t at = page.find("median over processes");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(page.find("median over processes", at + 1), std::string::npos);
}

TEST(HtmlReport, IsTheSameInAnyLocale) {
  const std::string expected = html_report(two_files());
  struct Commas : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Commas));
  std::setlocale(LC_ALL, "de_DE.UTF-8");

  const std::string page = html_report(two_files());

  std::setlocale(LC_ALL, "C");
  std::locale::global(before);
  EXPECT_EQ(page, expected);
}

TEST(HtmlReport, NamesAMachineOfManyFilesByTheFirst) {
  const std::string page =
      html_report({{"a.json, b.json, c.json", synthetic::results()}, {"d.json", synthetic::results()}});

  EXPECT_THAT(page, HasSubstr("(a.json and 2 more)"));
  EXPECT_THAT(page, HasSubstr("(d.json)"));
  EXPECT_THAT(page, Not(HasSubstr("(a.json, b.json")));
}

TEST(HtmlReport, TellsTwoFilesOfOneMachineApart) {
  const std::string page = html_report({{"before.json", synthetic::results()}, {"after.json", synthetic::results()}});

  EXPECT_THAT(page, HasSubstr("Test GPU A (before.json)"));
  EXPECT_THAT(page, HasSubstr("Test GPU A (after.json)"));
}

TEST(HtmlReport, NamesTwoBoardsOfOneModel) {
  std::vector<ReportedFile> files{{"a.json", synthetic::results()}, {"b.json", synthetic::results()}};
  files[0].results.context.device->uuid = "GPU-c48a3e62-89c0";
  files[1].results.context.device->uuid = "GPU-7d04d923-6e96";
  const std::string page = html_report(files);

  EXPECT_THAT(page, HasSubstr("<h1>Test GPU A GPU-c48a3e62 and Test GPU A GPU-7d04d923</h1>"));
  EXPECT_THAT(page, HasSubstr("<h3>What to change first on GPU-c48a3e62</h3>"));  // elsewhere as short as they differ
  EXPECT_THAT(page, HasSubstr("<h3>What to change first on GPU-7d04d923</h3>"));
}

}  // namespace
}  // namespace cupel::report
