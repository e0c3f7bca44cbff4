"""ci/parity-nccl-tests without GPUs: what it asks nccl-tests for, what it holds, the ends."""

import sys
import unittest

import made_up
from program import FolderTest, load_script, main

parity = load_script("parity-nccl-tests")

MIB = 1 << 20


def name(launch="graph", buffer="registered", size=MIB, operation="all_reduce"):
    return f"collective/{operation}/launch:{launch}/buffer:{buffer}/bytes:{size}"


def row(called, time_s, mode="hot", correction_s=0.0, status="ok"):
    series = [{"mode": mode, "samples_s": [time_s] * 3, "correction_s": correction_s}]
    return made_up.row(called, 0, [time_s], status=status, counters={"rank_0": {}, "rank_1": {}}, series=series)


class Ours(unittest.TestCase):
    def test_is_what_was_measured_without_what_events_cost(self):
        rows = [row(name(), 13e-6, correction_s=1e-6), row(name(size=8), 1.0, status="failed"),
                row("collective/small/by:nccl/bytes:8", 1.0)]

        found, ranks = parity.ours(made_up.result(rows))

        self.assertEqual(list(found), [("all_reduce", "graph", "registered", MIB)])
        self.assertAlmostEqual(found["all_reduce", "graph", "registered", MIB], 12)
        self.assertEqual(ranks, 2)

    def test_of_eager_calls_host_times_count(self):
        called = name("eager", "plain")
        found, _ = parity.ours(made_up.result([row(called, 1.0), row(called, 2e-5, mode="host")]))
        self.assertAlmostEqual(found["all_reduce", "eager", "plain", MIB], 20)


class Verdicts(unittest.TestCase):
    def test_large_ones_within_a_hundredth_small_ones_within_half_a_microsecond(self):
        large, small = ("all_reduce", "graph", "plain", MIB), ("all_reduce", "graph", "plain", 8)
        self.assertEqual([parity.verdict(large, mine, 100) for mine in (98.9, 99.1, 100.9, 101.1)],
                         ["differs", "holds", "holds", "differs"])
        self.assertEqual([parity.verdict(small, mine, 6) for mine in (5.4, 5.6, 6.4, 6.6)],
                         ["differs", "holds", "holds", "differs"])

    def test_eager_calls_only_where_the_host_is_not_what_takes_long(self):
        self.assertEqual(parity.verdict(("all_reduce", "eager", "plain", MIB), 15, 20), "not held")
        self.assertEqual(parity.verdict(("all_reduce", "eager", "plain", 16 * MIB), 80, 90), "differs")


class Script(FolderTest):
    def program(self, text, called="all_reduce_perf"):
        return self.executable(f"programs/{called}", f"#!{sys.executable}\n{text}\n").parent

    def answering(self, time_us, **how):
        return self.program(f"import os, sys\nsize = sys.argv[sys.argv.index('-b') + 1]\n"
                            f"open({str(self.folder / 'asked')!r}, 'a').write("
                            f"' '.join(sys.argv[1:]) + ' ' + os.environ.get('NCCL_GRAPH_REGISTER', '') + '\\n')\n"
                            f"print('  ', size, ' 262144 float sum -1 {time_us} 69.4 69.4 N/A 15.1 69.3 69.3 N/A')", **how)

    def cupel(self, *turns, code=0):
        """A stand-in that writes a result of rows each turn, again and again."""
        files = [str(self.file(f"turn.{i}.json", made_up.result(rows))) for i, rows in enumerate(turns or [[row(name(), 15e-6)]])]
        told = self.folder / "told"
        path = self.file("cupel", f"#!{sys.executable}\nimport pathlib, shutil, sys\n"
                                  f"told = pathlib.Path({str(told)!r})\n"
                                  f"turn = len(told.read_text().splitlines()) if told.exists() else 0\n"
                                  f"told.open('a').write(' '.join(sys.argv[1:-1]) + '\\n')\n"
                                  f"if {code}: print('no GPU', file=sys.stderr), sys.exit({code})\n"
                                  f"shutil.copy({files!r}[turn % {len(files)}], sys.argv[-1])\n")
        path.chmod(0o755)
        return path

    def compared(self, cupel, programs, *more, code):
        return self.run_script(parity, "--cupel", cupel, "--programs", programs, "--turns", 1, *more, code=code)

    def test_each_size_by_itself_with_all_gpus_and_memory_and_numbers_as_ours(self):
        cupel = self.cupel([row(name(), 15e-6), row(name(buffer="plain"), 15e-6), row(name("eager", "plain"), 2e-5, "host")])

        self.assertIn("2 hold, 0 differ, 1 not held", self.compared(cupel, self.answering(15.0), code=0))

        eager, plain, registered = (self.folder / "asked").read_text().splitlines()
        self.assertEqual(eager, f"-b {MIB} -e {MIB} -g 2 -c 1 -w {parity.warm_ups(MIB)} -n 500 0")
        self.assertEqual(plain, f"-b {MIB} -e {MIB} -g 2 -c 1 -w {parity.warm_ups(MIB)} -n 100 -G 50 0")
        self.assertEqual(registered.strip(), f"-b {MIB} -e {MIB} -g 2 -c 1 -w {parity.warm_ups(MIB)} -n 100 -G 50 -R 1")

    def test_both_measure_in_each_turn_and_the_medians_count(self):
        cupel = self.cupel(*([row(name(), time_s)] for time_s in (15.2e-6, 31e-6, 14e-6)))

        said = self.compared(cupel, self.answering(15.1), "--turns", 3, "--filter", "all_reduce", code=0)

        self.assertRegex(said, r" 15\.20 +15\.10 +1\.007  holds +14\.00 to 31\.00 +15\.10 to 15\.10")
        self.assertEqual(len((self.folder / "asked").read_text().splitlines()), 3)
        self.assertEqual((self.folder / "told").read_text().splitlines(),
                         ["run collective --standard --processes 1 --filter all_reduce --output"] * 3)

    def test_warms_up_for_a_tenth_of_a_second_whatever_the_size(self):
        self.assertAlmostEqual(parity.warm_ups(1024 * MIB) * 4.3e-3, 0.1, delta=0.02)
        self.assertAlmostEqual(parity.warm_ups(8) * 15e-6, 0.1, delta=0.02)

    def test_what_differs_is_said(self):
        self.assertRegex(self.compared(self.cupel(), self.answering(14.0), code=1), "15.00 +14.00 +1.071  differs")

    def test_all_to_all_goes_by_another_name_there(self):
        cupel = self.cupel([row(name(operation="all_to_all"), 15e-6)])
        self.compared(cupel, self.answering(15.0, called="alltoall_perf"), code=0)

    def test_a_program_that_fails_or_is_not_there_is_an_error(self):
        failing = self.program("import sys; print('out of memory', file=sys.stderr); sys.exit(3)")
        self.assertIn("ended with 3: out of memory", self.compared(self.cupel(), failing, code=2))
        self.assertIn("cannot be run", self.compared(self.cupel(), self.folder / "none", code=2))
        self.assertIn("run collective ended with 4: no GPU", self.compared(self.cupel(code=4), failing, code=2))

    def test_nothing_to_compare(self):
        self.compared(self.cupel([row("transfer/h2d", 1.0)]), self.folder, code=5)

if __name__ == "__main__":
    main()
