"""Help, manual pages and completions say the same of each command; the short options do what they say in each command that has them."""

import json
import re
import shlex
import subprocess
import unittest

from program import CUPEL, ROOT, ProgramTest, main

CODES = {"kDone": 0, "kRegression": 1, "kUsage": 2, "kNoDevice": 3, "kFailed": 4, "kNothing": 5, "kUndecided": 6, "kInterrupted": 130,
         "kReaderGone": 141}
OF_ALL = {0, 2, 141}


def printed(*words, columns="200"):
    return subprocess.run([CUPEL, *words], capture_output=True, text=True, check=True, env={"COLUMNS": columns}).stdout


def commands(words=()):
    """The words of each command, the program itself among them."""
    found, text = [list(words)], printed(*words, "--help")
    if "Subcommands:" in text:
        listed = text.split("Subcommands:")[1].split("\n\n")[0]
        for name in re.findall(r"^  (\w+) ", listed, re.M):
            found += commands([*words, name])
    return found


def section(text, heading):
    return text.split(f"\n{heading}:\n", 1)[1].split("\n\n", 1)[0]


def options(text):
    """The long and short options that a help has lines for."""
    names = re.findall(r"^  (-[-\w]+)(?:,(-[-\w]+))?", text, re.M)
    return {name for both in names for name in both if name}


COMMANDS = commands()


class Help(unittest.TestCase):
    def test_of_each_command_has_two_examples_with_options_that_it_has(self):
        for words in COMMANDS:
            lines = section(printed(*words, "--help"), "Examples").splitlines()
            self.assertEqual(len(lines), 4, words)
            for line in lines[::2]:
                with self.subTest(line):
                    given = shlex.split(re.sub(r"^.*<\(|\).*$|[|<].*$", "", line.strip()))
                    self.assertEqual(given[0], "cupel")
                    named = given[1:1 + len(words)] if words else []
                    self.assertEqual(named, words)
                    help_ = printed(*given[1:2], "--help") if not words else printed(*words, "--help")
                    for word in given[1:]:
                        if word.startswith("-") and word != "-":
                            self.assertIn(word, options(help_))

    def test_of_a_command_has_the_exit_codes_that_its_source_has(self):
        self.assertEqual({int(line.split()[0]) for line in section(printed("--help"), "Exit codes").splitlines()}, set(CODES.values()))
        for words in COMMANDS:
            if len(words) != 1:
                continue
            with self.subTest(words[0]):
                source = re.sub(r"\.exits\(.*?\);", "", (ROOT / "cli" / f"{words[0]}.cpp").read_text(), flags=re.S)
                used = {code for name, code in CODES.items() if re.search(rf"\b{name}\b", source)} | OF_ALL
                told = set()
                for one in COMMANDS:
                    if one[:1] == words:
                        told |= {int(line.split()[0]) for line in section(printed(*one, "--help"), "Exit codes").splitlines()}
                self.assertEqual(told, used)

    def test_has_no_heading_without_options_and_none_twice(self):
        for words in COMMANDS:
            headings = re.findall(r"^(\w[\w ]*):\n  \S", printed(*words, "--help"), re.M)
            self.assertEqual(len(set(headings)), len(headings), words)
            self.assertEqual(headings[-2:], ["Examples", "Exit codes"])
            self.assertNotIn("\n\n\n", printed(*words, "--help"))


    def test_says_bounds_and_default_in_one_parenthesis_behind_the_text(self):
        for words in COMMANDS:
            help_ = printed(*words, "--help", columns="1000")
            for head in re.findall(r"^  (-\S+(?: \S+)*)", help_, re.M):
                self.assertNotRegex(head, r"[=,] *\d| to |\.\.\. \.\.\.", words)
        self.assertIn("differences smaller than this (0.1 to 50, default 1 %)\n", printed("gate", "--help", columns="1000"))
        self.assertIn("no difference (0.1 to 50, default 3 %)\n", printed("advise", "--help", columns="1000"))
        self.assertIn("(above 0, default 60)\n", printed("doctor", "--help", columns="1000"))
        self.assertIn("--model FILE.py:FUNCTION", printed("run", "--help"))

    def test_of_a_history_says_in_a_line_what_a_reference_is_and_takes(self):
        self.assertIn("A reference: an earlier commit that the newest is held against. Either needs 5 processes, and a benchmark 6 points\n",
                      printed("history", "--help", columns="1000"))


