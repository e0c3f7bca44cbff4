"""The gate as a program, with executables that print times of our choosing. Nothing here is timed."""

import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import stat
import sys
import time
import xml.etree.ElementTree

import made_up
from program import MORE, ROOT, ProgramTest, main

TIMES = {f"BM_work/{n}": 1000.0 * n for n in (1, 2, 3, 4, 5, 6)}
SLOWER = {**TIMES, "BM_work/3": 3150.0}
FAKE = next(path for path in MORE if path.endswith("/cupel_fake_gb"))


def without(name):
    return {n: t for n, t in TIMES.items() if n != name}


class GateTest(ProgramTest):
    def program(self, name, times=None, **words):
        words.setdefault("seed", sum(map(ord, name)))
        self.file(f"{name}.json", {"benchmarks": TIMES if times is None else times, **words})
        path = self.folder / name
        if not path.exists():
            shutil.copy(FAKE, path)
        return path

    def gate(self, base, new, *arguments, code=0, **more):
        """Runs the gate; the exit code must be `code`. Returns its JSON."""
        out = self.folder / "gate.json"
        out.unlink(missing_ok=True)
        base, new = ([side] if not isinstance(side, list) else side for side in (base, new))
        ended = self.cupel("gate", "--base", *base, "--new", *new, "--output", f"json={out}", *arguments, code=code, **more)
        self.text, self.err = ended.out, ended.err
        result = json.loads(out.read_text()) if out.exists() else None
        if result is not None:
            self.assertEqual(result["exit_code"], code)
        return result

    def history(self, names=tuple(TIMES), nights=16, slower_from=9):
        """A history whose last commit is a tenth slower, in several sessions: its folder."""
        draw = random.Random(1)
        for night in range(1, nights + 1):
            time_s = 1e-3 * (1.1 if night >= slower_from else 1)
            rows = [made_up.row(name, process, [time_s * draw.gauss(1, 0.002) for _ in range(5)]) for name in names for process in range(5)]
            self.cupel("history", "add", self.file("night.json", made_up.result(rows, processes=5)), "h", "--commit", f"c{min(night, slower_from)}",
                       "--date", f"2026-01-{night:02}", code=0)
        return "h"

    def sides(self):
        """Of a gate that passes, as arguments."""
        return "--base", self.program("a"), "--new", self.program("b")

    def times(self, result):
        return {row["name"]: row for row in result["rows"] if row["metric"] == "time"}

    def verdicts(self, result):
        return {name: row["verdict"] for name, row in self.times(result).items()}


class Decisions(GateTest):
    def test_passes_a_program_that_is_as_it_was(self):
        for seed in range(3):
            result = self.gate(self.program("a", seed=2 * seed), self.program("b", seed=2 * seed + 1))
            self.assertEqual(set(self.verdicts(result).values()), {"SAME"})

    def test_passes_a_program_against_itself(self):
        same = self.program("same")
        self.assertEqual(set(self.verdicts(self.gate(same, same)).values()), {"SAME"})

    def test_finds_what_is_five_percent_slower_and_ends_with_1(self):
        log = self.folder / "log"
        result = self.gate(self.program("a", log=str(log)), self.program("b", SLOWER, log=str(log)), code=1)
        rows = self.times(result)
        self.assertEqual(rows["BM_work/3"]["verdict"], "SLOWER")
        self.assertEqual(rows["BM_work/3"]["stage"], "confirm")
        self.assertEqual(rows["BM_work/3"]["base"]["processes"], 12)
        self.assertAlmostEqual(rows["BM_work/3"]["ratio"], 1.05, delta=0.01)
        self.assertEqual([n for n, v in self.verdicts(result).items() if v == "SLOWER"], ["BM_work/3"])
        self.assertRegex(self.text.splitlines()[-2], r"^1 row is slower: BM_work/3 by [45]\.\d+ % "
                                                     r'\(fix it, or "allow" it in --policy FILE: cupel explain policy\)$')
        self.assertEqual(self.text.splitlines()[-1], "cupel gate: regression, exit code 1")
        # The screen runs everything 5 + 5 times, the confirmation the suspects alone.
        lines = log.read_text().splitlines()
        self.assertEqual(sum(line.endswith(" 6") for line in lines), 10)
        self.assertTrue(all(int(line.split()[1]) < 4 for line in lines[10:]))

    def test_draws_the_order_of_the_sides(self):
        orders = []
        for seed in (1, 2, 3, 4, 5, 1):
            log = self.folder / f"log{len(orders)}"
            self.gate(self.program("a", log=str(log)), self.program("b", log=str(log)), "--seed", seed)
            orders.append("".join(line.split()[0] for line in log.read_text().splitlines()))
            self.assertEqual(sorted(orders[-1]), sorted(5 * "ab"))
            self.assertNotIn(orders[-1], (5 * "a" + 5 * "b", 5 * "b" + 5 * "a"))
        self.assertEqual(len(set(orders[:5])), 5)
        self.assertEqual(orders[5], orders[0], "the seed decides")
        # In pairs of one start a side no place would begin a pair with two starts of one side.
        self.assertTrue(any(order[i] == order[i + 1] for order in orders for i in range(0, 10, 2)))

    def test_ends_with_6_where_too_much_is_undecided_and_says_what_would_decide_it(self):
        no_time = ("--budget", "1ms")  # else it would be measured again, and decided
        result = self.gate(self.program("a", noise=0.016), self.program("b", noise=0.016), *no_time, code=6)
        self.assertIn("processes a side would decide", self.text)
        self.assertGreater(result["inconclusive"], 0)
        for row in result["rows"]:
            if row["verdict"] == "SAME":
                self.assertLessEqual(row["mde"], 0.03)
        self.gate(self.program("a", noise=0.016), self.program("b", noise=0.016), *no_time, "--max-inconclusive", 100)

    def test_measures_again_by_itself_what_is_gateable_and_undecided(self):
        result = self.gate(self.program("a", noise=0.016), self.program("b", noise=0.016))
        stages = {row["stage"] for row in result["rows"]}
        self.assertIn("rerun", stages)
        self.assertEqual(result["inconclusive"], 0)

    def test_lists_apart_what_no_affordable_number_of_processes_decides(self):
        noisy = {"BM_noisy": 1000.0}
        programs = [[self.program(side), self.program(side + "_noisy", noisy, noise=0.08)] for side in ("a", "b")]
        result = self.gate(*programs)
        row = self.times(result)["BM_noisy"]
        self.assertEqual((row["verdict"], row["gateable"], row["outcome"]), ("INCONCLUSIVE", False, "passed"))
        self.assertEqual((result["inconclusive"], result["not_gateable"]), (0, 1))
        self.assertIn("Not gateable: ", self.text)
        self.assertIn("NOT-GATEABLE", self.text)
        fail = self.file("p.json", {"cupel_gate_policy": 1, "on": {"not_gateable": "fail"}})
        self.gate(*programs, "--policy", fail, code=6)

    def test_passes_nineteen_rows_against_themselves_of_which_six_are_too_short_to_repeat(self):
        long = {f"BM_long/{i}": 20000.0 * (i + 1) for i in range(13)}
        short = {f"BM_short/{i}": 2000.0 + 100 * i for i in range(6)}
        programs = [self.program("long", long), self.program("short", short, noise=0.08)]
        result = self.gate(programs, programs)
        self.assertEqual((result["inconclusive"], result["not_gateable"]), (0, 6))
        self.assertEqual([name for name, row in self.times(result).items() if row["verdict"] == "SAME"], list(long))

    def test_says_only_its_last_line_where_it_is_to_be_quiet(self):
        same = self.program("same")
        ended = self.cupel("gate", "--base", same, "--new", same, "--quiet", code=0)
        self.assertEqual((ended.out, ended.err), ("cupel gate: passed, exit code 0\n", ""))

    def test_decides_what_is_undecided_by_running_it_again(self):
        sides = [self.program(name, {"BM_noisy": 1000.0}, noise=0.004, seed=seed) for name, seed in (("a", 5), ("b", 6))]
        small = ("--target", 0.5, "--tolerance", 0.2)
        self.gate(*sides, *small, code=6)
        result = self.gate(*sides, *small, "--rerun-inconclusive")
        self.assertEqual(result["rows"][0]["stage"], "rerun")
        self.assertEqual(result["rows"][0]["verdict"], "SAME")

    def test_reruns_within_the_budget_and_says_what_it_left(self):
        one = {"BM_noisy": 1000.0}
        result = self.gate(self.program("a", one, noise=0.03), self.program("b", one, noise=0.03),
                           "--rerun-inconclusive", "--budget", "1ms", code=6)
        self.assertIn("budget", " ".join(result["warnings"]))

    def test_gives_every_decided_row_all_its_figures(self):
        result = self.gate(self.program("a"), self.program("b"))
        for row in self.times(result).values():
            for key in ("ratio", "lower", "upper", "p", "p_adjusted", "mde", "sigma"):
                self.assertIsInstance(row[key], (int, float), key)
            for side in ("base", "new"):
                self.assertEqual(row[side]["processes"], 5)
                self.assertGreater(row[side]["samples"], 0)


