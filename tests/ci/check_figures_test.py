"""ci/check-figures on pages and result files of its own, with a stand-in for the program."""

import gzip
import json
import os
import subprocess
import sys
import unittest

from program import FolderTest, load_script, main

figures = load_script("check-figures")

FILE = "results/gpu/move.json.gz"

# Prints what lies beside it: show.txt, show.json, advise.json.
STAND_IN = """#!/bin/sh
kind=txt
for word; do [ "$word" = json ] && kind=json; done
cat "$(dirname "$0")/$1.$kind"
"""

SHOWN = """device   Test GPU

move/up: GB/s by memory
   bytes  pageable  pinned
   4 KiB      1.00    2.00
  64 KiB      3.00    4.50

time: median over processes
"""

README = """# Title

```console
$ cupel show results/gpu/move.json.gz
...
move/up: GB/s by memory
   bytes  pageable  pinned
   4 KiB      1.00    2.00
  64 KiB      3.00    4.50
...
```
"""

PAGE = """# Move

It was 7 us elsewhere.

## Seen

- Pinned memory reaches 4.50 GB/s
  at 64 KiB, from 4 and 64 KiB on `n:12`, 100 had been seen.
- Pinning pays 1.5 to 2.0 times.

## Later

9 lives.
"""

LINES = f"""file {FILE}
page docs/move.md: Seen

# what it reaches
reaches 4.50 GB/s at 64 KiB = gb("up/memory:pinned/bytes:64KiB"); -
100 had been seen = -
Pinning pays 1.5 to 2.0 times
  = min(gains("pin"))
  = max(gains("pin"))
  = pay("pin")
"""


def row(name, gigabytes, processes_s=(1.0, 1.1, 1.2), mode="cold", figure=True):
    return {"name": f"move/{name}", "mode": mode, "figure": figure, "ok": 3, "flags": ["below floor", "12.5 % slower than 4 other boards"], "time_s": 1.1,
            "low_s": 1.0, "high_s": 1.2, "processes_s": list(processes_s), "quantity": "bytes",
            "per_second": gigabytes * 1e9, "limit_per_second": 10e9,
            "counters": {"relative_error": {"value": 2.5e-4, "unit": "1"}}}


def point(size, gain, verdict="pays"):
    return {"before": f"move/up/memory:pageable/bytes:{size}", "after": f"move/up/memory:pinned/bytes:{size}",
            "gain": gain, "verdict": verdict}


class Tree(FolderTest):
    def setUp(self):
        super().setUp()
        self.executable("bin/cupel", STAND_IN)
        self.file("README.md", README)
        self.file("docs/move.md", PAGE)
        self.file("docs/figures/move.txt", LINES)
        self.measure(SHOWN, [row("up/memory:pinned/bytes:65536", 4.5),
                             row("up/memory:pinned/bytes:65536", 6.0, mode="hot", figure=False)],
                     [point(4096, 1.5), point(65536, 2.0)])

    def text(self, name):
        return (self.folder / name).read_text()

    def edit(self, name, old, new):
        self.assertIn(old, self.text(name))
        self.file(name, self.text(name).replace(old, new))

    def measure(self, shown, rows, points):
        """Puts a result file there, and what the program says of it."""
        variant = {"recommended": False, "points": [point(4096, 0.9, "harms")]}
        advice = [{"id": "pin", "verdict": "pays", "in_step": {"gain": 1.25}, "curves": [{"recommended": True, "counted": True, "points": points}, variant]}]
        samples = [{"run_name": "move/up/memory:pinned/bytes:65536", "name": "same",
                    "cupel": {"counters": {"tried": {"value": 3}}, "telemetry": {"throttle_reasons": ["sw_power_cap"]},
                              "series": [{"mode": "cold", "correction_s": 0.1, "samples_s": [1.2, 1.0]}]}}]
        self.file("bin/show.txt", shown)
        self.file("bin/show.json", rows)
        steps = [{"step": "move/step net:a batch:8", "changes": [{"change": "pin", "added": 1.125, "alone": 1.5}]}]
        self.file("bin/advise.json", {"files": [{"advice": advice, "steps": steps}]})
        counter = {"name": "move/up/memory:pinned/bytes:65536", "metric": "cpu_time", "ratio": None}
        self.file("bin/compare.json", {"contenders": [{"families": [{"geometric_mean": 0.8}], "rows": [counter, {"name": counter["name"], "ratio": 0.5}]}]})
        self.file(FILE, gzip.compress(json.dumps({"context": {"cupel": {"run": {"processes": 3}}}, "benchmarks": samples}).encode()))

    def run_it(self, *arguments, code):
        ended = subprocess.run([sys.executable, figures.__file__, self.folder, "--cupel", self.folder / "bin/cupel", *arguments],
                               capture_output=True, text=True, check=False)
        self.assertEqual(ended.returncode, code, ended.stdout + ended.stderr)
        return ended.stdout if code != 2 else ended.stderr

    def says(self, words, code=1):
        printed = self.run_it(code=code)
        self.assertIn(words, printed)
        return printed


