"""`ci/across` on a kept result and on the same of a slower GPU, made of it:  across_test.py CUPEL"""

import contextlib
import functools
import gzip
import importlib.machinery
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import unittest.mock

from program import CUPEL, ROOT, ProgramTest, kept, main

sys.dont_write_bytecode = True  # of the script, which is loaded
KEPT = (ROOT / "results/nvidia-h100", ROOT / "results/nvidia-h200")
SLOWER = 1.4  # in each row of the older GPU
STEP_PIECES = {"fused-adam": "fused_optimizer", "graphs": "graph", "mixed-precision": "amp", "channels-last": "channels_last"}  # whose gain is of a step
UUID = "GPU-11111111-0000-0000-0000-000000000000"


def with_times(document, factor_of):
    """The same result with other times: factor_of(name)."""
    for row in document["benchmarks"]:
        for series in row["cupel"].get("series", []):
            series["samples_s"] = [sample * factor_of(row["name"]) for sample in series["samples_s"]]
    return document


def printed(what, older, newer):
    return subprocess.run([ROOT / "ci/across", "--older", older, "--newer", newer, what],
                          env={**os.environ, "CUPEL": CUPEL}, capture_output=True, text=True, check=False)


@functools.cache
def main_of_across():
    """The script's own main(): called several times, it asks the program once for all tables of the same folders."""
    loader = importlib.machinery.SourceFileLoader("across", str(ROOT / "ci/across"))
    script = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(script)
    return script.main


def printed_here(what, older, newer):
    out = io.StringIO()
    with unittest.mock.patch.dict(os.environ, CUPEL=CUPEL), contextlib.redirect_stdout(out):
        assert main_of_across()(["--older", str(older), "--newer", str(newer), what]) == 0
    return out.getvalue()


@functools.cache
def printed_of_kept(what):
    return printed_here(what, *KEPT)


@functools.cache
def made():
    """The result files of both GPUs, packed: path -> bytes."""
    files = {}
    for family in ("step", "optimizer", "conv"):
        newer = kept(f"nvidia-h200/{family}")
        files[f"newer/{family}.json.gz"] = packed(newer)
        files[f"older/{family}.json.gz"] = packed(of_an_h100(with_times(newer, lambda _: SLOWER)))
    return files


def packed(document):
    return gzip.compress(json.dumps(document).encode(), 1)


def of_an_h100(document):
    document["context"]["cupel"]["device"].update(name="NVIDIA H100 80GB HBM3", uuid=UUID)
    return document


@functools.cache
def compared():
    """What compare says of the kept results of the two GPUs."""
    said = subprocess.run([CUPEL, "compare", *KEPT, "--format", "json"], capture_output=True, text=True, check=True).stdout
    return json.loads(said)["contenders"][0]


def row_of(table, first):
    return next([cell.strip() for cell in line.split("|")[2:-1]] for line in table.splitlines() if line.startswith(f"| {first} |"))


def compared_row(name):
    return next(row for row in compared()["rows"] if row["name"] == name and "mode" in row)


