"""ci/parity-pytorch-pipeline: what it compares of result files, the table, the ends."""

import made_up
from program import FolderTest, load_script, main

parity = load_script("parity-pytorch-pipeline")

OURS, THEIRS = "pipeline/load/kind:process/workers:4", "pytorch/loader/workers:4"


def row(name, process, time_s, status="ok"):
    return made_up.row(name, process, [time_s] * 4, status=status, workload={"items": 64})


class Script(FolderTest):
    def compare(self, rows, code, *more):
        return self.run_script(parity, self.file("loaders.json", made_up.result(rows)), *more, code=code)

    def test_rates_are_of_processes_that_were_measured_well(self):
        rows = [row(OURS, process, time_s) for process, time_s in enumerate((0.064, 0.032, 0.128))] + [row(THEIRS, 0, 0.128)]
        rows += [row("pipeline/load/kind:thread/workers:4", 0, 1.0), row("pipeline/load/kind:process/workers:8", 0, 1, "failed")]

        self.assertEqual(parity.rates_in([made_up.result(rows)]), {parity.OURS: {4: 1000}, parity.THEIRS: {4: 500}})

    def test_as_many_samples_pass_and_fewer_do_not(self):
        self.assertIn("4      1000       900   1.11", self.compare([row(OURS, 0, 0.064), row(THEIRS, 0, 0.0711)], 0))
        self.assertIn("fewer", self.compare([row(OURS, 0, 0.064), row(THEIRS, 0, 0.0639)], 1))
        self.compare([row(OURS, 0, 0.064), row(THEIRS, 0, 0.0639)], 0, "--limit", "0.9")

    def test_files_of_the_two_families_are_one(self):
        other = self.file("pytorch.json", made_up.result([row(THEIRS, 0, 0.128)]))
        self.assertIn("2.00", self.compare([row(OURS, 0, 0.064)], 0, other))

    def test_without_as_many_workers_on_both_sides_there_is_nothing_to_compare(self):
        self.compare([row(OURS, 0, 0.064), row("pytorch/loader/workers:8", 0, 0.064)], 5)
        self.compare([row("pipeline/decode/by:nvjpeg", 0, 1.0)], 5)

    def test_what_is_no_result_file_is_wrong(self):
        self.assertIn("not a result file", self.run_script(parity, self.file("no.json", {}), code=2))


if __name__ == "__main__":
    main()