class Data(GateTest):
    # What differs of the old and the new side, the exit code, a benchmark and its verdict, and what is said. All others are SAME.
    FAILED = (4, "BM_work/2", "FAILED", ("out of memory", "\n1 row failed (the remark says why)\ncupel gate: incomplete, exit code 4\n"))
    ROWS = {
        "gone": ({}, {"times": without("BM_work/2")}, 4, "BM_work/2", "MISSING", ("removed on purpose", '"missing": "ignore"')),
        "new": ({"times": without("BM_work/2")}, {}, 0, "BM_work/2", "ADDED", ()),
        "faster": ({"times": SLOWER}, {}, 0, "BM_work/3", "FASTER", ()),
        "failed, no speed-up": ({}, {"fail": {"BM_work/2": "out of memory"}}, *FAILED),
        "failed, before 1.8": ({}, {"fail": {"BM_work/2": "out of memory"}, "version": "1.7.1"}, *FAILED),
        "killed": ({}, {"crash": "BM_work/3"}, 4, "BM_work/3", "FAILED", ("SIGKILL",)),
        "hangs": ({}, {"hang": "BM_work/6"}, 4, "BM_work/6", "FAILED", ()),
        "cut": ({}, {"cut": "BM_work/6"}, 4, "BM_work/6", "FAILED", ()),
    }

    def test_says_of_a_benchmark_what_became_of_it_and_keeps_the_others(self):
        for what, (old, new, code, name, verdict, words) in self.ROWS.items():
            with self.subTest(what):
                timeout = ("--timeout", "1s") if what == "hangs" else ()
                verdicts = self.verdicts(self.gate(self.program("a", **old), self.program("b", **new), *timeout, code=code))
                self.assertEqual(verdicts.pop(name), verdict)
                self.assertEqual(set(verdicts.values()), {"SAME"})
                for one in words:
                    self.assertIn(one, self.text)

    def test_fails_all_that_a_program_has_which_hangs_or_crashes_while_it_lists(self):
        other = [self.program(name, {"BM_other": 500.0}) for name in ("c", "d")]
        crashes = self.executable("crashes", "#!/bin/sh\necho no disk >&2; kill -9 $$\n")
        for what, bad, words in (("hangs", self.program("hangs", list_hang=True), "not done within the time limit"),
                                 ("crashes", crashes, "killed by SIGKILL (Killed) while listing: no disk")):
            with self.subTest(what):
                began = time.monotonic()
                result = self.gate([self.program("a"), other[0]], [bad, other[1]], "--timeout", "1s", code=4)
                self.assertLess(time.monotonic() - began, 40)
                verdicts = self.verdicts(result)
                self.assertEqual(verdicts.pop("BM_other"), "SAME")
                self.assertEqual(verdicts, dict.fromkeys(TIMES, "FAILED"))
                self.assertIn(words, self.text)
                self.assertIn(f"new: {what}: ", " ".join(result["reasons"]))

                # Nothing is known of its rows where neither side can be listed.
                result = self.gate(bad, bad, "--timeout", "1s", code=4)
                self.assertEqual(result["rows"], [])
                self.assertEqual(len(result["reasons"]), 2)
                self.assertIn(words, self.cupel("calibrate", bad, "--timeout", "1s", code=4).err)

    def test_passes_where_one_was_renamed_and_the_file_of_renames_says_so(self):
        renamed = {**without("BM_work/2"), "BM_new/2": 2000.0}
        renames = self.file("renames.json", {"BM_work/2": "BM_new/2"})
        self.gate(self.program("a"), self.program("b", renamed), code=4)
        kept = self.folder / "kept"
        result = self.gate(self.program("a"), self.program("b", renamed), "--renames", renames, "--keep", kept)
        self.assertEqual(self.verdicts(result)["BM_new/2"], "SAME")
        self.assertNotIn("BM_work/2", self.verdicts(result))

        # The same file does the same in compare and against a stored result, and harms no side that has the new name.
        stored = self.file("old.json", (kept / "screen-base.json").read_text().replace("BM_new/2", "BM_work/2"))
        for arguments in (("compare", stored, kept / "screen-new.json", "--renames", renames),
                          ("gate", "--baseline", stored, "--new", kept / "screen-new.json", "--renames", renames,
                           "--max-inconclusive", 100)):
            ended = self.cupel(*arguments, code=0)
            self.assertNotIn("MISSING", ended.out)
            self.assertNotIn("NOT-COMPARABLE", ended.out)

    def test_refuses_a_file_of_renames_that_is_none(self):
        for text, words in (('{"a": "b", "b": "c"}', "renamed again"), ('{"a": "c", "b": "c"}', "to the same"),
                            ('{"a": 1}', '"a": must be a name'), ("[]", "must be an object")):
            renames = self.file("renames.json", text)
            ended = self.cupel("gate", *self.sides(), "--renames", renames, code=2)
            self.assertIn("renames.json", ended.err)
            self.assertIn(words, ended.err)

    def test_takes_what_google_benchmark_writes_and_json_forbids(self):
        for word in ("nan", "twice", "locale"):
            with self.subTest(word):
                self.gate(self.program("a"), self.program("b", **{word: "BM_work/2"}))

    def test_ends_with_5_where_nothing_matches(self):
        self.cupel("gate", *self.sides(), "--filter", "nothing", code=5)

    def test_of_a_process_that_ends_badly_after_all_of_it_are_shown_and_fail_the_gate(self):
        for late, words in (("crash", "killed by SIGABRT"), ("exit", "ended with exit code 7")):
            result = self.gate(self.program("a"), self.program("b", late=late), code=4)
            self.assertEqual(set(self.verdicts(result).values()), {"SAME"})
            self.assertIn(f"screen new b, process 1: {words}", result["reasons"][0])
            self.assertIn("incomplete", self.text)

    def test_of_a_process_that_ends_well_and_gives_half_a_file_is_incomplete_though_all_rows_are_there(self):
        result = self.gate(self.program("a"), self.program("b", late="cut"), code=4)
        self.assertEqual(set(self.verdicts(result).values()), {"SAME"})
        self.assertIn("screen new b, process 1: cut short in the middle of its result", result["reasons"][0])

    def test_that_a_process_lacks_which_ends_well_runs_again_by_itself(self):
        log = self.folder / "log"
        again = self.program("b", lacks={"BM_work/2": "others"}, log=str(log))
        self.assertEqual(set(self.verdicts(self.gate(self.program("a"), again)).values()), {"SAME"})
        self.assertEqual([line.split()[1] for line in log.read_text().splitlines()], ["5", "1"] * 5)

        verdicts = self.verdicts(self.gate(self.program("a"), self.program("c", lacks={"BM_work/2": "always"}), code=4))
        self.assertEqual(verdicts.pop("BM_work/2"), "FAILED")
        self.assertEqual(set(verdicts.values()), {"SAME"})

    def test_of_a_program_that_gives_nothing_fails_after_two_starts(self):
        listing = "\n".join(TIMES)
        dies = self.executable("dies", f"#!/bin/sh\ncase $* in *list_tests=true*) printf '%s\\n' '{listing}';; "
                                       f"*) echo start >>{self.folder}/starts; echo no licence >&2; exit 3;; esac\n")
        result = self.gate(self.program("a"), dies, code=4)
        self.assertEqual(set(self.verdicts(result).values()), {"FAILED"})
        self.assertIn("no licence", self.text)
        # Two in the first two processes, by which two benchmarks have ended one and one more than one.
        self.assertLessEqual(len((self.folder / "starts").read_text().splitlines()), 30)

    def test_is_not_given_up_where_the_place_of_the_outputs_is_wrong_but_refused_before(self):
        self.file("file", "")
        for wrong in (("--keep", self.folder / "file"), ("--output", f"markdown={self.folder}")):
            log = self.folder / "log"
            self.refuses(str(wrong[1]).rpartition("=")[2], "gate", "--base", self.program("a", log=str(log)), "--new",
                         self.program("b"), *wrong)
            self.assertFalse(log.exists(), "measured before saying so")

    def test_goes_to_a_device_a_pipe_and_a_link_which_stay(self):
        (self.folder / "link").symlink_to("real.md")
        ended = self.cupel("gate", *self.sides(), "--output", "markdown=/dev/stdout",
                           "--output", "json=/dev/null", "--output", f"text={self.folder / 'link'}", code=0)
        self.assertIn("### cupel gate", ended.out)
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        self.assertTrue((self.folder / "link").is_symlink())
        self.assertIn("cupel gate: passed", (self.folder / "real.md").read_text())


