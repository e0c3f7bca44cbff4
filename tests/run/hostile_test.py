"""Input that wants to hang a command, and text that wants to deceive its reader."""

import csv
import io
import json
import os
import pathlib
import re
import shutil
import tempfile

from program import ProgramTest, main

HIDES = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]")
POISON = "=cmd\x1b[31m\r\n::error::\u202egnp\u200b\x85<script>alert(1)</script>| `x` @all #1 [l](http://e.test)"


class InputThatIsNoFile(ProgramTest):
    def commands(self, file):
        self.family("a")
        program = self.bench / "cupel_bench_a"
        gate = ("gate", "--base", program, "--new", program)
        history = self.folder / "history"
        (history / "machine").mkdir(parents=True, exist_ok=True)
        return [("show", file), ("validate", file), ("advise", file), ("report", file), ("export", file), ("compare", file, file),
                ("compare", file, file, "--renames", file), ("run", "--resume", file), ("gate", "--baseline", file, "--new", file),
                (*gate, "--policy", file), (*gate, "--renames", file), (*gate, "--calibration", file),
                ("history", "add", file, history, "--commit", "c"), ("history", history, "--accepted", file),
                ("history", history, "--policy", file), ("calibrate", program, "--add", "--output", file)]

    def test_is_refused_by_name_by_every_command(self):
        pipe, loop = self.folder / "pipe", self.folder / "loop"
        os.mkfifo(pipe)
        loop.symlink_to(loop)
        for file in (pipe, loop, "/dev/zero", "/proc/self/mem", self.folder / ("n" * 256), self.folder):
            for command in self.commands(file):
                with self.subTest(command[0], arguments=command[1:]):
                    ended = self.cupel(*command, COLUMNS="1000")  # so that the longest name stands in one line
                    self.assertEqual(ended.code, 2, ended.err)
                    self.assertIn(str(file), ended.err)
                    self.assertNotRegex(ended.err, "filesystem error|terminate|basic_")

    def test_that_is_empty_for_who_asks_its_size_is_no_result(self):
        self.refuses("/proc/self/environ", "show", "/proc/self/environ")


