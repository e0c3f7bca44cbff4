"""No table and no help is wider than the terminal, and a wider one has the same form: every command, on the results that are here."""

import collections
import itertools
import json
import lzma
import re
import shutil
import sys

from program import ROOT, main

sys.path.append(str(ROOT / "tests" / "gate"))
import gate_test  # noqa: E402

RESULTS = ROOT / "results"
H200 = RESULTS / "nvidia-h200"
WIDTHS = (60, 80)
WIDER = (100, 120, 200)  # than the 80 columns for which a form is chosen
NAMED_AS_LEFT_OUT = re.compile(r"^(In every row|A wider terminal)[^\n]*(\n {8}[^\n]*)*\n", re.M)

Line = collections.namedtuple("Line", "indent alone text")


def form(text):
    """What a width may not change: how far in each line begins, and whether a name stands there alone. Lines that a width breaks, and a
    paragraph, are one; the columns that a table has no room for are not looked at."""
    lines = []
    for whole in re.split(r"\n(?! {8})", NAMED_AS_LEFT_OUT.sub("", text)):
        line = Line(len(whole) - len(whole.lstrip()), "  " not in whole.split("\n")[0].strip(), "".join(whole.split()))
        if lines and line.text and lines[-1].text and line.alone and lines[-1][:2] == line[:2]:
            line = line._replace(text=lines.pop().text + line.text)
        lines.append(line)
    return lines