class Policies(GateTest):
    def test_takes_the_one_that_explain_shows(self):
        policy = self.cupel("explain", "policy", code=0).out.partition("{")
        self.gate(self.program("a"), self.program("b"), "--policy", self.file("p.json", policy[1] + policy[2]))

    def test_names_the_key_that_it_does_not_know_and_ends_with_2(self):
        policy = self.file("p.json", {"cupel_gate_policy": 1, "tolerence": 0.5})
        self.refuses("/tolerence", "gate", *self.sides(), "--policy", policy)

    def test_ends_soon_whatever_a_pattern_repeats_and_refuses_what_could_not(self):
        times = {"BM_" + 200 * "a" + "!": 1000.0}
        pattern = {"cupel_gate_policy": 1, "overrides": [{"benchmark": "(a+)+$", "tolerance": 0.1, "target": 0.2}]}
        self.gate(self.program("a", times), self.program("b", times), "--policy", self.file("p.json", pattern))
        pattern["overrides"][0]["benchmark"] = "^(?!BM_)"
        ended = self.cupel("gate", *self.sides(), "--policy",
                           self.file("p.json", pattern), code=2)
        self.assertIn("/overrides/0/benchmark", ended.err)
        self.assertIn("looking ahead or behind is not supported", ended.err)

    def test_lets_through_what_is_allowed_until_it_expires(self):
        for expires, code in (("2999-12-31", 0), ("2001-01-01", 1)):
            policy = self.file("p.json", {"cupel_gate_policy": 1, "allow": [
                {"benchmark": "^BM_work/3$", "verdict": "SLOWER", "reason": "checks its input", "expires": expires}]})
            result = self.gate(self.program("a"), self.program("b", SLOWER), "--policy", policy, code=code)
            self.assertEqual(bool(result["warnings"]), code == 1)
        self.assertIn("ended on 2001-01-01", self.text)

    def test_takes_a_tolerance_for_a_pattern(self):
        policy = self.file("p.json", {"cupel_gate_policy": 1, "overrides": [
            {"benchmark": "/3$", "tolerance": 0.1, "target": 0.15}]})
        result = self.gate(self.program("a"), self.program("b", SLOWER), "--policy", policy)
        self.assertEqual(self.verdicts(result)["BM_work/3"], "SAME")

    def test_ships_a_policy_that_it_reads(self):
        self.gate(self.program("a"), self.program("b"), "--policy", ROOT / "ci" / "gate.json", "--renames",
                  ROOT / "ci" / "renames.json")


