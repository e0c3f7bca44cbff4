"""Runs the program in a folder of its own, with fake executables in place of the families: what tests of whole programs share.

Tests find it by PYTHONPATH=tests. The first argument is the program, further ones are a test's own, as the fake executable;
--update writes golden files.
"""

import collections
import gzip
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(sys.argv[0]).resolve().parent  # of the test
ROOT = pathlib.Path(__file__).resolve().parents[1]
UPDATE = "--update" in sys.argv
CUPEL, *MORE = [os.path.abspath(a) for a in sys.argv[1:] if not a.startswith("-")] or [None]
NOT_OURS = ("NO_COLOR", "CLICOLOR_FORCE", "CUPEL_BENCH_DIR", "GITHUB_ACTIONS", "SLURM_JOB_ID", "KUBERNETES_SERVICE_HOST")  # of whoever starts the test


Ended = collections.namedtuple("Ended", "code out err")


def kept_text(name):
    """The JSON of a result file of results/, named as "nvidia-h200/gemm"."""
    return gzip.decompress((ROOT / "results" / f"{name}.json.gz").read_bytes()).decode()


def kept(name):
    return json.loads(kept_text(name))


def default_signals():
    """A shell that starts us in the background leaves SIGINT ignored, and so would our children."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class FolderTest(unittest.TestCase):
    """What lies in a folder of its own, `folder`."""

    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cupel-test-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def file(self, name, content):
        """content: text, bytes, or what becomes JSON."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        content = content if isinstance(content, (str, bytes)) else json.dumps(content)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def executable(self, name, text):
        """text: its first line says by what it runs."""
        path = self.file(name, text)
        path.chmod(0o755)
        return path

    def run_script(self, script, *arguments, code, torch=None):
        """One of ci/, as load_script gives it; what it prints, on stderr where it ends with more than 1. torch: the text of the module
        that stands in for PyTorch, which else is not there."""
        self.file("torch.py", torch or "raise ImportError(\"No module named 'torch'\")\n")
        more = {"PYTHONPATH": str(self.folder), "XDG_CACHE_HOME": str(self.folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
        ended = subprocess.run([sys.executable, script.__file__, *map(str, arguments)], capture_output=True, text=True, check=False,
                               env={**os.environ, **more})
        self.assertEqual(ended.returncode, code, ended.stdout + ended.stderr)
        return ended.stdout if code in (0, 1) else ended.stderr


class ProgramTest(FolderTest):
    def setUp(self):
        super().setUp()
        self.bench = self.folder / "bench"
        self.bench.mkdir()
        (self.folder / "tmp").mkdir()
        self.output = self.folder / "out.json"
        self.log = self.folder / "log"

    def family(self, name, folder=None, **words):
        """Adds a fake family, to `bench` unless said; see run/fake_bench.cpp for the words. Returns its executable."""
        path = (folder or self.bench) / f"cupel_bench_{name}"
        if not path.exists():
            path.symlink_to(MORE[0])
        words.setdefault("log", self.log)
        conf = "".join(f"{word} {value}\n" for word, value in words.items())
        pathlib.Path(f"{path}.conf").write_text(conf)
        return path

    def environment(self, **more):
        kept = {k: v for k, v in os.environ.items() if k not in NOT_OURS}
        return {**kept, "TERM": "xterm", "COLUMNS": "100", "TMPDIR": str(self.folder / "tmp"), "CUPEL_BENCH_DIR": str(self.bench),
                "CUPEL_PROC": str(self.folder / "proc"), "CUPEL_BANDS": str(self.folder / "bands"),
                "XDG_DATA_HOME": str(self.folder / "data"), **more}

    def start(self, *arguments, prepare=None, **more):
        """prepare: called in the child before the program."""
        return subprocess.Popen([CUPEL, *map(str, arguments)], cwd=self.folder, env=self.environment(**more),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                preexec_fn=lambda: (default_signals(), prepare and prepare()))

    def cupel(self, *arguments, code=None, **more):
        """The program to its end; the exit code must be `code` where one is given. What it says on stderr has its lines whole again."""
        process = self.start(*arguments, **more)
        out, err = process.communicate(timeout=500)
        if code is not None:
            self.assertEqual(process.returncode, code, out + err)
        return Ended(process.returncode, out, whole_lines(err))

    def ended_by(self, number, process):
        """Sends the signal; the program must end with 130. Returns what it printed and what it said."""
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130, out + err)
        return out, err

    def refuses(self, words, *arguments, code=2, **more):
        """The program must end with that code and say these words, one or several, on stderr. Returns what it says."""
        err = self.cupel(*arguments, code=code, **more).err
        for one in [words] if isinstance(words, str) else words:
            self.assertIn(one, err)
        return err

    def run_it(self, *arguments, code=0, **more):
        """`cupel run` into self.output; the exit code must be `code`."""
        return self.cupel("run", "--output", self.output, *arguments, code=code, **more)

    def result(self, path=None):
        """The result file, which must be valid."""
        path = path or self.output
        self.cupel("validate", path, code=0)
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

    def wait_for(self, condition):
        until = time.monotonic() + 20
        while not condition():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)

    def wait_for_start(self, of=""):
        """of: family, or family and process."""
        self.wait_for(lambda: any(line.startswith(f"start {of}") for line in self.logged()))

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


def whole_lines(text):
    """As they were before they were wrapped at the width of a terminal."""
    return re.sub(r"(?<=\S)\n {8}(?=\S)", " ", text)


def size_of(name):
    return int(name.rsplit(":", 1)[1])


def alive(pid):
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def load_script(name):
    """ci/<name>, which has no .py, as a module."""
    sys.dont_write_bytecode = True  # beside it
    if str(ROOT / "ci") not in sys.path:  # where it finds what scripts share
        sys.path.append(str(ROOT / "ci"))
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(ROOT / "ci" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def main(*tests):
    """tests: all of the file, unless some are named."""
    unittest.main(argv=[sys.argv[0], *tests], verbosity=1)
