"""`cupel export`: every level and format, of our files and of other programs'; docs/export.md names every column and no other."""

import csv
import io
import json
import re

from program import ROOT, ProgramTest, kept, main

H200 = ROOT / "results/nvidia-h200"
LEVELS = ("samples", "processes", "benchmarks")
FOREIGN = {"context": {}, "benchmarks": [{"name": "BM_a/8", "run_name": "BM_a/8", "run_type": "iteration", "iterations": 1, "real_time": 2.0,
                                          "cpu_time": 2.0, "time_unit": "us"}]}


class Export(ProgramTest):
    def table(self, *arguments):
        return list(csv.DictReader(io.StringIO(self.cupel("export", *arguments, code=0).out)))

    def test_has_every_sample_less_its_correction(self):
        result = H200 / "optimizer.json.gz"
        expected = []
        for row in kept("nvidia-h200/optimizer")["benchmarks"]:
            for series in row["cupel"]["series"]:
                expected += [(row["name"], row["cupel"]["process"], series["mode"], max(s - series.get("correction_s", 0), 0)) for s in series["samples_s"]]
        got = [(row["benchmark"], int(row["process"]), row["mode"], float(row["time"])) for row in self.table(result)]
        self.assertEqual([one[:3] for one in got], [one[:3] for one in expected])
        for (*_, time), (*_, wanted) in zip(got, expected):
            self.assertAlmostEqual(time, wanted, delta=1e-12)

    def test_has_the_figures_of_show(self):
        for file in ("transfer", "pipeline"):
            shown = json.loads(self.cupel("show", H200 / f"{file}.json.gz", "--format", "json", "--all", code=0).out)
            table = self.table(H200 / f"{file}.json.gz", "--level", "benchmarks")
            self.assertEqual([row["name"] for row in shown], [row["benchmark"] for row in table])
            for ours, row in zip(table, shown):
                self.assertEqual([float(ours[key] or 0) for key in ("time", "low", "high", "per_second", "ok")],
                                 [row.get(key) or 0 for key in ("time_s", "low_s", "high_s", "per_second", "ok")])

    def test_has_a_column_a_parameter(self):
        for row in self.table(H200 / "transfer.json.gz", "--level", "processes"):
            params = dict(part.split(":", 1) for part in row["benchmark"].split("/") if ":" in part)
            self.assertEqual({name.removeprefix("param_"): value for name, value in row.items() if name.startswith("param_") and value}, params)

    def test_both_formats_say_the_same(self):
        for level in LEVELS:
            lines = self.cupel("export", H200 / "sync.json.gz", "--level", level, "--format", "jsonl", "--filter", "wait", code=0).out.splitlines()
            table = self.table(H200 / "sync.json.gz", "--level", level, "--filter", "wait")
            self.assertEqual(len(lines), len(table))
            for line, row in zip(lines, table):
                self.assertEqual({key: str(value) for key, value in json.loads(line).items() if not isinstance(value, float)},
                                 {key: value for key, value in row.items() if value and not isinstance(json.loads(line)[key], float)})

    def test_takes_other_programs_files_beside_ours_and_standard_input(self):
        foreign = self.file("foreign.json", FOREIGN)
        table = self.table(foreign, H200 / "optimizer.json.gz")
        self.assertEqual((table[0]["benchmark"], float(table[0]["time"]), table[0]["gpu"]), ("BM_a/8", 2e-6, ""))
        self.assertEqual({row["file"] for row in table}, {str(foreign), str(H200 / "optimizer.json.gz")})

    def test_of_nothing_ends_with_5(self):
        self.refuses("no benchmark matches", "export", H200 / "sync.json.gz", "--filter", "nothing", code=5)

    def test_has_the_columns_that_the_page_names(self):
        page = (ROOT / "docs/export.md").read_text()
        named = set(re.findall(r"`(\w+)`", " ".join(line.split("|")[-3] for line in page.splitlines() if line.count("|") >= 3)))
        columns = set()
        for level in LEVELS:
            columns |= {"param_NAME" if name.startswith("param_") else name for name in self.table(H200 / "sync.json.gz", "--level", level)[0]}
        self.assertEqual(named, columns)

    def test_shows_text_that_deceives_escaped(self):
        result = kept("nvidia-h200/optimizer")
        result["benchmarks"] = result["benchmarks"][:1]
        result["context"]["cupel"]["host"]["cpu"] = "=cmd,\u202e\"x\""
        file = self.file("p.json", result)
        for level in LEVELS:
            row = self.table(file, "--level", level)[0]
            self.assertTrue(row["cpu"].startswith("'=cmd"))
            self.assertNotIn("\u202e", row["cpu"])
            self.assertNotIn("\u202e", self.cupel("export", file, "--level", level, "--format", "jsonl").out)


if __name__ == "__main__":
    main()