class Text(Tree):
    def test_that_the_files_say_so_is_told_by_0(self):
        self.assertIn("5 figures and tables are what the files say", self.run_it(code=0))

    def test_a_name_may_have_its_family(self):
        self.file("docs/figures/move.txt", LINES.replace('gb("up/', 'gb("move/up/'))
        self.assertIn("5 figures and tables are what the files say", self.run_it(code=0))

    def test_a_figure_that_is_not_the_files_is_named_with_line_and_what_it_is(self):
        self.edit("docs/move.md", "4.50 GB/s", "4.51 GB/s")
        self.edit("docs/figures/move.txt", "4.50 GB/s", "4.51 GB/s")
        self.says(f"docs/move.md:7: 4.51 in 'reaches 4.51 GB/s at 64 KiB' is 4.50 in {FILE}")

    def test_words_that_do_not_stand_once_in_the_section_are_named(self):
        self.edit("docs/move.md", "100 had", "100 have")
        printed = self.says("docs/figures/move.txt:6: '100 had been seen' stands 0 times in docs/move.md, not once")
        self.assertIn("docs/move.md:8: no line of docs/figures has 100 in", printed)
        self.edit("docs/move.md", "100 have", "100 had been seen, 100 had")
        self.says("stands 2 times")
        self.edit("docs/figures/move.txt", "100 had been seen", "9 lives")
        self.says("'9 lives' stands 0 times")

    def test_each_number_of_a_section_is_in_some_line(self):
        self.edit("docs/figures/move.txt", "100 had been seen = -\n", "")
        printed = self.says("docs/move.md:8: no line of docs/figures has 100 in 'at 64 KiB, from 4 and 64 KiB on")
        self.assertIn("1 of 5 figures", printed)

    def test_a_page_without_a_section_need_not_be_covered(self):
        self.file("docs/figures/more.txt", f"file {FILE}\npage docs/move.md\n9 lives = 4 + 5\n")
        self.assertIn("6 figures", self.run_it(code=0))

    def test_a_condition_takes_no_number_and_must_hold(self):
        self.edit("docs/figures/move.txt", 'pay("pin")', '"harms" in verdicts("pin")')
        self.says("""docs/move.md:9: 'Pinning pays 1.5 to 2.0 times' is not so: "harms" in verdicts("pin")""")

    def test_as_many_expressions_are_wanted_as_there_are_numbers(self):
        self.edit("docs/figures/move.txt", '  = min(gains("pin"))\n', "")
        self.says("2 numbers in 'Pinning pays 1.5 to 2.0 times', but 1 expressions for them")

    def test_an_expression_that_is_wrong_is_named(self):
        for wrong, words in (('gb("down")', f"{FILE} has no down"), ("1 +", "1 +: "), ("open('x')", "open"),
                             ('gain("pin")', "pin has 2 points like ''"), ('gains("pan")', "has no advice pan"),
                             ('alone("pin", "net:b")', "has 0 changes pin of net:b"),
                             ('rate("up/memory:pinned/bytes:64KiB", "flops")', "has no rate in flops")):
            with self.subTest(wrong):
                self.file("docs/figures/move.txt", LINES.replace('gb("up/memory:pinned/bytes:64KiB")', wrong))
                self.says(words)

    def test_update_writes_the_figures_into_page_and_list(self):
        self.measure(SHOWN, [row("up/memory:pinned/bytes:65536", 4.724)], [point(4096, 1.46), point(65536, 12.3)])
        printed = self.run_it("--update", code=0)
        self.assertIn("written: docs/move.md:7: 4.50 in", printed)
        self.assertEqual(self.text("docs/move.md"), PAGE.replace("4.50", "4.72").replace("2.0 times", "12.3 times"))
        self.assertEqual(self.text("docs/figures/move.txt"),
                         LINES.replace("4.50", "4.72").replace("2.0 times", "12.3 times"))

    def test_update_leaves_to_people_what_words_say(self):
        self.measure(SHOWN, [row("up/memory:pinned/bytes:65536", 4.5)], [point(4096, 1.5, "undecided"), point(65536, 2)])
        self.assertIn("is not so: pay", self.run_it("--update", code=1))
        self.assertEqual(self.text("docs/move.md"), PAGE)

    def test_update_leaves_to_people_what_is_below_zero(self):
        self.edit("docs/figures/move.txt", 'max(gains("pin"))', '-max(gains("pin"))')
        printed = self.run_it("--update", code=1)
        self.assertIn("2.0 in 'Pinning pays 1.5 to 2.0 times' is -2.0", printed)
        self.assertNotIn("written", printed)
        self.assertEqual(self.text("docs/move.md"), PAGE)

    def test_update_changes_nothing_that_is_right(self):
        self.run_it("--update", code=0)
        self.assertEqual((self.text("README.md"), self.text("docs/move.md")), (README, PAGE))


