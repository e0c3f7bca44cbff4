"""`ci/measure-results`, with programs in place of cupel and nvidia-smi.  measure_results_test.py"""

import os
import subprocess
import tarfile

from program import ROOT, FolderTest, main

# Writes its call down, and the file that it is asked for. Waits where a file `slow` names the family, until it is interrupted.
CUPEL = """#!/usr/bin/env bash
cd "$(dirname "$0")"
echo "$*" >>calls
[[ $1 == list ]] && { printf 'gemm/square/n:1\\nconv/x\\nhost/memcpy\\n'; exit; }
for word; do file=$word; done
trap 'echo {} >"$file"; exit 130' INT
if [[ -e slow && $* == *"$(<slow)"* ]]; then sleep 60 >/dev/null 2>&1 & wait; fi
[[ -e broken && $* == *"$(<broken)"* ]] && exit 4
echo {} >"$file"
"""


class MeasureResults(FolderTest):
    def setUp(self):
        super().setUp()
        self.executable("cupel", CUPEL)
        self.board("GPU-1")

    def board(self, uuid):
        self.executable("nvidia-smi", f"#!/bin/sh\necho {uuid}\n")

    def measure(self, *arguments, code=0):
        ended = subprocess.run([ROOT / "ci/measure-results", "--cupel", self.folder / "cupel", self.folder / "out", *arguments],
                               capture_output=True, text=True, check=False,
                               env={**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"})
        self.assertEqual(ended.returncode, code, ended.stdout + ended.stderr)
        return ended.stdout + ended.stderr

    def calls(self):
        calls = [line.replace(f"{self.folder}/out/", "") for line in (self.folder / "calls").read_text().splitlines()]
        (self.folder / "calls").unlink()
        return [call for call in calls if call != "list"]

    def test_each_family_is_measured_and_packed_after_a_quick_run(self):
        self.measure()
        self.assertEqual(self.calls(), ["run --quick --output quick.json", "run conv --standard --output conv.json",
                                        "run gemm --standard --output gemm.json"])
        with tarfile.open(self.folder / "out.tar.gz") as packed:
            names = sorted(os.path.basename(name) for name in packed.getnames())
        self.assertEqual(names[1:], ["board", "conv.json.gz", "gemm.json.gz", "quick.json.gz"])

    def test_what_is_measured_is_not_measured_again(self):
        self.measure("gemm")
        self.calls()
        self.measure("gemm", "conv")
        self.assertEqual(self.calls(), ["run conv --standard --output conv.json"])

    def test_a_call_that_is_out_of_time_is_gone_on_with(self):
        self.file("slow", "gemm")
        self.assertIn("call it again", self.measure("gemm", "--for", "22", code=75))
        self.calls()
        (self.folder / "slow").unlink()
        self.measure("gemm")
        self.assertEqual(self.calls(), ["run --resume gemm.json"])

    def test_no_folder_is_of_two_boards(self):
        self.measure("gemm")
        self.board("GPU-2")
        self.assertIn("is of another board", self.measure("gemm", code=3))

    def test_a_family_that_fails_keeps_none_of_the_others_from_it(self):
        self.file("broken", "conv")
        self.measure(code=4)
        self.assertTrue((self.folder / "out/gemm.json").exists())

    def test_without_a_gpu_nothing_is_measured(self):
        self.executable("nvidia-smi", "#!/bin/sh\nexit 9\n")
        self.measure(code=3)


main()
