"""ci/check-pytorch-levels without PyTorch: which rows it takes, the table, the ends."""


import made_up
from program import FolderTest, load_script, main

levels = load_script("check-pytorch-levels")

NOTHING, GRAPH = "batch:256/add:nothing", "amp:bf16/batch:256/add:graph"


class Levels(FolderTest):
    def compare(self, theirs, code, *more):
        rows = [made_up.row(levels.PREFIX + name, process, [time_s] * 3) for name, times in ((NOTHING, (0.080, 0.081, 0.079)), (GRAPH, (0.024,)))
                for process, time_s in enumerate(times)]
        mine = self.file("mine.json", made_up.result(rows + [made_up.row("pytorch/step/net:resnet50/batch:64/add:nothing", 0, [1.0])]))
        return self.run_script(levels, mine, "--times", self.file("loops.json", theirs), *more, code=code)

    def test_within_five_percent_pass(self):
        table = self.compare({NOTHING: 0.078, GRAPH: 0.0245}, 0)

        self.assertEqual(table.splitlines()[1:], [f"   80.000    78.000  1.026  {NOTHING}", f"   24.000    24.500  0.980  {GRAPH}"])

    def test_that_are_slower_or_faster_than_that_do_not(self):
        self.assertIn(f"1.067  {NOTHING}  apart", self.compare({NOTHING: 0.075, GRAPH: 0.024}, 1))
        self.assertIn(f"0.923  {GRAPH}  apart", self.compare({NOTHING: 0.080, GRAPH: 0.026}, 1))
        self.compare({NOTHING: 0.075, GRAPH: 0.024}, 0, "--limit", "0.1")

    def test_are_rungs_that_the_family_has(self):
        names = (levels.PREFIX + level for level in levels.LEVELS)
        self.assertTrue(all("/batch:256/add:" in name for name in names))

    def test_a_file_without_any_ends_with_5_and_no_pytorch_with_2(self):
        other = self.file("other.json", made_up.result([made_up.row("pytorch/step/net:resnet50/batch:64/add:nothing", 0, [1.0])]))
        self.run_script(levels, other, code=5)
        mine = self.file("mine.json", made_up.result([made_up.row(levels.PREFIX + NOTHING, 0, [0.08])]))
        self.assertIn("No module named 'torch'", self.run_script(levels, mine, code=2))
        self.run_script(levels, "missing.json", code=2)
        self.assertIn(f"has no {NOTHING}", self.run_script(levels, mine, "--times", self.file("loops.json", {}), code=2))


if __name__ == "__main__":
    main()
