#!/usr/bin/env python3
"""SIGKILL and a full disk at any moment of whatever writes: nothing that was finished is lost, and nothing is left behind.

    kill_sweep.py CUPEL FAKE_BENCH [--kills=60] [--full-disks=12] [--seed=1] [--tmpfs]

--tmpfs: a disk is full by a file system that is, in a mount namespace of its own, which takes util-linux' unshare and the
right to use it; else by a limit on the size of files.
"""

import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

from faults_test import limit_files
from program import ProgramTest, main

FAMILIES, PROCESSES = ("a", "b", "c"), 3
FINISHED = re.compile(r"^([abc], process \d of 3): 3 measured", re.M)


def option(name, otherwise):
    given = [a.split("=", 1)[1] for a in sys.argv if a.startswith(f"--{name}=")]
    return int(given[0]) if given else otherwise


KILLS, FULL_DISKS, SEED = option("kills", 60), option("full-disks", 12), option("seed", 1)
TMPFS = "--tmpfs" in sys.argv
DISK_BYTES = 16 << 20


class Command:
    """One that writes. `files`: what it writes into the folder, each with what is there before (None: nothing)."""

    def __init__(self, name, arguments, files, weight=1, code=0):
        self.name, self.arguments, self.files, self.weight, self.code = name, arguments, files, weight, code
        self.whole_s, self.whole = 0, {}


