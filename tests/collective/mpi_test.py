"""Ranks that mpirun starts: mpi_test.py MPIRUN MPI_RANKS [CUPEL_BENCH_COLLECTIVE]. Needs no GPU."""

import json
import os
import re
import subprocess
import sys
import time
import unittest

if len(sys.argv) < 3:
    print("no MPI: scripts/setup --tests installs one")
    sys.exit(77)

MPIRUN, RANKS, *FAMILY = sys.argv[1:]
ANY_HOST = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1"}


def mpirun(*command, ranks=3):
    start = time.monotonic()
    ended = subprocess.run([MPIRUN, "-n", str(ranks), *command], capture_output=True, text=True, check=False, timeout=50,
                           env={**os.environ, **ANY_HOST})
    return ended, time.monotonic() - start


class Ranks(unittest.TestCase):
    def test_share_meet_and_gather(self):
        for ranks in (2, 3, 8):
            with self.subTest(ranks):
                ended, _ = mpirun(RANKS, "together", ranks=ranks)

                self.assertEqual(ended.returncode, 0, ended.stderr)
                self.assertEqual(sorted(ended.stdout.splitlines()),
                                 [f"rank {rank} of {ranks}, {rank} on its node, of 1 nodes" for rank in range(ranks)])

    def test_one_without_a_launcher_is_alone(self):
        ended = subprocess.run([RANKS, "together"], capture_output=True, text=True, check=False)

        self.assertEqual((ended.returncode, ended.stdout), (0, "alone\n"))

    def test_one_that_fails_ends_all_and_says_why(self):
        ended, took_s = mpirun(RANKS, "fails")

        self.assertNotEqual(ended.returncode, 0)
        self.assertIn("rank 1 of 3: the device is gone", ended.stderr)
        self.assertLess(took_s, 30)

    def test_one_that_does_not_come_ends_all_in_time(self):
        ended, took_s = mpirun(RANKS, "absent")

        self.assertNotEqual(ended.returncode, 0)
        self.assertIn("not all of 3 ranks came in time", ended.stderr)
        self.assertLess(took_s, 30)


@unittest.skipUnless(FAMILY, "this build has no GPU side")
class Family(unittest.TestCase):
    def test_rank_0_lists_what_all_ranks_measure_and_the_others_end_with_it(self):
        ended, _ = mpirun(*FAMILY, "--cupel_list")

        self.assertEqual(ended.returncode, 0, ended.stderr)
        names = [one["name"] for one in json.loads(ended.stdout)["benchmarks"]]
        self.assertEqual(names, [f"collective/nodes/ranks:3/bytes:{size}" for size in (8, 1 << 20, 64 << 20)])

    def test_without_a_launcher_there_are_the_other_topics(self):
        ended = subprocess.run([*FAMILY, "--cupel_list"], capture_output=True, text=True, check=True)

        self.assertFalse(re.search("collective/nodes", ended.stdout))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
