"""The notebook of two GPUs runs in pandas as it is, and so does what docs/schema.md shows. 77: not run, pandas is not here."""

import json
import os
import pathlib
import re
import subprocess
import sys

from program import CUPEL, ROOT, ProgramTest, kept, kept_text, main

PYTHONS = [sys.executable, "/usr/bin/python3"]  # what Debian installs is its own Python's
H200 = ROOT / "results/nvidia-h200"


def imports_pandas(python):
    return pathlib.Path(python).exists() and subprocess.run([python, "-c", "import pandas"], capture_output=True, check=False).returncode == 0


PANDAS = next(filter(imports_pandas, PYTHONS), None)


class Pandas(ProgramTest):
    def computed(self, code, then, folder=ROOT):
        """What the expression is once the code has run, as JSON has it."""
        path = f"{pathlib.Path(CUPEL).parent}:{os.environ['PATH']}"
        text = f"{code}\nimport json as json_\nprint(json_.dumps({then}))\n"
        ended = subprocess.run([PANDAS, "-W", "error", "-c", text], cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return json.loads(ended.stdout)

    def test_runs_the_notebook_and_has_the_times_of_show(self):
        notebook = json.loads((ROOT / "docs/notebooks/two-gpus.ipynb").read_text())
        code = "\n".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code")
        times = self.computed(code, "times.to_dict()")
        self.assertEqual(len(times), 2)
        for name in ("nvidia-h200/fusion", "nvidia-h100/fusion"):
            uuid = kept(name)["context"]["cupel"]["device"]["uuid"]
            shown = json.loads(self.cupel("show", ROOT / f"results/{name}.json.gz", "--format", "json", "--all", code=0).out)
            figures = {row["name"]: row["time_s"] for row in shown if row["figure"] and "time_s" in row}
            self.assertGreater(len(times[uuid]), 3)
            for name, time in times[uuid].items():
                self.assertAlmostEqual(time / figures[name], 1, places=9)
        comparison = self.computed(code, "comparison.to_dict()")
        self.assertEqual(set(comparison["ratio"]), set(times[uuid]))
        self.assertGreater(self.computed(code, "len(large)"), 10)

    def test_reads_both_formats_alike(self):
        code = f"""
import io, subprocess, pandas as pd
def table(form):
    return subprocess.run(["cupel", "export", {str(H200 / "optimizer.json.gz")!r}, "--format", form], capture_output=True, text=True, check=True).stdout
csv, lines = pd.read_csv(io.StringIO(table("csv"))), pd.read_json(io.StringIO(table("jsonl")), lines=True, convert_dates=False)
"""
        same = "[len(csv), len(lines), sorted(set(csv) - set(lines)), float((csv.time - lines.time).abs().max()), list(csv.benchmark) == list(lines.benchmark)]"
        long, lines, only, apart, alike = self.computed(code, same)
        self.assertEqual((long, only, alike), (lines, [], True))
        self.assertLess(apart, 1e-15)

    def test_reads_a_result_file_as_the_schema_says(self):
        page = (ROOT / "docs/schema.md").read_text()
        code = re.search(r"```python\n(.*?)```", page, re.S).group(1)
        result = kept_text("nvidia-h200/optimizer")
        self.file("results.json", result)
        got = self.computed(code, '[len(samples), sorted(samples["mode"].unique()), int(samples["cupel.process"].max())]', self.folder)
        rows = json.loads(result)["benchmarks"]
        series = [one for row in rows for one in row["cupel"]["series"]]
        self.assertEqual(got, [sum(len(one["samples_s"]) for one in series), sorted({one["mode"] for one in series}),
                               max(row["cupel"]["process"] for row in rows)])


if __name__ == "__main__":
    if PANDAS is None:
        print("not run: no Python here can import pandas; on Debian the package python3-pandas has it")
        sys.exit(77)
    main()