class Busy(GateTest):
    """How long a process waited for a CPU is said by cupel's own executables, and by the kernel of all others."""

    NAME = "work/work/bytes:4096"

    def side(self, name, **words):
        folder = self.folder / name
        folder.mkdir()
        return self.family("work", folder, **words)

    def test_measures_again_on_both_sides_what_had_to_wait(self):
        kept = self.folder / "kept"
        result = self.gate(self.side("calm"), self.side("busy", mode="busy", **{"in": 2}), "--keep", kept,
                           "--max-inconclusive", 100, "--budget", "1ms")
        row = self.times(result)[self.NAME]
        self.assertEqual((row["base"]["processes"], row["base"]["busy"]), (6, 0))
        self.assertEqual((row["new"]["processes"], row["new"]["busy"]), (5, 1))
        self.assertAlmostEqual(row["ratio"], 1, delta=0.02)
        self.assertIn("new: 1 process left out: threads waited for a CPU", "".join(row["notes"]))
        others = [r for name, r in self.times(result).items() if name != self.NAME]
        self.assertEqual({r["new"]["processes"] for r in others}, {5})
        self.assertEqual(json.loads((kept / "screen-new.json").read_text())["context"]["cupel"]["run"]["processes"], 6)

    def test_gives_no_verdict_on_a_machine_that_is_always_busy(self):
        sides = self.side("calm"), self.side("busy", mode="busy")
        result = self.gate(*sides, "--max-inconclusive", 100, code=4)
        self.assertEqual(self.verdicts(result)[self.NAME], "BUSY")
        self.assertIsNone(self.times(result)[self.NAME]["ratio"], "nothing is known of it")
        policy = {"cupel_gate_policy": 1, "on": {"busy": "ignore"}}
        said = " ".join(self.text.split())
        self.assertIn("and got no verdict (stop other programs, or run ahead of them, by sudo chrt -f 1 cupel gate ...", said)
        self.assertIn(f"or judge the other rows alone: --policy FILE, in it {json.dumps(policy)})", said)
        ignore = self.file("p.json", policy)
        row = self.times(self.gate(*sides, "--max-inconclusive", 100, "--policy", ignore))[self.NAME]
        self.assertEqual(row["verdict"], "BUSY")
        self.assertAlmostEqual(row["ratio"], 3, delta=0.1)  # so the fake has it
        self.assertEqual((row["lower"], row["p"], row["new"]["processes"]), (None, None, 0))
        said = "not judged, since the machine was busy, which the policy ignores (on.busy); the change shown is over all processes"
        self.assertEqual(row["notes"][0], said)
        self.assertRegex(" ".join(self.text.split()), rf"BUSY \S+ host 3\.\d+x .*{re.escape(said)}")

    def test_leaves_out_and_measures_again_another_program_that_had_to_wait(self):
        one = {"BM_work": 1000.0}
        calm, busy = (self.program(name, one, waited=waited) for name, waited in
                      (("calm", [0]), ("busy", [0, 0, 5, 0, 0, 0])))
        row = self.times(self.gate(calm, busy))["BM_work"]
        self.assertEqual((row["base"]["processes"], row["base"]["busy"]), (6, 0))
        self.assertEqual((row["new"]["processes"], row["new"]["busy"]), (5, 1))
        self.assertIn("new: 1 process left out: threads waited for a CPU", "".join(row["notes"]))

    def test_gives_no_verdict_on_another_program_that_always_has_to_wait(self):
        one = {"BM_work": 1000.0}
        result = self.gate(self.program("calm", one), self.program("busy", one, waited=[5]), code=4)
        self.assertEqual(self.verdicts(result), {"BM_work": "BUSY"})
        self.assertNotIn("--policy", self.text, "no other row is left to judge")

    def test_calibrates_without_the_processes_that_had_to_wait(self):
        busy = self.program("busy", {"BM_work": 1000.0}, waited=[0, 0, 5, 0, 0, 0])
        self.assertIn("waited for a CPU", self.cupel("calibrate", busy, "--runs", 1, code=0).err)


class Pace(GateTest):
    def test_foretells_a_stage_by_the_starts_and_the_benchmarks_that_were_measured(self):
        slow = {"start_s": 0.2, "takes": {name: 0.02 for name in TIMES}, "min_time": "both"}
        self.gate(self.program("a", **slow), self.program("b", SLOWER, **slow), code=1)
        foretold, unit = self.about("confirm: 1 benchmark, 12 processes a side")
        self.assertEqual(unit, "s")
        self.assertGreater(foretold, 24 * 0.15)  # each process starts by itself, for 0.22 s
        self.assertLess(foretold, 24 * 0.4)

    def test_says_how_long_it_takes_where_the_first_processes_took_much_longer(self):
        slow = {"takes": {"BM_work": 2.0}, "min_time": "both"}
        one = {"BM_work": 1e6}
        self.gate(self.program("a", one, **slow), self.program("b", one, **slow), "--processes", 3, "--budget", "1s")
        self.assertRegex(self.err, r"\nabout [5-9]\.\d+ s left, judging by the first processes\n")

    def test_says_how_long_it_takes_where_the_first_processes_took_much_less(self):
        many = {f"BM_work/{n}": 1e3 for n in range(1, 10)}
        self.gate(self.program("a", many, min_time="both"), self.program("b", many, min_time="both"), "--budget", "1ms", "--max-inconclusive", 100)
        self.assertRegex(self.err, r"screen: 9 benchmarks, 5 processes a side, about 9\.\d+ s\nabout \d\S* m?s left, judging by the first")

    def about(self, stage):
        number, unit = re.search(rf"{stage}, about ([\d.]+) (\w+)", self.err).groups()
        return float(number), unit


