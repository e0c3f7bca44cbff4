#!/usr/bin/env python3
"""ci/slurm/fleet.sbatch on a real Slurm of four nodes, while nodes, daemons, jobs and processes are taken from it.

    fleet_test.py CUPEL [--faults=100] [--seed=1]

In rounds: a fleet is measured and suffers faults, its verdict must name whom they cost a whole result; then what is broken is mended,
the script is called again, and all must be whole. At any moment: a row that was in a file is there, once and as it was. Prints each fault
and what came of it. Ends with 77 where there can be no Slurm.
"""

import collections
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

from cluster import CUPEL, NODES, ROOT, on_a_cluster, print_ends

BENCHMARKS, PROCESSES = 5, 12
RUN = ("host", "--filter", "memcpy/threads:1|reduce/impl:transform_reduce/system:cpp", "--processes", PROCESSES,
       "--noise-goal", "0.001", "--max-wall", "0.1s")
FAULTS_A_ROUND = 6
DISK_BYTES = 48 << 20
REQUEUE_S = 2.5  # Slurm lets two minutes go by; in the second of its end a node would not take the job again
END_S = 7  # a job's, more than KillWait: where the daemon was away then, Slurm would ask it again within a minute
COSTLY = {"node lost for good", "job cancelled", "cupel killed", "disk full"}  # of the rest a job goes on by itself
FINISHED = re.compile(rf"^(\w+), process (\d+) of \d+: {BENCHMARKS} measured", re.M)


def option(name, otherwise):
    given = [a.split("=", 1)[1] for a in sys.argv if a.startswith(f"--{name}=")]
    return int(given[0]) if given else otherwise


class Wrong(Exception):
    """What was promised is not so."""


def require(condition, what):
    if not condition:
        raise Wrong(what)


class Watched:
    """A node's result file: what is in it must stay."""

    def __init__(self, folder, node):
        self.file, self.log, self.rows = folder / f"{node}.json", folder / f"{node}.log", {}
        self.run = {}

    def look(self):
        log = self.log.read_text() if self.log.exists() else ""
        if not self.file.exists():
            return require(not self.rows, f"{self.file.name} is gone")
        document = json.loads(self.file.read_text())  # never torn
        rows = {}
        for row in document["benchmarks"] + document["context"]["cupel"]["not_measured"]:
            key = (row["name"], row["cupel"]["process"])
            require(key not in rows, f"{self.file.name}: {key} is there twice")
            rows[key] = row["cupel"]
        for key, row in self.rows.items():
            require(key in rows, f"{self.file.name}: {key} is lost")
            require(row.get("cut_short") or rows[key] == row, f"{self.file.name}: {key} is another")
        self.rows, self.run = rows, document["context"]["cupel"]["run"]
        if "cannot be written" not in log:
            processes = collections.Counter((row["family"], row["process"]) for row in rows.values())
            for family, process in FINISHED.findall(log):
                require(processes[family, int(process) - 1] == BENCHMARKS, f"{self.log.name}: {family}, process {process} was finished")

    def ok(self):
        return sum(row["status"] == "ok" and not row.get("cut_short") for row in self.rows.values())

    def whole(self):
        there = sum(not row.get("cut_short") for row in self.rows.values())
        return there == BENCHMARKS * PROCESSES and "finished" in self.run and not self.run.get("interrupted")


class Fault:
    """One that was done, and what the node had then."""

    def __init__(self, number, kind, node, rows, after_s):
        self.number, self.kind, self.node, self.rows, self.after_s = number, kind, node, rows, after_s
        self.outcome = ""