class Across(ProgramTest):
    printed_of = {}  # by what is asked and the files that it is asked of: many tests ask for the same

    def setUp(self):
        super().setUp()
        for path, content in made().items():
            self.file(path, content)

    def result(self, folder, family, document):
        self.file(f"{folder}/{family}.json.gz", packed(document))

    def across(self, what, code=0):
        files = sorted(self.folder.glob("*er/*.json.gz"))
        key = (what, *((path.relative_to(self.folder), path.read_bytes()) for path in files))
        if key not in self.printed_of:
            self.printed_of[key] = printed(what, self.folder / "older", self.folder / "newer")
        ended = self.printed_of[key]
        self.assertEqual(ended.returncode, code, ended.stderr)
        return ended.stdout if code == 0 else ended.stderr

    def row(self, what, name):
        return row_of(self.across(what), f"`{name}`")

    def test_says_how_many_times_as_fast_the_newer_gpu_is(self):
        benchmarks, speed, device, host, most_of_them, *counts = self.row("families", "step")
        self.assertEqual((speed, device, host, most_of_them), ("1.40x", "-", f"1.40x of {benchmarks}", "1.40x to 1.40x"))
        self.assertEqual((sum(map(int, counts)), counts[-1]), (int(benchmarks), "0"))
        self.assertEqual(self.row("families", "optimizer")[1], "1.40x")

    def test_prints_the_same_where_it_is_called_and_where_it_is_started(self):
        for what in ("steps", "advice"):
            self.assertEqual(printed_here(what, self.folder / "older", self.folder / "newer"), self.across(what))

    def test_holds_what_tuning_gives_beside_what_the_gpu_gives(self):
        older, newer, default, tuned = self.row("steps", "net:resnet18_224/batch:64")
        self.assertEqual(older.split(", ")[1], newer.split(", ")[1])
        self.assertNotEqual(older.split(", ")[0], newer.split(", ")[0])
        for speed in (default, tuned):
            self.assertRegex(speed, r"^1\.40x \[1\.[23]\d, 1\.4\d\]")

    def test_says_what_gives_more_a_piece_or_the_gpu(self):
        self.assertEqual(self.row("advice", "channels-last")[2:], ["1.40x", "the change", "-"])
        self.assertEqual(self.row("advice", "batch-size")[2:], ["1.40x", "the GPU", "-"])

    def test_counts_what_gives_more_of_the_pieces_that_pay(self):
        counted = dict([cell.strip() for cell in line.split("|")[1:-1]] for line in self.across("verdict").splitlines()[2:])
        cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in self.across("advice").splitlines()[2:]]
        winners = [winner for _, on_older, _, _, winner, _ in cells if "pays" in on_older or on_older.endswith("of a step")]
        for name, winner in (("the change, on H100", "the change"), ("depends on the size", "by size"), ("undecided", "undecided"), ("H200, without the change", "the GPU")):
            self.assertEqual(int(counted[name]), winners.count(winner), name)
        self.assertGreater(int(counted["the change, on H100"]), 0)
        self.assertGreater(int(counted["H200, without the change"]), 0)

    def test_gives_a_gain_from_least_to_most_as_advise_says_it(self):
        said = subprocess.run([CUPEL, "advise", self.folder / "newer", "--format", "json"], capture_output=True, text=True, check=True).stdout
        gains = next(piece for piece in json.loads(said)["files"][0]["advice"] if piece["id"] == "conv-workspace")["gains"]
        least, most = min(gain["least"] for gain in gains), max(gain["most"] for gain in gains)
        self.assertLess(least + 1, most)
        self.assertEqual(self.row("advice", "conv-workspace")[1].split(",")[0], f"{least:.2f}x to {most:.2f}x")

    def test_says_of_a_cost_how_much_longer_and_of_what_depends_on_the_size_so(self):
        self.assertRegex(self.row("advice", "checkpointing")[0], r"^1\.\d\dx longer, costs$")
        self.assertRegex(row_of(printed_of_kept("advice"), "`deterministic`")[0], r"^\d\.\d\dx to \d\.\d\dx longer, costs$")
        self.assertRegex(self.row("advice", "multiples-of-8")[0], r"^[\d.]+x slower to [\d.]+x faster, mixed$")
        self.assertEqual(self.row("advice", "multiples-of-8")[3], "by size")

    def test_lists_first_what_turns_over(self):
        """The fused optimizer is made slower than the one it takes the place of, on the older GPU."""
        slower = with_times(kept("nvidia-h200/optimizer"), lambda name: 8 if "/way:fused" in name else 1)
        self.result("older", "optimizer", of_an_h100(slower))
        steps = with_times(kept("nvidia-h200/step"), lambda _: SLOWER)
        steps["benchmarks"] = [row for row in steps["benchmarks"] if "waterfall" not in row["name"]]
        self.result("older", "step", of_an_h100(steps))
        first = self.across("advice").splitlines()[2]
        self.assertTrue(first.startswith("| `fused-adam` |"), first)
        self.assertTrue(first.endswith("| the GPU | turns over |"), first)

    def test_leaves_undecided_what_lies_within_the_interval_of_the_gpu(self):
        """On the newer GPU a whole step takes longer in one process than in another, and all changes give what they gave."""
        steps = kept("nvidia-h200/step")
        for row in steps["benchmarks"]:
            with_times({"benchmarks": [row]}, lambda _, factor=(0.5, 0.57, 0.63, 0.7, 0.8)[row["cupel"]["process"]]: factor)
        self.result("newer", "step", steps)
        self.assertEqual(self.row("advice", "channels-last")[2:4], ["2.22x", "undecided"])

    def test_says_on_which_gpu_alone_a_piece_is_mixed(self):
        """The fused optimizer is made slower than the one it takes the place of, on the older GPU, in one model."""
        steps = of_an_h100(kept("nvidia-h200/step"))
        steps["benchmarks"] = [row for row in steps["benchmarks"] if "waterfall" not in row["name"]]
        self.result("older", "step", steps)
        slower = with_times(kept("nvidia-h200/optimizer"), lambda name: 8 if "/way:fused" in name and "one_large" in name else 1)
        self.result("older", "optimizer", of_an_h100(slower))
        self.assertEqual(self.row("advice", "fused-adam")[-1], "mixed on H100 alone")

    def test_draws_both_gains_and_the_gpu_of_each_ranked_piece(self):
        picture = self.across("picture")
        pieces = len(re.findall(r'text-anchor="end"', picture))
        self.assertGreater(pieces, 4)
        for kind in ("older", "newer", "gpu"):
            self.assertEqual(picture.count(f'class="{kind}"'), pieces + 1)  # and that of the legend
        self.assertIn("times as fast (logarithmic)", picture)
        for colour in (".older{fill:#2f81f7;", ".newer{fill:#e8710a;"):
            self.assertIn(colour, picture)
        self.assertIn("channels-last, of a step", picture)

    def test_says_what_cannot_be_read(self):
        self.file("older/step.json.gz", b"no result")
        self.assertRegex(self.across("families", code=2), r"^ci/across: cupel advise .*older/step.json.gz.* ends with 2: ")

    def test_looks_at_families_that_both_have(self):
        before = self.across("advice")
        self.result("older", "sync", kept("nvidia-h200/sync"))
        self.assertEqual(self.across("advice"), before)
        for family in ("step", "optimizer", "conv"):
            (self.folder / f"newer/{family}.json.gz").unlink()
        self.assertIn("have no family in common", self.across("advice", code=2))


