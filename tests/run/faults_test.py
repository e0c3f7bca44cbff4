"""What becomes of a run whose executables go wrong."""

import os
import pathlib
import resource
import signal

from program import ProgramTest, alive, main, whole_lines

A1 = "a/work/bytes:4096"


class ABenchmarkThatEndsItsProcess(ProgramTest):
    def check(self, mode, words, *arguments):
        """Benchmark 1 of family a ends its process; 0 and 2, and all of b, must be there."""
        self.family("a", mode=mode)
        self.family("b")
        ended = self.run_it("--processes", 1, *arguments, code=4)
        statuses = self.statuses()
        self.assertEqual(statuses["a 0"], ["ok", "failed", "ok"])
        self.assertEqual(statuses["b 0"], ["ok", "ok", "ok"])
        reason = self.failures()[(A1, 0)]
        for word in words:
            self.assertIn(word, reason)
        self.assertIn(f"failed  {A1}", ended.out)
        self.assert_all_gone(self.children())

    def test_is_failed_with_how_it_ended_and_the_last_words(self):
        for mode, *words in (("crash", "SIGSEGV", "last words: about to go wrong: crash"), ("kill", "SIGKILL"),
                             ("exit", "exit code 9"), ("lost_before_row", "device lost (exit code 71)"),
                             ("garbage", "journal is broken")):
            with self.subTest(mode):
                self.check(mode, words, "--force")

    def test_by_losing_the_device_keeps_the_reason_that_the_child_gave(self):
        self.check("lost", ["the result is wrong at index 7"])
        self.assertEqual(len(self.children()), 3)  # two of a, one of b

    def test_by_hanging_is_failed_with_the_time_limit_and_killed_where_it_does_not_end_when_asked(self):
        for mode in ("hang", "hang_hard"):
            with self.subTest(mode):
                self.check(mode, ["time limit"], "--force", "--timeout", "0.5s")

    def test_is_not_tried_again_after_two_processes(self):
        self.family("a", mode="crash")
        self.run_it("--processes", 4, code=4)
        self.assertIn("not tried again after it ended 2 processes", self.failures()[(A1, 2)])
        self.assertEqual(self.statuses()["a 3"], ["ok", "failed", "ok"])
        # Two starts each for the first two processes, one each for the others.
        self.assertEqual(len(self.children()), 6)

    def test_in_one_process_only_keeps_what_the_others_measured(self):
        self.family("a", mode="crash", **{"in": 1})
        ended = self.run_it("--processes", 3, code=4)
        self.assertEqual(self.statuses(), {"a 0": ["ok"] * 3, "a 1": ["ok", "failed", "ok"], "a 2": ["ok"] * 3})
        self.assertIn("1 of 3 failed", ended.out)


