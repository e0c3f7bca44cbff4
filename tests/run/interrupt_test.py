"""Ctrl-C and SIGTERM: what was measured is written and marked."""

import os
import signal
import time

from program import ROOT, ProgramTest, main


class Interrupted(ProgramTest):
    def start_until_b(self, mode):
        self.family("a")
        self.family("b", mode=mode)
        program = self.start("run", "--processes", 2, "--output", self.output)
        self.wait_for_start("b")
        return program

    def check_written(self, number, program):
        out, err = self.ended_by(number, program)
        self.assertTrue(self.result()["context"]["cupel"]["run"]["interrupted"])
        self.assertEqual(self.statuses()["a 0"], ["ok"] * 3)
        self.assertNotIn("failed", {s for all_of in self.statuses().values() for s in all_of})
        self.assertIn(f"--resume {self.output}", err)
        self.assertIn("The run was interrupted", out)
        self.assert_all_gone(self.children())

    def test_by_ctrl_c_the_run_ends_with_130_and_what_it_has(self):
        self.check_written(signal.SIGINT, self.start_until_b("hang"))

    def test_a_result_that_is_to_be_printed_is_printed_as_far_as_it_came(self):
        self.family("a")
        self.family("b", mode="hang")
        program = self.start("run", "--processes", 2, "-o", "-")
        self.wait_for_start("b")
        out, err = self.ended_by(signal.SIGINT, program)
        self.output.write_text(out)
        self.assertTrue(self.result()["context"]["cupel"]["run"]["interrupted"])
        self.assertIn("interrupted; what was measured is printed", err)
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])

    def test_by_sigterm_too(self):
        self.check_written(signal.SIGTERM, self.start_until_b("hang"))

    def test_by_a_signal_that_the_child_has_before_the_run_nothing_is_failed(self):
        """As a scheduler ends a job: by a signal to each of its processes, in any order."""
        program = self.start_until_b("hang")
        time.sleep(0.2)
        os.kill(self.children()[-1], signal.SIGTERM)
        time.sleep(0.1)
        self.check_written(signal.SIGTERM, program)

    def test_twice_kills_a_child_that_does_not_end(self):
        program = self.start_until_b("hang_hard")
        program.send_signal(signal.SIGINT)
        time.sleep(0.2)
        self.check_written(signal.SIGINT, program)

    def test_before_anything_was_measured_nothing_is_written(self):
        self.family("a", mode="hang", at=0)
        program = self.start("run", "--output", self.output)
        self.wait_for_start("a")
        _, err = self.ended_by(signal.SIGINT, program)
        self.assertFalse(self.output.exists())
        self.assertIn("nothing was measured", err)


class WhileACommandComputes(ProgramTest):
    RESULTS = sorted(map(str, (ROOT / "results").glob("*/*.json.gz"))) * 6

    def test_a_signal_ends_it_as_it_ends_any_program(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            page = self.folder / "page.html"
            program = self.start("report", *self.RESULTS, "--output", page)
            time.sleep(0.1)
            program.send_signal(number)
            out, err = program.communicate(timeout=20)
            self.assertEqual((program.returncode, out, err), (-number, "", ""))
            self.assertFalse(page.exists())


if __name__ == "__main__":
    main()
