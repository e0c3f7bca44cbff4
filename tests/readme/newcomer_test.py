"""What a newcomer meets first: mistyped words, output that goes nowhere."""

import os
import subprocess
import sys
import tempfile
import unittest

CUPEL = os.path.abspath(sys.argv[1])


def cupel(*arguments, **more):
    return subprocess.run([CUPEL, *arguments], capture_output=True, text=True, check=False, **more)


class Newcomer(unittest.TestCase):
    def test_is_told_which_word_is_no_subcommand_and_which_is_like_it(self):
        ended = cupel("shwo")
        self.assertEqual(ended.returncode, 2)
        self.assertIn("there is no subcommand 'shwo'; did you mean show?", ended.stderr)

    def test_is_told_of_an_option_that_the_program_itself_does_not_have(self):
        ended = cupel("--verison")
        self.assertEqual(ended.returncode, 2)
        self.assertIn("there is no option '--verison'; did you mean --version?", ended.stderr)

    def test_is_not_offered_an_option_in_place_of_a_second_file(self):
        ended = cupel("show", "a.json", "b.json")
        self.assertEqual(ended.returncode, 2)
        self.assertIn("b.json", ended.stderr)
        self.assertNotIn("did you mean", ended.stderr)

    def test_is_pointed_to_the_help_of_the_very_subcommand(self):
        self.assertIn("cupel history add --help", cupel("history", "add", "a.json", "folder").stderr)

    def test_is_told_that_a_folder_holds_no_history(self):
        with tempfile.TemporaryDirectory(prefix="cupel-newcomer-") as folder:
            os.mkdir(os.path.join(folder, "something"))
            ended = cupel("history", folder)
        self.assertEqual(ended.returncode, 2)
        self.assertIn("holds no history", ended.stderr)
        self.assertEqual(ended.stdout, "")

    def test_is_told_of_advice_that_nothing_in_this_build_measures(self):
        ended = cupel("explain", "topology")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("Know how the GPUs are connected.", ended.stdout)

    def test_is_told_what_advice_says_before_how_it_is_measured(self):
        said = cupel("explain", "fuse-reduce").stdout
        self.assertLess(said.index("torch.compile"), said.index("host/reduce"))

    def test_survives_an_empty_word(self):
        for arguments in ([""], ["show", "a.json", ""]):
            self.assertEqual(cupel(*arguments).returncode, 2)

    def test_is_refused_a_negative_seed(self):
        ended = cupel("run", "host", "--dry-run", "--seed", "-1")
        self.assertEqual(ended.returncode, 2)
        self.assertIn("--seed", ended.stderr)

    def test_is_told_when_the_output_cannot_be_written(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            ended = subprocess.run([CUPEL, "explain", "host"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(ended.returncode, 4)
        self.assertIn("could not be written", ended.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