class Fleet:
    """The faults of one fleet, and what comes of them."""

    KINDS = {  # kind: how likely
        "requeued": 18,
        "preempted": 18,
        "node lost, back later": 14,
        "node lost for good": 8,
        "slurmd killed alone": 10,
        "cupel killed": 10,
        "benchmark killed": 6,
        "job cancelled": 6,
        "disk full": 10,
    }

    def __init__(self, cluster, folder, chance, log, limit="5", deadline="now+20minutes"):
        """limit: of a job, in minutes. deadline: when Slurm gives up nodes that are not free."""
        self.limits = {"SBATCH_TIMELIMIT": limit, "DEADLINE": deadline}
        folder.mkdir()
        self.cluster, self.folder, self.chance, self.log = cluster, folder, chance, log
        self.watched = {node: Watched(folder, node) for node in NODES}
        self.down = {}  # node: when it comes back, None for never
        self.faults, self.full_until = [], None
        self.waits_since = {}  # (job that is to end or to start again, and has not yet; its state): since when
        self.begin = time.monotonic()

    def submit(self):
        self.cluster.call(ROOT / "ci/slurm/fleet.sbatch", self.folder, "n[1-4]", *RUN, CUPEL=CUPEL, **self.limits)

    def verdict(self):
        """What it says of each node that it names. A disk that is full has no room for it, either."""
        if self.full_until:
            self.make_room()
            self.cluster.call("sh", "-c", f"'{CUPEL}' compare --fleet '{self.folder}' --expect 'n[1-4]' > '{self.folder}/verdict.txt'", check=False)
        text = (self.folder / "verdict.txt").read_text()
        require("nodes expected" in text, f"no verdict: {text}")
        return dict(re.findall(r"^(n\d)  +(MISSING|INCOMPLETE)", text, re.M)), text

    def tick(self):
        """Looks at all files, moves on what waits, and gives up what never comes."""
        now = time.monotonic()
        for watched in self.watched.values():
            watched.look()
        if self.full_until and now > self.full_until:
            self.make_room()
        for node, back in list(self.down.items()):
            if back is not None and now > back:
                self.mend(node)
        jobs = self.cluster.jobs()
        stuck = {(job, state): node for job, node, state, reason in jobs
                 if node and node not in self.down and (state == "COMPLETING" or reason == "BeginTime")}
        self.waits_since = {job: self.waits_since.get(job, now) for job in stuck}
        for (job, state), since in self.waits_since.items():
            if now > since + (END_S if state == "COMPLETING" else REQUEUE_S):
                self.hurry(job, state, stuck[job, state])
        waiting = {node for _, node, _, reason in jobs if node}
        if waiting and all(self.down.get(node, 0) is None for node in waiting):  # what a site does, or the deadline
            for job, node, _, _ in jobs:
                if node:
                    self.cluster.call("scancel", job, check=False)
        return jobs

    def hurry(self, job, state, node):
        """What Slurm does by itself, but in minutes."""
        if state == "COMPLETING":
            self.cluster.call("scontrol", "update", f"NodeName={node}", "State=DOWN", "Reason=clear")
            self.cluster.call("scontrol", "update", f"NodeName={node}", "State=RESUME")
        else:
            self.cluster.call("scontrol", "update", f"JobId={job}", "StartTime=now", check=False)

    def mend(self, node):
        del self.down[node]
        self.cluster.start_node(node)

    def make_room(self):
        (self.folder / "filler").unlink()
        self.full_until = None

    def do(self, kind, number):
        """The fault, if a node can suffer it now."""
        nodes = [node for node in NODES if node not in self.down and self.watched[node].rows and self.cluster.running(node, "cupel")]
        if not nodes:
            return False
        node = self.chance.choice(nodes)
        job = next((job for job, of, state, _ in self.cluster.jobs() if of == node and state == "RUNNING"), None)
        if job is None or (kind == "node lost for good" and len(self.down) > 1) or (kind == "disk full" and self.full_until):
            return False
        fault = Fault(number, kind, node, self.watched[node].ok(), time.monotonic() - self.begin)
        if kind == "requeued":
            self.cluster.call("scontrol", "requeue", job, check=False)
        elif kind == "preempted":
            self.cluster.call("sbatch", "-p", "urgent", "-w", node, "--exclusive", "-o", "/dev/null", "--wrap", "sleep 1")
        elif kind.startswith("node lost"):
            self.cluster.kill_node(node)
            self.down[node] = None if kind.endswith("good") else time.monotonic() + self.chance.uniform(0.5, 9)
        elif kind == "slurmd killed alone":
            self.cluster.kill_slurmd(node)
            self.down[node] = time.monotonic() + self.chance.uniform(0.5, 9)
        elif kind in ("cupel killed", "benchmark killed"):
            targets = self.cluster.running(node, "cupel" if kind == "cupel killed" else "cupel_bench_hos")
            if not targets:
                return False
            targets[0].kill()
        elif kind == "job cancelled":
            self.cluster.call("scancel", job)
        elif kind == "disk full":
            self.fill()
            self.full_until = time.monotonic() + self.chance.uniform(1, 6)
        self.faults.append(fault)
        return True

    def fill(self):
        with open(self.folder / "filler", "wb") as file:
            for size in (1 << 20, 1 << 12):
                while True:
                    try:
                        os.posix_fallocate(file.fileno(), file.tell(), size)
                        file.seek(size, os.SEEK_CUR)
                    except OSError:
                        break

    def suffer(self, faults):
        """faults: (number, kind), one after another, at random moments."""
        self.submit()
        faults, due = list(faults), time.monotonic() + self.chance.uniform(1, 3)
        while jobs := self.tick():
            if faults and time.monotonic() > due and any(node for _, node, _, _ in jobs):
                if self.do(faults[0][1], faults[0][0]):
                    faults.pop(0)
                    due = time.monotonic() + self.chance.uniform(0, 2.5)
            require(time.monotonic() < self.begin + 240, f"no end after 240 s: {jobs}")
            time.sleep(0.05)
        return faults

    def check_verdict(self):
        """It names those that have no whole file, and no others. Of these how."""
        named, text = self.verdict()
        truth = {node: "INCOMPLETE" if watched.file.exists() else "MISSING" for node, watched in self.watched.items() if not watched.whole()}
        require(named == truth, f"{truth} would be right:\n{text}")
        return named

    def recover(self):
        """All is mended and the script called again: every node is whole, and its rows are of it."""
        for node in list(self.down):
            self.mend(node)
        self.cluster.wait_until(lambda: set(self.cluster.states().values()) == {"idle"}, 60, "the nodes are back")
        self.begin = time.monotonic()
        self.suffer(())
        named, text = self.verdict()
        require(not named and "All 4 nodes expected are there, whole." in text, text)
        require(": 4 machines" in text, text)
        for node, watched in self.watched.items():
            require(watched.whole() and watched.run["node"] == node, f"{node}: {watched.run}")

    def judge(self):
        """What came of each fault."""
        self.tick()
        named = self.check_verdict()
        all_kinds = {fault.kind for fault in self.faults}
        for node in named:
            kinds = {fault.kind for fault in self.faults if fault.node == node} | (all_kinds & {"disk full"})
            require(kinds & COSTLY, f"{node} is {named[node]}, but of {kinds} Slurm and cupel make good")
        for fault in self.faults:
            watched = self.watched[fault.node]
            if fault.node in named:
                fault.outcome = f"{named[fault.node]} by name, whole on the second call"
            elif watched.ok() < len(watched.rows):
                fault.outcome = f"whole, {len(watched.rows) - watched.ok()} failed row"
            else:
                fault.outcome = "went on, whole"
            restarts = watched.run.get("restarts", 0)
            self.log(f"{fault.number:4} {fault.after_s:5.1f} s  {fault.node}  {fault.kind:22} rows then {fault.rows:2}, now "
                     f"{watched.ok():2} of {BENCHMARKS * PROCESSES}, restarts {restarts}: {fault.outcome}")