class Sampling(GateTest):
    """How long programs that are not cupel's sample each benchmark."""

    ONE = {"BM_work": 1000.0}

    def sampled(self, old, new, *arguments, code=0, **more):
        """Runs the gate; what each side was given of --benchmark_min_time, and what its record says of it."""
        log, kept = self.folder / "log", self.folder / "kept"
        log.unlink(missing_ok=True)
        sides = [self.program(name, self.ONE, log=str(log), **words) for name, words in (("a", old), ("b", new))]
        self.gate(*sides, "--keep", kept, *arguments, code=code, **more)
        given = {line.split()[0]: line.split()[2:] for line in log.read_text().splitlines()[-10:]}
        notes = [self.result(kept / f"screen-{side}.json")["context"]["cupel"]["run"]["notes"] for side in ("base", "new")]
        return given, [note.get("--benchmark_min_time") for note in notes]

    def test_is_short_in_the_spelling_that_each_release_takes(self):
        spelt = {"bare": ["0.05"], "suffix": ["0.05s"], "both": ["0.05s"]}
        for old, new in (("bare", "bare"), ("suffix", "suffix"), ("bare", "both")):
            with self.subTest(old=old, new=new):
                given, said = self.sampled({"min_time": old}, {"min_time": new})
                self.assertEqual(given, {"a": spelt[old], "b": spelt[new]})
                self.assertEqual(said, ["0.05 s", "0.05 s"])

    def test_is_the_same_for_both_sides_where_one_refuses_the_flag(self):
        for old in ({}, {"min_time": "lists"}):
            with self.subTest(old):
                given, said = self.sampled(old, {"min_time": "both"})
                self.assertEqual(given, {"a": [], "b": []})
                self.assertEqual(said, ["as the program has it"] * 2)

    def test_is_the_users_where_they_say_it(self):
        both = {"min_time": "both"}
        self.assertEqual(self.sampled(both, both, "--arg=--benchmark_min_time=2x"),
                         ({"a": ["2x"], "b": ["2x"]}, ["2x"] * 2))
        self.assertEqual(self.sampled(both, both, BENCHMARK_MIN_TIME="3s"), ({"a": [], "b": []}, ["3s"] * 2))

    def test_is_a_difference_where_a_stored_baseline_or_a_calibration_has_another(self):
        new, kept, slow = self.program("new", self.ONE, min_time="both"), self.folder / "kept", "--arg=--benchmark_min_time=1s"
        calibration, stored = self.folder / "c.json", kept / "screen-base.json"
        self.cupel("calibrate", new, "--output", calibration, slow, code=0)
        self.gate(new, new, "--keep", kept, slow)
        result = self.gate(new, new, "--calibration", calibration)
        self.assertIn("sampling time: 1s when calibrated, 0.05 s now", " ".join(result["warnings"]))
        old = json.loads(calibration.read_text())
        old["fingerprint"] = [key for key in old["fingerprint"] if key["name"] != "sampling time"]
        result = self.gate(new, new, "--calibration", self.file("old.json", old))
        self.assertIn("sampling time: unknown when calibrated, 0.05 s now", " ".join(result["warnings"]))
        foreign = {"context": {}, "benchmarks": [{"name": "BM_work", "iterations": 1, "real_time": 1e3, "time_unit": "ns"}]}
        for baseline, was in ((stored, "1s"), (self.file("foreign.json", foreign), "unknown")):
            out = self.folder / "out.json"
            self.cupel("gate", "--baseline", baseline, "--new", new, "--output", f"json={out}")
            differences = [d for d in json.loads(out.read_text())["differences"] if d["name"] == "sampling time"]
            self.assertEqual([(d["base"] or "unknown", d["new"]) for d in differences], [(was, "0.05 s")])


class Usage(GateTest):
    def test_ends_with_2_on_wrong_usage(self):
        a, b = self.program("a"), self.program("b")
        result = self.file("r.json", "{}")
        stored = self.file("stored.json", {"context": {}, "benchmarks": [
            {"name": "BM_a", "run_type": "iteration", "iterations": 1, "real_time": 1.0, "time_unit": "ns"}]})
        for arguments, words in ((["--base", a], "name the new side: --new EXE"), (["--new", b], "name the old side once: --base EXE"),
                                 (["--base", a, "--new", b, "--output", "text"], "FORMAT=FILE"),
                                 (["--base", a, "--new", b, "--output", "xml=x"], "FORMAT=FILE"),
                                 (["--base", a, "--new", result], "--baseline"),
                                 (["--base", a, "--new", self.folder / "none"], "no such file"),
                                 (["--base", a, "--new", self.file("r.txt", "x")], "cannot be run"),
                                 (["--baseline", self.file("e.json", ""), "--new", b], "e.json"),
                                 (["--baseline", stored, "--new", self.file("e.json", "")], "e.json"),
                                 (["--baseline", result, "--new", b], "r.json"),
                                 (["--base", a, "--new", b, "--tolerance", "0.01"], "0.1 to 50 percent"),
                                 (["--base", a, "--new", b, "--tolerance", "5 %"], "not below the target of 3"),
                                 (["--base", a, "--new", b, "--target", "1%"], "nothing could be called SAME"),
                                 (["--base", a, "--new", b, "--max-wall", "25h"], "--max-wall: 90000 lies outside"),
                                 (["--base", a, "--new", b, "--policy", self.file("p.json", {
                                     "cupel_gate_policy": 1, "overrides": [{"benchmark": "^x$", "tolerance": 0.1}]})],
                                  "'^x$'"),
                                 (["--base", a, "--new", b, "--policy", self.folder / "none"], "none")):
            with self.subTest(arguments):
                self.refuses(words, "gate", *arguments)

    def test_says_once_that_a_program_measures_where_it_is_to_list(self):
        table = "-------------\nBenchmark Time CPU Iterations\n-------------\nBM_x 1 ns 1 ns 100"
        for answer in ('{"context": {}, "benchmarks": [{"name": "BM_x"}]}', table):
            with self.subTest(answer):
                program = self.executable("stand-in", f"#!/bin/sh\ncat <<'END'\n{answer}\nEND\n")
                err = self.refuses("stand-in does not list its benchmarks: ", "gate", "--base", program, "--new", program)
                self.assertEqual(err.count("is it a Google Benchmark program?"), 1)
                self.assertEqual(len(err.splitlines()), 1, err)

    def test_ends_with_2_where_what_is_to_run_is_no_benchmark_program(self):
        a, result = self.program("a"), self.file("r.json", "{}")
        for arguments, words in ((["gate", "--base", "/bin/true", "--new", a], "/bin/true lists no benchmarks"),
                                 (["calibrate", result], "r.json is a result file"),
                                 (["calibrate", self.file("r.txt", "x")], "cannot be run"),
                                 (["calibrate", "/bin/true"], "/bin/true lists no benchmarks"),
                                 (["calibrate", self.folder / "none"], "no such file")):
            with self.subTest(arguments):
                self.refuses(words, *arguments)

    def test_ends_with_2_at_once_where_what_is_to_run_is_no_file(self):
        """A pipe has no writer to wait for."""
        a, pipe, place = self.program("a"), self.folder / "pipe", self.folder / "socket"
        os.mkfifo(pipe)
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(str(place))
        for path in (pipe, place, "/dev/zero", self.bench):
            for arguments in (["gate", "--base", path, "--new", a], ["gate", "--base", a, "--new", path],
                              ["calibrate", path]):
                with self.subTest(arguments):
                    self.refuses("cannot be run: it is no executable file", *arguments)
        stored = self.file("stored.json", {"context": {}, "benchmarks": [
            {"name": "BM_a", "run_type": "iteration", "iterations": 1, "real_time": 1.0, "time_unit": "ns"}]})
        for path in (pipe, place, "/dev/zero"):
            for arguments in (["--baseline", stored, "--new", path], ["--baseline", path, "--new", a]):
                with self.subTest(arguments):
                    self.refuses(str(path), "gate", *arguments)

    def test_refuses_one_name_in_two_programs(self):
        self.refuses("BM_work/1", "gate", "--base", self.program("a"), self.program("c"), "--new", self.program("b"))

    def test_gates_several_programs_at_once(self):
        other = {"BM_other": 500.0}
        result = self.gate(self.program("a"), self.program("b"))
        ended = self.cupel("gate", "--base", self.program("a"), self.program("a2", other), "--new", self.program("b"),
                           self.program("b2", other), "--format", "json", code=0)
        self.assertEqual(set(self.verdicts(json.loads(ended.out))), set(self.verdicts(result)) | {"BM_other"})

    def test_ends_with_130_on_interrupt(self):
        a, b = self.program("a", hang="BM_work/2"), self.program("b")
        process = self.start("gate", "--base", a, "--new", b, "--output", f"junit={self.folder / 'junit.xml'}")
        self.wait_for((self.folder / "a.starts").exists)
        out, _ = self.ended_by(signal.SIGINT, process)
        self.assertIn("\nthe gate was interrupted before everything was measured (gate again)\n", out)
        self.assertTrue(out.endswith("\ncupel gate: undecided, exit code 130\n"), out)
        self.assertNotIn("passed", out)
        self.assertNotIn('errors="0"', (self.folder / "junit.xml").read_text())

    def test_ends_with_130_on_interrupt_while_a_program_lists(self):
        hangs = self.program("hangs", list_hang=True)
        process = self.start("gate", "--base", hangs, "--new", hangs)
        self.wait_for((self.folder / "hangs.lists").exists)
        self.ended_by(signal.SIGINT, process)

    def test_does_not_write_over_measurements(self):
        stored = self.file("stored.json", '{\n  "context": {}, "benchmarks": []}')
        ended = self.cupel("gate", *self.sides(), "--output", f"json={stored}",
                           code=2)
        self.assertIn("holds measurements, which are not replaced", ended.err)

    def test_by_a_signal_that_the_child_has_first_it_ends_with_130_and_blames_nothing(self):
        """As a scheduler ends a job."""
        process = self.start("gate", "--base", self.program("a", hang="BM_work/2"), "--new", self.program("b"))
        self.wait_for((self.folder / "a.starts").exists)
        child, = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        os.kill(int(child), signal.SIGTERM)
        time.sleep(0.1)
        _, err = self.ended_by(signal.SIGTERM, process)
        self.assertNotIn("failed", err)


