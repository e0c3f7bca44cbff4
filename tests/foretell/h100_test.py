"""What docs/foretell.md says of twenty-nine PyTorch steps on H100s, worked out again: `h100/` has their profiles and every group of steps as
ci/measure-pytorch-steps took them (2026-11-27), and the micro-results of each call: a standard run of one process, and what `cupel run --step` measured,
of the last twelve steps for each alone, thinned to seven samples a round."""

import lzma
import subprocess
import sys
import tarfile

import program
from program import ROOT, ProgramTest, main

MEASURED = ROOT / "tests" / "foretell" / "h100"


class ForetoldSteps(ProgramTest):
    def score(self, steps, micro, *flags, code=0):
        with tarfile.open(MEASURED / f"{steps}.tar.xz") as archive:
            archive.extractall(self.folder / steps)
        ended = subprocess.run([sys.executable, ROOT / "ci" / "check-foretell-pytorch", "--cupel", program.CUPEL, *flags,
                                self.folder / steps, *self.results(micro)], capture_output=True, text=True)
        self.assertEqual(ended.returncode, code, ended.stdout + ended.stderr)
        return ended.stdout

    def results(self, micro):
        """None where each step has rows of its own."""
        if micro is None:
            return []
        file = self.folder / f"{micro}.json"
        file.write_bytes(lzma.decompress((MEASURED / f"{micro}.json.xz").read_bytes()))
        return [file]

    def test_signs_errors_and_intervals_are_as_good_as_asked(self):
        self.assertIn("77 changes, 37 matter, 0 of them silent (0%). Sign right in 100%, median error 10%, 97% inside",
                      self.score("steps", "micro", "--rounds", "1"))

    def test_of_the_steps_that_the_rules_met_later_too(self):
        self.assertIn("49 changes, 23 matter, 2 of them silent (9%). Sign right in 100%, median error 12%, 100% inside",
                      self.score("second", "rows"))

    def test_of_the_steps_that_the_present_rules_had_not_met(self):
        self.assertIn("27 changes, 3 matter, 0 of them silent (0%). Sign right in 100%, median error 1%, 100% inside",
                      self.score("third", "third_rows"))

    def test_of_twelve_steps_of_other_kinds_that_all_rules_but_two_had_not_met(self):
        """Frozen rules, with 0 silent, 95, 19 and 88 %, took TF32 to be on where convolutions alone had it, and knew nothing of group norms."""
        self.assertIn("80 changes, 41 matter, 1 of them silent (2%). Sign right in 100%, median error 17%, 92% inside",
                      self.score("fourth", None))

    def test_of_these_with_changes_of_a_single_round(self):
        self.assertIn("115 changes, 59 matter, 1 of them silent (2%). Sign right in 100%, median error 14%, 91% inside",
                      self.score("fourth", None, "--rounds", "1"))

    def test_of_compiled_steps_the_median_misses_what_is_wanted_by_a_little(self):
        self.assertIn("3 changes, 3 matter, 0 of them silent (0%). Sign right in 100%, median error 21%, 100% inside",
                      self.score("compiled", None, "--rounds", "1", code=1))


if __name__ == "__main__":
    main()
