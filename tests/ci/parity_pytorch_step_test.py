"""ci/parity-pytorch-step without PyTorch: the recipes, the numbers both sides start from, the table, the ends."""

import contextlib
import io
import math
import pathlib
import re
import unittest

import made_up
from program import FolderTest, load_script, main

parity = load_script("parity-pytorch-step")

ROOT = pathlib.Path(parity.__file__).resolve().parent.parent
GRAPH = "step/train/net:resnet18_224/precision:amp_bf16/layout:nhwc/optimizer:fused/launch:graph/batch:32"
TRAIN = "step/train/net:resnet18_32/precision:tf32/layout:nchw/optimizer:foreach/launch:eager/batch:128"
BLOCK = "step/train/net:transformer_1024/precision:tf32/layout:rows/optimizer:foreach/launch:eager/batch:4"


def row(name, process, time_s, status="ok"):
    losses = {"first_loss": {"value": 7.0}, "fifth_loss": {"value": 6.0}}
    return made_up.row(name, process, [time_s] * 4, status=status, counters=losses)


class Recipes(unittest.TestCase):
    def test_the_pieces_are_those_of_the_family(self):
        text = (ROOT / "bench/step/pieces.cpp").read_text()
        self.assertEqual(re.findall(r'^\s+\{"(\w+)",', text, re.M), [name for name, _ in parity.PIECES])

    def test_a_rung_has_all_pieces_up_to_its_own(self):
        recipe = parity.recipe_of_rung("step/waterfall/add:amp_fp16/net:resnet18_32/batch:128")

        self.assertEqual((recipe["precision"], recipe["layout"], recipe["fills"]), ("amp_fp16", "nchw", True))
        self.assertEqual((recipe["optimizer"], recipe["launch"], recipe["batch"]), ("loop", "eager", 128))
        self.assertEqual(parity.recipe_of_rung("step/waterfall/add:copies_ahead/net:resnet18_224/batch:32")["launch"], "graph")
        self.assertEqual(parity.recipe_of_rung("step/waterfall/add:nothing/net:resnet18_224/batch:32")["precision"], "fp32")

    def test_a_rung_of_channels_first_keeps_them(self):
        recipe = parity.recipe_of_rung("step/waterfall/add:copies_ahead/net:resnet18_32/layout:nchw/batch:128")

        self.assertEqual((recipe["precision"], recipe["layout"], recipe["launch"]), ("amp_fp16", "nchw", "graph"))

    def test_a_rung_in_bf16_differs_in_that_alone(self):
        half = parity.recipe_of_rung("step/waterfall/add:amp_fp16/net:resnet18_32/batch:128")
        bf16 = parity.recipe_of_rung("step/waterfall/add:amp_bf16/net:resnet18_32/amp:bf16/batch:128")
        tuned = parity.recipe_of_rung("step/waterfall/add:copies_ahead/net:resnet18_32/amp:bf16/batch:128")

        self.assertEqual({**half, "precision": "amp_bf16"}, bf16)
        self.assertEqual((tuned["precision"], tuned["launch"]), ("amp_bf16", "graph"))

    def test_rungs_are_trained_for_their_kinds_alone(self):
        self.assertIsNone(parity.recipe_of("step/waterfall/add:copies_ahead/net:resnet18_224/batch:32"))
        self.assertIsNone(parity.recipe_of_rung(TRAIN))

    def test_a_step_of_train_is_as_its_name_says(self):
        recipe = parity.recipe_of(TRAIN)

        self.assertEqual((recipe["optimizer"], recipe["launch"], recipe["fills"]), ("foreach", "eager", False))

    def test_of_a_transformer_block_has_rows_of_tokens(self):
        recipe = parity.recipe_of(BLOCK)

        self.assertEqual((recipe["net"], recipe["layout"], recipe["batch"]), ("transformer_1024", "rows", 4))
        self.assertTrue(parity.has_tokens(recipe["net"]))
        self.assertEqual(parity.recipe_of(BLOCK), {**parity.plain_recipe("transformer_1024", 4), "precision": "tf32"})

    def test_the_biases_of_convolutions_are_held_too(self):
        kept, none = (parity.recipe_of(f"step/norm_bias/bias:{bias}") for bias in ("kept", "none"))

        self.assertEqual({**kept, "conv_bias": False}, none)
        self.assertTrue(kept["conv_bias"])
        of_large = parity.recipe_of("step/norm_bias/bias:kept/net:resnet18_224/batch:64")
        self.assertEqual({**kept, "net": "resnet18_224", "batch": 64}, of_large)

    def test_of_every_step_of_the_family_has_a_counterpart(self):
        names = re.findall(r'"(step/train/[^"]*)"', (ROOT / "bench/step/train.cpp").read_text())
        self.assertEqual(len(names), 23)
        for name in names:
            self.assertIsNotNone(parity.recipe_of(f"{name}/batch:4"), name)

    def test_other_rows_have_no_counterpart(self):
        for name in ("step/train/net:toy_images/batch:4", "step/waterfall/drop:amp_fp16/net:resnet18_32/batch:128", "step/batch/size:32",
                     "step/defaults/net:resnet18_32/batch:128"):
            self.assertIsNone(parity.recipe_of(name), name)

    def test_a_piece_that_is_not_known_is_said(self):
        with self.assertRaisesRegex(parity.Wrong, "knows no piece luck"):
            parity.recipe_of_rung("step/waterfall/add:luck/net:resnet18_32/batch:128")