class Outputs(GateTest):
    def regression(self, *arguments, **more):
        return self.gate(self.program("a"), self.program("b", SLOWER), *arguments, code=1,
                         **more)

    def test_writes_several_at_once(self):
        files = {f: self.folder / f for f in ("markdown", "junit", "customSmallerIsBetter", "bencher", "annotations")}
        self.regression(*[word for f, path in files.items() for word in ("--output", f"{f}={path}")])
        suite = xml.etree.ElementTree.parse(files["junit"]).getroot()
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("6", "1"))
        self.assertIn("BM_work/3", files["markdown"].read_text())
        self.assertEqual(len(json.loads(files["customSmallerIsBetter"].read_text())), 6)
        self.assertEqual(set(json.loads(files["bencher"].read_text())), set(TIMES))
        self.assertIn("::error title=BM_work/3::SLOWER", files["annotations"].read_text())

    def test_says_a_line_a_stage_and_each_failure_once_where_there_is_no_terminal(self):
        slow = self.program("b", {**SLOWER, "BM_broken": 1.0}, fail={"BM_broken": "no memory"}, min_time="both")
        self.gate(self.program("a", {**TIMES, "BM_broken": 1.0}, min_time="both"), slow, code=1)
        lines = self.err.splitlines()
        self.assertRegex(lines[0], r"^the screen takes about [\d.]+ s, all stages at most .*; --budget bounds it$")
        self.assertRegex(lines[1], r"^screen: 7 benchmarks, 5 processes a side, about ")
        self.assertEqual([line for line in lines if "BM_broken" in line], ["BM_broken: failed: no memory (new)"])
        self.assertEqual([line.split(",")[0] for line in lines if line.startswith("confirm: ")], ["confirm: 1 benchmark"])
        self.assertLess(len(lines), 9)

    def test_says_where_a_budget_bounds_it_and_where_the_screen_is_too_long_for_it(self):
        sides = [self.program(name, min_time="both") for name in ("a", "b")]
        self.gate(*sides, "--budget", "2m")
        self.assertRegex(self.err, r"^the screen takes about [\d.]+ s, all stages at most 2 min, the budget\n")
        self.gate(*sides, "--budget", "10ms")
        self.assertRegex(self.err, r"^the screen takes about [\d.]+ s, more than the budget of 10\.0 ms: --filter or ")

    def test_annotates_in_github_actions(self):
        self.regression(GITHUB_ACTIONS="true")
        self.assertIn("::error", self.text)
        self.regression()
        self.assertNotIn("::error", self.text)

    def test_json_is_as_its_schema_says(self):
        check_schema(self, self.regression(), "gate-result.schema.json")

    def test_the_policy_that_ships_is_as_its_schema_says(self):
        check_schema(self, json.loads((ROOT / "ci" / "gate.json").read_text()), "gate-policy.schema.json")


class NoDevice(GateTest):
    """What a gate ends with where there is no usable GPU: 3 where that leaves nothing, else the skipped executable is incomplete."""

    def setUp(self):
        super().setUp()
        self.gpu = self.family("gpu", needs_device=1, no_device="no CUDA-capable device is detected")
        self.host = self.program("host")

    def test_ends_with_3_where_a_gpu_was_asked_for_and_nothing_else(self):
        ended = self.cupel("gate", "--base", self.gpu, "--new", self.gpu, code=3)
        self.assertIn("no CUDA-capable device is detected", ended.out + ended.err)

    def test_ends_with_4_where_other_executables_were_compared(self):
        ended = self.cupel("gate", "--base", self.gpu, self.host, "--new", self.gpu, self.host, code=4)
        self.assertIn("all of gpu was skipped on both sides (", ended.out)

    def test_ends_with_1_where_the_only_other_row_is_noisier(self):
        calm, erratic = self.program("calm", {"BM_x": 1000.0}), self.program("erratic", {"BM_x": 1000.0}, noise=0.3)
        self.cupel("gate", "--base", self.gpu, calm, "--new", self.gpu, erratic, code=1)


