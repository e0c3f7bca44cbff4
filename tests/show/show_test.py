"""`cupel show` on what an H200 gives, as far as it is known or likely: tables of precisions, layouts and engines."""

import json
import re
import sys

import made_up
from program import ROOT, ProgramTest, main

US = 1e-6
SIZES = [256, 512, 1024, 2048, 4096, 8192, 16384]

# Microseconds of a square product, and its relative error at 1024.
SQUARE = {
    "fp32": ([9.8, 17.9, 63.6, 352, 2712, 21585, 172900], 1.2e-7),
    "tf32": ([6.1, 8.3, 16.0, 61.4, 412, 3116, 24800], 2.9e-4),
    "fp16": ([5.2, 6.4, 9.0, 30.8, 203, 1752, 14100], 2.1e-4),
    "bf16": ([5.2, 6.4, 9.0, 30.5, 200, 1691, 13700], 1.7e-3),
    "fp8_e4m3": ([5.4, 6.3, 8.1, 19.9, 112, 864, 6900], 1.6e-3),
    "fp64": ([8.1, 13.8, 58.9, 310, 2380, 18900, 151000], 2.0e-16),
    "fp16_in_fp16": ([5.2, 6.4, 8.8, 30.1, 199, 1710, 13900], 9.3e-3),
    "fp8_e4m3_fast": ([5.4, 6.2, 7.9, 19.1, 108, 840, 6700], 4.4e-3),
    "int8": ([5.3, 6.3, 8.4, 20.8, 118, 910, 7300], 0),
}
PEAK = {"fp32": 66.9e12, "fp64": 66.9e12, "tf32": 535e12, "fp8_e4m3": 2141e12, "fp8_e4m3_fast": 2141e12, "int8": 2141e12}

LAYERS = {"stem_7x7": [410, 320, 88, 74], "res2_3x3": [430, 330, 95, 41.1], "res3_1x1_expand": [240, 180, 82, 60],
          "res5_3x3": [653, 540, 61, 36.5]}


def row(name, process, time_s, work, limit=None, error=None, advice=()):
    own = {"workload": work}
    if limit:
        own["limit"] = dict(zip(("name", "quantity", "per_second", "source"), limit))
    if error is not None:
        own["counters"] = {"relative_error": {"value": error, "unit": "1", "better": "lower"}}
    return made_up.row(name, process, [time_s * (1 + 0.001 * (process - 1))] * 9, "cold", advice, **own)


def not_measured(measured, position, status, reason):
    cupel = {**measured["cupel"], "status": status, "reason": reason, "series": []}
    return {"name": measured["name"], "cupel": cupel, "position": position}


def square(process):
    for precision, (times, error) in SQUARE.items():
        for n, time in zip(SIZES, times):
            work = {"items" if precision == "int8" else "flops": 2 * n**3, "bytes_read": 2 * n * n}
            quantity = "items" if precision == "int8" else "flops"
            role = "before" if precision == "fp32" else "after"
            yield row(f"gemm/square/precision:{precision}/n:{n}", process, time * US, work,
                      (f"{precision} at 1980 MHz", quantity, PEAK.get(precision, 1070e12), "white paper"),
                      error * (n / 1024)**0.5, [("mixed-precision", role, f"square/n:{n}", "")])


def fp4(process):
    for n in SIZES:
        yield row(f"gemm/square/precision:fp4_e2m1/n:{n}", process, US, {"flops": 2 * n**3})


def forward(process):
    for layer, times in LAYERS.items():
        ways = [(p, t) for p in ("fp32", "fp16") for t in ("nchw", "nhwc")]
        for (precision, layout), time in zip(ways, times):
            name = f"conv/forward/layer:{layer}/precision:{precision}/layout:{layout}/batch:64"
            yield row(name, process, time * US, {"flops": int(14.8e9)}, None, 2e-7 if precision == "fp32" else 2.2e-4,
                      [("mixed-precision", "before" if precision == "fp32" else "after",
                        f"forward/layer:{layer}/layout:{layout}/batch:64", ""),
                       ("channels-last", "before" if layout == "nchw" else "after",
                        f"forward/layer:{layer}/precision:{precision}/batch:64", "")])


def zeros(process):
    for content, time in (("normal", 1691), ("zeros", 1497)):
        yield row(f"gemm/inputs/content:{content}/precision:bf16/n:8192", process, time * US, {"flops": 2 * 8192**3})


def result():
    """Three processes; fp4 is lacking, one fp64 product ran out of memory, one fp8 product failed in one process."""
    rows, others, position = [], [], 0
    lacking = "fp4_e2m1 wants compute capability 10.0 or newer; NVIDIA H200 has 9.0"
    for process in range(3):
        for measured in [*square(process), *fp4(process), *zeros(process), *forward(process)]:
            if measured["name"].endswith("fp64/n:16384"):
                others.append(not_measured(measured, position, "skipped", "out of memory: 6.00 GiB wanted, 5.11 GiB free"))
            elif measured["name"].endswith("fp8_e4m3_fast/n:8192") and process == 1:
                others.append(not_measured(measured, position, "failed", "wrong result: 3 of 131072 elements"))
            elif "fp4" in measured["name"]:
                others.append(not_measured(measured, position, "skipped", lacking))
            else:
                rows.append(measured)
            position += 1
    return made_up.result(rows, others, run={"families": ["gemm", "conv"]})


