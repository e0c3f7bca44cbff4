"""--resume: what is missing is measured, what is there is kept, and another run's file is refused."""

import json
import shutil
import signal
import time

from program import ProgramTest, main


SLURM = {"SLURM_JOB_ID": "20", "SLURM_ARRAY_JOB_ID": "17", "SLURM_ARRAY_TASK_ID": "3", "SLURMD_NODENAME": "n3"}


class Resume(ProgramTest):
    def interrupted_run(self, *arguments, **environment):
        """a and b of process 0 are there, the last two benchmarks of b in process 1 are not."""
        self.family("a")
        self.family("b", mode="hang", **{"in": 1})
        program = self.start("run", "--processes", 2, "--output", self.output, *arguments, **environment)
        self.wait_for_start("b 1")
        time.sleep(0.2)
        self.ended_by(signal.SIGINT, program)
        self.family("b")
        self.log.unlink()

    def resume(self, *arguments, code=None, **environment):
        return self.cupel("run", "--resume", self.output, *arguments, code=code, **environment)

    def refused(self, *arguments, code, words, **environment):
        before = self.output.read_text()
        ended = self.resume(*arguments, code=code, **environment)
        for word in words:
            self.assertIn(word, ended.err)
        self.assertEqual(self.output.read_text(), before)

    def test_runs_what_is_missing_and_keeps_the_rest(self):
        self.interrupted_run()
        before = self.rows()
        self.assertEqual(self.statuses()["b 1"], ["ok"])

        self.resume(code=0)

        after = self.rows()
        self.assertEqual(self.statuses(), {f"{f} {p}": ["ok"] * 3 for f in "ab" for p in "01"})
        for key, row in before.items():
            self.assertEqual(after[key], row)
        self.assertEqual(len(self.children()), 1)
        self.assertFalse(self.result()["context"]["cupel"]["run"].get("interrupted", False))

    def test_measures_again_what_was_cut_short(self):
        self.family("a", mode="cut_short")
        program = self.start("run", "--processes", 1, "--output", self.output)
        self.wait_for_start("a")
        time.sleep(0.2)
        out, _ = self.ended_by(signal.SIGINT, program)
        cut = ("a/work/bytes:4096", 0)
        self.assertTrue(self.rows()[cut]["cut_short"])
        self.assertIn("cut short", out)
        self.family("a")
        self.log.unlink()

        self.resume(code=0)

        self.assertEqual(self.statuses(), {"a 0": ["ok"] * 3})
        self.assertNotIn("cut_short", self.rows()[cut])
        self.assertNotIn("cut short", self.cupel("show", self.output).out)

    def test_takes_the_settings_of_the_file(self):
        self.interrupted_run("--seed", 7, "--filter", "work", "--advice", "pin-memory", "--max-wall", "0.125s")
        self.resume(code=0)
        self.assertIn("seed 7", self.logged()[0])
        run = self.result()["context"]["cupel"]["run"]
        self.assertEqual((run["seed"], run["filters"]), (7, ["work"]))
        self.assertEqual((run["notes"]["--advice"], run["notes"]["--max-wall"]), ("pin-memory", "0.125"))

    def test_of_a_finished_run_says_that_nothing_is_lacking_and_leaves_it_alone(self):
        self.family("a")
        self.run_it("--processes", 1)
        self.log.unlink()
        before = self.output.read_bytes(), self.output.stat().st_mtime_ns
        for flags in ([], ["--dry-run"]):
            ended = self.resume(*flags, code=0)
            self.assertIn(f"{self.output} lacks nothing", ended.out)
            self.assertNotIn("bytes:1024", ended.out)
        self.assertEqual(self.logged(), [])
        self.assertEqual((self.output.read_bytes(), self.output.stat().st_mtime_ns), before)

    def test_of_a_run_that_was_killed_behind_its_last_row_writes_the_page(self):
        self.family("a")
        self.run_it("--processes", 1)
        page, left = self.output.with_suffix(".html"), self.output.with_name(".cupel-5.tmp")
        whole = page.read_bytes()
        page.unlink()
        left.write_text("half of")
        self.resume(code=0)
        self.assertEqual((page.read_bytes(), left.exists()), (whole, False))

    def test_of_a_finished_run_with_a_failed_row_fails_as_the_run_did(self):
        self.family("a")
        self.run_it("--processes", 1)
        document = json.loads(self.output.read_text())
        document["benchmarks"][0]["cupel"].update(status="failed", reason="the result is wrong", series=[])
        self.file("out.json", document)
        ended = self.resume(code=4)
        self.assertIn(f"{self.output} lacks nothing, but 1 of its rows failed", ended.out)

    def test_of_a_dry_run_plans_what_is_missing(self):
        self.interrupted_run()
        before = self.output.read_bytes()
        ended = self.resume("--dry-run", code=0)
        planned = [line.split()[:3] for line in ended.out.splitlines()[1:2]]
        self.assertEqual(planned, [["b", "2", "1"]])
        self.assertIn("\n2 benchmarks, quick profile", ended.out)
        self.assertEqual((self.logged(), self.output.read_bytes()), ([], before))

    def test_refuses_another_output(self):
        self.family("a")
        self.run_it("--processes", 1)
        other = self.folder / "other.json"
        self.refused("--output", other, code=2, words=[f"--resume {self.output} goes on in {self.output}: leave out --output"])
        self.assertFalse(other.exists())

    def test_says_that_it_starts_a_new_run_where_there_is_no_file(self):
        self.family("a")
        said = f"{self.output} is not there: starting a new run\n"
        self.assertTrue(self.resume("--processes", 1, code=0).err.startswith(said))
        self.assertNotIn("not there", self.resume("--processes", 1, code=0).err)

    def test_refuses_other_settings_and_names_them(self):
        self.interrupted_run()
        self.refused("--standard", code=2, words=["profile", "quick", "standard"])
        self.refused("--seed", 8, code=2, words=["seed", "1", "8"])
        self.refused("--processes", 5, code=2, words=["processes", "2", "5"])
        self.refused("--timer", "cupti", code=2, words=["timer", "events", "cupti"])
        self.refused("--max-wall", "1s", code=2, words=["max wall"])
        self.refused("a", code=2, words=["families"])
        self.assertEqual(self.logged(), [])

    def other_executable(self, name):
        """The same program with a byte behind its end, as of another kernel within it."""
        path = self.bench / f"cupel_bench_{name}"
        content = path.read_bytes()
        path.unlink()
        path.write_bytes(content + b"\0")
        path.chmod(0o755)

    def test_refuses_an_executable_that_changed_since(self):
        self.interrupted_run()
        before = self.output.read_bytes()
        self.other_executable("b")
        self.refused(code=5, words=["the executable of b is another than the one that the run was begun with"])
        self.assertEqual((self.logged(), self.output.read_bytes()), ([], before))

    def test_takes_an_executable_that_is_the_same_in_another_place(self):
        self.interrupted_run()
        other = self.folder / "other"
        shutil.copytree(self.bench, other)
        self.resume("--bench-dir", other, code=0)

    def test_refuses_another_build(self):
        self.interrupted_run()
        self.family("b", revision="fedcba9876543210")
        self.refused(code=5, words=["revision", "0123456789ab", "fedcba987654"])

    def test_refuses_another_device(self):
        self.family("a", needs_device=1, device="H100")
        self.run_it("--processes", 1)
        document = json.loads(self.output.read_text())
        document["benchmarks"].pop()
        self.file("out.json", document)
        self.family("a", needs_device=1, device="H200")
        self.refused(code=5, words=["GPU", "H100", "H200"])

    def test_refuses_another_kernel_of_the_system(self):
        self.family("a", kernel="6.1.0")
        self.run_it("--processes", 1)
        document = json.loads(self.output.read_text())
        document["benchmarks"].pop()
        self.file("out.json", document)
        self.family("a", kernel="6.18.44")
        self.refused(code=5, words=["kernel", "6.1.0", "6.18.44"])

    def test_refuses_what_cannot_be_run_and_names_the_file(self):
        self.interrupted_run()
        document = json.loads(self.output.read_text())
        document["context"]["cupel"]["run"]["processes"] = 2147483647
        self.file("out.json", document)
        self.refused(code=2, words=[str(self.output), "processes: 2147483647 lies outside of 1 to 1000"])

    def test_of_a_file_that_is_none_ends_with_2(self):
        self.output.write_text("{")
        self.refused(code=2, words=[str(self.output)])

    def test_of_a_file_that_is_not_there_begins_it(self):
        self.family("a")
        self.resume("--processes", 2, code=0)
        self.assertEqual(self.statuses(), {"a 0": ["ok"] * 3, "a 1": ["ok"] * 3})
        self.assertNotIn("restarts", self.result()["context"]["cupel"]["run"])
        self.assertIn("lacks nothing", self.resume("--processes", 2, code=0).out)

    def test_keeps_node_and_job_of_slurm_and_counts_restarts(self):
        self.interrupted_run(**SLURM)
        self.resume(code=0, **SLURM, SLURM_RESTART_COUNT="3")
        run = self.result()["context"]["cupel"]["run"]
        self.assertEqual((run["node"], run["job"], run["restarts"]), ("n3", "17_3", 3))

    def test_counts_a_restart_by_hand(self):
        self.interrupted_run(**SLURM)
        self.resume(code=0)
        run = self.result()["context"]["cupel"]["run"]
        self.assertEqual((run["node"], run["job"], run["restarts"]), ("n3", "17_3", 1))

    def test_refuses_another_node(self):
        self.interrupted_run(**SLURM)
        self.refused(code=5, words=["node", "n3", "n4"], **{**SLURM, "SLURMD_NODENAME": "n4"})


if __name__ == "__main__":
    main()
