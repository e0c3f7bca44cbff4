"""Two releases of Google Benchmark, one source: what a gate makes of the time of several threads.

    releases_test.py CUPEL POOL [OLDER]    OLDER: of a release before 1.9; without it, or where it is not older: not run
"""

import json
import subprocess
import sys

from program import MORE, ProgramTest, main

NOT_RUN = 77


def result_of(program):
    ended = subprocess.run([program, "--benchmark_format=json"], capture_output=True, text=True, check=True)
    return json.loads(ended.stdout)


class Releases(ProgramTest):
    def test_mean_one_time_of_four_threads(self):
        pinned, older = MORE
        times = [{row["name"]: row["real_time"] for row in result_of(program)["benchmarks"]} for program in (older, pinned)]
        four = next(name for name in times[0] if name.endswith("threads:4"))
        self.assertAlmostEqual(times[1][four] / times[0][four], 4, places=3)  # what the files say

        out = self.folder / "gate.json"
        self.cupel("gate", "--base", older, "--new", pinned, "--output", f"json={out}", code=0)

        rows = json.loads(out.read_text())["rows"]
        self.assertEqual({row["name"]: (row["verdict"], round(row["ratio"], 6)) for row in rows if row["metric"] == "time"},
                         {"pool/threads:1": ("SAME", 1.0), "pool/threads:4": ("SAME", 1.0)})


if __name__ == "__main__":
    if len(MORE) < 2 or "library_version" in result_of(MORE[1])["context"]:
        print("not run: there is no Google Benchmark before 1.8.4 here (libbenchmark-dev of Debian 12)")
        sys.exit(NOT_RUN)
    main()
