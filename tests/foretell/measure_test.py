"""ci/measure-pytorch-steps by Debian's own PyTorch on the CPU; not run where there is none."""

import json
import shutil
import subprocess
import sys

from program import ROOT, FolderTest, main

PYTHON = "/usr/bin/python3"  # Debian's packages are seen by this one alone

MODELS = """
import torch
F = torch.nn.functional

def net():
    model = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.Flatten(), torch.nn.Linear(144, 4))
    return model, torch.optim.SGD(model.parameters(), 1e-3), F.cross_entropy, (torch.randn(4, 3, 8, 8), torch.arange(4))

def other():
    raise RuntimeError("no weights there")
"""


class MeasurePytorchSteps(FolderTest):
    def test_keeps_each_group_of_each_change_and_what_failed(self):
        models = self.file("models.py", MODELS)
        command = [PYTHON, ROOT / "ci" / "measure-pytorch-steps", "--device", "cpu", "--output", self.folder / "out", "--changes",
                   "nothing|no_wait|channels_last|batch|other", f"{models}:net:other=other"]
        ended = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        document = json.loads((self.folder / "out" / "net.json").read_text())
        self.assertEqual(set(document["changes"]), {"nothing", "no_wait", "channels_last", "batch"})
        for change in document["changes"].values():
            self.assertEqual([len(one["groups_s"]) for one in change["rounds"]], [5, 5])
        self.assertEqual(len(document["changes"]["nothing"]["host_s"]), 15)
        self.assertEqual(document["parameters"], 3 * 4 * 9 + 4 + 144 * 4 + 4)
        self.assertEqual(document["batch"], 4)
        self.assertEqual(document["failed"], {"other, round 1": "RuntimeError: no weights there"})
        self.assertEqual(set(document["traces"]), {"net.nothing.trace.json.gz", "net.channels_last.trace.json.gz"})
        self.assertTrue((self.folder / "out" / "net.nothing.trace.json.gz").exists())

    def test_finds_the_recipes_in_a_packed_tree(self):
        script = self.executable("packed/ci/measure-pytorch-steps", (ROOT / "ci" / "measure-pytorch-steps").read_text())
        shutil.copytree(ROOT / "bench" / "pytorch" / "cupel_pytorch", self.folder / "packed" / "bench" / "cupel_pytorch")
        models = self.file("models.py", MODELS)
        ended = subprocess.run([PYTHON, script, "--device", "cpu", "--changes", "nothing", "--traces", "", "--output", self.folder,
                                f"{models}:net"], capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("nothing", json.loads((self.folder / "net.json").read_text())["changes"])

    def test_leaves_out_what_there_is_no_time_for_and_says_it(self):
        models = self.file("models.py", MODELS)
        ended = subprocess.run([PYTHON, ROOT / "ci" / "measure-pytorch-steps", "--device", "cpu", "--seconds", "0", "--output", self.folder,
                                f"{models}:net"], capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        document = json.loads((self.folder / "net.json").read_text())
        self.assertEqual(document["changes"], {})
        self.assertIn("nothing, round 1", document["left_out"])


if __name__ == "__main__":
    if subprocess.run([PYTHON, "-c", "import torch"], capture_output=True).returncode:
        print("there is no PyTorch in", PYTHON)
        sys.exit(77)
    main()