class AnExecutable(ProgramTest):
    def test_that_gives_a_wrong_result_fails_that_benchmark_only(self):
        self.family("a", mode="wrong")
        ended = self.run_it("--processes", 1, code=4)
        self.assertEqual(self.failures(), {(A1, 0): "the result is wrong at index 7"})
        self.assertIn(f"{A1}: failed: the result is wrong at index 7", ended.err)

    def test_that_leaves_out_a_row_has_that_row_failed(self):
        self.family("a", mode="no_row")
        self.run_it("--processes", 1, code=4)
        self.assertIn("gave no result", self.failures()[(A1, 0)])

    def test_that_says_nothing_at_all_fails_and_the_others_go_on(self):
        self.family("a", mode="silent")
        self.family("b")
        self.run_it("--processes", 1, code=4)
        self.assertEqual(self.statuses(), {"a 0": ["failed"] * 3, "b 0": ["ok"] * 3})

    def test_that_floods_its_output_is_read_and_forgotten(self):
        self.family("a", mode="flood")
        self.run_it("--processes", 1)
        self.assertEqual(self.statuses(), {"a 0": ["ok"] * 3})

    def test_leaves_no_process_behind(self):
        self.family("a", mode="orphan")
        self.run_it("--processes", 1)
        here = str(self.bench)
        left = [p for p in pathlib.Path("/proc").iterdir() if p.name.isdigit() and here in command_line(p) and alive(p.name)]
        self.assertEqual(left, [])

    def test_that_cannot_list_is_left_out_with_the_reason(self):
        for listing, words in {"garbage": "listing", "crash": "SIGABRT", "flood": "longer than",
                               "fail": "libnothing.so.13", "hang": "ended after 2"}.items():
            with self.subTest(listing):
                self.family("a", listing=listing)
                self.family("b")
                ended = self.run_it("--processes", 1, "--force", "--timeout", "2s", code=4)
                self.assertIn(words, ended.err)
                self.assertEqual(self.statuses(), {"b 0": ["ok"] * 3})
                self.assertIn(words, self.result()["context"]["cupel"]["run"]["notes"]["a"])

    def test_that_is_the_only_one_and_cannot_list_ends_the_run_with_4(self):
        self.family("a", listing="crash")
        self.run_it(code=4)
        self.assertFalse(self.output.exists())

    def test_that_is_no_program_is_left_out_with_the_reason(self):
        self.family("b")
        self.executable("bench/cupel_bench_a", b"\x7fELF but not really")
        ended = self.run_it("--processes", 1, code=4)
        self.assertIn("a: cannot be started: Exec format error", ended.err)


class AProcessThatEndsBadlyWhenAllIsMeasured(ProgramTest):
    def test_keeps_its_rows_with_a_mark_and_fails_the_run(self):
        for mode, word in (("late crash", "killed by SIGSEGV"), ("late exit", "ended with exit code 9"),
                           ("late hang", "not done within the time limit")):
            with self.subTest(mode):
                self.family("a", mode=mode, **{"in": 1})
                self.family("b")
                ended = self.run_it("--processes", 2, "--timeout", "2s", "--force", code=4)
                self.assertEqual(self.statuses(), {f"{f} {p}": ["ok"] * 3 for f in "ab" for p in (0, 1)})
                self.assertIn(f"a, process 2: failed: {word}", ended.err)
                self.assertIn(f"Processes ended badly, and their figures may be wrong: a, process 2: {word}",
                              " ".join(ended.out.split()))
                notes = {key[1]: row.get("note", "") for key, row in self.rows().items() if key[0] == A1}
                self.assertEqual(notes[0], "")
                self.assertIn(f"its process was {word}", notes[1])


class WithoutADevice(ProgramTest):
    REASON = "no NVIDIA driver"

    def setUp(self):
        super().setUp()
        self.family("gpu", needs_device=1, no_device=self.REASON)

    def test_what_needs_none_is_measured_and_the_rest_skipped_once(self):
        self.family("host")
        ended = self.run_it("--processes", 2)
        self.assertEqual(self.statuses(), {"gpu 0": ["skipped"] * 3, "host 0": ["ok"] * 3, "host 1": ["ok"] * 3})
        self.assertEqual(ended.err.count(self.REASON), 1)
        self.assertIn(f"skipped (3) gpu: {self.REASON}", ended.out)
        self.assertEqual(sum(line.startswith("start gpu") for line in self.logged()), 1)

    def test_two_families_have_their_common_reason_told_once(self):
        self.family("other", needs_device=1, no_device=self.REASON)
        ended = self.run_it("--processes", 1, code=3)
        self.assertEqual(ended.err.count(self.REASON), 1)
        self.assertIn(f"skipped (6) gpu, other: {self.REASON}", ended.out)

    def test_a_family_asked_for_by_name_ends_with_3(self):
        self.family("host")
        self.run_it("gpu", "--processes", 1, code=3)
        self.run_it("gpu", "host", "--processes", 1, "--force", code=3)
        self.assertEqual(self.statuses()["host 0"], ["ok"] * 3)

    def test_nothing_else_to_measure_ends_with_3(self):
        self.run_it("--processes", 1, code=3)