class ShortOptions(ProgramTest):
    def setUp(self):
        super().setUp()
        self.family("a")

    def test_version(self):
        told = self.cupel("--version", code=0).out
        for words in COMMANDS:
            self.assertEqual(self.cupel(*words, "-V", code=0).out, told)

    def test_a_result_is_printed_and_nothing_kept(self):
        ended = self.cupel("run", "--processes", 1, "-o", "-", code=0)
        self.assertIn("a, process 1 of 1", ended.err)
        self.assertEqual([file.name for file in self.folder.rglob("*") if file.suffix in (".json", ".html")], [])
        self.output.write_text(ended.out)
        self.assertEqual({name.split("/")[0] for name, _ in self.rows()}, {"a"})

    def test_a_quiet_run_prints_the_names_of_its_files_alone(self):
        ended = self.run_it("--processes", 1, "-q")
        self.assertEqual((ended.out, ended.err), (f"{self.output.with_suffix('.html')}\n{self.output}\n", ""))
        self.refuses("exists", "run", "--output", self.output)
        self.assertEqual(self.run_it("--processes", 1, "-qf").err, "")

    def test_a_run_says_in_any_case_that_a_busy_machine_measured_all_of_it(self):
        self.family("a", benchmarks=1, mode="busy", at=0)
        for quiet in ((), ("-q",)):
            ended = self.run_it("--processes", 2, "--force", *quiet)
            said = " ".join(ended.err.split())
            self.assertIn("none of the measurements can be used: 2 were taken on a busy machine. Threads waited for a CPU in 2 of 2", said)
            self.assertIn("Run nothing else on the machine", said)
            self.assertEqual(said.count("none of the measurements"), 1)

    def test_a_run_says_nothing_of_the_kind_where_a_measurement_counts(self):
        self.family("a", benchmarks=2, mode="busy", at=0)
        self.assertEqual(self.run_it("--processes", 1, "-q").err, "")

    def test_quiet_commands_print_nothing_where_all_is_well(self):
        self.run_it("--processes", 1)
        history = self.folder / "history"
        for command in (["validate", self.output], ["report", self.output], ["history", "add", self.output, history, "--commit", "c"]):
            self.assertNotEqual(self.cupel(*command, code=0).out, "")
            again = ["-f"] if command[0] == "history" else []
            self.assertEqual(self.cupel(*command, "-q", *again, code=0)[1:], ("", ""), command)
        self.assertIn("is missing", self.cupel("validate", "-q", self.file("no.json", {"context": {"cupel": {}}}), code=2).err)

    def test_a_calibration_is_printed_or_kept_quietly(self):
        program = self.bench / "cupel_bench_a"
        calibrate = ("calibrate", program, "--runs", 1)
        stored = self.cupel(*calibrate, "-q", code=0)
        self.assertEqual((stored.out, stored.err), ("calibration.json\n", ""))
        self.refuses("exists", *calibrate)
        kept = (self.folder / "calibration.json").read_text()
        ended = self.cupel(*calibrate, "-o", "-", code=0)
        self.assertEqual(set(re.findall(r'"a/work/bytes:\d+"', ended.out)), set(re.findall(r'"a/work/bytes:\d+"', kept)))
        self.assertTrue(ended.out.startswith("{") and ended.out.endswith("}\n"))
        self.assertEqual((self.folder / "calibration.json").read_text(), kept)
        self.assertFalse((self.folder / "-").exists())
        self.refuses("--add", *calibrate, "--add", "-o", "-")

    def test_a_page_is_printed(self):
        self.run_it("--processes", 1)
        self.cupel("report", self.output, "-o", "page.html", code=0)
        self.assertEqual(self.cupel("report", self.output, "-o", "-", code=0).out, (self.folder / "page.html").read_text())
        self.assertFalse((self.folder / "-").exists())


class Completions(unittest.TestCase):
    def test_name_every_option_of_every_command(self):
        for shell in ("bash", "zsh", "fish"):
            script = printed("completions", shell)
            for words in COMMANDS:
                for option in options(printed(*words, "--help")):
                    self.assertIn(f"-l {option[2:]}" if shell == "fish" and option.startswith("--") else
                                  f"-s {option[1:]}" if shell == "fish" else option, script)


class Manual(ProgramTest):
    def pages(self):
        self.cupel("manual", "--folder", self.folder / "man", code=0)
        return self.folder / "man"

    def test_has_a_page_for_each_command(self):
        self.assertEqual({file.name for file in self.pages().iterdir()}, {"-".join(["cupel", *words]) + ".1" for words in COMMANDS})

    def test_a_page_says_what_the_help_says(self):
        for words in COMMANDS:
            page = self.cupel("manual", *words, code=0).out.replace("\\-", "-").replace("\\e", "\\")
            self.assertEqual(page, (self.pages() / ("-".join(["cupel", *words]) + ".1")).read_text().replace("\\-", "-").replace("\\e", "\\"))
            help_ = self.cupel(*words, "--help", COLUMNS="1000").out
            for option in options(help_):
                self.assertIn(f"\\fB{option}\\fR", page)
            for text in re.findall(r"^ {2,30}\S.*?  +(\S.*)$", help_, re.M):
                self.assertIn(text, page)
            for example in section(help_, "Examples").splitlines():
                self.assertIn(example.strip(), page)

    def test_of_a_command_that_is_not_there_is_refused(self):
        self.refuses("no command 'add'", "manual", "run", "add")


if __name__ == "__main__":
    main()