class Widths(gate_test.GateTest):
    def assert_fits(self, *command, codes=(0,)):
        for width in WIDTHS:
            ended = self.cupel(*command, COLUMNS=str(width))
            self.assertIn(ended.code, codes, ended.err)
            lines = [line for line in ended.out.splitlines() if not line.startswith("cupel gate: ")]  # one, for scripts
            wide = [line for line in lines if len(line) > width]
            self.assertEqual(wide, [], f"{command} at {width} columns")

    def assert_same_form(self, *command, widths=WIDER):
        narrow = form(self.cupel(*command, COLUMNS="80").out)
        self.assertGreater(len(narrow), 3)
        for width in widths:
            wide = form(self.cupel(*command, COLUMNS=str(width)).out)
            for one, other in itertools.zip_longest(narrow, wide):
                where = f"{command} at {width} columns: {one} is {other}"
                self.assertIsNotNone(one and other, where)
                self.assertEqual((one.indent, one.alone, one.text[:8]), (other.indent, other.alone, other.text[:8]), where)
                self.assertFalse(collections.Counter(one.text) - collections.Counter(other.text), where)

    def test_of_help(self):
        commands, seen = [[]], 0
        while commands:
            command = commands.pop()
            seen += 1
            self.assert_fits(*command, "--help")
            text = self.cupel(*command, "--help", code=0, COLUMNS="200").out
            if "Subcommands:" in text:
                listed = text.split("Subcommands:")[1].split("\n\n")[0]
                commands += [[*command, name] for name in re.findall(r"^  (\w+) ", listed, re.M)]
        self.assertGreater(seen, 14)

    def test_of_one_result(self):
        for file in sorted(RESULTS.rglob("*.json.gz")):
            for how in ([], ["--noise"], ["--all"]):
                self.assert_fits("show", *how, file)
            self.assert_fits("advise", file)
        self.assert_fits("show", "--items", H200 / "conv.json.gz")

    def test_wider_has_the_same_tables_and_lists(self):
        def forms(file, width):
            text = self.cupel("show", file, code=0, COLUMNS=str(width)).out
            heads = re.findall(r"^[a-z0-9_]+/.*", text.replace("\n" + 8 * " ", " "), re.M)
            return [(re.split(r"[ :]", head)[0], bool(re.search(r": .* by \w", head))) for head in heads]

        seen = set()
        for file in sorted(RESULTS.rglob("*.json.gz")):
            narrow = forms(file, 80)
            seen |= {is_table for _, is_table in narrow}
            for width in (100, 120, 160):
                self.assertEqual(forms(file, width), narrow, f"{file} at {width} columns")
        self.assertEqual(seen, {True, False}, "both are looked at")

    def test_wider_has_the_same_form(self):
        for one, other in itertools.combinations(sorted(RESULTS.rglob("*.json.gz")), 2):
            if one.name == other.name:
                self.assert_same_form("compare", one, other, widths=(200,))
                self.assert_same_form("compare", "--all", one, other, widths=(200,))
        H100, two_of_each = RESULTS / "nvidia-h100", (RESULTS / "nvidia-h100-x2", RESULTS / "nvidia-h200-x2")
        self.assert_same_form("compare", H100, H200, widths=(120,))
        self.assert_same_form("compare", *two_of_each)
        self.assert_same_form("compare", "--only", "missing,added", *two_of_each)
        self.assert_same_form("compare", *(folder / "gemm.json.gz" for folder in (H100, H200, RESULTS / "nvidia-h100-sustained")))
        self.assert_same_form("compare", "--fleet", H200)
        self.assert_same_form("gate", "--all", "--baseline", H200 / "sync.json.gz", "--new", H200 / "sync.json.gz")
        for file in H200.glob("*.json.gz"):
            self.assert_same_form("show", "--noise", file, widths=(200,))

    def test_of_several_results(self):
        for name in ("gemm", "conv"):
            self.assert_fits("compare", "--all", H200 / f"{name}.json.gz", H200 / f"{name}.json.gz")
        fusions = [H200 / "fusion.json.gz", RESULTS / "nvidia-h100" / "fusion.json.gz"]
        self.assert_fits("compare", "--all", *fusions)
        self.assert_fits("compare", *fusions, H200 / "memory.json.gz")
        self.assert_fits("compare", "--fleet", H200, codes=(5,))
        self.assert_fits("advise", H200)

    def test_of_what_a_step_would_gain(self):
        pack = ROOT / "tests" / "foretell" / "h200"
        shutil.unpack_archive(pack / "profiles.tar.xz", self.folder)
        profiles = self.folder / "profiles"
        self.assert_fits("advise", "--step", next(profiles.iterdir()), H200)
        self.assert_fits("advise", "--step", profiles, H200)

    def test_of_what_there_is(self):
        self.family("of_a_name_that_is_longer_than_a_terminal_is_wide_if_that_has_eighty_columns")
        self.assert_fits("list")
        self.assertEqual(len(self.cupel("list", code=0, COLUMNS="").out.splitlines()), 3, "a pipe is searched by name")
        self.assert_fits("run", "--dry-run")
        self.assert_fits("run", "--processes", 2, "--force", "--output", self.output)
        for name in ("gemm/square", "cold", "fuse-norm"):
            self.assert_fits("explain", name)
        self.assert_fits("doctor", codes=(0, 3))
        self.assert_fits("bands")

    def test_of_gates_and_histories(self):
        a = self.program("a_program_of_a_name_that_is_longer_than_others", {"BM_work/" + "long/" * 14: 1000.0, **gate_test.TIMES})
        b = self.program("b", {"BM_work/" + "long/" * 14: 1000.0, **gate_test.TIMES, "BM_work/3": 3150.0}, noise=0.01)
        self.assert_fits("calibrate", a, "--output", "calibration.json", "--force", "--runs", 2)
        self.assert_fits("gate", "--base", a, "--new", b, "--all", codes=(1,))
        self.cupel("gate", "--base", a, "--new", b, "--keep", "kept", code=1)
        result = json.loads((self.folder / "kept" / "screen-base.json").read_text())
        for night in range(1, 13):
            for row in result["benchmarks"]:
                row["real_time"] *= 1.1 if night == 7 else 1.001
            self.cupel("history", "add", self.file("r.json", result), "h", "--commit", f"c{night}", "--date",
                       f"2026-01-{night:02}", code=0)
        self.assert_fits("history", "h", "--all", "--release", "c1", codes=(0, 1))
        self.assert_same_form("history", "h", "--all", "--release", "c1")


if __name__ == "__main__":
    main()
