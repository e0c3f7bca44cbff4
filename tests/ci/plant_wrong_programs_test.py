"""ci/plant-wrong-programs: its mistakes fit the sources, what finds them is told from what does not."""

import subprocess
import sys
import unittest

from program import ROOT, FolderTest, kept, main

SCRIPT = ROOT / "ci" / "plant-wrong-programs"
NAME, BENCHMARK = "a_share_of_a_copy_left_out", "host/memcpy/threads:2/bytes:4096"


class Plant(FolderTest):
    def plant(self, *arguments):
        return subprocess.run([sys.executable, SCRIPT, *map(str, arguments)], capture_output=True, text=True, check=False)

    def program(self, folder, line, code):
        self.executable(f"{folder}/cupel_bench_host", f"#!/bin/bash\necho '{line}'\nexit {code}\n")

    def ended(self, *arguments):
        ended = self.plant("run", self.folder / "wrong", "--only", NAME, *arguments)
        return ended.returncode, ended.stdout.strip()

    def test_mistakes_fit_the_sources(self):
        listed = self.plant("list")
        self.assertEqual(listed.returncode, 0, listed.stdout)
        self.assertGreater(len(listed.stdout.splitlines()), 12)

    def test_benchmarks_that_find_them_are_among_those_of_results(self):
        families = [path.name.partition(".")[0] for path in (ROOT / "results" / "nvidia-h200").glob("*.json.gz")]
        there = {row["run_name"] for family in families for row in kept(f"nvidia-h200/{family}")["benchmarks"]}
        wanted = [line.rpartition("found by ")[2] for line in self.plant("list").stdout.splitlines()]
        self.assertGreater(len(wanted), 12)
        missing = [name for name in wanted if name.partition("/")[0] in families and not any(one.startswith(name) for one in there)]
        self.assertEqual(missing, [])

    def test_a_family_in_python_is_copied_with_the_mistake_and_needs_no_build(self):
        ended = self.plant("build", self.folder / "tree", self.folder / "wrong", "--only", "copy_ahead_not_waited_for")
        self.assertEqual((ended.returncode, ended.stdout), (0, "copy_ahead_not_waited_for: copied\n"))

        copied = self.folder / "wrong" / "copy_ahead_not_waited_for"
        differ = subprocess.run(["diff", "-r", "-x", "__pycache__", ROOT / "bench" / "pytorch", copied], capture_output=True, text=True, check=False)
        self.assertEqual([line for line in differ.stdout.splitlines() if line[0] in "<>"], ["<         stream.wait_stream(self.side)"])
        listed = subprocess.run([copied / "cupel_bench_pytorch", "--cupel_list"], capture_output=True, text=True, check=False)
        self.assertIn("pytorch/step/net:resnet18_32/batch:128/add:nothing", listed.stdout)

    def test_a_wrong_result_is_found(self):
        self.program(f"wrong/{NAME}", f"{BENCHMARK}: failed: wrong result: it differs", 4)
        self.assertEqual(self.ended(), (0, f"{NAME}: found: failed: wrong result: it differs"))

    def test_benchmarks_of_any_profile_are_run(self):
        self.executable(f"wrong/{NAME}/cupel_bench_host",
                        f"#!/bin/bash\n[[ $* == *--cupel_profile=full* ]] || exit 5\necho '{BENCHMARK}: failed: wrong result: it differs'\nexit 4\n")
        self.assertEqual(self.ended()[0], 0)

    def test_a_program_that_passes_skips_or_crashes_is_not_found(self):
        for line, code, said in ((f"{BENCHMARK}/iterations:1  0 us", 0, "passed"), (f"{BENCHMARK}: skipped: no device", 0, "skipped: no device"),
                                 ("Segmentation fault", 139, "no row, ended with 139")):
            self.program(f"wrong/{NAME}", line, code)
            self.assertEqual(self.ended(), (1, f"{NAME}: NOT FOUND: {said}"))

    def test_the_right_program_must_pass(self):
        self.program(f"wrong/{NAME}", f"{BENCHMARK}: failed: wrong result: it differs", 4)
        self.program("right/bench", f"{BENCHMARK}: failed: wrong result: always", 4)
        code, said = self.ended("--right", self.folder / "right")
        self.assertEqual(code, 1)
        self.assertIn("BUT the right program: failed: wrong result: always", said)
        self.program("right/bench", f"{BENCHMARK}/iterations:1  0 us", 0)
        self.assertEqual(self.ended("--right", self.folder / "right")[0], 0)


if __name__ == "__main__":
    main()
