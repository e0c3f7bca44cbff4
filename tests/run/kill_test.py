"""SIGKILL at any moment: the result is absent or whole, it holds all that was finished, and no child is left."""

import random
import signal
import time

from program import ProgramTest, main

TIMES = 100


class Killed(ProgramTest):
    def test_at_any_moment_the_result_holds_every_finished_executable(self):
        for name in ("a", "b", "c"):
            self.family(name, sleep=0.002)
        whole = self.measure_whole_run()
        chance = random.Random(1)
        with_result = 0
        for turn in range(TIMES):
            with_result += self.kill_after(whole * 1.1 * chance.random(), self.folder / f"{turn}.json")
        # Neither always too early nor always too late, or the test has shown nothing.
        self.assertGreater(with_result, TIMES // 10)
        self.assertLess(with_result, TIMES)

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

    def measure_whole_run(self):
        begin = time.monotonic()
        self.run_it("--processes", 3)
        return time.monotonic() - begin

    def kill_after(self, delay, output):
        self.log.unlink(missing_ok=True)
        program = self.start("run", "--processes", 3, "--output", output)
        time.sleep(delay)
        program.send_signal(signal.SIGKILL)
        _, err = program.communicate(timeout=10)
        announced = {line.split(":")[0] for line in err.splitlines() if " measured" in line}
        self.assert_all_gone(self.children())

        ended = {f"{family}, process {int(process) + 1} of 3"
                 for word, family, process, *_ in map(str.split, self.logged()) if word == "end"}
        held = set()
        if output.exists():
            for key, statuses in self.statuses(output).items():
                self.assertEqual(statuses, ["ok"] * 3)
                family, process = key.split()
                held.add(f"{family}, process {int(process) + 1} of 3")
        self.assertLessEqual(announced, held)
        # The last to end may have had its result still on the way.
        self.assertLessEqual(len(ended - held), 1)
        return output.exists()


if __name__ == "__main__":
    main()
