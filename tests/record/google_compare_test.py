#!/usr/bin/env python3
"""Google Benchmark's own compare.py on a result file of ours: google_compare_test.py COMPARE_PY

compare.py asks numpy and scipy for three functions. Stand-ins are enough: what is tested is that it reads the file.
"""

import json
import os
import re
import subprocess
import sys

from program import FolderTest, kept_text, main

RESULT = kept_text("nvidia-h200/optimizer")
STAND_INS = {
    "numpy.py": "array = list\n",
    "scipy/__init__.py": "",
    "scipy/stats.py": "import math, types\n"
                      "class Means(list):\n"
                      "    def any(self):\n"
                      "        return any(list(self))\n"
                      "def gmean(rows):\n"
                      "    return Means(math.exp(sum(map(math.log, column)) / len(column)) for column in zip(*rows))\n"
                      "def mannwhitneyu(one, other, alternative):\n"
                      "    return types.SimpleNamespace(statistic=0, pvalue=0.5)\n",
}


class GoogleCompare(FolderTest):
    def setUp(self):
        super().setUp()
        for name, text in STAND_INS.items():
            self.file(name, text)
        self.result = self.file("result.json", RESULT)

    def compare(self, contender):
        command = [sys.executable, sys.argv[1], "--no-color", "benchmarks", self.result, contender]
        return subprocess.run(command, env=dict(os.environ, PYTHONPATH=str(self.folder)), capture_output=True, text=True)

    def test_finds_each_benchmark_the_same_as_itself_and_tests_it_over_processes(self):
        ended = self.compare(self.result)

        self.assertEqual(ended.returncode, 0, ended.stderr)
        for name in {row["name"] for row in json.loads(RESULT)["benchmarks"]}:
            self.assertRegex(ended.stdout, rf"{re.escape(name)} +\+0\.0000 +\+0\.0000")
            self.assertRegex(ended.stdout, rf"{re.escape(name)}_pvalue +0\.5000 +0\.5000 +U Test, Repetitions: 5 vs 5")

    def test_finds_what_takes_twice_as_long(self):
        slower = json.loads(RESULT)
        for row in slower["benchmarks"]:
            row["real_time"] *= 2

        ended = self.compare(self.file("slower.json", slower))

        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertRegex(ended.stdout, rf"{re.escape(slower['benchmarks'][0]['name'])} +\+1\.0000 ")


if __name__ == "__main__":
    main()
