"""`ci/measure-results`, with programs in place of cupel and nvidia-smi.  measure_results_test.py"""

import os
import shutil
import subprocess
import tarfile

from program import ROOT, FolderTest, main

# Writes its call down, and the file that it is asked for. Waits where a file `slow` names the family, until it is interrupted.
CUPEL = """#!/usr/bin/env bash
cd "$(dirname "$0")"
echo "$*" >>calls
if [[ $* == "list --format json" ]]; then
  for family in gemm conv host pytorch; do echo "{\\"family\\": \\"$family\\", \\"needs_device\\": $([[ $family == host ]] && echo false || echo true)}"; done |
    paste -sd, | sed 's/^/[/; s/$/]/'
  exit
fi
echo "$2 with ${LD_LIBRARY_PATH-none}" >>libraries
for word; do file=$word; done
trap 'echo {} >"$file"; exit 130' INT
if [[ -e slow && $* == *"$(<slow)"* ]]; then sleep 60 >/dev/null 2>&1 & wait; fi
[[ -e broken && $* == *"$(<broken)"* ]] && exit 4
echo {} >"$file"
"""


# A machine with GPUs GPU-1 and so on, of which --id takes one by index or by UUID.
NVIDIA_SMI = """#!/usr/bin/env bash
boards=(BOARDS)
for word; do
  [[ $word == --id=* ]] || continue
  id=${word#--id=}
  if [[ $id == [0-9] ]]; then boards=("${boards[id]}"); elif [[ " ${boards[*]} " == *" $id "* ]]; then boards=("$id"); else boards=(); fi
done
((${#boards[@]} > 0)) || { echo 'No devices were found'; exit 6; }
printf '%s\\n' "${boards[@]}"
"""

# As timeout, in a twentieth of the seconds.
TIMEOUT = """#!/usr/bin/env bash
exec TIMEOUT "$1" "$2" "$(($3 / 20))" "${@:4}"
"""


class MeasureResults(FolderTest):
    def setUp(self):
        super().setUp()
        self.executable("cupel", CUPEL)
        self.board("GPU-1")

    def board(self, *uuids):
        self.executable("nvidia-smi", NVIDIA_SMI.replace("BOARDS", " ".join(uuids)))

    def measure(self, *arguments, code=0, **environment):
        ended = subprocess.run([ROOT / "ci/measure-results", "--cupel", self.folder / "cupel", self.folder / "out", *arguments],
                               capture_output=True, text=True, check=False,
                               env={**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", **environment})
        self.assertEqual(ended.returncode, code, ended.stdout + ended.stderr)
        return ended.stdout + ended.stderr

    def calls(self):
        calls = [line.replace(f"{self.folder}/out/", "") for line in (self.folder / "calls").read_text().splitlines()]
        (self.folder / "calls").unlink()
        return [call for call in calls if call != "list --format json"]

    def test_each_family_is_measured_and_packed_after_a_quick_run(self):
        self.measure()
        self.assertEqual(self.calls(), ["run conv gemm --quick --output quick.json", "run conv --standard --output conv.json",
                                        "run gemm --standard --output gemm.json", "run pytorch --standard --output pytorch.json"])
        with tarfile.open(self.folder / "out.tar.gz") as packed:
            names = sorted(os.path.basename(name) for name in packed.getnames())
        self.assertEqual(names[1:], ["board", "conv.json.gz", "gemm.json.gz", "pytorch.json.gz", "quick.json.gz"])

    def test_what_is_named_is_measured_in_that_order(self):
        self.measure("gemm", "quick", "conv/layer")
        self.assertEqual(self.calls(), ["run gemm --standard --output gemm.json", "run conv gemm --quick --output quick.json",
                                        "run conv --standard --filter ^conv/layer(/|$) --output conv.json"])

    def test_step_waits_for_pytorch_whose_times_it_uses(self):
        self.measure("step/waterfall", "gemm", "pytorch/host", "conv")
        self.assertEqual([call.split()[1] for call in self.calls()], ["gemm", "pytorch", "step", "conv"])

    def test_pytorch_alone_is_measured_without_the_libraries_of_the_others(self):
        self.measure("gemm", "pytorch", "conv", LD_LIBRARY_PATH="/nvidia")
        self.assertEqual((self.folder / "libraries").read_text().splitlines(),
                         ["gemm with /nvidia", "pytorch with none", "conv with /nvidia"])

    def test_the_board_is_that_of_the_gpus_that_are_visible(self):
        self.board("GPU-1", "GPU-2", "GPU-3")
        self.measure("gemm", CUDA_VISIBLE_DEVICES="1")
        self.assertEqual((self.folder / "out/board").read_text().split(), ["GPU-2"])
        self.measure("conv", CUDA_VISIBLE_DEVICES="GPU-2")
        self.assertIn("is of another board", self.measure("conv", CUDA_VISIBLE_DEVICES="2", code=3))
        self.assertIn("names no GPU", self.measure("conv", CUDA_VISIBLE_DEVICES="", code=3))

    def test_what_is_measured_is_not_measured_again(self):
        self.measure("gemm")
        self.calls()
        self.measure("gemm", "conv")
        self.assertEqual(self.calls(), ["run conv --standard --output conv.json"])

    def test_a_call_that_is_out_of_time_is_gone_on_with(self):
        self.file("slow", "gemm")
        self.executable("timeout", TIMEOUT.replace("TIMEOUT", shutil.which("timeout")))
        self.assertIn("call it again", self.measure("gemm", "--for", "24", code=75))
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
