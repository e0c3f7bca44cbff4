"""ci/measure-pytorch-steps and scripts/cupel_step.py by Debian's own PyTorch on the CPU; not run where there is none."""

import json
import os
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
        for shared in (ROOT / "ci").glob("*.py"):
            shutil.copy(shared, script.parent)
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


LOOP = """
import cupel_step, torch
model = torch.nn.Linear(8, 8)
optimizer = torch.optim.AdamW(model.parameters())
cupel_step.trains(model, optimizer, batch=4)
for step in range(100):
    optimizer.zero_grad()
    model(torch.randn(4, 8)).sum().backward()
    optimizer.step()
    cupel_step.ends()
print("to its end")
"""


class MarkedSteps(FolderTest):
    def train(self, **more):
        loop = self.file("train.py", LOOP)
        return subprocess.run([PYTHON, loop], env={**os.environ, "PYTHONPATH": str(ROOT / "scripts"), **more}, capture_output=True, text=True)

    def test_are_timed_and_traced_and_then_the_program_ends(self):
        ended = self.train(CUPEL_STEP_FOLDER=str(self.folder))
        self.assertEqual((ended.returncode, ended.stdout), (0, ""), ended.stderr)
        facts = json.loads((self.folder / "facts.json").read_text())
        self.assertGreater(facts.pop("step_s"), 0)
        self.assertEqual(facts, {"net": "Linear", "batch": 4, "parameters": 72, "rule": "adamw"})
        trace = json.loads((self.folder / "trace.json").read_text())
        events = trace["traceEvents"] if isinstance(trace, dict) else trace
        self.assertEqual(len({e["name"] for e in events if e["name"].startswith("ProfilerStep#")}), 3)

    def test_do_nothing_where_nobody_asks(self):
        ended = self.train()
        self.assertEqual((ended.returncode, ended.stdout), (0, "to its end\n"), ended.stderr)


if __name__ == "__main__":
    if subprocess.run([PYTHON, "-c", "import torch"], capture_output=True).returncode:
        print("there is no PyTorch in", PYTHON)
        sys.exit(77)
    main()
