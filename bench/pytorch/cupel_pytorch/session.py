"""One process's work: its benchmarks in rounds, what becomes of each, and the journal. A benchmark that fails ends alone."""

import random
import signal
import sys
import time
from typing import Any, Callable, Optional

from . import machine, record
from .flags import Options
from .registry import FAMILY, Benchmark, expected_s

NO_ROOM = "does not fit into the device's memory"
EXIT_NO_DEVICE, EXIT_FAILED, EXIT_DEVICE_LOST, EXIT_OUT_OF_TIME, EXIT_INTERRUPTED = 3, 4, 71, 72, 130


class Skip(Exception):
    """The benchmark cannot run here; the record says why."""


class CheckFailed(Exception):
    """What was to be timed is wrong, and has no time."""


class Run:
    """What the body of a benchmark sees. `kept` is its own from round to round."""

    def __init__(self, row: record.Row, options: Options, torch: Any) -> None:
        self.row, self.options, self.torch, self.on_cpu = row, options, torch, options.on_cpu
        self.device = "cpu" if self.on_cpu else "cuda"
        self.kept: dict[str, Any] = {}
        self.round, self.is_last, self.is_done, self.takes_all_cpus = 0, options.rounds == 1, False, False
        self.waited_s = self.sampling_s = 0.0

    def has_room(self) -> bool:
        free, total = (1, 1) if self.on_cpu else self.torch.cuda.mem_get_info()
        return bool(2 * free > total)

    def synchronize(self) -> None:
        if not self.on_cpu:
            self.torch.cuda.synchronize()

    def sample(self, call: Callable[[], Any], items: int, calls: int, waits: bool = True, of: int = 1) -> None:
        """Times so many calls a sample by the host's clock until the round is over; counts its enqueueing, its processor time and its
        waiting. waits: a sample ends with the device's work, else with the last call. of: operations of one call, which divide its time."""
        options, samples_s, enqueued_s = self.options, [], 0.0
        if not options.times:
            call()
            return self.synchronize()
        fewest, most = (max(2, n // options.rounds) for n in (options.min_samples, options.max_samples))
        wall_s = options.max_wall / options.rounds
        waited_s, used_s, begin = machine.waited_for_cpu_s(), time.process_time(), time.perf_counter()
        while True:
            start = time.perf_counter()
            for _ in range(calls):
                call()
            enqueued = time.perf_counter()
            self.synchronize()
            end = time.perf_counter() if waits else enqueued
            samples_s.append((end - start) / (calls * of))
            enqueued_s += enqueued - start
            if len(samples_s) >= most or end - begin > (wall_s if len(samples_s) >= fewest else 4 * wall_s):
                break
        took_s = time.perf_counter() - begin
        self.row.keep(samples_s, calls * of, "count" if len(samples_s) >= most else "wall", {"items": items} if items else {}, 1e-9)
        self.waited_s += machine.waited_for_cpu_s() - waited_s
        self.sampling_s += took_s
        if not self.takes_all_cpus:  # threads that wait for one tell nothing of other work then
            self.row.count("cpu_wait", self.waited_s / self.sampling_s)
        self.row.count("host_busy", min(1.0, enqueued_s / took_s))
        self.row.count("cpu_time", (time.process_time() - used_s) / (len(samples_s) * calls * of), "s")


class Session:
    def __init__(self, options: Options, began: float) -> None:
        self.options, self.began = options, began
        self.journal = record.Journal(options.journal)
        self.asked_to_end = self.lost = self.out_of_time = self.failed = False
        self.nvml: Optional[machine.Nvml] = None
        for which in (signal.SIGINT, signal.SIGTERM):
            signal.signal(which, self._end)

    def run(self, benchmarks: list[Benchmark], torch: Any, why_not: str, libraries: list[dict[str, str]],
            device: Optional[dict[str, Any]]) -> int:  # why_not: there is nothing to run on; torch is None then
        self.context = context_of(self.options, libraries, device)
        self.journal.line(context=self.context)
        runs = [Run(record.Row(b, self.options.process), self.options, torch) for b in benchmarks]
        if why_not:
            print(f"{FAMILY}: skipped: {why_not}", file=sys.stderr)
            for run in runs:
                self._finish(run, "skipped", why_not)
            return self._close(runs, no_device=True)
        self.nvml = machine.Nvml(device.get("uuid", "")) if device else None
        self._shorten(benchmarks)
        for number in range(self.options.rounds):
            for run in self._order([run for run in runs if not run.is_done], number):
                if not self._must_end(run):
                    run.round, run.is_last = number, number + 1 == self.options.rounds
                    self._one(run)
        for run in runs:  # what has samples is finished with them
            if not run.is_done and run.row.cupel["series"] and not self.lost:
                run.row.cupel["cut_short"] = True
                rounds = len(run.row.cupel["series"][0]["round_sizes"])
                run.row.note(f"{'interrupted' if self.asked_to_end else 'out of time'} after {rounds} of {self.options.rounds} rounds")
                self._finish(run, "ok", "")
        return self._close([run for run in runs if run.is_done], no_device=False)

    def _end(self, *_: Any) -> None:
        if self.asked_to_end:
            sys.exit(EXIT_INTERRUPTED)
        self.asked_to_end = True

    def _shorten(self, benchmarks: list[Benchmark]) -> None:
        if self.options.budget:
            sampling_s = max(1e-9, len(benchmarks) * self.options.max_wall)
            fixed_s = sum(expected_s(b, self.options) for b in benchmarks) - sampling_s
            left_s = self.options.budget - (time.perf_counter() - self.began) - fixed_s
            self.options.max_wall *= min(1.0, max(0.02, left_s / sampling_s))

    def _must_end(self, run: Run) -> bool:
        if self.options.budget:
            expected = max(0.0, run.row.cupel["wall_s"] - run.row.benchmark.start_s) / (run.round + 1)
            self.out_of_time |= time.perf_counter() - self.began + expected > self.options.budget
        return self.lost or self.asked_to_end or self.out_of_time

    def _order(self, runs: list[Run], number: int) -> list[Run]:
        """Groups are shuffled; the members of one swap their places every other round, so that drift falls on all alike."""
        groups: dict[str, list[Run]] = {}
        for run in runs:
            groups.setdefault(run.row.benchmark.group or run.row.benchmark.name, []).append(run)
        shuffled = list(groups.values())
        if not self.options.once:
            random.Random(f"{self.options.seed} {self.options.process} {number}").shuffle(shuffled)
        shuffled.sort(key=lambda group: number > 0 or not group[0].row.benchmark.counts_memory)
        return [run for group in shuffled for run in (group if number % 2 == 0 else group[::-1])]

    def _one(self, run: Run) -> None:
        self.journal.line(begin=run.row.benchmark.name)
        begin, status, reason = time.perf_counter(), "ok", ""
        try:
            run.row.benchmark.body(run)
        except Exception as error:  # noqa: BLE001  whatever a step or a model of the user's raises ends that row alone
            status, reason = judged(error)
            if self.options.model and not isinstance(error, Skip) and reason != NO_ROOM:
                reason = without_words(run.row.benchmark.name, error, reason)
            self.lost = status == "failed" and is_lost(error)
        run.row.cupel["wall_s"] += time.perf_counter() - begin
        if self.nvml is not None and status == "ok":
            run.row.cupel["telemetry"] = {**self.nvml.telemetry(), "settled": True}
        if status != "ok" or run.is_last:
            run.kept.clear()
            if not (status == "failed" and self.asked_to_end):  # an interrupt ends its processes, too
                self._finish(run, status, reason)

    def _finish(self, run: Run, status: str, reason: str) -> None:
        if status == "ok" and self.options.times and not run.row.cupel["series"]:
            status, reason = "failed", "the benchmark measured nothing"
        run.is_done = True
        run.row.cupel.update(status=status, reason=record.printable(reason), series=run.row.cupel["series"] if status == "ok" else [])
        if status == "failed":
            self.failed = True
            print(f"{run.row.benchmark.name}: failed: {record.printable(reason)}", file=sys.stderr)
        self.journal.line(row=run.row.to_json())

    def _close(self, runs: list[Run], no_device: bool) -> int:
        self.context["cupel"]["run"].update(finished=machine.utc_now(), interrupted=self.asked_to_end)
        if self.options.out:
            with open(self.options.out, "w", encoding="ascii") as file:
                file.write(record.result_file(self.context, [run.row for run in runs]))
        self.journal.line(context=self.context)
        if not (self.lost or self.asked_to_end or self.out_of_time):
            self.journal.line(end=True)
        codes = {EXIT_DEVICE_LOST: self.lost, EXIT_INTERRUPTED: self.asked_to_end, EXIT_OUT_OF_TIME: self.out_of_time,
                 EXIT_FAILED: self.failed, EXIT_NO_DEVICE: no_device}
        return next((code for code, is_it in codes.items() if is_it), 0)


def judged(error: BaseException) -> tuple[str, str]:
    if isinstance(error, (Skip, CheckFailed)):
        return ("skipped", str(error)) if isinstance(error, Skip) else ("failed", f"wrong result: {error}")
    if "out of memory" in str(error).lower() or "allocate memory" in str(error).lower():
        return "skipped", NO_ROOM
    return "skipped" if isinstance(error, NotImplementedError) else "failed", f"{type(error).__name__}: {error}"


def without_words(name: str, error: BaseException, reason: str) -> str:
    """What is stored of how a reader's model failed: the kind of it, and at which piece. What it says goes to the terminal alone."""
    print(f"meanwhile: {name}: {record.printable(reason)}", file=sys.stderr, flush=True)  # a line that `cupel run` shows
    return ("wrong result" if isinstance(error, CheckFailed) else type(error).__name__) + " at " + name.split("/")[-1]


def is_lost(error: BaseException) -> bool:
    """A fault of the device stays: every call after it fails. So does what was begun to be captured, and never ended."""
    first = (str(error).splitlines() or [""])[0]  # PyTorch's advice on how to debug follows
    return any(word in first for word in ("illegal", "device-side assert", "launch failure", "misaligned", "uncorrectable", "captur"))


def context_of(options: Options, libraries: list[dict[str, str]], device: Optional[dict[str, Any]]) -> record.Json:
    run = {"started": machine.utc_now(), "profile": options.profile, "seed": options.seed, "processes": 1,
           "rounds": options.rounds, "timer": options.timer, "interrupted": False, "families": [FAMILY], "filters": [], "notes": {}}
    cupel = {"schema": {"major": 1, "minor": 1}, "build": machine.build(), "run": run, "host": machine.host(), "libraries": libraries,
             **({"device": device} if device else {})}
    return {"date": run["started"], "executable": "cupel", "json_schema_version": 1, "cupel": cupel}