class Sweep(ProgramTest):
    def setUp(self):
        super().setUp()
        print(f"seed {SEED}", flush=True)
        self.chance = random.Random(SEED)
        self.disk = self.folder / "disk"
        self.disk.mkdir()
        if TMPFS:
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "none", self.disk], check=True)
            self.addCleanup(subprocess.run, ["umount", self.disk], check=True)
        for name in FAMILIES:
            self.family(name, sleep=0.002)
        self.result_file = self.folder / "result.json"
        self.cupel("run", "--processes", PROCESSES, "--output", self.result_file, code=0)
        self.commands = [self.prepared(command) for command in self.all_commands()]

    def all_commands(self):
        whole, half = self.result_file.read_text(), self.unfinished()
        history, program = f"{self.machine()}/20260101T000000Z-c.json", self.bench / "cupel_bench_a"
        gate = ("--output", "json=gate.json", "--output", "markdown=gate.md", "--keep", "kept")
        return [Command("run", ("run", "--processes", PROCESSES, "--output", "out.json"), {"out.json": None, "out.html": None}, 5),
                Command("run --resume", ("run", "--resume", "out.json"), {"out.json": half, "out.html": None}, 3),
                Command("gate", ("gate", "--base", program, "--new", program, *gate, "--processes", 3, "--max-inconclusive", 100),
                        {"gate.json": "old", "gate.md": "old", "kept/screen-base.json": None, "kept/screen-new.json": None}, 3),
                Command("calibrate", ("calibrate", program, "--output", "calibration.json", "--force"), {"calibration.json": "old"}),
                Command("history add", ("history", "add", self.result_file, ".", "--commit", "c", "--force", "--date", "2026-01-01T00:00:00Z"),
                        {history: "old"}),
                Command("report", ("report", self.result_file, "-o", "page.html", "--force"), {"page.html": "old"})]

    def unfinished(self):
        """A result whose run was killed in the middle."""
        self.family("c", mode="hang", **{"in": 1})
        self.log.unlink()
        program = self.start("run", "--processes", PROCESSES, "--output", self.output)
        self.wait_for_start("c 1")
        program.kill()
        program.communicate()
        self.family("c", sleep=0.002)
        return self.output.read_text()

    def machine(self):
        self.cupel("history", "add", self.result_file, self.folder / "history", "--commit", "c", code=0)
        return next((self.folder / "history").iterdir()).name

    def prepared(self, command):
        """How long it takes, and what a whole run of it writes."""
        self.lay_out(command)
        begin = time.monotonic()
        self.to_the_end(command)
        command.whole_s = time.monotonic() - begin
        command.whole = {name: (self.disk / name).read_text() for name in command.files if (self.disk / name).exists()}
        return command

    def lay_out(self, command):
        for entry in self.disk.iterdir():
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        for name, text in command.files.items():
            (self.disk / name).parent.mkdir(exist_ok=True)
            if text is not None:
                (self.disk / name).write_text(text)

    def begin(self, command, more=(), prepare=None):
        self.log.unlink(missing_ok=True)
        return self.start(*command.arguments, *more, prepare=lambda: (os.chdir(self.disk), prepare and prepare()))

    def to_the_end(self, command):
        """The next run, in the same place: it does what the cut one did not, and sweeps."""
        again = command
        if command.name == "run" and (self.disk / "out.json").exists():
            again = Command("", ("run", "--resume", "out.json"), {})
        program = self.begin(again)
        out, err = program.communicate(timeout=120)
        self.assertEqual(program.returncode, command.code, f"{command.name}\n{out}{err}")

    def check_files(self, command):
        """Each is as it was, or whole."""
        for name, before in command.files.items():
            path = self.disk / name
            text = path.read_text() if path.exists() else None
            if text == before:
                continue
            self.assertIsNotNone(text, name)
            if name.endswith(".json"):
                self.assertIsInstance(json.loads(text), dict)
            else:
                self.assertEqual(len(text.splitlines()), len(command.whole[name].splitlines()), f"{name} is not whole")

    def held(self, *files):
        """The processes of families of which all rows are there."""
        found = set()
        for path in files:
            if path and path.exists():
                for key, statuses in self.statuses(path).items():
                    family, process = key.split()
                    if statuses == ["ok"] * 3:
                        found.add(f"{family}, process {int(process) + 1} of {PROCESSES}")
        return found

    def check_nothing_is_left(self, command):
        left = {str(entry.relative_to(self.disk)) for entry in self.disk.rglob("*") if entry.is_file()}
        self.assertLessEqual(left, set(command.files), command.name)
        self.cupel("run", "a", "--processes", 1, "--output", self.folder / "next.json", "--force", code=0)  # sweeps TMPDIR
        self.assertEqual(list((self.folder / "tmp").iterdir()), [], command.name)

    def turns(self, count):
        weight = sum(command.weight for command in self.commands)
        for command in self.commands:
            for turn in range(-(-count * command.weight // weight)):
                yield command, turn

    def test_kills(self):
        done, cut, runs_with_result = {}, {}, 0
        for command, turn in self.turns(KILLS):
            self.lay_out(command)
            program = self.begin(command)
            time.sleep(command.whole_s * 1.1 * self.chance.random())
            program.send_signal(signal.SIGKILL)
            _, err = program.communicate(timeout=10)
            self.assert_all_gone(self.children())
            done[command.name] = done.get(command.name, 0) + 1
            in_the_middle = program.returncode == -signal.SIGKILL
            cut[command.name] = cut.get(command.name, 0) + in_the_middle
            command.whole_s *= 1.01 if in_the_middle else 0.9  # what else the machine does comes and goes

            self.check_files(command)
            out = self.disk / "out.json"
            if command.name.startswith("run"):
                self.assertLessEqual(set(FINISHED.findall(err)), self.held(out))
                runs_with_result += command.name == "run" and out.exists()
            if turn % 8 == 0:  # what several have left is swept by one
                self.to_the_end(command)
                self.check_nothing_is_left(command)
        # Neither always too early nor always too late, or the test has shown nothing.
        print("killed in the middle: " + ", ".join(f"{name} {cut[name]} of {done[name]}" for name in done), flush=True)
        self.assertGreater(sum(cut.values()), KILLS // 2)
        self.assertGreater(runs_with_result, done["run"] // 10)

    def test_full_disks(self):
        full = {}
        for command, _ in self.turns(FULL_DISKS):
            self.lay_out(command)
            program, release = self.begin_on_full_disk(command)
            out, err = program.communicate(timeout=60)
            self.assertIn(program.returncode, (command.code, 2, 4), out + err)
            full[command.name] = full.get(command.name, 0) + (program.returncode != command.code)
            self.assert_all_gone(self.children())
            if program.returncode != command.code and not command.name.startswith("run"):
                self.assertRegex(err, "cannot be written|cannot write|cannot make")

            self.check_files(command)
            if command.name.startswith("run"):
                named = pathlib.Path(self.disk / (out.splitlines() or ["-"])[-1])
                shown = {f"{f}, process {p + 1} of {PROCESSES}" for f in FAMILIES for p in range(PROCESSES) if f"{f}/work" in out}
                self.assertLessEqual(set(FINISHED.findall(err)), self.held(self.disk / "out.json", named) | shown)
                if TMPFS and set(FINISHED.findall(err)):
                    self.assertLessEqual(set(FINISHED.findall(err)), self.held(self.disk / "out.json", named), out + err)
            for saved in (self.folder / "tmp").glob("*.*"):  # the place that was named instead
                saved.unlink()
            release()
            self.to_the_end(command)
            self.check_nothing_is_left(command)
        print("ended by a full disk: " + ", ".join(f"{name} {count}" for name, count in full.items()), flush=True)
        self.assertGreater(sum(full.values()), FULL_DISKS // 4)

    def begin_on_full_disk(self, command):
        """The command, and what makes room again."""
        most = int(self.chance.random() * 1.1 * max(len(text) for text in command.whole.values()))
        if not TMPFS:
            return self.begin(command, prepare=lambda: limit_files(most)), lambda: None
        filler = self.disk / "filler"
        is_short = command.whole_s < 0.1  # over before the disk is full
        if is_short:
            self.fill(filler, most)
        program = self.begin(command)
        if not is_short:
            time.sleep(command.whole_s * 0.7 * self.chance.random())
            self.fill(filler, self.chance.choice((0, 0, most)))
        return program, filler.unlink

    def fill(self, filler, leave_bytes):
        for _ in range(100):  # the program writes meanwhile
            space = os.statvfs(self.disk)
            try:
                with open(filler, "wb") as file:
                    return os.posix_fallocate(file.fileno(), 0, max(1, space.f_bavail * space.f_frsize - leave_bytes))
            except OSError:
                continue
        self.fail("the disk cannot be filled")


if __name__ == "__main__":
    if TMPFS and "CUPEL_IN_NAMESPACE" not in os.environ:
        os.environ["CUPEL_IN_NAMESPACE"] = "1"
        os.execvp("unshare", ["unshare", "--map-root-user", "--mount", sys.executable, *sys.argv])
    main()