def places(value, path=()):
    """The paths of all strings and names of a document."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield from places(member, (*path, key))
    elif isinstance(value, list):
        for i, member in enumerate(value):
            yield from places(member, (*path, i))
    elif isinstance(value, str):
        yield path


def planted(document, path, text):
    copy = json.loads(json.dumps(document))
    at = copy
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = text
    return copy


class TextThatDeceives(ProgramTest):
    def setUp(self):
        super().setUp()
        self.family("a")
        self.family("b", mode="wrong")
        self.run_it("--processes", 3, code=4, SLURM_JOB_ID="17", SLURMD_NODENAME="n3")
        self.planted = self.folder / "planted.json"

    def poisoned(self, poison):
        """The result with the text in every place that a reader takes it in."""
        document, taken = json.loads(self.output.read_text()), 0
        for path in list(places(document)):
            tried = planted(document, path, poison)
            self.file("planted.json", tried)
            if self.cupel("show", self.planted).code == 0:
                document, taken = tried, taken + 1
        self.file("planted.json", document)
        return taken

    def formats(self, command):
        """What its --format offers, as it says itself where it is given none of these."""
        offered = re.search(r"one of ([\w, ]+), not nothing", self.cupel(command, "--format", "nothing", code=2).err)[1].split(", ")
        self.assertIn("text", offered)
        return offered

    def outputs(self):
        for form in self.formats("show"):
            yield form, self.cupel("show", self.planted, "--format", form).out
        for form in self.formats("compare"):
            yield form, self.cupel("compare", self.output, self.planted, "--format", form, "--all").out
        for form in self.formats("advise"):
            yield form, self.cupel("advise", self.planted, "--format", form, "--all").out
        for form in self.formats("gate"):
            yield form, self.cupel("gate", "--baseline", self.output, "--new", self.planted, "--format", form, "--all").out
        page = self.folder / "page.html"
        self.cupel("report", self.planted, "--output", page)
        yield "html", page.read_text(encoding="utf-8")
        yield from self.outputs_of_folders()

    def tell_benchmarks_apart(self):
        """What all have one name of is no history."""
        document = json.loads(self.planted.read_text(encoding="utf-8"))
        for row, as_it_was in zip(document["benchmarks"], json.loads(self.output.read_text(encoding="utf-8"))["benchmarks"]):
            row["name"] += as_it_was["name"]
        self.file("planted.json", document)

    def outputs_of_folders(self):
        self.tell_benchmarks_apart()
        fleet, history = (pathlib.Path(tempfile.mkdtemp(dir=self.folder)) for _ in range(2))
        document = json.loads(self.planted.read_text(encoding="utf-8"))
        node = document["context"]["cupel"]["run"].get("node", "")
        for number in range(6):
            document["context"]["cupel"]["run"]["node"] = node + str(max(number, 1))  # two of them are one node's
            self.file(fleet / f"{number}.json", json.dumps(document, ensure_ascii=False))
            date = f"2026-11-{10 + number}T00:00:00Z"
            self.cupel("history", "add", self.planted, history, "--commit", f"c{number}", "--date", date, code=0)
        for form in self.formats("history"):
            yield form, self.cupel("history", history, "--format", form, "--all", code=0).out
        for form in self.formats("compare"):
            yield form, self.cupel("compare", "--fleet", fleet, "--format", form, code=0).out
            yield form, self.cupel("compare", "--fleet", fleet, "--expect", "n3", "--format", form, code=4).out  # n3 is poisoned

    def test_does_so_in_no_format(self):
        self.assertEqual(self.poisoned(POISON), 0, "control characters are no text of a result")
        for poison in (re.sub("[\x00-\x1f\x80-\x9f]", "", POISON), "+1", "@SUM(1)"):
            self.assertGreater(self.poisoned(poison), 30)
            for form, text in self.outputs():
                with self.subTest(form, poison=poison):
                    text = re.sub("(?ms)^```$.*?^```$", "", text) if form == "markdown" else text  # code is shown as it is
                    self.assertEqual([line for line in text.split("\n") if HIDES.search(line)], [])
                    if form in ("html", "markdown", "junit"):
                        self.assertNotIn("<script>alert", text)
                    if form == "markdown":
                        self.assertNotRegex(text, r"(?<!\\)@all\b|(?<!\\)\]\(http")
                    if form == "annotations":
                        self.assertNotRegex(text, r"(?m)^::error::gnp|^(?!::)(?=.)")
                    if form == "csv":
                        self.check_cells(text)

    def check_cells(self, text):
        for row in csv.reader(io.StringIO(text)):
            for cell in row:
                self.assertNotRegex(cell, r"^[=@]|^[+-](?!inf|[0-9.e+-]+$)")

    def test_in_a_name_of_a_file_or_a_key_of_a_policy_is_shown_escaped(self):
        name = self.folder / "a\x1b[31m\u202e\n::error::x.json"
        broken = self.file("b\x1b[31m\u202e\n::error::x.json", "{")
        policy = self.file("policy.json", {"cupel_gate_policy": 1, "\x1b[31m\u202e::error::": 1})
        for command in (("show", name), ("compare", name, name), ("report", name), ("advise", name), ("run", "--resume", broken),
                        ("gate", "--baseline", self.output, "--new", self.output, "--policy", policy)):
            ended = self.cupel(*command, code=2)
            self.assertIsNone(HIDES.search(ended.err), ended.err)
            self.assertEqual(len(ended.err.splitlines()), 1)

    def test_in_the_names_of_another_programs_benchmarks_is_shown_escaped(self):
        rows = [{"name": f"BM{POISON}", "run_type": "iteration", "iterations": 1, "real_time": 1, "cpu_time": 1, "time_unit": "ns"}]
        self.file("planted.json", {"context": {"executable": POISON, "date": POISON}, "benchmarks": rows})
        page = self.folder / "page.html"
        for command in (("compare", self.planted, self.planted), ("compare", self.planted, self.planted, "--format", "markdown"),
                        ("report", self.planted, "--output", page)):
            ended = self.cupel(*command, code=0)
            self.assertIsNone(HIDES.search(ended.out + ended.err), ended.out)
        self.assertNotIn("<script>alert", page.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