class Tables(Tree):
    def test_that_are_not_what_the_command_prints_are_named(self):
        self.edit("README.md", "3.00", "3.01")
        self.says("README.md:6: `cupel show results/gpu/move.json.gz` prints something else")
        self.edit("README.md", "move/up: ", "move/down: ")
        self.says("README.md:6: `cupel show results/gpu/move.json.gz` prints nothing like this")

    def test_are_written_by_update_and_what_is_left_out_stays_so(self):
        self.file("bin/show.txt", SHOWN.replace("GB/s", "TB/s").replace("4.50", "0.01 [1]\n  [1] marked"))
        self.run_it("--update", code=0)
        self.assertEqual(self.text("README.md"),
                         README.replace("GB/s", "TB/s").replace("4.50", "0.01 [1]\n  [1] marked"))

    def test_that_are_lists_are_known_by_their_first_operation(self):
        self.file("bin/show.txt", SHOWN + "\n  benchmark  time\nmove/down\n  bytes:4 KiB  2 us\n")
        listed = "```console\n$ cupel show results/gpu/move.json.gz\n  benchmark  time\nmove/down\n  bytes:4 KiB  {}\n```\n"
        self.file("docs/move.md", PAGE + listed.format("1 us"))
        self.says("prints something else")
        self.run_it("--update", code=0)
        self.assertEqual(self.text("docs/move.md"), PAGE + listed.format("2 us"))

    def test_that_are_pictures_are_what_the_command_above_them_prints(self):
        self.edit("README.md", "# Title\n", "# Title\n\n<!-- $ cupel show results/gpu/move.json.gz -->\n![words](move.svg)\n")
        self.file("move.svg", SHOWN)
        self.run_it(code=0)
        self.file("move.svg", SHOWN + "more")
        self.says("README.md:3: move.svg is not what `cupel show results/gpu/move.json.gz` prints")
        self.run_it("--update", code=0)
        self.run_it(code=0)
        (self.folder / "move.svg").unlink()
        self.says("README.md:3: move.svg is not what `cupel show results/gpu/move.json.gz` prints")

    def test_of_markdown_are_what_the_command_above_prints(self):
        self.executable("ci/rates", "#!/bin/sh\necho '| rate |'\necho '|--:|'\necho \"| $1 |\"\n")
        self.edit("README.md", "# Title\n", "# Title\n\n<!-- $ ci/rates 4.5 -->\n| rate |\n|--:|\n| 4.5 |\n")
        self.run_it(code=0)
        self.edit("README.md", "ci/rates 4.5", "ci/rates 4.6")
        self.says("README.md:3: the table is not what `ci/rates 4.6` prints")
        self.run_it("--update", code=0)
        self.assertIn("| 4.6 |\n", self.text("README.md"))
        self.run_it(code=0)

    def test_of_one_script_in_python_are_made_by_loading_it_once(self):
        self.executable("ci/rates", """#!/usr/bin/env python3
import os, pathlib, sys
with open(pathlib.Path(__file__).with_name("loaded"), "a") as loaded:
    loaded.write("x")
def main(arguments):
    if arguments == ["9"]:
        sys.exit("no such rate")
    if arguments == ["8"]:
        print("no program", file=sys.stderr)
        return 2
    print(f"| rate |\\n|--:|\\n| {arguments[0]} |" if os.environ["CUPEL"] and os.environ["COLUMNS"] == "80" else "")
""")
        page = "# Title\n\n<!-- $ ci/rates 4.5 -->\n| rate |\n|--:|\n| 4.5 |\n\n<!-- $ ci/rates 6 -->\n| rate |\n|--:|\n| 6 |\n"
        self.edit("README.md", "# Title\n", page)
        self.run_it(code=0)
        self.assertEqual(self.text("ci/loaded"), "x")
        self.edit("README.md", "ci/rates 6", "ci/rates 8")
        self.says("ci/rates 8 ends with 2: no program")
        self.edit("README.md", "ci/rates 8", "ci/rates 9")
        self.says("ci/rates 9 ends with no such rate")

    def test_that_are_wider_than_a_terminal_are_named(self):
        self.edit("README.md", "```\n", "$ cupel show host.json --filter " + "a" * 80 + "\n" + "b" * 80 + "\n```\n")
        self.run_it(code=0)
        self.edit("README.md", "b" * 80, "b" * 81)
        self.says("a quoted line is 81 columns wide; a terminal has 80")

    def test_of_other_commands_are_not_looked_at(self):
        self.edit("README.md", "results/gpu/move.json.gz", "host.json")
        self.assertIn("4 figures", self.run_it(code=0))


