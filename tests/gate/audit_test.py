"""No row unseen: whatever other people's programs print, each name that either side lists stands in every format of the gate,
with a verdict that says what is wrong with it:  audit_test.py CUPEL FAKE_GB"""

import csv
import html
import io
import json
import shutil
import xml.etree.ElementTree

from program import MORE, ProgramTest, main

FORMATS = ("text", "markdown", "json", "junit", "csv", "annotations")


def row(name, time=1000.0, **more):
    return {"name": name, "run_name": name, "run_type": "iteration", "repetitions": 1, "repetition_index": 0, "threads": 1,
            "iterations": 1000, "real_time": time, "cpu_time": time, "time_unit": "ns", **more}


def bare(name, time=1000.0):
    """As before 1.5."""
    return {"name": name, "iterations": 1000, "real_time": time, "cpu_time": time, "time_unit": "ns"}


def aggregates(name, time=1000.0):
    return [{"name": f"{name}_{kind}", "run_name": name, "run_type": "aggregate", "repetitions": 3, "threads": 1, "aggregate_name": kind,
             "iterations": 3, "real_time": time, "cpu_time": time, "time_unit": "ns"} for kind in ("mean", "median", "stddev")]


def skipped(name, why):
    return row(name, 0.0, skipped=True, skip_message=why)


def failed(name, why):
    return row(name, 0.0, error_occurred=True, error_message=why)


def repeated(name, second, time=1000.0):
    """Three repetitions; second: makes the one in the middle of name and time, or of name and a reason."""
    rows = [row(name, time), second(name, time if second is row else "busy"), row(name, time)]
    return [{**one, "repetitions": 3, "repetition_index": i} for i, one in enumerate(rows)]