class Numbers(unittest.TestCase):
    """bench/step/values_test.cpp expects the same ones."""

    @staticmethod
    def bits(seed, i):
        return parity.mix(parity.mix(seed + parity.STEP64) + (i + 1) * parity.STEP64)

    def test_of_a_filter(self):
        b = self.bits(parity.seed_of(1, 16), 5)
        radius = math.sqrt(-2 * math.log(((b >> 32) + 1) * 2.0**-32))
        normal = radius * math.cos(2 * math.pi * (b & 0xFFFFFFFF) * 2.0**-32)

        self.assertAlmostEqual(math.sqrt(2 / (64 * 9)) * normal, 0.12812313, places=7)

    def test_of_the_last_bias(self):
        uniform = (self.bits(parity.seed_of(1, 16 + 61), 3) >> 11) * 2.0**-53

        self.assertAlmostEqual((2 * uniform - 1) / math.sqrt(512), 0.012652704, places=8)

    def test_of_the_labels(self):
        labels = [((self.bits(parity.seed_of(1, 1), i) >> 32) * 10) >> 32 for i in range(4)]

        self.assertEqual(labels, [1, 4, 4, 9])


    @staticmethod
    def noise(seed, i):
        return (2 * (Numbers.bits(seed, i) >> 11) * 2.0**-53 - 1) * math.sqrt(3.0)

    def test_of_a_token(self):
        sample, place, channel, size, label = 1, 3, 5, 1024, 837
        self.assertEqual(((self.bits(parity.seed_of(1, 1), 512 + place) >> 32) * size) >> 32, label)

        value = (self.noise(parity.seed_of(1, 2), (sample * size + channel) * parity.TOKENS + place) +
                 self.noise(parity.seed_of(0, 3), label * size * parity.TOKENS + channel))

        self.assertAlmostEqual(value, -0.318558395, places=7)

    def test_of_a_linear_layer_of_so_many_inputs(self):
        uniform = (self.bits(parity.seed_of(1, 16 + 2), 1030) >> 11) * 2.0**-53

        self.assertAlmostEqual((2 * uniform - 1) / math.sqrt(1024), -0.0162495244, places=8)


