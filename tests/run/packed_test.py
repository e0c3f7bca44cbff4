"""Results from standard input, and results that gzip packed: each command that reads files reads them as it reads files."""

import gzip
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from program import CUPEL, ProgramTest, default_signals, main

MOST_MIB = 2 * 128 + 200  # another program's result is read whole, up to 128 MiB


class PackedTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.family("a")
        self.run_it("--processes", 3, "--seed", 1)
        self.packed = self.file("packed/out.json.gz", gzip.compress(self.output.read_bytes()))

    def fed(self, data, *arguments):
        """The program with these bytes on standard input: exit code and all that it printed and said."""
        ended = subprocess.run([CUPEL, *map(str, arguments)], cwd=self.folder, env=self.environment(), input=data,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=default_signals, timeout=100, check=False)
        return ended.returncode, ended.stdout.decode()

    def commands(self, file):
        """Each way to read a result: what it prints has no name of a file in it but the one given here."""
        history = self.folder / "history"
        return [("show", file), ("show", file, "--format", "csv"), ("validate", file), ("advise", file), ("export", file), ("compare", file, self.output),
                ("compare", self.output, file), ("report", file, "--output", self.folder / "page.html"),
                ("gate", "--baseline", file, "--new", self.output), ("gate", "--baseline", self.output, "--new", file),
                ("history", "add", file, history, "--commit", "c", "--force"), ("bands", "add", file), ("submit", file)]

    def without_names(self, text):
        """What a command printed, without the names that the file has there, the page beside it, and the width of columns."""
        text = re.sub(r"^page .*\n", "", text, flags=re.M)
        for word in (str(self.packed), str(self.output), "standard input", "packed/out.json.gz", "out.json.gz", "packed/out", "out.json", "out"):
            text = text.replace(word, "FILE")
        return " ".join(text.split())

    def test_results_are_read_as_those_of_a_file(self):
        stored = self.output.read_bytes()
        for plain, from_packed, from_input in zip(self.commands(self.output), self.commands(self.packed), self.commands("-")):
            expected = self.fed(b"", *plain)
            for name, got in (("packed", self.fed(b"", *from_packed)), ("input", self.fed(stored, *from_input)),
                              ("packed input", self.fed(self.packed.read_bytes(), *from_input))):
                with self.subTest(name, command=plain):
                    self.assertEqual(got[0], expected[0], got[1])
                    self.assertEqual(self.without_names(got[1]), self.without_names(expected[1]))

    def test_standard_input_may_stand_for_settings(self):
        policy = b'{"cupel_gate_policy": 1, "tolerance": 0.02}'
        code, said = self.fed(policy, "gate", "--baseline", self.output, "--new", self.output, "--policy", "-")
        on_disk = self.fed(b"", "gate", "--baseline", self.output, "--new", self.output, "--policy", self.file("p.json", policy))
        self.assertEqual((code, said), on_disk)
        self.assertIn("a/work/bytes:1024", said)

    def test_standard_input_is_read_by_both_sides_of_a_comparison(self):
        code, said = self.fed(self.output.read_bytes(), "compare", "-", "-", "--all")
        self.assertEqual(code, 0, said)
        self.assertIn("SAME", said.upper())

    def test_a_folder_of_packed_files_is_a_run(self):
        families, rest = self.cupel("show", self.packed.parent).out.split("\n\n", 1)
        self.assertEqual(families, "family  measured  operations\na              3           1")
        self.assertEqual(rest, self.cupel("show", self.output).out)

    def test_empty_input_is_no_result(self):
        code, said = self.fed(b"", "show", "-")
        self.assertEqual((code, said), (2, "cupel: standard input: is empty\n"))

    def test_a_run_goes_on_neither_in_standard_input_nor_in_a_packed_file(self):
        before = self.packed.read_bytes()
        self.refuses("standard input", "run", "--resume", "-")
        self.refuses("unpack it first", "run", "--resume", self.packed)
        self.assertEqual(self.packed.read_bytes(), before)
        self.assertFalse((self.folder / "-").exists())

    def test_a_packed_result_is_not_replaced_by_what_is_said_of_it(self):
        self.refuses("holds measurements", "show", self.output, "--output", self.packed)
        self.assertEqual(gzip.decompress(self.packed.read_bytes()), self.output.read_bytes())

    def test_a_bomb_is_refused_in_little_memory(self):
        blanks = gzip.compress(b" " * (16 << 20))
        rows = gzip.compress((json.dumps({"name": "a", "run_type": "iteration"}).encode() + b",") * 30000)  # 1.2 MiB
        bombs = {"blanks": b"".join([blanks] * 256), "a string": gzip.compress(b'{"context": "') + b"".join([blanks] * 256),
                 "rows": gzip.compress(b'{"context": {}, "benchmarks": [') + b"".join([rows] * 120)}
        for name, data in bombs.items():
            with self.subTest(name), tempfile.TemporaryFile("w+") as said:
                bomb = self.file("bomb.json.gz", data)
                process = subprocess.Popen([CUPEL, "show", bomb], env=self.environment(), stdout=said, stderr=subprocess.STDOUT)
                _, status, used = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                said.seek(0)
                self.assertEqual(process.returncode, 2, said.read())
                self.assertLess(used.ru_maxrss / 1024, MOST_MIB)


if __name__ == "__main__":
    main()