class OfKeptResults(ProgramTest):
    def test_says_the_mean_of_a_family_that_compare_says(self):
        for family in compared()["families"]:
            name = family["family"]
            benchmarks, speed, *_ = row_of(printed_of_kept("families"), f"`{name}`" if name != "all" else name)
            times = family["geometric_mean"]
            said = f"{times:.2f}x slower" if times > 1.005 else f"{1 / times:.2f}x"
            self.assertEqual((int(benchmarks), speed), (family["benchmarks"], said))

    def test_says_of_a_step_the_ratio_and_the_interval_that_compare_says(self):
        step = "net:resnet18_32/batch:128"
        for said, row in zip(row_of(printed_of_kept("steps"), f"`pytorch/{step}`")[2:], ("nothing", "copies_ahead")):
            row = compared_row(f"pytorch/step/{step}/add:{row}")
            self.assertEqual(said, f"{1 / row['ratio']:.2f}x [{1 / row['upper']:.2f}, {1 / row['lower']:.2f}]"
                             + (", undecided" if row["verdict"] == "INCONCLUSIVE" else ""))

    def test_says_how_fast_the_step_without_a_piece_is_by_the_row_that_the_gain_is_of(self):
        for piece, change in STEP_PIECES.items():
            gain, _, without, *_ = row_of(printed_of_kept("advice"), f"`{piece}`")
            self.assertTrue(gain.endswith("of a step"), gain)
            times = compared_row("pytorch/step/net:resnet18_32/batch:128/drop:" + change)["ratio"]
            self.assertEqual(without, f"{times:.2f}x slower" if times > 1.005 else f"{1 / times:.2f}x")

    def test_says_what_gives_more_by_the_whole_interval_of_the_gpu(self):
        for piece, change in STEP_PIECES.items():
            row = compared_row("pytorch/step/net:resnet18_32/batch:128/drop:" + change)
            gain, _, _, winner, _ = row_of(printed_of_kept("advice"), f"`{piece}`")
            gain = float(gain.split("x")[0])
            self.assertEqual(winner, "the change" if gain > 1 / row["lower"] else "the GPU" if gain < 1 / row["upper"] else "undecided")


main()