class Calibrated(GateTest):
    def test_calibrates_gates_by_it_and_against_a_stored_result(self):
        a, b = self.program("a"), self.program("b", {**TIMES, "BM_work/3": 3300.0})
        calibration = self.folder / "c.json"
        for _ in range(2):
            ended = self.cupel("calibrate", a, "--output", calibration, "--add", code=0)
        self.assertIn("6 of 6 benchmarks are gateable at 3", ended.out)
        refused = self.cupel("calibrate", a, "--output", calibration)
        self.assertEqual(refused.code, 2, "a calibration is not replaced without --force")
        self.assertIn("--add", refused.err)
        known = json.loads(calibration.read_text())["benchmarks"]["BM_work/1"]
        self.assertEqual(known["processes"], 40)
        self.assertAlmostEqual(known["sigma"], 0.003, delta=0.0015)
        self.gate(a, b, "--calibration", calibration, code=1)

        # One result file of 12 processes stands for the old side.
        stored = self.folder / "stored"
        self.gate(a, a, "--processes", 12, "--keep", stored)
        out = self.folder / "s.json"
        ended = self.cupel("gate", "--baseline", stored / "screen-base.json", "--new", b, "--calibration", calibration,
                           "--output", f"json={out}", code=1)
        verdicts = self.verdicts(json.loads(out.read_text()))
        self.assertEqual([n for n, v in verdicts.items() if v == "SLOWER"], ["BM_work/3"])
        self.assertIn("margin", json.loads(out.read_text())["rows"][0]["notes"][0])
        for new in (b, stored / "screen-new.json"):
            self.cupel("gate", "--baseline", stored / "screen-base.json", "--new", new, "--filter", "BM_work/[12]$",
                       "--output", f"json={out}")
            self.assertEqual(set(self.verdicts(json.loads(out.read_text()))), {"BM_work/1", "BM_work/2"})
        self.refuses("matches", "gate", "--baseline", stored / "screen-base.json", "--new", b, "--filter", "nothing", code=5)
        ended = self.cupel("gate", "--baseline", stored / "screen-base.json", "--new", stored / "screen-new.json",
                           "--calibration", calibration, code=0)


class Histories(GateTest):
    def add(self, commit, night, factor):
        a = self.program(f"p{night}", {n: t * factor for n, t in TIMES.items()}, noise=0.001, seed=night)
        kept = self.folder / f"kept{night}"
        self.gate(a, a, "--processes", 5, "--keep", kept, "--max-inconclusive", 100)
        ended = self.cupel("history", "add", kept / "screen-base.json", self.folder / "h", "--commit", commit,
                           "--date", f"2026-01-{night:02}T00:00:00Z", code=0)
        again = self.cupel("history", "add", kept / "screen-base.json", self.folder / "h", "--commit", commit,
                           "--date", f"2026-01-{night:02}T00:00:00Z")
        self.assertEqual(again.code, 2, "a point is not replaced without --force")
        self.assertIn("--force", again.err)

    def test_sees_small_steps_add_up_since_the_release(self):
        for night, factor in enumerate([1] * 10 + [1.009, 1.018, 1.027], 1):
            self.add("release" if night == 10 else f"c{night}", night, factor)
        self.assertEqual(self.cupel("history", self.folder / "h").code, 0)
        # Three sessions after ten show nothing of six benchmarks; five can.
        held = ("history", self.folder / "h", "--release", "release", "--merge-base", "c12")
        ended = self.cupel(*held, code=6)
        self.assertIn("2 more sessions of the newest commit can show it", " ".join(ended.out.split()))
        self.assertRegex(ended.out, r"INCONCLUSIVE\s+\+2\.\d %")
        drifts = json.loads(self.cupel(*held, "--format", "json", code=6).out)["drifts"]
        undecided = [d for d in drifts if d["undecided"]]
        self.assertEqual([d["sessions_to_show"] for d in undecided if d["reference"] == "release"], [2] * 6)
        # Of those since c12, 0.9 % ahead, as many look slower as the order of starts lets.
        self.assertRegex(" ".join(ended.out.split()), r"^Times over commits.* No benchmark of the newest commit, c13, is slower than a "
                         r"reference, and 6 are undecided; \d steps? in 13 points of 6 benchmarks\.")
        for night in (14, 15):
            self.add("c13", night, 1.027)
        ended = self.cupel(*held, code=1)
        self.assertIn("6 benchmarks of the newest commit, c13, are slower than a reference; ", " ".join(ended.out.split()))
        self.assertIn("\n--legend says what the columns mean.\n", ended.out)
        self.assertIn("\ntime: the newest commit", self.cupel(*held, "--legend", code=1).out)
        accepted = self.file("accepted.json", {"cupel_accepted": 1, "accepted": [
            {"benchmark": ".", "ratio": 1.03, "reason": "safer", "commit": "c13", "expires": "2999-01-01"}]})
        ended = self.cupel("history", self.folder / "h", "--release", "release", "--accepted", accepted, "--format",
                           "json", code=0)
        self.assertEqual(json.loads(ended.out)["newest"], "c13")

    def test_names_the_boards_and_what_runs_of_one_level_differ_by(self):
        for night in range(1, 7):
            self.add(f"c{night}", night, 1)
        for i, point in enumerate(sorted((self.folder / "h").glob("*/*.json"))):
            kept = json.loads(point.read_text())
            kept["fingerprint"] = [{"name": "board", "value": f"GPU-{i // 5}"}]
            point.write_text(json.dumps(kept))
        out = " ".join(self.cupel("history", self.folder / "h", code=0).out.split())
        self.assertIn("board: GPU-0 of 5 points, GPU-1 of 1 point", out)
        self.assertRegex(out, r"Each point is a run of its own; those of one level differ by [\d.]+ %")
        kept = json.loads(self.cupel("history", self.folder / "h", "--format", "json", code=0).out)
        self.assertEqual(kept["environment"][0]["values"][1], {"value": "GPU-1", "points": 1})
        page = self.cupel("history", self.folder / "h", "--format", "html", code=0).out
        self.assertIn("No benchmark made a step or drifted", page)
        page = self.cupel("history", self.folder / "h", "--format", "html", "--all", code=0).out
        self.assertEqual(page.count('<svg class="chart"'), len(TIMES))
        self.assertEqual(page.count("</svg>board: GPU-0 -&gt; GPU-1 at c6</li>"), len(TIMES))
        self.assertIn("\nc6, 2026-01-06T00:00:00Z\n", page)

    def test_draws_the_trend_of_what_made_a_step(self):
        self.add("c1", 1, 1)
        (first,) = (self.folder / "h").glob("*/*.json")
        kept = json.loads(first.read_text())
        for night in range(2, 21):
            factor = (1 if night < 7 else 1.2) * (1 + night * 7 % 5 / 1e4)
            times = {name: [t * factor for t in ts] for name, ts in kept["locations_s"].items()}
            point = {**kept, "commit": f"c{night}", "date": f"2026-01-{night:02}T00:00:00Z", "locations_s": times}
            first.with_name(f"{night:02}.json").write_text(json.dumps(point))
        page = self.cupel("history", self.folder / "h", "--format", "html").out
        self.assertEqual(page.count('<svg class="chart"'), len(TIMES))
        self.assertRegex(page, r"</svg>step of \+\d+(\.\d+)? % at c7</li>")

    def test_follows_a_benchmark_through_a_new_name(self):
        for night in range(1, 7):
            self.add(f"c{night}", night, 1)
        for point in sorted((self.folder / "h").glob("*/*.json"))[:3]:
            point.write_text(point.read_text().replace("BM_work/", "BM_old/"))
        renames = self.file("renames.json", {n.replace("BM_work", "BM_old"): n for n in TIMES})
        apart = self.cupel("history", self.folder / "h", "--release", "c1", "--format", "json")
        self.assertEqual(apart.code, 5, apart.out)
        together = self.cupel("history", self.folder / "h", "--release", "c1", "--format", "json", "--renames", renames)
        self.assertEqual(together.code, 0, together.out)
        drifts = json.loads(together.out)["drifts"]
        self.assertEqual({d["benchmark"] for d in drifts}, set(TIMES))
        self.assertTrue(all(d["decidable"] and not d["slower"] for d in drifts))

    def test_says_what_is_wrong_with_a_folder_or_a_name(self):
        self.assertEqual(self.cupel("history", self.folder / "none").code, 2)
        ended = self.cupel("history", "add", self.file("r.json", "{}"), self.folder / "h", "--commit", "../evil", code=2)

    def test_takes_the_revision_that_the_file_has_for_the_commit(self):
        self.family("a")
        self.run_it("--processes", 3)
        result = json.loads(self.output.read_text())
        revision = result["context"]["cupel"]["build"]["git_revision"]
        ended = self.cupel("history", "add", self.output, self.folder / "h", code=0)
        self.assertIn(f"-{revision[:12]}", ended.out)
        del result["context"]["cupel"]["build"]["git_revision"]
        self.refuses("say --commit", "history", "add", self.file("r.json", result), self.folder / "h")

    def test_a_record_that_leaves_facts_out_is_of_the_machine_that_it_does_not_contradict(self):
        def machine(folder, commit, **device):
            result = made_up.result([made_up.row("a/b", 0, [1e-3])], device=device)
            ended = self.cupel("history", "add", self.file("r.json", result), folder, "--commit", commit, code=0)
            return ended.out.split("/")[-2]

        whole, silent = {"ecc": True, "mig": False}, {}
        for name, order in ("whole", (whole, silent)), ("silent", (silent, whole)):
            first = machine(name, "c0", **order[0])
            self.assertEqual([machine(name, f"c{i}", **device) for i, device in enumerate((*order, *order), 1)], [first] * 4)
            self.assertNotEqual(machine(name, "d0", name="NVIDIA H100"), first)
            other = machine(name, "e0", ecc=False, mig=False)
            self.assertNotEqual(other, first, "its ECC is off")
            self.assertEqual(machine(name, "e1", ecc=False, mig=False), other)
        (self.folder / "two").mkdir()
        both = {machine("two", "c0", ecc=True), machine("two", "c1", ecc=False)}
        self.assertEqual(len(both), 2)
        self.assertNotIn(machine("two", "c2"), both, "it may be of either")

    def test_takes_the_date_of_the_file(self):
        """In UTC; of a file that does not say it, when the file was written."""
        row = {"name": "BM_a", "run_type": "iteration", "iterations": 1, "real_time": 1.0, "time_unit": "ns"}
        for said, taken in (("2026-11-20T06:35:00+02:00", "20261120T043500Z"), ("2019-03-14 10:25:13", "20190314T102513Z"),
                            ("2015/03/17-18:40:25", "20150317T184025Z"), (None, "20200102T030405Z")):
            with self.subTest(said):
                file = self.file("r.json", {"context": {} if said is None else {"date": said}, "benchmarks": [row]})
                os.utime(file, (1577934245, 1577934245))
                ended = self.cupel("history", "add", file, self.folder / "h", "--commit", "c", code=0)
                self.assertIn(f"/{taken}-c.json", ended.out)

    def test_says_what_the_file_of_a_point_lacks(self):
        row = {"name": "BM_a", "run_type": "iteration", "iterations": 1, "real_time": 1.0, "time_unit": "ns"}
        whole = json.dumps({"context": {}, "benchmarks": [row, {**row, "name": "BM_b"}]})
        file = self.file("r.json", {})
        file.write_text(whole[:-30])
        ended = self.cupel("history", "add", file, self.folder / "h", "--commit", "c", code=0)
        self.assertIn("r.json: cut short after 1 complete row", ended.err)
        twice = [{**row, "repetitions": 1, "family_index": index} for index in (0, 1)]
        ended = self.cupel("history", "add", self.file("t.json", {"context": {}, "benchmarks": twice}), self.folder / "h", "--commit", "c", code=5)
        self.assertIn("BM_a is left out: its name occurs twice", ended.err)

    def test_refuses_a_date_that_is_none(self):
        self.family("a")
        self.run_it("--processes", 3)
        for date in ("2026-13-45", "../..", "yesterday", "2026", "2026-11-2x"):
            self.refuses(f"'{date}' is no date", "history", "add", self.output, self.folder / "h", "--commit", "c",
                         "--date", date)
        self.assertFalse((self.folder / "h").exists())
        self.cupel("history", "add", self.output, self.folder / "h", "--commit", "c", "--date", "2026-11-20", code=0)


