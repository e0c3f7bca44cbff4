"""ci/parity-nccl-tests without GPUs: what it asks nccl-tests for, what it holds, the ends."""

import sys
import unittest

from parity import ParityTest
from program import load_script

parity = load_script("parity-nccl-tests")

MIB = 1 << 20


def name(launch="graph", buffer="registered", size=MIB, operation="all_reduce"):
    return f"collective/{operation}/launch:{launch}/buffer:{buffer}/bytes:{size}"


def row(called, time_s, mode="hot", process=0, correction_s=0.0, status="ok"):
    return {"name": called, "run_name": called,
            "cupel": {"status": status, "process": process, "counters": {"rank_0": {}, "rank_1": {}},
                      "series": [{"mode": mode, "samples_s": [time_s] * 3, "correction_s": correction_s}]}}


def record(rows):
    return {"context": {"cupel": {}}, "benchmarks": rows}


class Ours(unittest.TestCase):
    def test_is_the_median_over_processes_without_what_events_cost(self):
        rows = [row(name(), time_s, process=process, correction_s=1e-6) for process, time_s in enumerate((11e-6, 13e-6, 31e-6))]
        rows += [row(name(size=8), 1.0, status="failed"), row("collective/small/by:nccl/bytes:8", 1.0)]

        found, ranks = parity.ours(record(rows))

        self.assertEqual(list(found), [("all_reduce", "graph", "registered", MIB)])
        self.assertAlmostEqual(found["all_reduce", "graph", "registered", MIB], 12)
        self.assertEqual(ranks, 2)

    def test_of_eager_calls_host_times_count(self):
        called = name("eager", "plain")
        found, _ = parity.ours(record([row(called, 1.0), row(called, 2e-5, mode="host", process=1)]))
        self.assertAlmostEqual(found["all_reduce", "eager", "plain", MIB], 20)


class Held(unittest.TestCase):
    def test_large_ones_within_a_hundredth_small_ones_within_half_a_microsecond(self):
        large, small = ("all_reduce", "graph", "plain", MIB), ("all_reduce", "graph", "plain", 8)
        self.assertEqual([parity.verdict(large, mine, 100) for mine in (98.9, 99.1, 100.9, 101.1)],
                         ["differs", "holds", "holds", "differs"])
        self.assertEqual([parity.verdict(small, mine, 6) for mine in (5.4, 5.6, 6.4, 6.6)],
                         ["differs", "holds", "holds", "differs"])

    def test_eager_calls_only_where_the_host_is_not_what_takes_long(self):
        self.assertEqual(parity.verdict(("all_reduce", "eager", "plain", MIB), 15, 20), "not held")
        self.assertEqual(parity.verdict(("all_reduce", "eager", "plain", 16 * MIB), 80, 90), "differs")


class Script(ParityTest):
    script = parity

    def program(self, text, called="all_reduce_perf"):
        path = self.file(f"programs/{called}", f"#!{sys.executable}\n{text}\n")
        path.chmod(0o755)
        return path.parent

    def answering(self, time_us, **how):
        return self.program(f"import os, sys\nsize = sys.argv[sys.argv.index('-b') + 1]\n"
                            f"open({str(self.folder / 'asked')!r}, 'a').write("
                            f"' '.join(sys.argv[1:]) + ' ' + os.environ.get('NCCL_GRAPH_REGISTER', '') + '\\n')\n"
                            f"print('  ', size, ' 262144 float sum -1 {time_us} 69.4 69.4 N/A 15.1 69.3 69.3 N/A')", **how)

    def measured(self, *rows):
        return self.file("collective.json", record(list(rows) or [row(name(), 15e-6)]))

    def test_each_size_by_itself_with_all_gpus_and_memory_as_ours(self):
        programs = self.answering(15.0)
        file = self.measured(row(name(), 15e-6), row(name(buffer="plain"), 15e-6), row(name("eager", "plain"), 2e-5, "host"))

        self.assertIn("2 hold, 0 differ, 1 not held", self.run_it(file, "--programs", programs, code=0))

        eager, plain, registered = (self.folder / "asked").read_text().splitlines()
        self.assertEqual(eager, f"-b {MIB} -e {MIB} -g 2 -c 0 -w {parity.warm_ups(MIB)} -n 500 0")
        self.assertEqual(plain, f"-b {MIB} -e {MIB} -g 2 -c 0 -w {parity.warm_ups(MIB)} -n 100 -G 50 0")
        self.assertEqual(registered.strip(), f"-b {MIB} -e {MIB} -g 2 -c 0 -w {parity.warm_ups(MIB)} -n 100 -G 50 -R 1")

    def test_warms_up_for_a_tenth_of_a_second_whatever_the_size(self):
        self.assertAlmostEqual(parity.warm_ups(1024 * MIB) * 4.3e-3, 0.1, delta=0.02)
        self.assertAlmostEqual(parity.warm_ups(8) * 15e-6, 0.1, delta=0.02)

    def test_what_differs_is_said(self):
        self.assertRegex(self.run_it(self.measured(), "--programs", self.answering(14.0), code=1), "15.00 +14.00 +1.071  differs")

    def test_all_to_all_goes_by_another_name_there(self):
        file = self.measured(row(name(operation="all_to_all"), 15e-6))
        self.run_it(file, "--programs", self.answering(15.0, called="alltoall_perf"), code=0)

    def test_a_program_that_fails_or_is_not_there_is_an_error(self):
        failing = self.program("import sys; print('out of memory', file=sys.stderr); sys.exit(3)")
        self.assertIn("ended with 3: out of memory", self.run_it(self.measured(), "--programs", failing, code=2))
        self.assertIn("cannot be run", self.run_it(self.measured(), "--programs", self.folder / "none", code=2))

    def test_nothing_to_compare(self):
        self.run_it(self.measured(row("transfer/h2d", 1.0)), "--programs", self.folder, code=5)


if __name__ == "__main__":
    unittest.main()
