"""What a newcomer meets first: mistyped words, output that goes nowhere."""

import os

from program import ROOT, ProgramTest, kept_text, main


class Newcomer(ProgramTest):
    def test_is_told_which_word_is_not_known_and_what_is_like_it(self):
        others = "there are: run, list, show, "
        for word, words in (("shwo", "there is no subcommand 'shwo'; did you mean show?"),
                            ("--verison", "there is no option '--verison'; did you mean --version?"),
                            *((word, f"there is no subcommand '{word}'; {others}") for word in ("foo", "benchmark", "v"))):
            with self.subTest(word):
                said = self.refuses(words, word)
                self.assertEqual("manual; cupel --help says more" in said, others in words, said)
        self.assertNotIn("did you mean", self.cupel("run", "--nothing-like-it", code=2).err)

    def test_is_not_offered_an_option_in_place_of_a_second_file(self):
        self.assertNotIn("did you mean", self.refuses("b.json", "show", "a.json", "b.json"))

    def test_is_told_how_a_gate_takes_its_two_sides(self):
        self.refuses("not expected: old new; did you mean --base old --new new? cupel gate --help says more",
                     "gate", "old", "new")
        self.assertNotIn("did you mean", self.refuses("old", "gate", "old"))

    def test_is_pointed_to_the_help_of_the_very_subcommand(self):
        self.assertIn("cupel history add --help", self.cupel("history", "add", "a.json").err)

    def test_is_told_that_a_folder_holds_no_history(self):
        (self.bench / "something").mkdir()
        ended = self.cupel("history", self.bench, code=2)
        self.assertIn("holds no history", ended.err)
        self.assertEqual(ended.out, "")

    def test_is_told_of_advice_that_nothing_in_this_build_measures(self):
        ended = self.cupel("explain", "topology", code=0)
        self.assertIn("Know how the GPUs are connected.", ended.out)

    def test_is_told_what_advice_says_before_how_it_is_measured(self):
        said = self.cupel("explain", "fuse-reduce").out
        self.assertLess(said.index("torch.compile"), said.index("host/reduce"))

    def test_is_shown_the_newest_run_where_no_file_is_named(self):
        optimizer = kept_text("nvidia-h200/optimizer")
        for folder in ("data/cupel/runs", "results/runs"):  # the user's own; that of a checkout goes before
            runs = self.folder / folder
            runs.mkdir(parents=True)
            for seconds, name in enumerate(("b.json", "a.json", "c.txt")):
                (runs / name).write_text(optimizer)
                os.utime(runs / name, (1e9 + seconds, 1e9 + seconds))
            newest = "results/runs/a.json" if folder.startswith("results") else runs / "a.json"
            for command in ("advise", "show"):
                ended = self.cupel(command, code=0)
                self.assertEqual(ended.err, f"newest run: {newest}\n")
                self.assertEqual(ended.out, self.cupel(command, newest, code=0).out)

    def test_is_told_what_to_type_where_there_is_no_run_yet(self):
        for command in ("advise", "show"):
            self.refuses("name a result file, or measure with: cupel run --quick", command)

    def test_finds_the_processes_of_a_benchmark_and_its_raw_samples(self):
        folder, name = ROOT / "results" / "nvidia-h200", "transfer/h2d/memory:pinned/bytes:1048576"
        alone = self.cupel("show", folder, name, code=0, COLUMNS="200").out
        head = alone[:alone.index("\n\n")]
        self.assertIn("cudart", head)
        for of_others in ("cudnn", "Threads waited"):
            self.assertNotIn(of_others, head, "which is not of this benchmark's file, or of no time of it")
        table = alone[alone.index(f"Processes of {name}, cold:"):].splitlines()
        self.assertEqual(table[1].split(), ["process", "time", "median", "samples", "stopped", "by"])
        samples = [int(line.split()[5]) for line in table[2:7]]
        command = next(line for line in table if line.startswith("Raw samples")).partition("cupel export ")[2]
        exported = self.cupel("export", folder, "--filter", command.split("'")[1], code=0).out.splitlines()
        cold = [line for line in exported if ",cold," in line]
        self.assertEqual(len(cold), sum(samples))
        self.assertNotIn("Processes of", self.cupel("show", folder, "transfer/h2d", code=0).out)
        self.refuses("has no benchmark 'transfer/h2h'; nearest: transfer/h2d", "show", folder, "transfer/h2h", code=5)

    def test_is_answered_on_a_screen(self):
        """Of all results that are kept, at 80 columns. What else is said unasked is as terminal/lines_test.py has it."""
        for folder in sorted(path for path in (ROOT / "results").iterdir() if path.is_dir()):
            self.assertLessEqual(len(self.cupel("advise", folder, COLUMNS="80").out.splitlines()), 40, folder)

    def test_is_told_on_that_screen_whose_step_a_sentence_is_of_and_what_its_words_mean(self):
        for folder in sorted(path for path in (ROOT / "results").iterdir() if (path / "step.json.gz").exists()):
            screen = self.cupel("advise", folder, COLUMNS="80").out
            text = " ".join(screen.split())
            step = r"ResNet-18 step \(\d+ x \d+, batch \d+, PyTorch\)"
            self.assertRegex(text, rf"Ranked by a {step}: .* ms with all\. .* PyTorch's loader limits the {step}: ")
            self.assertRegex(text, r" costs \d+ by design: .* harms \d+(?:(?:, \d+)? in part)?: ")
            for line in screen[screen.index("\ncosts "):].splitlines():
                self.assertNotRegex(line, r"[ ,]\d+$", "a number stands apart from what it counts")

    def test_survives_an_empty_word(self):
        for arguments in ([""], ["show", "a.json", ""]):
            self.cupel(*arguments, code=2)

    def test_is_refused_a_negative_seed(self):
        self.refuses("--seed", "run", "host", "--dry-run", "--seed", "-1")


if __name__ == "__main__":
    main()
