#!/usr/bin/env python3
"""The memory that `cupel compare` takes: rows are read one by one, and what is kept of each is a number a process. So a file of long
rows takes hardly more than a file of short ones, whatever it takes on the disk."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from made_up import result, row
from program import CUPEL, main

BENCHMARKS, PROCESSES = 40, 3
FEW, MANY = 100, 20_000  # samples of a row
MOST_OF_GROWTH = 0.1  # of the bytes by which both files grew; read whole, their text alone would be 1


def write(path, samples):
    """A row at a time: what the test itself takes before it starts a program counts for the program."""
    text = "[" + ", ".join(f"{1e-5 * (1 + i % 97 / 1e4):.9e}" for i in range(samples)) + "]"
    head = json.dumps(result([], processes=PROCESSES))
    assert head.endswith('"benchmarks": []}')
    with open(path, "w", encoding="utf-8") as file:
        file.write(head.removesuffix("]}"))
        for n in range(BENCHMARKS):
            for process in range(PROCESSES):
                file.write((",\n" if n + process > 0 else "") + json.dumps(row(f"f/work/n:{n}", process, [1e-5])).replace("[1e-05]", text))
        file.write("]}")
    return path.stat().st_size


def peak_bytes(*arguments):
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen([CUPEL, *arguments], stdout=out, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        return process.returncode, out.read().decode(), used.ru_maxrss * 1024


class Memory(unittest.TestCase):
    def test_compare_keeps_no_samples(self):
        sizes, peaks = {}, {}
        with tempfile.TemporaryDirectory() as folder:
            for samples in (FEW, MANY):
                files = [pathlib.Path(folder) / f"{side}.json" for side in ("before", "after")]
                sizes[samples] = sum(write(file, samples) for file in files)
                code, said, peaks[samples] = peak_bytes("compare", *files)
                self.assertEqual(code, 0, said)
                self.assertIn(f"{BENCHMARKS} benchmarks have not changed", said)
        growth = (peaks[MANY] - peaks[FEW]) / (sizes[MANY] - sizes[FEW])
        self.assertGreater(sizes[MANY] - sizes[FEW], 50e6)  # else the noise of a peak would count
        self.assertLess(growth, MOST_OF_GROWTH, (sizes, peaks))


if __name__ == "__main__":
    main()