class Usage(Tree):
    def test_ends_with_2_and_one_line(self):
        for lines, words in (("page docs/none.md\n", "there is no docs/none.md"), ("words = 1\n", "come before"),
                             (f"file {FILE}\npage docs/move.md\nwords\n", "'words' without '= '"),
                             ("page docs/move.md: Nowhere\n", "no section 'Nowhere'")):
            with self.subTest(lines):
                self.file("docs/figures/move.txt", lines)
                said = self.run_it(code=2)
                self.assertIn(words, said)
                self.assertEqual(len(said.splitlines()), 1, said)
        os.remove(self.folder / "bin/cupel")
        self.assertIn("cannot be run", self.run_it(code=2))

    def test_says_what_an_expression_comes_to(self):
        name = "up/memory:pinned/bytes:64KiB"
        for expression, value in ((f'gb("{name}", "hot")', 6.0), (f'share("{name}")', 45.0), (f'error("{name}")', 2.5e-4),
                                  ("spread(names()[0])", 100 / 11), (f'best_s("{name}")', 0.9),
                                  (f'between(0.8e6, 1e6, "{name}")', 50),
                                  ('each_counter("up", "tried")', [3]), ('context("run", "processes")', 3),
                                  ("len(at_power_limit())", 1), ('of("move").context("run", "processes")', 3),
                                  ('most(gb, "up/")', 4.5), ('gains("pin", "bytes:4KiB", True)', [1.5, 0.9]),
                                  (f'times_as_fast("older", "{name}")', 2.0), ('times_as_fast("older", "")', 1.25),
                                  ('verdict("pin")', "pays"), ('in_step("pin")', 1.25),
                                  ('alone("pin", "net:a batch:8")', 1.5), ('added("pin", "net:a batch:8")', 1.125),
                                  ('decisive("pin")', ["pays", "pays"]), ('decisive("pin", "gain")', [1.5, 2.0]), ('unusual("slower", "pinned")', [12.5]), ('unusual("quicker")', []),
                                  (f'flagged("{name}", "below floor")', True), ('said("", "64 KiB +([0-9.]+)")', 3.0)):
            with self.subTest(expression):
                printed = self.run_it("--say", FILE, expression, code=0)
                said = printed.removeprefix(f"{expression} = ").rstrip("\n")
                self.assertAlmostEqual(said if isinstance(value, str) else eval(said), value)


class Numbers(unittest.TestCase):
    def test_are_what_is_written_to_the_digits_that_are_written(self):
        for value, written in ((4.4950001, "4.50"), (4.5, "4.5"), (0.5, "0"), (2.949e-4, "2.9e-4"), (1000.4, "1000")):
            self.assertTrue(figures.rounds_to(value, written), (value, written))
        for value, written in ((4.4949, "4.50"), (4.56, "4.5"), (2.95001e-4, "2.9e-4"), (1000.6, "1000")):
            self.assertFalse(figures.rounds_to(value, written), (value, written))

    def test_are_written_as_the_ones_before_them_were(self):
        for value, before, after in ((4.724, "4.50", "4.72"), (12.34, "9.61", "12.3"), (9.96, "22", "10"),
                                     (4.26, "22", "4.3"), (1.063, "0.81", "1.06"), (7.4, "3", "7"),
                                     (3.04e-4, "1.7e-3", "3.0e-4"), (4.3021, "4.315", "4.302"), (123.4, "98.7", "123"),
                                     (0, "4", "0"), (12, "9.0", "12"), (9, "12", "9")):
            self.assertEqual(figures.rewritten(value, before), after)

    def test_are_found_in_text_but_not_in_names_and_versions(self):
        text = "1.35 times (2 %), 3.0e-4; H200, fp16, 2^30, sm_90, 580.159.04, n:8, a 39th, **5**"
        self.assertEqual(figures.NUMBER.findall(text), ["1.35", "2", "3.0e-4", "39", "5"])


if __name__ == "__main__":
    main()
