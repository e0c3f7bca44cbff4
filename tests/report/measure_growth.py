#!/usr/bin/env python3
"""How much processor time and memory the commands take on files of many rows. Asserts nothing.

    measure_growth.py CUPEL [ROWS]          100,000 unless said

Each shape is one that a command could grow faster than its rows on.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

COMMANDS = {"advise": ["FILE"], "report": ["FILE", "-o", "PAGE"], "compare": ["FILE", "OTHER"], "show": ["FILE"],
            "gate": ["--baseline", "FILE", "--new", "OTHER"]}
CONTEXT = {"build": {"version": "0.1.0", "git_revision": "0123456789abcdef", "git_dirty": False, "type": "Release"},
           "run": {"started": "2026-11-20T07:00:00Z", "finished": "2026-11-20T07:30:00Z", "profile": "quick"},
           "host": {"cpu": "Fake CPU", "logical_cpus": 2}, "not_measured": []}


def plain(rows, processes):
    """name, process, tag"""
    return ((f"a/work/bytes:{i // processes}", i % processes, None) for i in range(rows))


def tagged(rows, befores):
    """One scenario, with so many befores among its variants."""
    return ((f"a/work/impl:{i}", 0, ("before" if i < befores else "after", "s", str(i))) for i in range(rows))


def pair_of_processes(rows):
    return ((f"a/work/impl:{i % 2}", i // 2, (("before", "after")[i % 2], "s", "")) for i in range(rows))


def pieces(rows):
    """Each pair is of a piece of advice of its own."""
    return ((f"a/work/impl:{i % 2}/n:{i // 2}", 0, (("before", "after")[i % 2], "s", "", f"piece-{i // 2}")) for i in range(rows))


def diagonal(rows):
    return ((f"a/work/m:{i}/n:x{i}", 0, None) for i in range(rows))


def sizes(rows):
    return ((f"a/work/impl:{i % 2}/bytes:{i // 2}", 0, (("before", "after")[i % 2], f"bytes:{i // 2}", "")) for i in range(rows))


SHAPES = {"one process each": lambda n: plain(n, 1), "5 processes each": lambda n: plain(n, 5), "one benchmark": lambda n: plain(n, n),
          "one before": lambda n: tagged(n, 1), "half befores": lambda n: tagged(n, n // 2), "two benchmarks": pair_of_processes,
          "one curve": sizes, "many pieces": pieces, "a diagonal": diagonal}


def write(file, rows, chance):
    lines = []
    for name, process, tag in rows:
        at_s = 1e-6 * chance.lognormvariate(0, 0.01)
        series = {"mode": "host", "stop": "fixed", "calls_per_sample": 1, "correction_s": 0,
                  "samples_s": [at_s * chance.lognormvariate(0, 0.003) for _ in range(10)]}
        advice = [{"id": "pin-memory", **dict(zip(("role", "scenario", "variant", "id"), tag))}] if tag else []
        own = {"family": "a", "params": [], "status": "ok", "process": process, "advice": advice, "workload": {},
               "below_floor": False, "disturbed": False, "series": [series]}
        lines.append(json.dumps({"name": name, "run_name": name, "run_type": "iteration", "iterations": 1, "real_time": 1,
                                 "cpu_time": 1, "time_unit": "us", "cupel": own}))
    context = json.dumps({"cupel": {"schema": {"major": 1, "minor": 1}, **CONTEXT}})
    file.write_text(f'{{"context": {context},\n"benchmarks": [\n' + ",\n".join(lines) + "\n]}\n")


def measured(arguments):
    """Seconds of processor time, MiB and exit code of one process."""
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, status >> 8


def main():
    cupel, rows = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    print(f"{rows:,} rows: seconds of processor time, MiB")
    print(f"{'':16}" + "".join(f"{command:>14}" for command in COMMANDS))
    with tempfile.TemporaryDirectory() as folder:
        files = {word: pathlib.Path(folder) / f"{word}.json" for word in ("FILE", "OTHER")} | {"PAGE": pathlib.Path(folder) / "page.html"}
        for shape, make in SHAPES.items():
            for word in ("FILE", "OTHER"):
                write(files[word], make(rows), random.Random(word))
            cells = []
            for command, arguments in COMMANDS.items():
                took_s, mib, code = measured([cupel, command, *(str(files.get(a, a)) for a in arguments)])
                cells.append(f"{took_s:8.2f}{mib:6.0f}" if code in (0, 1, 5, 6) else f"exit code {code}")
            print(f"{shape:16}" + "".join(cells), flush=True)


if __name__ == "__main__":
    main()