class Gradients(FolderTest):
    theirs = {"conv": [3.0, 4.0], "norm": [0.0, 0.001]}

    def test_that_are_equal_are_no_distance_apart(self):
        self.assertEqual(parity.distances([3.0, 4.0, 0.0, 0.001], self.theirs), {"conv": 0.0, "norm": 0.0})

    def test_are_held_by_each_parameters_norm_and_small_ones_by_a_hundredth_of_the_largest(self):
        found = parity.distances([3.0, 4.1, 0.0, 0.0015], self.theirs)

        self.assertAlmostEqual(found["conv"], 0.1 / (parity.GRADIENT_BOUND * 5))
        self.assertAlmostEqual(found["norm"], 0.0005 / (parity.GRADIENT_BOUND * 0.05))
        self.assertGreater(found["conv"], 1)

    def test_of_another_net_are_wrong(self):
        with self.assertRaisesRegex(parity.Wrong, "cupel has 3 elements of gradients, PyTorch 4"):
            parity.distances([3.0, 4.0, 0.0], self.theirs)

    def test_are_read_as_the_program_wrote_them(self):
        program = self.executable(
            "program", "#!/bin/sh\n[ \"$1 $2 $3\" = 'gradients resnet18_32 32' ] && printf '\\000\\000\\200\\077' > \"$4\"\n")

        self.assertEqual(list(parity.written_gradients(str(program), "resnet18_32", 32)), [1.0])
        with self.assertRaisesRegex(parity.Wrong, "ended with 1"):
            parity.written_gradients(str(program), "resnet18_224", 16)


class Digits(unittest.TestCase):
    falling = [2.3, 2.0, 1.5, 1.0, 0.8, 0.6, 0.4, 0.2]

    def faults(self, mine, exact=None, rounded=None):
        return parity.faults_of_learning(mine, exact or self.falling, rounded or [self.falling])

    def test_are_learnt_alike(self):
        self.assertAlmostEqual(parity.last_quarter(self.falling), 0.3)
        self.assertEqual(self.faults(self.falling), [])

    def test_may_differ_where_roundings_have_grown(self):
        self.assertEqual(self.faults(self.falling[:6] + [0.5, 0.1]), [])

    def test_may_differ_as_much_as_pytorchs_own_allow(self):
        rounded = [self.falling, self.falling[:3] + [1.01, *self.falling[4:]]]

        self.assertEqual(parity.drifts(self.falling, rounded)[2:5], [0, *[1.01 - 1.0] * 2])
        self.assertEqual(self.faults(self.falling[:3] + [0.98, 0.82, 0.6, 0.4, 0.2], rounded=rounded), [])
        self.assertEqual(self.faults(self.falling[:3] + [0.98, 0.84, 0.6, 0.4, 0.2], rounded=rounded),
                         ["the loss of step 5 is 0.8400, not 0.8000 within 0.0300"])

    def test_that_are_learnt_otherwise_are_a_fault(self):
        mine = [2.3, 2.1, *self.falling[2:4], float("nan"), *self.falling[5:]]

        self.assertEqual(self.faults(mine), ["the loss of step 2 is 2.1000, not 2.0000 within 0.0023",
                                             "the loss of step 5 is nan, not 0.8000 within 0.0023"])

    def test_that_end_otherwise_are_a_fault(self):
        self.assertEqual(self.faults(self.falling[:6] + [0.5, 0.2]), ["the last quarter has 0.3500, not 0.3000"])

    def test_that_are_not_learnt_are_a_fault(self):
        self.assertEqual(self.faults([2.3] * 8, [2.3] * 8, [[2.3] * 8]),
                         ["cupel has learnt too little", "PyTorch has learnt too little"])
        self.assertEqual(self.faults([2.3]), ["1 steps, not 8"])


class Kinds(unittest.TestCase):
    def test_are_summed_up_and_those_that_differ_most_come_first(self):
        mine = parity.times_by_kind({"kernels": [{"kind": "norm", "time_s": 0.010}, {"kind": "norm", "time_s": 0.002},
                                                 {"kind": "cast", "time_s": 0.001}]})
        told = io.StringIO()

        with contextlib.redirect_stdout(told):
            parity.print_kinds("a step", mine, {"cast": 0.0015, "norm": 0.020, "layout": 0.003})

        self.assertEqual(told.getvalue().splitlines()[2:],
                         ["  12.000   20.000  norm", "   0.000    3.000  layout", "   1.000    1.500  cast",
                          "  13.000   24.500  all"])


