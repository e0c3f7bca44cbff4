"""`cupel run --step` without a GPU: executables that are not there list what results/ has, and say what they were asked to measure."""

import json
import pathlib
import re
import subprocess
import sys
import tarfile

import make_trace
from program import ROOT, ProgramTest, kept, main

RESULTS = ROOT / "results" / "nvidia-h200"
FAMILIES = ("conv", "fusion", "gemm", "memory", "optimizer", "sync", "transfer")
SECONDS, LEAST = 0.24, 0.06  # of a row, as the executables expect it
FAKE = """#!/usr/bin/env python3
import pathlib, sys
if "--cupel_list" in sys.argv:
    print(pathlib.Path(__file__ + ".list").read_text())
    sys.exit(0)
only = [flag.split("=", 1)[1] for flag in sys.argv if flag.startswith("--cupel_only=")]
with open(pathlib.Path(__file__).parent / "asked", "a") as log:
    log.write("".join(pathlib.Path(file).read_text() for file in only))
sys.exit(1)
"""


def listed(row):
    parts = [part.split(":", 1) for part in row["name"].split("/") if ":" in part]
    return {"name": row["name"], "params": [{"name": name, "value": value} for name, value in parts], "advice": [], "needs_device": True,
            "device_bytes": 0, "host_bytes": 0, "seconds": SECONDS, "least_seconds": LEAST, "profile": "standard"}


class Needs(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.documents = {family: kept(f"nvidia-h200/{family}") for family in FAMILIES}

    def setUp(self):
        super().setUp()
        for family in FAMILIES:
            rows = {row["name"]: row for row in self.documents[family]["benchmarks"]}.values()
            self.executable(f"bench/cupel_bench_{family}", FAKE)
            self.file(f"bench/cupel_bench_{family}.list", {"family": family, "needs_device": True, "max_wall_s": 0.6,
                                                           "benchmarks": [listed(row) for row in rows]})

    def chosen(self, profile):
        """The names that `cupel run --step` measures."""
        asked = self.bench / "asked"
        asked.unlink(missing_ok=True)
        self.run_it("--step", profile, "--force", "--processes", "1", "--budget", "30s", code=4)
        return set(asked.read_text().split())

    def silent(self, profiles, *results):
        """The pieces of which results say nothing, by the name of the profile. profiles: one, or a folder, for which results are read once."""
        steps = json.loads(self.cupel("advise", "--step", profiles, "--format", "json", *results, code=0).out)["steps"]
        return {pathlib.Path(step["profile"]).name: {piece["piece"] for piece in step["pieces"] if piece["standing"] == "silent"} for step in steps}

    def with_only(self, names):
        paths = []
        for family, document in self.documents.items():
            rows = [row for row in document["benchmarks"] if row["name"] in names]
            if rows:
                paths.append(self.file(f"chosen/{family}.json", {**document, "benchmarks": rows}))
        return paths

    def assert_chosen_say_as_much(self, profile, silent):
        names = self.chosen(profile)
        self.assertLess(len(names), 250)
        self.assertEqual(self.silent(profile, *self.with_only(names)), {profile.name: silent[profile.name]})
        return names

    def test_measures_no_row_too_few_for_the_steps_of_an_h200(self):
        with tarfile.open(ROOT / "tests" / "foretell" / "h200" / "profiles.tar.xz") as archive:
            archive.extractall(self.folder)
        profiles = sorted((self.folder / "profiles").glob("*drop-*.net-resnet18_224.batch-256.json"))
        self.assertEqual(len(profiles), 10)
        silent = self.silent(self.folder / "profiles", RESULTS)
        for profile in profiles:
            if "no_fill" in profile.name or "tf32" in profile.name:
                continue  # all else is on there, and no row tells of fills
            with self.subTest(profile.name):
                self.assert_chosen_say_as_much(profile, silent)

    def test_measures_no_other_precision_or_layout_than_a_profile_has_or_would_get(self):
        profile = self.file("step.json", {
            "cupel_step_profile": 1, "batch": 64, "parameters": 1000, "launches": 10, "step_s": 0.01, "enqueue_s": 0.001,
            "switches": {"precision": "tf32", "layout": "nhwc", "optimizer": "fused", "launch": "graph", "gradients": "replaced"},
            "kernels": [{"kind": "convolution_forward", "precision": "tf32", "layout": "nhwc", "calls": 1, "time_s": 0.008,
                         "bytes": 10**8, "flops": 10**10}]})
        names = self.assert_chosen_say_as_much(profile, self.silent(profile, RESULTS))
        convolutions = {name for name in names if name.startswith("conv/")}
        self.assertTrue(convolutions)
        for name in convolutions:
            self.assertRegex(name, "^conv/forward/layer:.*/precision:(tf32|bf16|fp16)/layout:nhwc/")
        self.assertFalse([name for name in names if name.startswith(("gemm/", "optimizer/", "transfer/"))])

    def test_fits_three_processes_into_90_seconds(self):
        profile = self.file("step.json", self.made_of_a_trace())
        plan = self.cupel("run", "--step", profile, "--dry-run", code=0).out
        minutes, seconds = re.search(r"about (?:(\d+) min )?([\d.]+) s if a GPU is there", plan).groups()
        self.assertLessEqual(60 * int(minutes or 0) + float(seconds), 55)  # rows that are cut take longer than is expected of them
        self.assertEqual(set(re.findall(r"^\w+ +\d+ +(\d+) ", plan, re.M)), {"3"})

    def made_of_a_trace(self):
        ended = subprocess.run([sys.executable, ROOT / "scripts" / "profile-from-pytorch", self.file("trace.json", make_trace.trace())],
                               capture_output=True, text=True, check=True)
        return ended.stdout

    def test_refuses_to_choose_twice(self):
        profile = self.file("step.json", self.made_of_a_trace())
        for more in (["gemm"], ["--filter", "conv"], ["--quick"], ["--advice", "graphs"]):
            self.refuses("--step chooses the benchmarks by itself", "run", "--step", profile, *more)
        self.refuses("no.json", "run", "--step", "no.json")


if __name__ == "__main__":
    main()
