"""--device: which GPU is measured, and that it is said where nobody chose."""

from program import ProgramTest, main


class Device(ProgramTest):
    def devices(self):
        """What the fakes were told."""
        return {line.split()[-1] for line in self.logged() if line.startswith("start")}

    def test_is_told_to_every_process_and_kept_in_the_file(self):
        self.family("a", needs_device=1, devices=4)
        self.family("b")
        self.run_it("--device", 2, "a", "--processes", 2)
        self.assertEqual(self.devices(), {"2"})
        self.assertEqual(self.result()["context"]["cupel"]["run"]["notes"]["--device"], "2")

    def test_is_that_of_the_file_on_resume_and_may_be_said_anew(self):
        self.family("a", needs_device=1, devices=4, mode="hang_hard")
        self.run_it("--device", 2, "--processes", 1, "--budget", "1s", code=4)
        self.family("a", needs_device=1, devices=4)
        unfinished = self.output.read_text()
        for more, told in (([], "2"), (["--device", 3], "3")):
            self.log.unlink()
            self.output.write_text(unfinished)
            self.cupel("run", "--resume", self.output, *more, code=0)
            self.assertEqual(self.devices(), {told})

    def test_that_is_not_there_ends_with_2_and_what_there_is_before_anything_is_measured(self):
        self.family("a", needs_device=1, devices=4)
        ended = self.run_it("--device", 4, code=2)
        self.assertIn("cupel: no such GPU; there are:\n  0  Fake\n", ended.err)
        self.assertNotIn("cupel_bench_a", ended.err)
        self.assertEqual(len(self.children()), 1)
        self.assertFalse(self.output.exists())

    def test_is_said_once_where_there_are_several_and_none_was_chosen(self):
        self.family("a", needs_device=1, devices=4)
        self.family("b", needs_device=1, devices=4)
        ended = self.run_it("--processes", 2)
        self.assertEqual(ended.err.count("measuring GPU 0 of 4: Fake (GPU-0); --device chooses"), 1, ended.err)
        self.assertEqual(self.result()["context"]["cupel"]["run"]["notes"]["device"], "GPU 0 of 4: Fake (GPU-0)")

    def test_is_not_said_where_it_was_chosen_or_there_is_one(self):
        self.family("a", needs_device=1, devices=4)
        self.assertNotIn("measuring", self.run_it("--processes", 1, "--device", 0).err)
        self.family("a", needs_device=1)
        self.assertNotIn("measuring", self.run_it("--processes", 1, "--force").err)

    def test_of_a_gate_is_that_of_both_sides(self):
        self.family("a", needs_device=1, devices=4)
        program = self.bench / "cupel_bench_a"
        self.cupel("gate", "--base", program, "--new", program, "--device", 3)
        self.assertEqual(self.devices(), {"3"})
        self.refuses("no such GPU", "gate", "--base", program, "--new", program, "--device", 4)

    def test_of_a_gate_that_was_not_chosen_is_said_once(self):
        self.family("a", needs_device=1, devices=4)
        program = self.bench / "cupel_bench_a"
        ended = self.cupel("gate", "--base", program, "--new", program)
        self.assertEqual(ended.err.count("measuring GPU 0 of 4: Fake (GPU-0); --device chooses"), 1, ended.err)


if __name__ == "__main__":
    main()
