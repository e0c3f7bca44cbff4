"""A child that writes 1.2 GB: what it says is read and dropped, what it measured is kept, and memory stays bounded."""

import os
import subprocess
import tempfile

from program import ProgramTest, default_signals, main, CUPEL

MOST_MIB = 200
FOREIGN = """#!/bin/sh
for a in "$@"; do case $a in
  --benchmark_list_tests*) echo BM_a; exit 0;;
  --benchmark_out=*) truncate -s 1200000000 "${a#--benchmark_out=}";;
esac; done
"""


class AChildsLargeOutput(ProgramTest):
    def run_measured(self, *arguments):
        """Exit code, all that was said, and the peak of memory in MiB, which is also that of the children."""
        with tempfile.TemporaryFile("w+") as said:
            process = subprocess.Popen([CUPEL, *map(str, arguments)], cwd=self.folder, env=self.environment(), stdout=said,
                                       stderr=subprocess.STDOUT, preexec_fn=default_signals)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            return process.returncode, said.read(), used.ru_maxrss / 1024

    def test_on_its_streams_is_dropped(self):
        self.family("a", mode="flood", flood_mib=600)  # to each
        code, said, mib = self.run_measured("run", "--processes", 1, "--output", self.output)
        self.assertEqual(code, 0, said)
        self.assertEqual(self.statuses(), {"a 0": ["ok"] * 3})
        self.assertLess(mib, MOST_MIB)

    def test_in_its_journal_ends_where_it_is_no_journal_and_what_was_before_is_kept(self):
        for bytes_ in (1_200_000_000, 900 << 20):
            self.family("a", mode="grow", grow=bytes_)
            code, said, mib = self.run_measured("run", "--processes", 1, "--output", self.output, "--force")
            self.assertEqual(code, 4, said)
            self.assertEqual(self.statuses(), {"a 0": ["ok", "failed", "ok"]})
            self.assertIn("longer than any row", " ".join(said.split()))
            self.assertLess(mib, 2 * 256 + MOST_MIB)

    def test_as_another_programs_result_is_refused_unread(self):
        program = self.executable("foreign", FOREIGN)
        code, said, mib = self.run_measured("gate", "--base", program, "--new", program)
        self.assertEqual(code, 4, said)
        self.assertIn("larger than 128 MiB", said)
        self.assertLess(mib, MOST_MIB)


if __name__ == "__main__":
    main()
