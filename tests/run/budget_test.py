"""--budget: a run ends in its time, whatever its executables said that they would take."""

import subprocess
import sys
import time

from program import MORE, ProgramTest, main

ODD = MORE[1]
NOISE_S = 1.5  # what a busy machine may add to a run of a few seconds


class BudgetTest(ProgramTest):
    def timed(self, *arguments, budget, code=0):
        """`cupel run` into self.output, which must hold its budget."""
        start = time.monotonic()
        ended = self.run_it("--budget", f"{budget}s", *arguments, code=code)
        self.assertLess(time.monotonic() - start, 1.05 * budget + NOISE_S)
        return ended

    def processes(self):
        return {process for _, process in self.rows()}


class OfFakes(BudgetTest):
    def test_starts_only_the_processes_that_fit_by_what_the_first_one_took(self):
        self.family("a", benchmarks=3, seconds=0.01, sleep=0.4)  # 1.2 s each, where 0.08 are expected
        ended = self.timed("--processes", 50, budget=4)
        self.assertIn("the budget of 4.0 s: spent after", ended.err)
        self.assertTrue(2 <= len(self.processes()) <= 3, self.processes())
        self.assertEqual({s for row in self.statuses().values() for s in row}, {"ok"})
        self.assertIn("spent after", self.result()["context"]["cupel"]["run"]["notes"]["--budget"])
        self.assertEqual(self.result()["context"]["cupel"]["run"]["processes"], len(self.processes()))

    def test_starts_more_processes_than_were_expected_to_fit(self):
        self.family("a", benchmarks=2, seconds=4, least=4, sleep=0.01)
        ended = self.timed("--processes", 3, budget=10)
        self.assertIn("about 1 of 3 processes", ended.err)
        self.assertEqual(self.processes(), {0, 1, 2})
        self.assertEqual(self.result()["context"]["cupel"]["run"]["processes"], 3)

    def test_ends_a_process_that_does_not_end_and_keeps_what_it_measured(self):
        self.family("a", mode="hang_hard", at=1)
        self.family("b", sleep=0.05)
        ended = self.timed("--processes", 1, budget=2, code=4)
        self.assertEqual(self.statuses(), {"a 0": ["ok"], "b 0": ["ok"] * 3})
        self.assertIn("the budget of 2.0 s: no time for 2 of 6 benchmarks", ended.err)
        self.assertIn(f"the budget is spent; continue with: cupel run --resume {self.output}", ended.err)
        self.assert_all_gone(self.children())

        self.family("a")
        self.cupel("run", "--resume", self.output, code=0)
        self.assertEqual(self.statuses(), {"a 0": ["ok"] * 3, "b 0": ["ok"] * 3})

    def test_continues_an_earlier_run_without_cutting_what_that_was_to_do(self):
        self.family("a", mode="hang_hard", at=1)
        self.run_it("--processes", 1, "--budget", "1s", code=4)
        self.family("a", sleep=0.01, seconds=100, least=100)
        ended = self.cupel("run", "--resume", self.output, "--budget", "20s", code=0)
        self.assertEqual(self.statuses(), {"a 0": ["ok"] * 3})

    def test_says_before_it_measures_that_there_is_too_little_and_what_would_do(self):
        self.family("a", benchmarks=10, seconds=4, least=2)
        for flags in ([], ["--dry-run"]):
            self.refuses("--budget 10s: one process with the fewest samples takes about 20 s", "run", "--budget", "10s",
                         "--output", self.output, *flags)
        self.assertEqual(self.logged(), [])
        self.assertFalse(self.output.exists())


class OfARealExecutable(BudgetTest):
    """Whose benchmarks make their inputs for 0.1 s in each of three rounds, of which its listing knows nothing: of 7
    processes one takes 1.2 s."""

    def setUp(self):
        super().setUp()
        (self.bench / "cupel_bench_odd").symlink_to(ODD)
        self.slowly = ["--full", "--filter", "slowly", "--max-wall", "5ms"]

    def test_ends_between_processes(self):
        self.timed(*self.slowly, budget=4)
        self.assertTrue(2 <= len(self.processes()) <= 3, self.processes())
        self.assertEqual([row for row in self.rows().values() if "cut_short" in row], [])

    def test_takes_fewer_rounds_where_not_even_one_process_fits_and_resumes_them(self):
        ended = self.timed(*self.slowly, "--processes", 1, budget=0.8)
        cut = [row for row in self.rows().values() if "cut_short" in row]
        self.assertTrue(cut)
        self.assertIn(f"{len(cut)} of {len(self.rows())} rows cut short", ended.err)
        self.cupel("run", "--resume", self.output, code=0)
        self.assertEqual([row for row in self.rows().values() if "cut_short" in row], [])

    def test_gives_what_one_family_leaves_to_another_that_had_too_little(self):
        self.family("zzz", benchmarks=2, seconds=1.7, least=1.7)  # said to need nearly all of the time, takes none
        self.timed(*self.slowly, "--filter", "zzz/", "--processes", 1, budget=4)
        self.assertEqual([row for row in self.rows().values() if "cut_short" in row], [])
        self.assertEqual(len(self.rows()), 6)


if __name__ == "__main__":
    ONLY = [argument.removeprefix("--only=") for argument in sys.argv if argument.startswith("--only=")]
    if ONLY:
        main(*ONLY)
    # They sleep more than they compute, and nothing else runs beside them: both classes at once.
    PARTS = [subprocess.Popen([sys.executable, *sys.argv, f"--only={part.__name__}"]) for part in BudgetTest.__subclasses__()]
    sys.exit(max([abs(part.wait()) for part in PARTS]))