class AnExecutable(ProgramTest):
    def test_that_changes_while_it_is_measured_fails_what_is_left(self):
        real = self.family("a", self.folder)
        changes = f'#!/bin/bash\ncase " $* " in *" --cupel_process="*) echo >> "$0";; esac; exec -a {real} {real} "$@"\n'
        self.executable("bench/cupel_bench_a", changes)
        ended = self.run_it("--processes", 3, code=4)
        self.assertEqual(self.statuses(), {"a 0": ["ok"] * 3, "a 1": ["failed"] * 3, "a 2": ["failed"] * 3})
        self.assertIn("the executable of a is another than the one that the run was begun with", ended.err)


class WhatIsPublished(ProgramTest):
    def test_has_no_path_of_a_home_folder(self):
        home = self.folder / "home" / "ada"
        lack = f"{home}/cupel/.deps/lib/libcudnn.so.9: cannot open; see /home/grace/notes"
        (home / "bench").mkdir(parents=True)
        (home / "images").mkdir()
        self.family("a", home / "bench", no_device=lack, needs_device=1)
        self.family("b", home / "bench", mode="late crash")
        self.family("c", home / "bench", listing="fail")
        out = self.folder / "out.json"
        self.cupel("run", "--bench-dir", home / "bench", "--processes", 1, "--output", out, "--data", home / "images",
                   "--timeout", "5s", code=4, HOME=str(home))
        page = out.with_suffix(".html").read_text().replace("<wbr>", "")  # where a long name may break
        for published in (out.read_text(), page, self.cupel("show", out, code=0).out):
            self.assertNotIn(str(home), published)
            self.assertNotIn("grace", published)
        self.assertIn("~/cupel/.deps/lib/libcudnn.so.9: cannot open", page)
        programs = ("--base", home / "bench" / "cupel_bench_b", "--new", home / "bench" / "cupel_bench_b")
        for form in ("text", "markdown", "json", "junit"):
            self.assertNotIn("/ada", self.cupel("gate", *programs, "--format", form, HOME=str(home)).out)

    def test_is_for_those_alone_whom_the_umask_lets(self):
        self.family("a")
        self.start("run", "--processes", 1, "--output", self.output, prepare=lambda: os.umask(0o077)).communicate(timeout=60)
        for file in (self.output, self.output.with_suffix(".html")):
            self.assertEqual(file.stat().st_mode & 0o777, 0o600)