# What base prints, what new prints, and the verdict of each name that one of them lists.
KINDS = [
    ([row("sound/8")], [row("sound/8")], {"sound/8": "SAME"}),
    # A name twice in one process.
    ([row("twice/8"), row("twice/8", 2000.0)], [row("twice/8"), row("twice/8", 6000.0)], {"twice/8": "NOT-COMPARABLE"}),
    ([row("family", family_index=0), row("family", family_index=1, repetition_index=1)], [row("family")], {"family": "NOT-COMPARABLE"}),
    ([bare("old"), bare("old", 2000.0)], [bare("old"), bare("old", 4000.0)], {"old": "NOT-COMPARABLE"}),
    (aggregates("means") + aggregates("means", 9000.0), aggregates("means") + aggregates("means", 18000.0), {"means": "NOT-COMPARABLE"}),
    ([row("pool/threads:2", threads=2), row("pool/threads:2", threads=2)], [row("pool/threads:2", threads=2)],
     {"pool/threads:2": "NOT-COMPARABLE"}),
    ([row("between", threads=1), row("between", threads=2)], [row("between", threads=1), row("between", threads=2)],
     {"between": "NOT-COMPARABLE"}),
    ([], [row("new and twice"), row("new and twice")], {"new and twice": "NOT-COMPARABLE"}),
    ([row("gone and twice"), row("gone and twice")], [], {"gone and twice": "NOT-COMPARABLE"}),
    ([skipped("twice skipped", "no device")] * 2, [skipped("twice skipped", "no device")] * 2, {"twice skipped": "NOT-COMPARABLE"}),
    # Names that begin alike, before 1.5.
    ([bare("sort"), bare("sort"), bare("sort_mean"), bare("sort_stddev", 1.0), bare("sort_big"), bare("sort_big"), bare("sort_big_mean")],
     [bare("sort"), bare("sort"), bare("sort_mean"), bare("sort_stddev", 1.0), bare("sort_big", 0.0), bare("sort_big"), bare("sort_big_mean")],
     {"sort": "SAME", "sort_big": "FAILED"}),
    # Counters and types that name something else.
    ([row("counts its error", rms=0.5, big_o=1)], [row("counts its error", 0.0, rms=0.5, big_o=1)], {"counts its error": "FAILED"}),
    ([row("of a type", run_type="other")], [row("of a type", 0.0, run_type="other")], {"of a type": "FAILED"}),
    (aggregates("spread")[2:], aggregates("spread")[2:], {"spread": "FAILED"}),
    # True repetitions.
    ([row("again", repetitions=2), row("again", repetitions=2, repetition_index=1)] + aggregates("again"),
     [row("again", repetitions=2), row("again", repetitions=2, repetition_index=1)] + aggregates("again"), {"again": "SAME"}),
    # Some of which were skipped, on both sides or on one.
    (repeated("one skipped", skipped), repeated("one skipped", skipped), {"one skipped": "SAME"}),
    (repeated("one skipped here", skipped), repeated("one skipped here", row), {"one skipped here": "SAME"}),
    # Clocks.
    ([row("clock/real_time")], [row("clock/manual_time", 500.0)],
     {"clock/real_time": "NOT-COMPARABLE", "clock/manual_time": "NOT-COMPARABLE"}),
    ([row("more/real_time")], [row("more/real_time"), row("more/manual_time", 500.0)],
     {"more/real_time": "SAME", "more/manual_time": "ADDED"}),
    ([row("both/8"), row("both/8/real_time", 1200.0)], [row("both/8/real_time", 1200.0)],
     {"both/8": "MISSING", "both/8/real_time": "SAME"}),
    ([row("amount/iterations:5")], [row("amount/iterations:9")], {"amount/iterations:5": "SAME", "amount/iterations:9": "SAME"}),
    # Rows without a time.
    ([skipped("gpu/8", "no CUDA device")], [skipped("gpu/8", "driver too old")], {"gpu/8": "SKIPPED"}),
    ([row("half/8")], [skipped("half/8", "no CUDA device")], {"half/8": "MISSING"}),
    ([skipped("other half", "no CUDA device")], [row("other half")], {"other half": "ADDED"}),
    ([skipped("gone while skipped", "no CUDA device")], [], {"gone while skipped": "MISSING"}),
    ([], [skipped("new and skipped", "no CUDA device")], {"new and skipped": "ADDED"}),
    ([failed("error/8", "out of memory")], [failed("error/8", "out of memory")], {"error/8": "FAILED"}),
    ([row("flag/1")], [row("flag/1", error_occurred=1, error_message="out of memory")], {"flag/1": "FAILED"}),
    ([row("message/1")], [row("message/1", error_message="out of memory")], {"message/1": "FAILED"}),
    (*[[{**skipped("worse", "no device"), "repetitions": 2}, {**failed("worse", "lost"), "repetitions": 2, "repetition_index": 1}]] * 2,
     {"worse": "FAILED"}),
    ([row("zero")], [row("zero", 0.0)], {"zero": "FAILED"}),
    ([row("endless")], [row("endless", 1e308)], {"endless": "FAILED"}),
    ([row("zeros", 0.0)], [row("zeros", 0.0)], {"zeros": "FAILED"}),
    ([row("negative")], [row("negative", -5.0)], {"negative": "FAILED"}),
    ([row("nothing")], [row("nothing", None)], {"nothing": "FAILED"}),
    ([row("gone")], [], {"gone": "MISSING"}),
    ([], [row("came")], {"came": "ADDED"}),
    # Names that a format may stumble over.
    *(([row(name)], [row(name, 0.0)], {name: "FAILED"}) for name in (
        "BM_Sort<std::less<int>>/8", "a|b*c_d`e", "comma, \"quote\"; %25::error", "<script>&amp;]]>", "tab and  blanks", "größe/µs",
        "/leading//slashes/", "slash", "slash/", "slash//", "slash/real_time/", "n:1/n:2", "x" * 300 + "/1", "x" * 300 + "/2", "lower", "Lower", "sound", "-minus", "=1+1", "[a]{2}(b)^$?")),
]


