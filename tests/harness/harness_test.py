"""The program that every family is, as its users start it:  harness_test.py CUPEL ODD_FAMILY"""

import json
import signal
import subprocess
import time

from program import MORE, ProgramTest, default_signals, main

WORKS = "--benchmark_filter=works"
SLOWLY = ("--benchmark_filter=slowly", "--cupel_profile=full")  # 12 rounds of 0.1 s and the sampling


class Harness(ProgramTest):
    def setUp(self):
        super().setUp()
        self.out, self.journal = f"--cupel_out={self.output}", f"--cupel_journal={self.folder / 'journal'}"

    def start_it(self, *flags):
        return subprocess.Popen([MORE[0], *flags], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                preexec_fn=default_signals)

    def odd(self, *flags, code=0):
        """What it prints."""
        process = self.start_it(*flags)
        text, _ = process.communicate(timeout=100)
        self.assertEqual(process.returncode, code, text)
        return text

    def told_to_end(self, number, after_s, *flags):
        process = self.start_it(*flags)
        time.sleep(after_s)
        process.send_signal(number)
        process.communicate(timeout=100)
        return process.returncode

    def row(self, name):
        return self.rows()[name, 0]

    def lines(self, word):
        """What the journal says after that word, in order."""
        lines = (self.folder / "journal").read_text().splitlines()
        return [line[word] for line in map(json.loads, lines) if word in line]

    def names(self, name, *lines):
        path = self.file(name, "".join(line + "\n" for line in lines))
        return f"--cupel_{name}={path}"

    def test_says_of_each_benchmark_what_became_of_it(self):
        self.odd(self.out, code=4)
        found = {name: (row["status"], row.get("reason", "")) for (name, _), row in self.rows().items()}
        self.assertEqual(len(found), 6)
        self.assertEqual(found["odd/skips"], ("skipped", "not on this machine"))
        self.assertEqual(found["odd/wrong_result"], ("failed", "wrong result: 1 + 1 gave 3"))
        self.assertFalse(self.row("odd/wrong_result").get("series"), "a wrong result has no time")
        self.assertEqual([found[name][0] for name in ("odd/throws", "odd/measures_nothing", "odd/works/bytes:8")], ["failed", "failed", "ok"])

    def test_keeps_every_sample_of_every_round_and_what_the_body_said(self):
        self.odd(WORKS, "--cupel_rounds=2", "--cupel_min_samples=20", "--cupel_max_samples=20", "--cupel_max_wall=60", self.out)
        row = self.row("odd/works/bytes:8")
        series = row["series"][0]
        self.assertEqual((len(series["samples_s"]), series["round_sizes"]), (20, [10, 10]))
        self.assertGreaterEqual(min(series["samples_s"]), 200e-6)
        self.assertEqual((row["workload"]["bytes_read"], row["limit"]["quantity"]), (8, "bytes"))
        self.assertTrue(row["counters"]["launches"]["exact"])
        self.assertEqual(row["advice"][0]["scenario"], "odd/bytes:8")
        self.assertTrue(0 < row["timed_s"] < row["wall_s"])

    def test_lists_without_running(self):
        listing = json.loads(self.odd("--cupel_list", "--cupel_profile=full"))
        self.assertEqual((listing["family"], len(listing["benchmarks"])), ("odd", 11))

    def test_reports_through_google_benchmark_in_whole_names(self):
        self.odd(WORKS, "--benchmark_out_format=json", f"--benchmark_out={self.output}")
        text = self.output.read_text()
        self.assertIn('"name": "odd/works/bytes:8/iterations:1/manual_time"', text)
        self.assertIn("bytes_per_second", text)

    def test_runs_only_what_its_files_and_filter_allow(self):
        only, skip = self.names("only", "odd/works/bytes:8", "odd/works/bytes:16"), self.names("skip", "odd/works/bytes:16")
        self.assertEqual(self.odd("--benchmark_list_tests", only, skip), "odd/works/bytes:8\n")
        others = self.odd("--benchmark_list_tests", "--benchmark_filter=-works")
        self.assertNotIn("works", others)
        self.assertIn("odd/skips", others)

    def test_refuses_wrong_use_with_2_and_an_empty_choice_with_5(self):
        for flag in ("--cupel_rounds=none", "--benchmark_filter=(", "--no_such_flag", f"--cupel_only={self.folder / 'missing'}"):
            self.odd(flag, code=2)
        for choice, words in (("nowhere", "no benchmark matches; --benchmark_list_tests shows what there is"),
                              ("bytes:32", "nothing of the quick profile matches; --cupel_profile=full has 2")):
            self.assertEqual(self.odd(f"--benchmark_filter={choice}", code=5), f"odd: {words}\n")

    def test_writes_a_journal_that_tells_the_end(self):
        self.odd(self.journal, code=4)
        self.assertEqual(self.lines("end"), [True])
        self.assertEqual({row["name"] for row in self.lines("row")}, set(self.lines("begin")))
        self.assertEqual(len(self.lines("row")), 6)
        self.assertTrue(self.lines("context"))

    def test_runs_each_once_and_keeps_no_times_for_a_profiler(self):
        self.odd(WORKS, "--cupel_once", self.out, self.journal)
        row = self.row("odd/works/bytes:8")
        self.assertEqual((row["status"], row.get("series", [])), ("ok", []))
        self.assertEqual(self.lines("begin"), ["odd/works/bytes:8", "odd/works/bytes:16"])

    def test_runs_for_a_profiler_in_the_order_that_it_is_given_over_and_over(self):
        order = [f"odd/works/bytes:{size}" for size in (16, 32, 8)]
        self.odd("--cupel_profile=full", "--cupel_once", "--cupel_rounds=2", self.names("only", *order), self.journal)
        self.assertEqual(self.lines("begin"), order * 2)

    def test_keeps_what_has_samples_when_it_is_told_to_end(self):
        code = self.told_to_end(signal.SIGTERM, 1, WORKS, "--cupel_rounds=1000", "--cupel_min_samples=4000", "--cupel_max_samples=4000",
                                "--cupel_max_wall=3600", self.journal, self.out)  # far more rounds than it can do in that time
        self.assertEqual(code, 130)
        rows = self.rows()
        first = rows[next(iter(rows))]
        self.assertTrue(self.result()["context"]["cupel"]["run"]["interrupted"])
        self.assertEqual(first["status"], "ok")
        self.assertIn("of 1000 rounds", first["note"])
        self.assertEqual(self.lines("end"), [])
        self.assertEqual(len(self.lines("row")), len(rows))

    def check_budget(self, rows, least_s, most_s):
        took_s = sum(row["wall_s"] for row in rows.values())
        self.assertTrue(least_s < took_s < most_s, took_s)

    def test_ends_in_the_time_that_it_is_given_with_fewer_samples(self):
        self.odd(*SLOWLY, "--cupel_max_wall=10", "--cupel_budget=4", "--cupel_min_samples=100000", self.out)
        rows = self.rows()
        for name, row in rows.items():
            self.assertEqual((len(row["series"][0]["round_sizes"]), row.get("cut_short", False)), (3, False), name)
        self.check_budget(rows, 2, 4.5)  # of the 4 s, 40 of sampling were wanted

    def test_ends_in_the_time_that_it_is_given_with_fewer_rounds_and_marks_their_rows(self):
        said = self.odd(*SLOWLY, "--cupel_budget=0.7", self.out, self.journal, code=72)
        rows = self.rows()
        self.assertTrue(rows)
        for name, row in rows.items():
            self.assertEqual((row["status"], row["cut_short"]), ("ok", True), name)
            self.assertIn("out of time after ", row["note"])
            self.assertLess(len(row["series"][0].get("round_sizes", [])), 3, name)
        self.check_budget(rows, 0, 1.2)  # all rounds take longer
        self.assertIn("the time is up: ", said)
        self.assertEqual(self.lines("end"), [])

    def test_has_in_its_journal_what_it_measured_before_it_was_killed(self):
        self.told_to_end(signal.SIGKILL, 2, *SLOWLY, "--cupel_budget=60", "--cupel_max_wall=40", "--cupel_min_samples=4000",
                         "--cupel_rounds=40", "--cupel_max_samples=4000", "--cupel_noise_goal=0", self.journal)
        self.assertTrue(self.lines("row")[0]["cupel"]["cut_short"])

    def test_says_when_its_result_cannot_be_written(self):
        process = self.start_it(WORKS, "--cupel_out=/nowhere/at/all.json")
        self.assertIn("/nowhere/at/all.json", process.communicate(timeout=100)[0])
        self.assertNotEqual(process.returncode, 0)


if __name__ == "__main__":
    main()