class Show(ProgramTest):
    def setUp(self):
        super().setUp()
        self.file("out.json", result())

    def show(self, *flags, code=0):
        ended = self.cupel("show", self.output, *flags, code=code)
        return ended.out if code == 0 else ended.err

    def check(self, golden, *flags):
        text = self.show(*flags)
        self.assert_golden(text, golden)
        return text

    def test_the_file_is_valid(self):
        self.cupel("validate", self.output, code=0)

    def test_has_a_row_for_each_shape_and_a_column_for_each_precision(self):
        text = self.check("show.txt")
        self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_says_what_the_columns_mean_when_asked_to(self):
        legend = self.check("legend.txt", "--legend", "--filter", "inputs")
        self.assertIn("\ntime: median over processes", legend)
        noise = ("--noise", "--filter", "inputs")
        self.assertIn("\nbetween: standard deviation over processes", self.show(*noise, "--legend"))
        for text in (self.show(), self.show("--format", "markdown"), self.show(*noise)):
            self.assertNotRegex(text, r"(?m)^(- )?(time|cold|between): ")
            self.assertIn("--legend says what the columns mean.", text)

    def test_has_times_shares_of_the_limit_and_markdown(self):
        self.check("time.txt", "--metric", "time")
        self.check("limit.txt", "--metric", "limit", "--filter", "square")
        self.check("show.md", "--format", "markdown")

    def test_turns_the_parameter_that_is_asked_for(self):
        self.check("by_layout.txt", "--across", "layout", "--filter", "conv")
        self.assertIn("'wings'", self.show("--across", "wings", code=5))

    def test_lists_each_benchmark_when_asked_to(self):
        text = self.show("--flat")
        self.assertIn("precision:fp8_e4m3 n:16384 ", text)
        self.assertNotIn("by precision", text)
        self.assertIn("--flat", self.show("--flat", "--across", "precision", code=2))

    def test_takes_the_files_of_one_run_from_a_folder(self):
        whole, parts = result(), self.folder / "parts"
        (parts / "older").mkdir(parents=True)
        for family in ("gemm", "conv"):
            part = result()
            part["benchmarks"] = [one for one in whole["benchmarks"] if one["name"].startswith(family)]
            part["context"]["cupel"]["not_measured"] = []
            self.file(f"parts/{family}.json", part)

        joined = self.cupel("show", parts, "gemm", "conv", code=0).out
        self.assertRegex(joined, "\nrun      2026-11-20T07:26:13Z to 2026-11-20T07:36:14Z, full profile")
        self.assertIn("\nrun      2026-11-20T07:26:13Z, full profile", self.show())
        self.assertIn("gemm/square", joined)
        self.assertIn("conv/forward", joined)
        self.assertIn("one run compared with itself", self.cupel("compare", parts, parts, code=0).out)
        (parts / "again.json").write_text((parts / "gemm.json").read_text())
        self.assertIn("holds 2 runs", self.cupel("show", parts, code=2).err)
        for file in parts.glob("*.json"):
            file.unlink()
        self.assertIn("holds no .json file; its folders: older", self.cupel("show", parts, code=2).err)

    def test_begins_with_the_families_of_a_folder_and_says_how_to_see_one(self):
        (self.folder / "parts").mkdir()
        self.file("parts/one.json", result())

        overview = self.cupel("show", "parts", code=0).out

        self.assertRegex(overview, r"^family .*\ngemm +63 +8 +1 +2\nconv +16 +1\n")
        self.assertIn("skipped (7) gemm: fp4_e2m1 wants", overview)
        self.assertIn("\ncupel show parts gemm shows the figures of one family, --flat those of all.\n", overview)
        self.assertNotIn("gemm/square", overview.replace("gemm/square/precision:fp8_e4m3_fast/n:8192: wrong", ""))
        of_one = self.cupel("show", "parts", "conv", code=0).out
        self.assertIn("conv/forward", of_one)
        self.assertNotIn("gemm/inputs", of_one)
        self.assertIn("gemm/inputs", self.cupel("show", "parts", "--flat", code=0).out)
        refused = self.cupel("show", "parts", "cnov", code=5)
        self.assertIn("has no family 'cnov'; it has gemm, conv", refused.err)

    def test_begins_with_the_families_of_each_result_that_is_kept_here(self):
        folders = sorted(path for path in (ROOT / "results").iterdir() if path.is_dir())
        self.assertGreater(len(folders), 4)
        for folder in folders:
            families = sorted(path.name.split(".")[0] for path in folder.iterdir())
            for how in ([], ["--flat"], ["--legend"]):
                first, *lines = self.cupel("show", folder, *how, code=0).out.splitlines()
                self.assertRegex(first, "^family +measured ")
                self.assertEqual([line.split()[0] for line in lines[:len(families)]], families)

    def test_lists_what_a_benchmark_tried_one_by_one(self):
        self.assertIn("no benchmark chosen", self.show("--items", code=5))
        results = result()
        search = row("conv/engines/pass:forward/batch:64", 0, 0.1, {})
        search["cupel"]["counters"] = {name: {"value": value, "unit": unit, "better": "none"} for name, value, unit in
                                       (("eng1/time", 2e-3, "s"), ("eng2/time", 1e-3, "s"), ("eng2/winograd", 1, "1"))}
        results["benchmarks"].append(search)
        self.file("out.json", results)

        self.assertRegex(self.show("--items"), "eng2  1.00 ms  w\neng1  2.00 ms  .\nflags: w winograd")
        self.assertIn("no benchmark chosen", self.show("--items", "--filter", "square", code=5))
        self.assertIn("| eng2 | 1.00 ms | w |", self.show("--items", "--format", "markdown"))
        of_search, = json.loads(self.show("--items", "--format", "json"))
        self.assertEqual([of_search["name"], of_search["counters"]], ["conv/engines/pass:forward/batch:64", {}])
        self.assertEqual(of_search["items"], [
            {"item": "eng2", "counters": {"time": {"value": 1e-3, "unit": "s"}, "winograd": {"value": 1, "unit": "1"}}},
            {"item": "eng1", "counters": {"time": {"value": 2e-3, "unit": "s"}}}])

    def test_has_noise_for_programs(self):
        all_noise = json.loads(self.show("--noise", "--format", "json", "--filter", "inputs"))
        self.assertEqual([one["name"] for one in all_noise], [f"gemm/inputs/content:{content}/precision:bf16/n:8192"
                                                              for content in ("normal", "zeros")])
        self.assertAlmostEqual(all_noise[0]["between"], 0.001, places=5)
        self.assertEqual((all_noise[0]["processes"], all_noise[0]["samples"], all_noise[0]["mode"]), (3, 27, "cold"))

    def test_refuses_a_format_that_noise_or_items_lack_and_both_at_once(self):
        for flag in ("--noise", "--items"):
            for name in ("csv", "openmetrics"):
                self.assertIn(f"{flag} has no format {name}; it has text, markdown, json",
                              self.show(flag, "--format", name, code=2))
        self.assertIn("--noise", self.show("--items", "--noise", code=2))

    def samples_of_openmetrics(self):
        """By Prometheus' own parser where it is installed, and by the grammar of a line anywhere."""
        text = self.show("--format", "openmetrics")
        label = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
        line = re.compile(r"[a-z_]+(?:\{%s(?:,%s)*\})? [-+0-9.e]+" % (label, label))
        lines = text.splitlines()
        self.assertEqual((lines[-1], text[-1]), ("# EOF", "\n"))
        samples = [one for one in lines if not one.startswith("#")]
        for one in samples:
            self.assertRegex(one, re.compile(f"^{line.pattern}$"))
        self.assertEqual(len(samples), len({one.rsplit(" ", 1)[0] for one in samples}))
        sys.path.append(str(ROOT / ".deps/test-tools"))  # scripts/setup --tests
        try:
            from prometheus_client.openmetrics import parser
        except ImportError:
            print("prometheus_client is not installed: held against the grammar of a line alone")
            return text
        families = {family.name: family for family in parser.text_string_to_metric_families(text)}
        self.assertEqual(len(samples), sum(len(family.samples) for family in families.values()))
        self.assertEqual(families["cupel_time_seconds"].unit, "seconds")
        return text

    def test_gives_prometheus_each_figure(self):
        text = self.samples_of_openmetrics()

        self.assertIn('family="gemm"', text)
        self.assertIn('param_n="16384",param_precision="fp8_e4m3"', text)

    def test_gives_prometheus_names_that_are_hostile(self):
        results = result()
        results["benchmarks"] = [row('evil/a b:c"}\\ 1 # EOF/a_b:2', 0, 1e-3, {})]
        results["benchmarks"][0]["cupel"]["params"] = [{"name": 'a "b\\', "value": 'x"} 1 \\'}]
        self.file("out.json", results)

        text = self.samples_of_openmetrics()

        self.assertIn(r'benchmark="evil/a b:c\"}\\ 1 # EOF/a_b:2"', text)
        self.assertIn(r'param_a__b_="x\"} 1 \\"', text)

    def test_gives_programs_each_benchmark(self):
        rows = json.loads(self.show("--format", "json"))
        self.assertEqual(len(rows), len({row["name"] for row in rows}))
        self.assertEqual(len(rows), len(SIZES) * (len(SQUARE) + 1) + 2 + 4 * len(LAYERS))
        self.assertIn("--metric is for tables", self.show("--format", "json", "--metric", "time", code=2))


if __name__ == "__main__":
    main()
