#!/usr/bin/env python3
"""A Google Benchmark program that prints what its .json says, however odd: its rows are JSON objects as they stand.

In <its own path>.json: {"rows": [ROW...], ...}, each ROW an object of a result file, chosen by its "name", with optionally
  "listed": [NAME...]   what --benchmark_list_tests prints (default: the names of the rows, each time that they occur)
  "context": {...}      of its result, beside date, executable and number of CPUs
  "cut": N              the result ends so many characters before its end
Times that are numbers differ by less than 0.1 % from process to process.
"""

import json
import math
import os
import pathlib
import random
import re
import sys

ME = pathlib.Path(sys.argv[0])
CONF = json.loads(pathlib.Path(f"{ME}.json").read_text())
FLAGS = dict((a.split("=", 1) + [""])[:2] for a in sys.argv[1:])


def printed(row, noise):
    return {key: value * noise if key in ("real_time", "cpu_time") and value else value for key, value in row.items()}


def main():
    names = CONF.get("listed", [row.get("run_name", row["name"]) for row in CONF["rows"]])
    if "--benchmark_list_tests" in FLAGS:
        print("\n".join(names))
        return
    noise = math.exp(random.Random(os.urandom(8)).gauss(0, 0.0003))
    wanted = re.compile(FLAGS.get("--benchmark_filter", "."))
    rows = [printed(row, noise) for row in CONF["rows"] if wanted.search(row.get("run_name", row["name"]))]
    context = {"date": "2026-11-20T00:00:00", "executable": str(ME), "num_cpus": 2, "library_version": "v1.9.4", **CONF.get("context", {})}
    text = json.dumps({"context": context, "benchmarks": rows})
    pathlib.Path(FLAGS["--benchmark_out"]).write_text(text[:len(text) - CONF.get("cut", 0)])


main()
