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

# A gate starts it hundreds of times, so it imports what comes with the interpreter alone: json, re, random and pathlib would take
# three times as long as all that it does.
import _random
import fcntl
import math
import os
import sys
import time

try:
    from _sha512 import sha512
except ImportError:  # from Python 3.12 on
    from _sha2 import sha512

ME = sys.argv[0]
with open(f"{ME}.json") as conf:  # JSON is Python but for these words
    CONF = eval(conf.read(), {"true": True, "false": False, "null": None})
FLAGS = dict((a.split("=", 1) + [""])[:2] for a in sys.argv[1:])
KNOWN = {"--benchmark_list_tests", "--benchmark_out", "--benchmark_out_format", "--benchmark_filter", "--extra"}


def starts():
    """How often this executable was started to measure, this time included."""
    with open(f"{ME}.starts", "a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(".")
        file.flush()
        return os.stat(file.fileno()).st_size


def normal(seed):
    """A normal number, the same for the same text: what random.Random(seed).gauss(0, 1) gives."""
    uniform = _random.Random(int.from_bytes(seed.encode() + sha512(seed.encode()).digest(), "big")).random
    angle = 2 * math.pi * uniform()
    return math.cos(angle) * math.sqrt(-2 * math.log(1 - uniform()))


def row(name, time_ns):
    failed, time_text = CONF.get("fail", {}).get(name), repr(time_ns)
    members = {"name": f'"{name}"', "run_name": f'"{name}"', "run_type": '"iteration"', "repetitions": "1", "repetition_index": "0",
               "threads": "1", "iterations": "1,000" if name == CONF.get("locale") else "1000",
               "real_time": time_text if failed is None else "0.0", "cpu_time": time_text, "time_unit": '"ns"'}
    if failed is not None:
        members |= {"error_occurred": "true", "error_message": f'"{failed}"'}
    if name == CONF.get("nan"):
        members["counter"] = "NaN"
    text = "{\n" + ",\n".join(f'  "{key}": {value}' for key, value in members.items())
    if name == CONF.get("twice"):
        text += f', "real_time": {time_ns * 100}'
    return text + "\n}"


def run_with_load(shares, number):
    """A process of a quarter of a second whose only thread is accounted for where CUPEL_PROC says."""
    thread = f"{os.environ['CUPEL_PROC']}/{os.getpid()}/task/{os.getpid()}"
    os.makedirs(thread)
    with open(f"{thread}/stat", "w") as stat:
        stat.write(f"{os.getpid()} (fake) R 1\n")
    began = time.monotonic()
    while time.monotonic() < began + 0.25:
        waited = (time.monotonic() - began) * shares[(number - 1) % len(shares)]
        with open(f"{thread}/schedstat.new", "w") as schedstat:
            schedstat.write(f"0 {int(waited * 1e9)} 1\n")
        os.rename(f"{thread}/schedstat.new", f"{thread}/schedstat")
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
            open(f"{ME}.lists", "w").close()
            time.sleep(3600)
        print("\n".join(names))
        return 0
    if "--benchmark_filter" in FLAGS:
        import re  # here alone: most starts have no filter
        names = [n for n in names if re.search(FLAGS["--benchmark_filter"], n)]
    number = starts()
    names = [n for n in names if CONF.get("lacks", {}).get(n) not in ("always", "others" if len(names) > 1 else "")]
    if "log" in CONF:
        with open(CONF["log"], "a") as log:
            time_flag = FLAGS.get("--benchmark_min_time")
            log.write(f"{os.path.basename(ME)} {len(names)}{f' {time_flag}' if time_flag else ''}\n")
    if "waited" in CONF:
        run_with_load(CONF["waited"], number)
    out = open(FLAGS["--benchmark_out"], "w")
    out.write('{"context": {"date": "2026-11-20T00:00:00", "executable": "fake", "num_cpus": 2,'
              f' "library_version": "{CONF.get("version", "1.9.4")}"}}, "benchmarks": [\n')
    for i, name in enumerate(names):
        if name == CONF.get("crash"):
            out.flush()
            os.kill(os.getpid(), 9)
        if name == CONF.get("hang"):
            out.flush()
            time.sleep(3600)
        noise = CONF.get("noise", 0.003) * normal(f"{CONF.get('seed', 1)} {name} {number}")
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