class Real(GateTest):
    """A real executable against itself: rows may be undecided, or without a verdict where other programs keep the machine
    busy; none may be slower."""

    def test_raises_no_alarm_on_cupels_own_executable(self):
        policy = self.file("policy.json", {"cupel_gate_policy": 1, "on": {"throttled": "ignore"}})
        for seed in range(5):
            ended = self.cupel("gate", "--base", MORE[1], "--new", MORE[1], "--filter", "memcpy/threads:1/bytes:(4096|1048576)$",
                               "--max-wall", "2ms", "--max-inconclusive", 100, "--seed", seed, "--format", "json",
                               "--policy", policy, code=0)
            result = json.loads(ended.out)
            self.assertEqual(len(self.times(result)), 2)
            self.assertEqual(result["slower"], 0)


def check_schema(test, document, name):
    """As much of JSON Schema as ours use: type, enum, const, required, properties, items, additionalProperties."""
    schema = json.loads((ROOT / "docs" / "schema" / name).read_text())
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}

    def fits(value, kind):
        if kind == "number":
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        if kind == "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        return isinstance(value, kinds[kind])

    def check(value, rule, where):
        if "$ref" in rule:
            rule = schema["$defs"][rule["$ref"].rsplit("/", 1)[1]]
        types = rule.get("type", [])
        types = types if isinstance(types, list) else [types]
        test.assertTrue(not types or any(fits(value, kind) for kind in types), f"{where}: {value!r} is no {types}")
        test.assertIn(value, rule.get("enum", [value]), where)
        test.assertEqual(value, rule.get("const", value), where)
        if isinstance(value, dict):
            for key in rule.get("required", []):
                test.assertIn(key, value, where)
            for key, inside in value.items():
                if key in rule.get("properties", {}):
                    check(inside, rule["properties"][key], f"{where}/{key}")
                else:
                    test.assertIsNot(rule.get("additionalProperties"), False, f"{where}/{key} is not in the schema")
        if isinstance(value, list) and "items" in rule:
            for i, inside in enumerate(value):
                check(inside, rule["items"], f"{where}/{i}")

    check(document, schema, "")


if __name__ == "__main__":
    main(*sys.argv[5:])
