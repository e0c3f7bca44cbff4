"""ci/parity-families: which rows it holds against which, the table, the ends."""

import gzip
import json
import pathlib
import re

import made_up
from program import FolderTest, kept, load_script, main

parity = load_script("parity-families")

ROOT = pathlib.Path(parity.__file__).resolve().parent.parent
OURS, THEIRS = "step/waterfall/drop:graph/net:resnet18_224/batch:64", "pytorch/step/net:resnet18_224/batch:64/drop:graph"
TUNED = "step/waterfall/add:copies_ahead/net:resnet18_32/amp:bf16/batch:128"
LOADER = "pipeline/load/kind:process/workers:4"


def rows(name, *times_s, items=64, **own):
    return [made_up.row(name, process, [time_s] * 4, workload={"items": items}, **own) for process, time_s in enumerate(times_s)]


class Pairs(FolderTest):
    def test_are_the_same_work(self):
        for ours, theirs in ((OURS, THEIRS), (TUNED, "pytorch/step/net:resnet18_32/amp:bf16/batch:128/add:copies_ahead"),
                             ("step/defaults/net:resnet18_32/batch:128", "pytorch/step/net:resnet18_32/batch:128/add:nothing"),
                             ("step/waterfall/add:fused_optimizer/net:resnet18_224/batch:64", "pytorch/step/net:resnet18_224/batch:64/add:fused_optimizer"),
                             ("step/waterfall/drop:amp_fp16/net:resnet18_224/batch:64", "pytorch/step/net:resnet18_224/batch:64/drop:amp"),
                             (LOADER, "pytorch/loader/workers:4")):
            self.assertEqual(parity.counterpart(ours)[0], theirs)

    def test_are_none_where_pytorchs_is_another_work(self):
        for name in ("step/waterfall/add:channels_last/net:resnet18_32/batch:128", "step/waterfall/drop:kept_memory/net:resnet18_32/batch:128",
                     "step/waterfall/drop:fused_optimizer/net:resnet18_32/batch:128", "step/waterfall/add:graph/net:resnet18_32/layout:nchw/batch:128",
                     "step/waterfall/add:graph/net:resnet18_32/host:eager/batch:128", "step/batch/size:32", "pipeline/load/kind:thread/workers:4", THEIRS):
            self.assertIsNone(parity.counterpart(name), name)

    def test_are_pieces_that_both_families_have(self):
        ours = re.findall(r'^\s+\{"(\w+)",', (ROOT / "bench/step/pieces.cpp").read_text(), re.M)
        theirs = re.findall(r'^    "(\w+)": \{', (ROOT / "bench/pytorch/cupel_pytorch/recipe.py").read_text(), re.M)

        self.assertLessEqual(parity.DROPPED, set(ours))
        self.assertLessEqual({piece.replace("_fp16", "") for piece in parity.DROPPED}, set(theirs))
        self.assertEqual((ours[-1], theirs[-1]), ("copies_ahead", "copies_ahead"))

    def test_are_of_rows_that_no_other_script_holds(self):
        holds = (parity.counterpart, load_script("parity-pytorch").counterpart, load_script("parity-pytorch-step").recipe_of)
        families = ("conv", "fusion", "gemm", "memory", "optimizer", "pipeline", "step")
        names = {row["run_name"] for family in families for row in kept(f"nvidia-h100/{family}")["benchmarks"]}

        held = [{name for name in names if of(name)} for of in holds]

        self.assertTrue(all(held))
        self.assertEqual(sum(map(len, held)), len(set().union(*held)))

    def test_whole_steps_and_loaders_may_be_no_slower(self):
        self.assertEqual([parity.counterpart(name)[1] for name in (OURS, TUNED, LOADER)], [1.05, 1.0, 1.0])


class Script(FolderTest):
    def compare(self, mine, code, *more):
        return self.run_script(parity, self.file("mine.json", made_up.result(mine)), *more, code=code)

    def test_a_step_as_fast_passes_and_a_slower_one_does_not(self):
        ours = rows(OURS, 0.020, 0.030, 0.019)  # whose median counts

        self.assertEqual(self.compare(ours + rows(THEIRS, 0.0195), 0), f"  ours ms  torch ms  ratio\n   20.000    19.500  1.026  {OURS}\n")
        self.assertIn(f"1.111  {OURS}  slower", self.compare(ours + rows(THEIRS, 0.018), 1))
        self.compare(ours + rows(THEIRS, 0.018), 0, "--limit", "1.2")

    def test_what_may_be_no_slower_is_held_to_that_whatever_the_limit(self):
        both = rows(LOADER, 0.0201) + rows("pytorch/loader/workers:4", 0.020)

        self.assertIn("slower", self.compare(both, 1, "--limit", "1.2"))

    def test_times_are_of_as_many_samples(self):
        ours = rows(LOADER, 0.010, items=32)

        self.assertIn(f"   10.000    11.000  0.909  {LOADER}\n", self.compare(ours + rows("pytorch/loader/workers:4", 0.022), 0))
        self.assertIn("slower", self.compare(ours + rows("pytorch/loader/workers:4", 0.018), 1))
        self.assertIn("does not say how many samples", self.compare(ours + rows("pytorch/loader/workers:4", 0.022, items=0), 2))

    def test_the_table_may_be_markdown(self):
        self.assertEqual(self.compare(rows(OURS, 0.020) + rows(THEIRS, 0.018), 1, "--markdown"),
                         "| benchmark | here, ms | PyTorch, ms | ratio | |\n|---|--:|--:|--:|---|\n" + f"| `{OURS}` | 20.00 | 18.00 | 1.11 | slower |\n")

    def test_files_of_the_two_families_are_one_packed_or_not(self):
        other = self.folder / "theirs.json.gz"
        other.write_bytes(gzip.compress(json.dumps(made_up.result(rows(THEIRS, 0.021))).encode()))

        self.assertIn("0.952", self.compare(rows(OURS, 0.020), 0, other))

    def test_a_filter_chooses(self):
        both = rows(OURS, 0.030) + rows(THEIRS, 0.020) + rows(LOADER, 0.02) + rows("pytorch/loader/workers:4", 0.020)

        self.assertNotIn(OURS, self.compare(both, 0, "--filter", "pipeline"))
        self.compare(both, 2, "--filter", "(")

    def test_without_the_same_on_both_sides_there_is_nothing_to_compare(self):
        self.compare(rows(OURS, 0.020), 5)
        self.compare(rows(OURS, 0.020, status="failed") + rows(THEIRS, 0.020), 5)

    def test_what_is_no_result_file_is_wrong(self):
        self.assertIn("not a result file", self.run_script(parity, self.file("no.json", {}), code=2))
        self.run_script(parity, self.file("broken.json.gz", "text"), code=2)


if __name__ == "__main__":
    main()
