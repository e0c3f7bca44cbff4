"""The record: rows and context as docs/schema.md has them, the journal that `cupel run` reads, and a result file."""

import json
import math
import os
from typing import Any

from .registry import FAMILY, Benchmark

Json = dict[str, Any]


def printable(text: str) -> str:  # one line of ASCII without control characters, at most 500 bytes
    return "".join(c if " " <= c <= "~" else " " if c in "\n\t\r" else "?" for c in text)[:500].strip()


def interquartile_mean(samples: list[float]) -> float:  # of the middle half; samples at its edges count in part
    ordered, n = sorted(samples), len(samples)
    weights = [max(0.0, min(i + 1, 3 * n / 4) - max(i, n / 4)) for i in range(n)]
    return sum(w * x for w, x in zip(weights, ordered)) / sum(weights)


class Row:
    def __init__(self, benchmark: Benchmark, process: int) -> None:
        self.benchmark = benchmark
        tags = [tag.to_json() for tag in benchmark.advice]
        self.cupel: Json = {"family": FAMILY, "params": benchmark.params, "status": "ok", "process": process, "advice": tags,
                            "workload": {}, "counters": {}, "wall_s": 0.0, "timed_s": 0.0, "series": []}

    def keep(self, samples_s: list[float], calls: int, stop: str, workload: Json, resolution_s: float) -> None:  # all rounds are one series
        self.cupel["workload"] = workload
        self.cupel["timed_s"] += sum(samples_s) * calls
        if not self.cupel["series"]:
            self.cupel["series"] = [{"mode": "host", "stop": stop, "calls_per_sample": calls, "correction_s": 0.0,
                                     "resolution_s": resolution_s, "round_sizes": [], "samples_s": []}]
        series = self.cupel["series"][0]
        series.update(stop=stop, round_sizes=[*series["round_sizes"], len(samples_s)], samples_s=series["samples_s"] + samples_s)

    def count(self, name: str, value: float, unit: str = "1", better: str = "none", exact: bool = False) -> None:
        if math.isfinite(value):
            self.cupel["counters"][name] = {"value": value, "unit": unit, "better": better, "exact": exact}

    def note(self, text: str) -> None:
        before = self.cupel.get("note", "")
        if text not in before:
            self.cupel["note"] = printable(f"{before}; {text}" if before else text)

    def to_json(self) -> Json:
        return {"name": self.benchmark.name, "cupel": {key: value for key, value in self.cupel.items() if value != ""}}


class Journal:
    def __init__(self, path: str) -> None:
        self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o666) if path else None

    def line(self, **content: Any) -> None:
        if self._descriptor is not None:
            os.write(self._descriptor, (json.dumps(content, allow_nan=False) + "\n").encode())


def result_file(context: Json, rows: list[Row]) -> str:
    measured, others = [], []
    for position, (row, entry) in enumerate((row, row.to_json()) for row in rows):
        if row.cupel["series"]:
            time_us = 1e6 * interquartile_mean(row.cupel["series"][0]["samples_s"])
            measured.append(json.dumps({**entry, "real_time": time_us, "cpu_time": time_us, "time_unit": "us"}, allow_nan=False))
        else:
            others.append({**entry, "position": position})
    whole = {**context, "cupel": {**context["cupel"], "not_measured": others}}
    return '{\n"context": ' + json.dumps(whole, allow_nan=False) + ',\n"benchmarks": [\n' + ",\n".join(measured) + "\n]\n}\n"