def says(text, name):
    """Whether it stands there, as it is or behind what a format puts in place of characters."""
    plain = text.replace("\\", "")
    for code, char in (("%3A", ":"), ("%2C", ","), ("%25", "%")):
        plain = plain.replace(code, char)
    return name in text or name in plain or name in html.unescape(plain)


class Audit(ProgramTest):
    def program(self, name, rows, **conf):
        self.file(f"{name}.json", {"rows": rows, **conf})
        path = self.folder / name
        if not path.exists():
            shutil.copy(MORE[0], path)
        return path

    def gate(self, base, new, *arguments, code):
        outputs = {name: self.folder / f"out.{name}" for name in FORMATS}
        files = [part for name, path in outputs.items() for part in ("--output", f"{name}={path}")]
        ended = self.cupel("gate", "--base", base, "--new", new, "--all", *files, *arguments, code=code, COLUMNS="2000")
        self.outputs = {name: path.read_text() for name, path in outputs.items()}
        self.outputs["text"] = ended.out
        return json.loads(self.outputs["json"])

    def test_each_name_has_a_row_in_every_format(self):
        base = [row for rows, _, _ in KINDS for row in rows]
        new = [row for _, rows, _ in KINDS for row in rows]
        expected = {name: verdict for _, _, verdicts in KINDS for name, verdict in verdicts.items()}

        result = self.gate(self.program("a", base), self.program("b", new), code=4)

        shown = {}
        for one in result["rows"]:
            if one["metric"] == "time":
                for spelling in {one["name"], *one["printed"]}:
                    shown.setdefault(spelling, one)
        for name, verdict in expected.items():
            with self.subTest(name):
                self.assertEqual(shown[name]["verdict"], verdict)
        cases = {case.get("name") for case in xml.etree.ElementTree.fromstring(self.outputs["junit"]).iter("testcase")}
        lines = {one["name"].removeprefix("'") for one in csv.DictReader(io.StringIO(self.outputs["csv"]))}
        for one in shown.values():
            self.assertIn(one["name"], cases)
            self.assertIn(one["name"], lines)
            for name in ("text", "markdown", "annotations"):
                self.assertTrue(says(self.outputs[name], one["name"][:100]), (name, one["name"]))
        counts = ("slower", "faster", "same", "inconclusive", "not_gateable", "skipped", "without_figures")
        self.assertEqual(sum(result[count] for count in counts), sum(one["judged"] for one in result["rows"]))
        self.assertIn('skipped="1"', self.outputs["junit"])

    def test_compare_lists_the_same_names(self):
        files = []
        for side, place in (("a", 0), ("b", 1)):
            rows = [row for kind in KINDS for row in kind[place]]
            context = {"date": "2026-11-20T00:00:00", "executable": "bench", "num_cpus": 2, "library_version": "v1.9.4"}
            files.append(self.file(f"{side}.json", {"context": context, "benchmarks": rows}))

        rows = json.loads(self.cupel("compare", *files, "--format", "json", code=4).out)["contenders"][0]["rows"]

        verdicts = {spelling: one["verdict"] for one in rows if "metric" not in one for spelling in [one["name"], *one.get("printed", [])]}
        for _, _, expected in KINDS:
            for name, verdict in expected.items():
                # Repetitions of one process decide nothing that SAME would say.
                self.assertEqual(verdicts[name], "INCONCLUSIVE" if verdict == "SAME" else verdict, name)
        text = self.cupel("compare", *files, "--all", code=4, COLUMNS="2000").out
        table = self.cupel("compare", *files, "--format", "csv", code=4).out
        for name in verdicts:
            self.assertTrue(says(text, name[:100]) or says(table, name[:100]), name)

    def test_a_result_that_is_cut_short_is_incomplete_though_its_program_ends_well(self):
        rows = [row("a"), row("b")]
        result = self.gate(self.program("a", rows), self.program("b", rows, cut=2), code=4)
        self.assertIn("b, process 1: cut short in the middle of its result", " ".join(result["reasons"]))
        result = self.gate(self.program("c", rows), self.program("d", rows, cut=60), code=4)
        self.assertEqual({one["name"]: one["verdict"] for one in result["rows"]}["b"], "FAILED")

    def test_a_tail_that_triples_inside_processes_is_a_note_beside_same_in_every_format(self):
        """One in twelve repetitions of a process takes three times as long: its location stays."""
        base = [row("calm", 1000.0 + i, repetitions=12, repetition_index=i) for i in range(12)] + [row("other")]
        new = [row("calm", 3000.0 if i == 5 else 1000.0 + i, repetitions=12, repetition_index=i) for i in range(12)] + [row("other")]
        result = self.gate(self.program("a", base), self.program("b", new), code=0)
        rows = {one["name"]: one for one in result["rows"] if one["metric"] == "time"}
        self.assertEqual(rows["calm"]["verdict"], "SAME")
        self.assertEqual([rows["calm"]["longer_tail"], rows["other"]["longer_tail"]], [True, False])
        self.assertGreater(rows["calm"]["new"]["tail"], 2)
        self.assertLess(rows["calm"]["base"]["tail"], 1.02)
        self.assertIsNone(rows["other"]["new"]["tail"])
        for name in FORMATS:
            self.assertIn("longer tails inside processes: the 99th percentile of samples is at 1.0", self.outputs[name], name)
        text = self.cupel("gate", "--base", self.folder / "a", "--new", self.folder / "b", code=0, COLUMNS="2000").out
        self.assertRegex(text, r"\ncalm\n  SAME .*\n +longer tails")
        self.assertIn("1 row is the same", text)
        markdown = self.outputs["markdown"]
        self.assertLess(markdown.index("longer tails"), markdown.index("<details>"))

    def test_a_stored_result_that_is_cut_short_is_incomplete(self):
        context = {"date": "2026-11-20T00:00:00", "executable": "bench", "num_cpus": 2, "library_version": "v1.9.4"}
        text = json.dumps({"context": context, "benchmarks": [row("a"), row("b")]})
        whole, half = self.file("whole.json", text), self.file("half.json", text[:-60])
        for base, new in ((half, half), (half, whole), (whole, half)):
            out = self.cupel("gate", "--baseline", base, "--new", new, code=4).out
            self.assertIn("half.json: cut short after 1 complete row", out)

    def test_what_a_program_runs_and_does_not_list_has_failed(self):
        rows = [row("a"), row("tab\tname")]
        base = self.program("a", rows)
        self.assertEqual({one["verdict"] for one in self.gate(base, base, code=0)["rows"] if one["metric"] == "time"}, {"SAME"})
        result = self.gate(base, self.program("b", [*rows, row("more")], listed=["a", "tab\tname"]), code=4)
        self.assertEqual({one["name"]: one["verdict"] for one in result["rows"]}["more"], "FAILED")
        self.refuses("a is named twice on one side", "gate", "--base", base, base, "--new", base)

    def test_what_is_slower_is_found_though_one_repetition_is_skipped(self):
        base, new = (self.program(side, repeated("x", skipped, time)) for side, time in (("a", 1000.0), ("b", 1100.0)))
        result = self.gate(base, new, code=1)
        self.assertEqual(result["rows"][0]["verdict"], "SLOWER")

    def test_what_is_listed_more_often_than_it_runs_has_failed(self):
        rows = [row("a"), row("b"), *(row("c", repetitions=3, repetition_index=i) for i in range(3))]
        program = self.program("a", rows, listed=["a", "b", "b", "c", "c"])
        result = self.gate(program, self.program("b", rows, listed=["a", "b", "b", "c", "c"]), code=4)
        found = {one["name"]: one for one in result["rows"] if one["metric"] == "time"}
        self.assertEqual({name: one["verdict"] for name, one in found.items()}, {"a": "SAME", "b": "FAILED", "c": "FAILED"})
        self.assertIn("the executable lists it 2 times and ran it once", self.outputs["text"])

    def test_what_both_sides_skipped_is_said(self):
        rows = [row("host"), skipped("gpu/1", "no device"), skipped("gpu/2", "no device")]
        result = self.gate(self.program("a", rows), self.program("b", rows), code=0)
        self.assertEqual(result["skipped"], 2)
        self.assertIn("cupel gate: passed; 2 rows skipped on both sides, exit code 0", self.outputs["text"])
        for name in FORMATS:
            self.assertIn("no device", self.outputs[name], name)
        strict = self.file("strict.json", {"cupel_gate_policy": 1, "on": {"skipped": "fail"}})
        self.gate(self.folder / "a", self.folder / "b", "--policy", strict, code=4)

    def test_an_executable_that_skipped_all_on_both_sides_is_incomplete_unless_the_policy_lets_it_through(self):
        host, gpu = [row("host")], [skipped("gpu/1", "no device")]
        sides = [[self.program(f"{side}_host", host), self.program(f"{side}_gpu", gpu)] for side in ("a", "b")]
        arguments = ("gate", "--base", *sides[0], "--new", *sides[1])
        self.assertIn("_gpu was skipped on both sides", self.cupel(*arguments, code=4).out)
        lenient = self.file("lenient.json", {"cupel_gate_policy": 1, "on": {"skipped": "ignore"}})
        self.assertIn("passed; 1 row skipped", self.cupel(*arguments, "--policy", lenient, code=0).out)
        self.assertIn("nothing was compared", self.cupel("gate", "--base", sides[0][1], "--new", sides[1][1], code=5).out)

    def test_releases_that_mean_another_time_by_threads_are_held_against_each_other(self):
        rows = {version: [row("pool/threads:4", time, threads=4), row("pool/threads:1", 1000.0)]
                for version, time in (("v1.8.3", 250.0), ("v1.9.5", 1000.0), ("", 250.0))}
        new = self.program("new", rows["v1.9.5"], context={"library_version": "v1.9.5"})
        for version in ("v1.8.3", ""):
            base = self.program("base", rows[version], context={"library_version": version})
            self.assertEqual({one["verdict"] for one in self.gate(base, new, code=0)["rows"] if one["metric"] == "time"}, {"SAME"})
        base = self.program("base", rows["v1.8.3"], context={"library_version": "my own"})
        verdicts = {one["name"]: one["verdict"] for one in self.gate(base, new, code=4)["rows"] if one["metric"] == "time"}
        self.assertEqual(verdicts, {"pool/threads:4": "NOT-COMPARABLE", "pool/threads:1": "SAME"})

    def test_renames_and_filters_take_either_spelling(self):
        base, new = self.program("a", [row("Old/8/real_time"), row("G")]), self.program("b", [row("New/8/real_time"), row("G")])
        for names in ({"Old/8/real_time": "New/8/real_time"}, {"Old/8": "New/8"}):
            renames = self.file("renames.json", names)
            result = self.gate(base, new, "--renames", renames, code=0)
            self.assertEqual({one["name"] for one in result["rows"] if one["metric"] == "time"}, {"New/8", "G"})
        self.refuses("renames.json: no benchmark is called Olt/8", "gate", "--base", base, "--new", new, "--renames",
                     self.file("renames.json", {"Olt/8": "New/8"}))
        self.gate(new, new, "--renames", self.file("renames.json", {"Old/8": "New/8"}), code=0)
        result = self.gate(new, new, "--filter", "real_time", code=0)
        self.assertEqual({one["name"] for one in result["rows"]}, {"New/8"})
        policy = self.file("p.json", {"cupel_gate_policy": 1, "overrides": [{"benchmark": "/real_time$", "tolerance": 0.02}]})
        result = self.gate(new, new, "--policy", policy, code=0)
        self.assertEqual({one["name"]: one["tolerance"] for one in result["rows"] if one["metric"] == "time"}, {"New/8": 0.02, "G": 0.01})

    def test_process_files_in_a_folder_are_one_side(self):
        def write(folder, factor, **more):
            for process in range(6):
                context = {"date": f"2026-11-20T00:0{process}:00", "executable": "./bench", "host_name": "n1", "num_cpus": 8,
                           "library_version": "v1.9.4", **more}
                self.file(f"{folder}/{process}.json", {"context": context, "benchmarks": [row("a", factor * (1000 + process / 9))]})
            return folder

        old, new = write("old", 1.0), write("new", 1.1)
        rows = json.loads(self.cupel("compare", old, new, "--format", "json", code=0).out)["contenders"][0]["rows"]
        self.assertEqual((rows[0]["verdict"], rows[0]["replication"], rows[0]["contender"]["processes"]), ("SLOWER", "process", 6))
        self.assertIn(", 6 processes of a Google Benchmark program", self.cupel("show", old, code=0).out)
        self.file("new/5.json", (self.folder / "new/4.json").read_text())
        self.refuses(["new/5.json is a copy of new/4.json: one process counts once"], "compare", old, new)
        write("new", 1.1)
        self.file("new/5.json", json.loads((self.folder / "new/5.json").read_text().replace("2026-11-20", "2026-11-21")))
        self.refuses(["new/5.json is of another day than new/0.json"], "compare", old, new)

    def test_show_refuses_options_that_do_nothing(self):
        files = {rate: self.file(f"{rate}.json", {"context": {"library_version": "v1.9.4"}, "benchmarks": [
            row("a/8", **({"bytes_per_second": 6.4e8} if rate == "rate" else {}))]}) for rate in ("rate", "none")}
        self.assertIn("640 MB/s", self.cupel("show", files["rate"], "--metric", "rate", code=0).out)
        self.refuses("--metric rate: no benchmark chosen of none.json has a rate", "show", "none.json", "--metric", "rate")
        self.refuses("--metric is for tables", "show", files["rate"], "--metric", "rate", "--format", "csv")

    def test_machines_are_told_apart(self):
        def write(name, **more):
            return self.file(name, {"context": {"library_version": "v1.9.4", "num_cpus": 8, "date": "2026-11-20T00:00:00", **more},
                                    "benchmarks": [row("a")]})

        one, two = write("1.json", host_name="n1", mhz_per_cpu=3500), write("2.json", host_name="n2", mhz_per_cpu=2200)
        text = self.cupel("compare", one, two, code=0).out
        self.assertRegex(text, r"host\s+n1\s+n2")
        self.assertRegex(text, r"CPU clock\s+3.5 GHz\s+2.2 GHz")
        for file, commit in ((one, "c1"), (two, "c2")):
            self.cupel("history", "add", file, "h", "--commit", commit, code=0)
        self.refuses("is of several machines", "history", "h")
        merged = self.folder / "one/m"
        merged.mkdir(parents=True)
        for point in (self.folder / "h").rglob("*.json"):
            point.rename(merged / point.name)
        self.refuses("points of 2 machines (n1, n2)", "history", "one", code=5)

    def test_a_rate_has_one_direction(self):
        files = [self.file(f"{side}.json", {"context": {"library_version": "v1.9.4"}, "benchmarks": [
            row("a", time, bytes_per_second=6.4e11 / time, hits=3)]}) for side, time in (("x", 100.0), ("y", 200.0))]
        rows = json.loads(self.cupel("compare", *files, "--format", "json", code=0).out)["contenders"][0]["rows"]
        ratios = {one.get("metric", "time"): one["ratio"] for one in rows}
        self.assertAlmostEqual(ratios["time"], 2)
        self.assertAlmostEqual(ratios["bytes_per_second"], 2)
        self.assertIsNone(ratios["hits"])


if __name__ == "__main__":
    main()
