"""What docs/foretell.md says of seventeen PyTorch steps on H100s, worked out again: `h100/` has their profiles and every group of steps as
ci/measure-pytorch-steps took them (2026-11-27), and the micro-results of each call: a standard run of one process, and what `cupel run --step` measured."""

import lzma
import subprocess
import sys
import tarfile

import program
from program import ROOT, ProgramTest, main

MEASURED = ROOT / "tests" / "foretell" / "h100"


class Held(ProgramTest):
    def score(self, steps, micro, *flags):
        with tarfile.open(MEASURED / f"{steps}.tar.xz") as archive:
            archive.extractall(self.folder / steps)
        results = self.folder / f"{micro}.json"
        results.write_bytes(lzma.decompress((MEASURED / f"{micro}.json.xz").read_bytes()))
        ended = subprocess.run([sys.executable, ROOT / "ci" / "check-foretell-pytorch", "--cupel", program.CUPEL, *flags,
                                self.folder / steps, results], capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        return ended.stdout

    def test_signs_errors_and_intervals_are_as_good_as_asked(self):
        self.assertIn("77 changes, 37 matter, 0 of them silent (0%). Sign right in 100%, median error 10%, 97% inside",
                      self.score("steps", "micro", "--rounds", "1"))

    def test_of_the_steps_that_the_rules_met_later_too(self):
        self.assertIn("49 changes, 23 matter, 2 of them silent (9%). Sign right in 100%, median error 12%, 100% inside",
                      self.score("second", "rows"))

    def test_of_the_steps_that_the_present_rules_had_not_met(self):
        self.assertIn("27 changes, 3 matter, 0 of them silent (0%). Sign right in 100%, median error 1%, 100% inside",
                      self.score("third", "third_rows"))


if __name__ == "__main__":
    main()
