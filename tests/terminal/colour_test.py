"""Verdicts are coloured where that is asked for, by every command, and nothing else is."""

import re
import sys

from program import ROOT, main

sys.path.append(str(ROOT / "tests" / "gate"))
import gate_test  # noqa: E402

RESULTS = ROOT / "results"
H200 = RESULTS / "nvidia-h200"
CODED = re.compile(r"\x1b\[3[123]m(.*?)\x1b\[0m", re.S)
VERDICTS = {"SLOWER", "FASTER", "INCONCLUSIVE", "NOT-GATEABLE", "ADDED", "MISSING", "INCOMPLETE", "SKIPPED", "FAILED", "THROTTLED", "BUSY",
            "NOT-COMPARABLE", "NOISIER",
            "pays", "pays everywhere", "pays at some", "also pay", "harms", "harm", "costs", "cost", "undecided", "mixed", "not measurable",
            "unusual", "ok", "warn", "error", "valid", "refused", "passed", "regression", "incomplete", "not comparable", "warning", "failed",
            "skipped", "1 failed"}


class Colours(gate_test.GateTest):
    def coloured(self, *command, codes=(0,), same=True, **environment):
        """The verdicts that are coloured with --color always, of which there may be none. same: the text is the same each time."""
        found = set()
        plain, always = (self.cupel(*command, "--color", when, **environment) for when in ("never", "always"))
        self.assertIn(always.code, codes, always.out + always.err)
        for without, with_codes in ((plain.out, always.out), (plain.err, always.err)):
            self.assertNotIn("\x1b", without)
            bare = CODED.sub(r"\1", with_codes)
            self.assertNotIn("\x1b", bare, "a code that is no verdict's")
            if same:
                self.assertEqual(bare, without)
            else:
                self.assertEqual([line for line in bare.splitlines() if len(line) > 100 and not line.startswith("cupel")], [])
            found |= set(CODED.findall(with_codes))
        self.assertEqual(found - VERDICTS, set(), command)
        self.seen.add(command[0])
        return found

    def setUp(self):
        super().setUp()
        self.seen = set()

    def test_of_every_command(self):
        self.of_results()
        self.of_measuring()
        self.of_the_program()
        listed = self.cupel("--help", code=0).out.split("Subcommands:")[1].split("\n\n")[0]
        self.assertEqual(set(re.findall(r"^  (\w+) ", listed, re.M)) - self.seen, set(), "not looked at here")

    def of_results(self):
        self.assertEqual(self.coloured("advise", H200), {"costs", "harms", "also pay"})
        self.assertLessEqual({"unusual"}, self.coloured("advise", RESULTS / "nvidia-h100"), "two of its convolutions")
        for columns in ("60", "80", "100", "120"):  # where cells are wrapped as where they are not
            self.assertLessEqual({"pays", "pays everywhere", "undecided"}, self.coloured("advise", H200, "--verdicts", COLUMNS=columns))
            self.assertLessEqual({"pays", "pays at some", "mixed"},
                                 self.coloured("advise", H200, RESULTS / "nvidia-h100", "--verdicts", COLUMNS=columns))
        self.assertLessEqual({"pays everywhere", "pays"}, self.coloured("advise", H200, "--advice", "fuse-reduce"))
        self.assertLessEqual({"mixed"}, self.coloured("advise", H200, RESULTS / "nvidia-h100"))
        self.assertLessEqual({"warning"}, self.coloured("show", RESULTS / "nvidia-h100/pytorch.json.gz"))
        one_sided = self.coloured("compare", "--only", "missing,added", H200 / "gemm.json.gz", H200 / "conv.json.gz", codes=(5,))
        self.assertEqual({"MISSING", "ADDED"} & one_sided, {"ADDED"}, "of a gate alone what is missing is bad")
        self.assertEqual(self.coloured("compare", "--fleet", RESULTS / "nvidia-h100", "--expect", "n1", codes=(4,)), {"MISSING"})
        self.assertEqual(self.coloured("validate", H200 / "gemm.json.gz"), {"valid"})
        self.assertEqual(self.coloured("submit", "--check", H200, codes=(2,)), {"refused"})
        self.assertLessEqual({"ok"}, self.coloured("doctor", codes=(0, 3)))
        for plain in (["export", H200 / "gemm.json.gz"], ["bands"], ["explain", "graphs"], ["report", H200 / "gemm.json.gz", "--output", "-"]):
            self.assertEqual(self.coloured(*plain), set())

    def of_measuring(self):
        a, b = self.program("a"), self.program("b", gate_test.SLOWER)
        self.assertEqual(self.coloured("gate", "--base", a, "--new", b, codes=(1,), same=False), {"SLOWER", "regression"})
        self.assertEqual(self.coloured("gate", "--base", a, "--new", a, same=False), {"passed"})
        self.coloured("calibrate", a, "--output", "calibration.json", "--force", same=False)
        history = self.history()
        self.assertEqual(self.coloured("history", history, "--release", "c8", codes=(1,)), {"SLOWER"})
        self.family("x", mode="wrong")
        found = self.coloured("run", "--processes", 1, "--force", "--output", self.output, codes=(4,), same=False)
        self.assertLessEqual({"1 failed", "failed"}, found)

    def of_the_program(self):
        for command in (["list"], ["completions", "bash"], ["manual", "show"]):
            self.assertEqual(self.coloured(*command), set())

    def test_go_to_no_file_and_to_no_other_format(self):
        for command in (["advise", H200], ["compare", H200 / "gemm.json.gz", H200 / "gemm.json.gz"], ["doctor"]):
            self.cupel(*command, "--color", "always", "--output", "out")
            self.assertNotIn("\x1b", (self.folder / "out").read_text())
        self.assertNotIn("\x1b", self.cupel("advise", H200, "--format", "markdown", "--color", "always").out)

    def test_are_off_where_there_is_no_terminal_unless_a_variable_forces_them(self):
        validate = ["validate", H200 / "gemm.json.gz"]
        self.assertNotIn("\x1b", self.cupel(*validate).out)
        self.assertIn("\x1b[32mvalid\x1b[0m", self.cupel(*validate, CLICOLOR_FORCE="1").out)
        for off in ({"CLICOLOR_FORCE": "0"}, {"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}):
            self.assertNotIn("\x1b", self.cupel(*validate, **off).out)
        self.assertIn("\x1b", self.cupel(*validate, "--color", "always", NO_COLOR="1").out, "who asks knows")
        self.assertNotIn("\x1b", self.cupel(*validate, "--color", "never", CLICOLOR_FORCE="1").out)

    def test_are_asked_for_before_the_command_too(self):
        self.assertIn("\x1b", self.cupel("--color", "always", "validate", H200 / "gemm.json.gz", code=0).out)
        self.refuses("--color", "validate", H200 / "gemm.json.gz", "--color", "often")


if __name__ == "__main__":
    main()