class ThePlaceOfTheResult(ProgramTest):
    def setUp(self):
        super().setUp()
        self.family("a")

    def refused(self, *arguments, words):
        self.refuses(words, "run", *arguments)
        self.assertEqual(self.logged(), [], "measured before saying so")

    def test_that_exists_is_refused_before_measuring_and_kept(self):
        self.output.write_text("mine")
        self.refused("--output", self.output, words=["exists", "--force"])
        self.assertEqual(self.output.read_text(), "mine")

    def test_that_exists_is_replaced_with_force(self):
        self.output.write_text("mine")
        self.run_it("--processes", 1, "--force")
        self.assertEqual(self.statuses(), {"a 0": ["ok"] * 3})

    def test_where_no_file_can_be_is_refused(self):
        for place, words in ((self.bench, "is a folder"), (self.file("file", "") / "out.json", "cannot make the folder"),
                             ("/proc/self/out.json", "/proc/self/out.json: cannot be written")):
            with self.subTest(words):
                self.refused("--output", place, words=[words])

    def test_with_a_name_that_is_too_long_is_refused_before_measuring(self):
        self.refused("--output", self.folder / ("n" * 251 + ".json"), words=["File name too long"])
        self.cupel("run", "--processes", 1, "--output", self.folder / ("n" * 250 + ".json"), code=0)

    def test_that_another_run_writes_is_refused_before_measuring_and_names_that_run(self):
        self.family("a", mode="hang")
        first = self.start("run", "--processes", 1, "--output", self.output)
        self.wait_for_start()
        self.refuses(f"process {first.pid} on ", "run", "--processes", 1, "--output", self.output)
        first.kill()
        first.communicate(timeout=60)

    def test_that_another_run_writes_is_refused_under_a_link_to_it_too(self):
        self.family("a", mode="hang")
        link = self.folder / "link.json"
        link.symlink_to(self.output.name)
        first = self.start("run", "--processes", 1, "--output", self.output)
        self.wait_for_start()
        self.refuses(f"process {first.pid} on ", "run", "--processes", 1, "--force", "--output", link)
        first.kill()
        first.communicate(timeout=60)

    def test_with_a_umask_that_leaves_its_owner_nothing_is_refused_and_leaves_no_folder(self):
        for mask in (0o777, 0o200):
            program = self.start("run", "--processes", 1, "--output", self.folder / "x" / "y" / "out.json", prepare=lambda: os.umask(mask))
            err = program.communicate(timeout=60)[1]
            self.assertEqual(program.returncode, 2, err)
            self.assertIn("umask", err)
            self.assertEqual((self.logged(), (self.folder / "x").exists(), list((self.folder / "tmp").iterdir())), ([], False, []))

    def test_that_is_chosen_by_runs_of_one_moment_is_another_for_each(self):
        (self.folder / "results").mkdir()  # as in a checkout
        runs = [self.start("run", "--processes", 1) for _ in range(12)]
        for one in runs:
            self.assertEqual((one.communicate(timeout=60), one.returncode)[1], 0)
        self.assertEqual(len(list((self.folder / "results" / "runs").glob("*.json"))), 12)

    def test_in_a_folder_of_its_own_is_made(self):
        deep = self.folder / "x" / "y" / "out.json"
        self.cupel("run", "--processes", 1, "--output", deep, code=0)
        self.assertTrue(deep.exists())

    def test_that_vanishes_while_measuring_loses_nothing(self):
        gone = self.folder / "gone"
        self.family("a", remove=gone)
        ended = self.cupel("run", "--processes", 1, "--output", gone / "out.json", code=4)
        self.assertIn("cannot be written", ended.err)
        saved = pathlib.Path(ended.out.splitlines()[-1])
        self.assertEqual(saved.parent, self.folder / "tmp")
        self.assertEqual(self.statuses(saved), {"a 0": ["ok"] * 3})

    def test_on_a_disk_that_fills_up_keeps_what_fitted_and_shows_the_rest(self):
        for name in "bc":
            self.family(name, benchmarks=20)
        program = self.start("run", "--processes", 1, "--output", self.output, prepare=lambda: limit_files(26 * 1024))
        out, err = program.communicate(timeout=60)
        self.assertEqual(program.returncode, 4)
        self.assertEqual(self.statuses(), {"a 0": ["ok"] * 3, "b 0": ["ok"] * 20})
        self.assertIn("c/work", out, "the table shows what could not be written")
        last = whole_lines(err).splitlines()[-1]
        self.assertIn("cannot be written", last)
        self.assertIn(f"cupel run --resume {self.output}", last)
        resumed = self.cupel("run", "--resume", self.output)
        self.assertEqual(resumed.code, 0, resumed.err)
        self.assertEqual(len(self.statuses()["c 0"]), 20)

    def test_by_default_is_named_after_time_and_machine(self):
        (self.folder / "results").mkdir()  # as in a checkout
        self.family("a", device="NVIDIA H200 (fake)")
        ended = self.cupel("run", "--processes", 1, code=0)
        self.assertRegex(ended.out.splitlines()[-1], r"^results/runs/\d{8}T\d{6}Z-nvidia-h200-fake\.json$")
        self.family("a")
        self.assertRegex(self.cupel("run", "--processes", 1).out.splitlines()[-1], r"Z-host\.json$")


def limit_files(most_bytes):
    """Files cannot grow beyond that, as on a full disk; the fakes lift it for theirs."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


def command_line(process):
    try:
        return (process / "cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return ""


if __name__ == "__main__":
    main()
