"""What the family pytorch trains, by Debian's own PyTorch on the CPU: the stand-in for CUDA is the CPU, not a mock."""

import json
import os
import subprocess
import sys

from program import MORE, ROOT, ProgramTest, main

PYTHON = "/usr/bin/python3"  # Debian's packages are seen by this one alone
EXAMPLE = ROOT / "bench" / "pytorch" / "example.py"
FAMILY = ROOT / "bench" / "pytorch"

USERS = """
import torch

def make(rate=1e-3, tokens=False):
    model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 4))
    return model, torch.optim.SGD(model.parameters(), rate), torch.nn.functional.cross_entropy, (torch.randn(16, 8), torch.arange(16) % 4)

def raises():
    raise RuntimeError("no weights there")

def diverges():
    return make(rate=1e30)

def no_autocast():
    class Halves(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(8, 4)
        def forward(self, x):
            y = self.linear(x)
            if y.dtype != torch.float32:
                raise TypeError("wants fp32")
            return y
    model = Halves()
    return model, torch.optim.SGD(model.parameters(), 1e-3), torch.nn.functional.cross_entropy, (torch.randn(16, 8), torch.arange(16) % 4)

def by_name():
    class Outputs(dict):
        loss = property(lambda self: self["loss"])
    class Named(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(8, 4)
        def forward(self, x, labels):
            return Outputs(loss=torch.nn.functional.cross_entropy(self.linear(x), labels))
    model = Named()
    return {"model": model, "optimizer": torch.optim.Adam(model.parameters(), 1e-3), "loss": None,
            "batch": {"x": torch.randn(16, 8), "labels": torch.arange(16) % 4}}
"""


class Trains(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.bench / "cupel_bench_pytorch").symlink_to(MORE[0])

    def environment(self, **more):
        return super().environment(CUPEL_PYTHON=PYTHON, XDG_CACHE_HOME=str(self.folder / "cache"), **more)

    def run_on_cpu(self, *arguments, code=0):
        """name -> row of the only process."""
        self.run_it("pytorch", "--device", "cpu", "--processes", "1", *arguments, code=code)
        return {name: row for (name, _), row in self.rows().items()}

    def run_model(self, function, code=0):
        rows = self.run_on_cpu("--model", f"{self.file('users.py', USERS)}:{function}", code=code)
        return {name.split("/")[-1]: row for name, row in rows.items()}

    def python(self, text):
        """Prints what it prints, in the family's own package."""
        ended = subprocess.run([PYTHON, "-B", "-c", text], capture_output=True, text=True, check=False, cwd=FAMILY)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return json.loads(ended.stdout)


class Steps(Trains):
    def test_all_nets_train_as_plainly_in_every_rung_that_a_cpu_has(self):
        rows = self.run_on_cpu("--full", "--filter", "pytorch/(step|host|shapes)")

        failed = {name: row["reason"] for name, row in rows.items() if row["status"] == "failed"}
        self.assertEqual(failed, {})
        for net in ("resnet18_224", "resnet18_32", "resnet50", "vit_b_16", "gpt_12"):
            for rung in ("nothing", "no_wait", "tf32", "amp"):
                [row] = [row for name, row in rows.items() if f"net:{net}/batch" in name and name.endswith(f"add:{rung}") and "batch:256" not in name]
                self.assertEqual((row["status"], row["series"]), ("ok", []), f"{net} {rung}")
                self.assertLess(row["counters"]["fifth_loss"]["value"], row["counters"]["first_loss"]["value"])
        reasons = {name: row["reason"] for name, row in rows.items() if row["status"] == "skipped"}
        self.assertEqual(reasons["pytorch/step/net:resnet18_32/batch:128/add:graph"], "a CPU has no CUDA graphs")

    def test_one_seed_gives_the_same_losses_and_another_others(self):
        chosen = ("--filter", "step/net:resnet18_32/batch:128/add:(nothing|no_wait)")
        first = [{name: row["counters"] for name, row in self.run_on_cpu(*chosen, "--seed", seed, "--force").items()} for seed in (1, 1, 2)]
        self.assertEqual(first[0], first[1])
        self.assertNotEqual(first[0], first[2])

    def test_a_step_that_trains_otherwise_has_no_time(self):
        told = self.python("""
import json, torch
from cupel_pytorch import nets, recipe, training
from cupel_pytorch.session import CheckFailed
net = nets.small(nets.NETS["resnet18_32"])
make = lambda: training.net_parts(torch, net, 16, 1)
plain = training.plain_curve(torch, "cpu", make, 1)
class Lazy(training.Training):
    def _update(self):
        if self.steps != 2:
            super()._update()
told = {}
for name, kind in (("plain", training.Training), ("lazy", Lazy)):
    seen = kind(torch, "cpu", make(), recipe.Recipe(), 1).curve()
    try:
        training.require_curve(seen, plain, recipe.Recipe())
        told[name] = "passes"
    except CheckFailed as error:
        told[name] = str(error)
print(json.dumps(told))
""")
        self.assertEqual(told["plain"], "passes")
        self.assertIn("the losses are ", told["lazy"])

    def test_nets_have_the_parameters_of_those_they_are_named_for(self):
        counts = self.python("""
import json, torch
from cupel_pytorch import nets
print(json.dumps({name: sum(p.numel() for p in nets.first_model(torch, net, 1).parameters()) for name, net in nets.NETS.items()}))
""")
        self.assertEqual(counts, {"resnet18_224": 11689512, "resnet18_32": 11173962, "resnet50": 25557032, "vit_b_16": 86567656,
                                  "gpt_12": 124475904})

    def test_a_drop_leaves_out_its_piece_and_what_needs_it(self):
        told = self.python("""
import dataclasses, json
from cupel_pytorch.recipe import PIECES, recipe_of
print(json.dumps({f"{how} {change}": dataclasses.asdict(recipe_of(how, change, PIECES, "bf16", lacks))
    for how, change, lacks in (("add", "copies_ahead", {}), ("drop", "pinned_copies", {}), ("add", "tf32", {}), ("add", "graph", {"amp": ""}))}))
""")
        self.assertEqual((told["add copies_ahead"]["loading"], told["add copies_ahead"]["launch"]), ("ahead", "graph"))
        self.assertEqual((told["drop pinned_copies"]["loading"], told["drop pinned_copies"]["launch"]), ("pageable", "graph"))
        self.assertEqual((told["add tf32"]["matmul"], told["add tf32"]["amp"]), ("high", ""))
        self.assertEqual((told["add graph"]["launch"], told["add graph"]["amp"]), ("graph", ""))


