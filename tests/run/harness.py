"""Runs the program with fake executables in a folder of its own."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
UPDATE = "--update" in sys.argv
CUPEL, FAKE, *MORE = [os.path.abspath(a) for a in sys.argv[1:] if not a.startswith("-")]


def default_signals():
    """A shell that starts us in the background leaves SIGINT ignored, and so would our children."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class ProgramTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cupel-test-"))
        self.bench = self.folder / "bench"
        self.bench.mkdir()
        (self.folder / "tmp").mkdir()
        self.output = self.folder / "out.json"
        self.log = self.folder / "log"

    def tearDown(self):
        for path in self.folder.rglob("*"):
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o755)
        shutil.rmtree(self.folder)

    def family(self, name, **words):
        """Adds a fake family; see fake_bench.cpp for the words."""
        path = self.bench / f"cupel_bench_{name}"
        if not path.exists():
            path.symlink_to(FAKE)
        words.setdefault("log", self.log)
        conf = "".join(f"{word} {value}\n" for word, value in words.items())
        pathlib.Path(f"{path}.conf").write_text(conf)

    def environment(self, **more):
        kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "CUPEL_BENCH_DIR")}
        return {**kept, "TERM": "xterm", "TMPDIR": str(self.folder / "tmp"), "CUPEL_BENCH_DIR": str(self.bench), **more}

    def start(self, *arguments, prepare=None, **more):
        """prepare: called in the child before the program."""
        return subprocess.Popen([CUPEL, *map(str, arguments)], cwd=self.folder, env=self.environment(**more),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                preexec_fn=lambda: (default_signals(), prepare and prepare()))

    def cupel(self, *arguments, **more):
        process = self.start(*arguments, **more)
        out, err = process.communicate(timeout=60)
        return Ended(process.returncode, out, err)

    def run_it(self, *arguments, code=0, **more):
        """`cupel run` into self.output; the exit code must be `code`."""
        ended = self.cupel("run", "--output", self.output, *arguments, **more)
        self.assertEqual(ended.code, code, ended.out + ended.err)
        return ended

    def result(self, path=None):
        """The result file, which must be valid."""
        path = path or self.output
        checked = self.cupel("validate", path)
        self.assertEqual(checked.code, 0, checked.err)
        return json.loads(pathlib.Path(path).read_text())

    def rows(self, path=None):
        """(name, process) -> row, those that were not measured included."""
        document = self.result(path)
        found = {}
        for row in document["benchmarks"] + document["context"]["cupel"]["not_measured"]:
            key = (row["name"], row["cupel"]["process"])
            self.assertNotIn(key, found)
            found[key] = row["cupel"]
        return found

    def statuses(self, path=None):
        """"family process" -> the statuses of its benchmarks, by size."""
        found = {}
        for (name, process), row in sorted(self.rows(path).items(), key=lambda item: size_of(item[0][0])):
            found.setdefault(f"{name.split('/')[0]} {process}", []).append(row["status"])
        return found

    def failures(self, path=None):
        return {key: row["reason"] for key, row in self.rows(path).items() if row["status"] == "failed"}

    def logged(self):
        return self.log.read_text().splitlines() if self.log.exists() else []

    def children(self):
        """Process ids of all fakes that were started."""
        return [int(line.split()[3]) for line in self.logged() if line.startswith("start")]

    def assert_all_gone(self, pids):
        until = time.monotonic() + 5
        while any(alive(pid) for pid in pids) and time.monotonic() < until:
            time.sleep(0.01)
        self.assertEqual([pid for pid in pids if alive(pid)], [])

    def assert_golden(self, text, file):
        path = HERE / "golden" / file
        if UPDATE:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        self.assertEqual(text, path.read_text())


class Ended:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err


def size_of(name):
    return int(name.rsplit(":", 1)[1])


def alive(pid):
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def main():
    unittest.main(argv=[sys.argv[0]], verbosity=1)