class Script(FolderTest):
    def setUp(self):
        super().setUp()
        self.file("numpy.py", "")

    def compare(self, theirs, code, *more, name=GRAPH):
        rows = [row(name, process, time_s) for process, time_s in enumerate((0.020, 0.030, 0.019))]
        mine = self.file("step.json", made_up.result(rows + [row(TRAIN, 0, 1.0)]))
        return self.run_script(parity, mine, "--times", self.file("torch.json", {name: theirs}), *more, code=code)

    def test_a_step_as_fast_passes(self):
        table = self.compare({"time_s": 0.0205, "first_loss": 7.01, "fifth_loss": 6.01}, code=0)

        self.assertEqual(table, f"  ours ms  torch ms  ratio\n   20.000    20.500  0.976  {GRAPH}\n", "and nothing of TRAIN")

    def test_the_table_may_be_markdown(self):
        table = self.compare({"time_s": 0.0205, "first_loss": 7.01, "fifth_loss": 6.01}, 0, "--markdown")

        self.assertEqual(table, f"| benchmark | here, ms | PyTorch, ms | ratio | |\n|---|--:|--:|--:|---|\n| `{GRAPH}` | 20.00 | 20.50 | 0.98 | |\n")

    def test_a_transformer_block_is_held_against_attention_that_is_not_fused(self):
        theirs = {"time_s": 0.0205, "first_loss": 7.01, "fifth_loss": 6.01, "fused_attention_s": 0.010}

        table = self.compare(theirs, code=0, name=BLOCK)

        self.assertIn(f"20.000    20.500  0.976  {BLOCK}\n", table)
        self.assertIn(f"20.000    10.000  2.000  {BLOCK}  PyTorch's attention fused; not held\n", table)

    def test_an_eager_step_may_be_a_little_slower_and_a_graph_not(self):
        theirs = {"time_s": 0.0195, "first_loss": 7.01, "fifth_loss": 6.01}

        self.compare(theirs, code=0, name=BLOCK)
        self.assertIn(f"1.026  {GRAPH}  slower", self.compare(theirs, code=1))

    def test_a_slower_one_does_not(self):
        self.assertIn("slower", self.compare({"time_s": 0.018, "first_loss": 7.0, "fifth_loss": 6.0}, code=1))

    def test_one_that_learns_otherwise_does_not(self):
        table = self.compare({"time_s": 0.02, "first_loss": 7.0, "fifth_loss": 5.5}, code=1)

        self.assertIn("fifth_loss 6.0000, not 5.5000", table)

    def test_ends_with_2_on_what_it_cannot_compare(self):
        profile = self.file("profile.json", {"benchmark": TRAIN, "kernels": []})
        of_another = self.file("another.json", {"benchmark": "step/batch/size:32", "kernels": []})
        whole = self.file("step.json", made_up.result([row(GRAPH, 0, 0.02), row(TRAIN, 0, 0.02)]))
        for words, *arguments in (("name a result file, or --gradients",),
                                  ("name a result file, or --gradients", "step.json", "--gradients", "program"),
                                  ("name a result file, or --gradients", "--digits", "program", "--kinds", "profile.json"),
                                  ("No module named 'torch'", "--gradients", "program"),
                                  ("No module named 'torch'", "--digits", "program"),
                                  ("No module named 'torch'", "--kinds", profile),
                                  ("No module named 'torch'", whole),
                                  ("no net of resnet18_32", "--gradients", "program", "--filter", "vgg"),
                                  ("not the profile of a step", "--kinds", of_another),
                                  ("not a result file", self.file("no.json", {}))):
            with self.subTest(arguments):
                self.assertIn(words, self.run_script(parity, *arguments, code=2))

    def test_a_file_without_such_steps_has_nothing_to_compare(self):
        self.run_script(parity, self.file("step.json", made_up.result([row("step/batch/size:32", 0, 1.0), row(GRAPH, 0, 1.0, "failed")])), code=5)
        alone = self.run_script(parity, self.file("alone.json", made_up.result([row(GRAPH, 0, 1.0)])), "--times", self.file("torch.json", {}), code=5)
        self.assertIn("torch.json has none of these steps", alone)
        rung = row("step/waterfall/add:graph/net:resnet18_32/batch:128", 0, 1.0)
        self.run_script(parity, self.file("rung.json", made_up.result([rung])), code=5)


if __name__ == "__main__":
    main()