class Photographs(Trains):
    def test_of_a_folder_are_decoded_and_trained_on(self):
        made = subprocess.run([PYTHON, "-c", "import PIL.Image, sys; [PIL.Image.effect_noise((80, 60), 50).save(f'{sys.argv[1]}/{i}.jpg') for i in range(9)]",
                               str(self.folder)], check=False, capture_output=True)
        if made.returncode:
            self.skipTest("no Pillow")
        rows = self.run_on_cpu("--full", "--filter", "case_study|loader/workers:[01]$", "--data", self.folder)
        self.assertEqual({row["status"] for row in rows.values()}, {"ok"}, rows)
        self.assertEqual(len(rows), 7)

    def test_that_are_not_there_skip_their_rows(self):
        rows = self.run_on_cpu("--full", "--filter", "loader/workers:0", "--data", self.folder / "tmp", code=5)
        self.assertIn("there are no photographs", rows["pytorch/loader/workers:0"]["reason"])


class Models(Trains):
    def test_the_example_is_measured_piece_by_piece(self):
        rows = self.run_on_cpu("--model", f"{EXAMPLE}:make")

        statuses = {name.split("/")[-1]: row["status"] for name, row in rows.items()}
        self.assertEqual({name for name, status in statuses.items() if status == "ok"},
                         {"add:nothing", "add:no_wait", "add:tf32", "add:amp", "add:channels_last", "drop:no_wait", "drop:tf32", "drop:amp",
                          "drop:channels_last"})
        self.assertNotIn("failed", statuses.values())

    def test_nothing_is_kept_of_it_but_shapes_counts_and_times(self):
        self.run_model("make")
        text = self.output.read_text()
        for word in ("users", str(self.folder), "Linear"):
            self.assertNotIn(word, text)

    def test_a_batch_may_be_a_dict_and_the_loss_the_models_own(self):
        self.assertEqual(self.run_model("by_name")["add:nothing"]["status"], "ok")

    def test_one_without_images_lacks_channels_last_alone(self):
        rows = self.run_model("make")
        self.assertEqual((rows["add:channels_last"]["status"], rows["add:channels_last"]["reason"]), ("skipped", "its batch has no images"))
        self.assertEqual(rows["add:amp"]["status"], "ok")

    def test_one_that_raises_says_so(self):
        self.assertIn("RuntimeError: no weights there", self.run_model("raises", code=4)["add:nothing"]["reason"])

    def test_one_that_diverges_says_so(self):
        self.assertEqual(self.run_model("diverges", code=4)["add:nothing"]["status"], "failed")

    def test_a_piece_at_which_it_fails_is_named_and_the_rest_goes_on(self):
        rows = self.run_model("no_autocast", code=4)
        self.assertIn("TypeError: wants fp32", rows["add:amp"]["reason"])
        self.assertEqual((rows["add:tf32"]["status"], rows["drop:amp"]["status"]), ("ok", "ok"))

    def test_a_function_that_is_not_there_is_named(self):
        self.assertIn("has no function nothing", self.run_model("nothing", code=4)["add:nothing"]["reason"])


if __name__ == "__main__":
    if not os.access(PYTHON, os.X_OK) or subprocess.run([PYTHON, "-c", "import torch"], check=False, capture_output=True).returncode:
        print(f"not run: {PYTHON} has no PyTorch; scripts/setup --tests installs it")
        sys.exit(77)
    main()
