"""ci/parity-pytorch-pipeline without PyTorch: what it compares, whose photographs it takes, the table, the ends."""

import types
import unittest

import made_up
from program import FolderTest, load_script, main

parity = load_script("parity-pytorch-pipeline")

LOAD = "pipeline/load/kind:process/workers:4"


def row(name, process, time_s, status="ok"):
    return made_up.row(name, process, [time_s] * 4, status=status, workload={"items": 64})


class Loader:
    """Stands for a DataLoader: so many seconds a batch, by a clock of its own."""

    now = 0.0
    made = []

    def __init__(self, data, batch_size, **options):
        self.batches = -(-data // batch_size)
        Loader.made.append((data, batch_size, options))

    def __iter__(self):
        for _ in range(self.batches):
            Loader.now += 0.01
            yield None


class Rates(unittest.TestCase):
    def test_epochs_are_long_enough_and_those_that_start_workers_do_not_count(self):
        torch = types.SimpleNamespace(utils=types.SimpleNamespace(data=types.SimpleNamespace(DataLoader=Loader)))
        clock, parity.time = parity.time, types.SimpleNamespace(perf_counter=lambda: Loader.now)
        self.addCleanup(setattr, parity, "time", clock)

        rate = parity.rate_of(torch, lambda length: length, workers=4, batch=8)

        self.assertAlmostEqual(rate, 800, delta=1)
        self.assertGreaterEqual(Loader.made[-1][0] / rate, parity.EPOCH_S)
        self.assertEqual(Loader.made[-1][2]["num_workers"], 4)
        self.assertTrue(Loader.made[-1][2]["persistent_workers"])

    def test_ours_are_of_processes_that_were_measured_well(self):
        rows = [row(LOAD, process, time_s) for process, time_s in enumerate((0.064, 0.032, 0.128))]
        rows += [row("pipeline/load/kind:thread/workers:4", 0, 1.0), row("pipeline/load/kind:process/workers:8", 0, 1, "failed")]

        self.assertEqual(parity.ours(made_up.result(rows)), {4: 1000})


class Script(FolderTest):
    def measured(self):
        return self.file("pipeline.json", made_up.result([row(LOAD, 0, 0.064)]))

    def test_as_many_samples_pass_and_fewer_than_the_better_batch_do_not(self):
        self.assertIn("1000       900     32   1.11",
                      self.run_script(parity, self.measured(), "--rates", self.file("r.json", {"4": {"1": 500, "32": 900}}), code=0))
        self.assertIn("fewer",
                      self.run_script(parity, self.measured(), "--rates", self.file("r.json", {"4": {"1": 500, "32": 1001}}), code=1))

    def test_without_photographs_or_pytorch_it_says_so(self):
        self.assertIn("holds no photographs", self.run_script(parity, self.measured(), code=2))
        self.file("cache/cupel/pipeline/jpeg-seed1/files/0.jpg", "")
        self.assertIn("torchvision and Pillow are wanted", self.run_script(parity, self.measured(), code=2))
        self.assertIn("holds no *.jpg", self.run_script(parity, self.measured(), "--data", self.folder / "cache/none", code=2))

    def test_a_file_without_loaders_has_nothing_to_compare(self):
        self.run_script(parity, self.file("step.json", made_up.result([row("pipeline/decode/by:nvjpeg", 0, 1.0)])), code=5)

    def test_what_is_no_result_file_is_wrong(self):
        self.assertIn("not a result file", self.run_script(parity, self.file("no.json", {}), code=2))


if __name__ == "__main__":
    main()