def drawn(chance, count, disk):
    kinds = {kind: weight for kind, weight in Fleet.KINDS.items() if weight and (disk or kind != "disk full")}
    return chance.choices(list(kinds), list(kinds.values()), k=count)


def mount(folder):
    """A small disk that can be full. False where that is not allowed."""
    folder.mkdir()
    return subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "cupel", folder], stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


def say(line):
    print(line, flush=True)


def suffer_all(cluster, disk, count, seed):
    """All faults, in rounds."""
    chance = random.Random(seed)
    waiting = list(enumerate(drawn(chance, count, os.path.ismount(disk)), 1))
    done, rounds = [], 0
    while waiting:
        rounds += 1
        folder = disk / f"fleet-{rounds}"
        fleet = Fleet(cluster, folder, chance, say)
        left = fleet.suffer(waiting[:FAULTS_A_ROUND])
        fleet.judge()
        fleet.recover()
        done += fleet.faults
        waiting = left + waiting[FAULTS_A_ROUND:]
        shutil.rmtree(folder)
    return done, rounds


def miss_a_deadline(cluster, folder):
    """A node that is away all the time is given up by Slurm itself, and named."""
    cluster.kill_slurmd("n3")
    cluster.wait_until(lambda: cluster.states()["n3"].startswith("down"), 60, "n3 is down")
    begin = time.monotonic()
    fleet = Fleet(cluster, folder, random.Random(0), say, limit="1", deadline="now+75seconds")
    fleet.suffer(())
    named = fleet.check_verdict()
    require(named == {"n3": "MISSING"}, f"n3 alone is missing, not {named}")
    say(f"\na node that was away: MISSING by name {time.monotonic() - begin:.0f} s after the call, with 60 s of time and a deadline of 75 s")
    cluster.start_node("n3")


def suffer(cluster, folder):
    count, seed, begin = option("faults", 100), option("seed", 1), time.monotonic()
    disk = folder / "disk"
    mounted = mount(disk)
    try:
        say(f"{cluster.call('sinfo', '-V').strip()}, {len(NODES)} nodes, {count} faults, seed {seed}"
            + ("" if mounted else "; none of them a full disk, since nothing may be mounted here"))
        done, rounds = suffer_all(cluster, disk, count, seed)
        if count >= 50:
            miss_a_deadline(cluster, disk / "deadline")
        say(f"\n{len(done)} faults in {rounds} fleets, seed {seed}, {time.monotonic() - begin:.0f} s; no row lost, doubled or changed")
        for (kind, outcome), times in sorted(collections.Counter((fault.kind, re.sub(r"\d+ failed", "a failed", fault.outcome)) for fault in done).items()):
            say(f"{times:4}  {kind:22} {outcome}")
    except Exception:
        print_ends([*disk.glob("*/*.log"), *disk.glob("*/verdict.txt")])
        raise
    finally:
        cluster.stop()
        if mounted:
            subprocess.run(["umount", disk], check=True)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that all is cleared away
    sys.exit(on_a_cluster(suffer))
