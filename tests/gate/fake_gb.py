#!/usr/bin/env python3
"""A Google Benchmark program without benchmarks: takes its flags, writes its files, and times nothing.

What it has is in <its own path>.json: {"benchmarks": {NAME: NANOSECONDS}, ...} with, optionally
  "noise": RELATIVE     spread of the times of processes (default 0.003); drawn from a seed that counts the starts
  "seed": N             of that noise
  "fail": {NAME: TEXT}  reported with error_occurred
  "crash": NAME         killed at this one, after the others before it were written
  "hang": NAME          never ends at this one
  "list_hang": true     never ends when it is to list
  "late": crash, exit, cut   when all is written; cut: all but the end of the file
  "nan": NAME           has a counter that is NaN
  "twice": NAME         its key real_time occurs twice
  "locale": NAME        its iterations are written 1,000
  "lacks": {NAME: WHEN} leaves it out though it is asked for and ends well: "others" where others are asked for, too, "always"
  "cut": NAME           the file ends in the middle of this one
  "version": "1.7.1"    how errors are written
  "waited": [SHARE...]  of its time waited for a CPU, as CUPEL_PROC says; start by start, in turn
  "min_time": WORD      takes --benchmark_min_time: "bare" as before 1.8, "suffix" as later releases may, "both" as 1.8
                        and 1.9 do, "lists" while it lists and not while it measures; without the word it refuses the flag
  "log": FILE           a line for each start with a filter or without
"""

import fcntl
import json
import math
import os
import pathlib
import random
import re
import signal
import sys
import time

ME = pathlib.Path(sys.argv[0])
CONF = json.loads(pathlib.Path(f"{ME}.json").read_text())
FLAGS = dict((a.split("=", 1) + [""])[:2] for a in sys.argv[1:])
KNOWN = {"--benchmark_list_tests", "--benchmark_out", "--benchmark_out_format", "--benchmark_filter", "--extra"}


def starts():
    """How often this executable was started to measure, this time included."""
    path = pathlib.Path(f"{ME}.starts")
    with open(path, "a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(".")
        file.flush()
        return path.stat().st_size


def row(name, time_ns):
    text = json.dumps({"name": name, "run_name": name, "run_type": "iteration", "repetitions": 1,
                       "repetition_index": 0, "threads": 1, "iterations": 1000, "real_time": time_ns,
                       "cpu_time": time_ns, "time_unit": "ns"}, indent=2)
    if name in CONF.get("fail", {}):
        key = '"error_occurred": true, "error_message"'
        text = text[:-2] + f', {key}: {json.dumps(CONF["fail"][name])}\n}}'
        text = text.replace(f'"real_time": {json.dumps(time_ns)}', '"real_time": 0.0')
    if name == CONF.get("nan"):
        text = text[:-2] + ', "counter": NaN\n}'
    if name == CONF.get("twice"):
        text = text[:-2] + f', "real_time": {time_ns * 100}\n}}'
    if name == CONF.get("locale"):
        text = text.replace('"iterations": 1000', '"iterations": 1,000')
    return text


def run_with_load(shares, number):
    """A process of a quarter of a second whose only thread is accounted for where CUPEL_PROC says."""
    thread = pathlib.Path(os.environ["CUPEL_PROC"]) / str(os.getpid()) / "task" / str(os.getpid())
    thread.mkdir(parents=True)
    (thread / "stat").write_text(f"{os.getpid()} (fake) R 1\n")
    began = time.monotonic()
    while time.monotonic() < began + 0.25:
        waited = (time.monotonic() - began) * shares[(number - 1) % len(shares)]
        (thread / "schedstat.new").write_text(f"0 {int(waited * 1e9)} 1\n")
        (thread / "schedstat.new").rename(thread / "schedstat")
        time.sleep(0.01)


def takes(time):
    """The value of --benchmark_min_time."""
    word = CONF.get("min_time")
    is_bare = not time.endswith(("s", "x"))
    return {"bare": is_bare, "suffix": not is_bare, "both": True,
            "lists": "--benchmark_list_tests" in FLAGS}.get(word, False)


def main():
    unknown = [flag for flag in FLAGS if flag not in KNOWN]
    if unknown == ["--benchmark_min_time"] and takes(FLAGS[unknown[0]]):
        unknown = []
    if unknown:
        print(f"{ME}: error: unrecognized command-line flag: {unknown[0]}", file=sys.stderr)
        return 1
    names = list(CONF["benchmarks"])
    if FLAGS.get("--benchmark_list_tests") == "true":
        if "list_hang" in CONF:
            pathlib.Path(f"{ME}.lists").touch()
            time.sleep(3600)
        print("\n".join(names))
        return 0
    names = [n for n in names if re.search(FLAGS.get("--benchmark_filter", "."), n)]
    number = starts()
    names = [n for n in names if CONF.get("lacks", {}).get(n) not in ("always", "others" if len(names) > 1 else "")]
    if "log" in CONF:
        with open(CONF["log"], "a") as log:
            time_flag = FLAGS.get("--benchmark_min_time")
            log.write(f"{ME.name} {len(names)}{f' {time_flag}' if time_flag else ''}\n")
    if "waited" in CONF:
        run_with_load(CONF["waited"], number)
    out = open(FLAGS["--benchmark_out"], "w")
    out.write('{"context": {"date": "2026-11-20T00:00:00", "executable": "fake", "num_cpus": 2,'
              f' "library_version": "{CONF.get("version", "1.9.4")}"}}, "benchmarks": [\n')
    for i, name in enumerate(names):
        if name == CONF.get("crash"):
            out.flush()
            os.kill(os.getpid(), signal.SIGKILL)
        if name == CONF.get("hang"):
            out.flush()
            time.sleep(3600)
        noise = random.Random(f"{CONF.get('seed', 1)} {name} {number}").gauss(0, CONF.get("noise", 0.003))
        text = row(name, CONF["benchmarks"][name] * math.exp(noise))
        cut = name == CONF.get("cut")
        out.write((",\n" if i else "") + (text[:len(text) // 2] if cut else text))
        out.flush()
        if cut:
            return 0
    out.write("]}\n" if CONF.get("late") != "cut" else "")
    out.close()
    if CONF.get("late") == "crash":
        os.abort()
    return 7 if CONF.get("late") == "exit" else 0


sys.exit(main())
