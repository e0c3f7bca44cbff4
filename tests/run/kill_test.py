"""What SIGKILL leaves of a run; kill_sweep.py kills at any moment."""

import signal

from program import ProgramTest, main


class Killed(ProgramTest):
    def test_leaves_a_file_that_every_view_says_is_unfinished(self):
        self.family("a")
        self.family("b", mode="hang", **{"in": 1})
        program = self.start("run", "--processes", 3, "--output", self.output)
        self.wait_for_start("b 1")
        program.send_signal(signal.SIGKILL)
        program.communicate(timeout=10)
        self.assert_all_gone(self.children())

        page = self.folder / "page.html"
        self.cupel("report", self.output, "-o", page, code=0)
        views = [page.read_text()] + [self.cupel(*command).out for command in (
            ["show", self.output], ["advise", self.output], ["compare", self.output, self.output])]
        for view in views:
            self.assertIn("unfinished: 1 of 3 processes", view)
        self.family("b")
        self.cupel("run", "--resume", self.output, code=0)
        self.assertNotIn("unfinished", self.cupel("show", self.output).out)


if __name__ == "__main__":
    main()
