"""What a newcomer meets first: mistyped words, output that goes nowhere."""

from program import ProgramTest, main


class Newcomer(ProgramTest):
    def test_is_told_which_word_is_no_subcommand_and_which_is_like_it(self):
        self.refuses("there is no subcommand 'shwo'; did you mean show?", "shwo")

    def test_is_told_which_subcommands_there_are_where_none_is_like_the_word(self):
        for word in ("foo", "benchmark", "v"):
            ended = self.cupel(word, code=2)
            self.assertRegex(ended.err, f"there is no subcommand '{word}'; there are: run, list, show, .*, bands; cupel --help says more")
        self.assertNotIn("did you mean", self.cupel("run", "--nothing-like-it", code=2).err)

    def test_is_told_of_an_option_that_the_program_itself_does_not_have(self):
        self.refuses("there is no option '--verison'; did you mean --version?", "--verison")

    def test_is_not_offered_an_option_in_place_of_a_second_file(self):
        ended = self.cupel("show", "a.json", "b.json", code=2)
        self.assertIn("b.json", ended.err)
        self.assertNotIn("did you mean", ended.err)

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

    def test_survives_an_empty_word(self):
        for arguments in ([""], ["show", "a.json", ""]):
            self.cupel(*arguments, code=2)

    def test_is_refused_a_negative_seed(self):
        self.refuses("--seed", "run", "host", "--dry-run", "--seed", "-1")


if __name__ == "__main__":
    main()
