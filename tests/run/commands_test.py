"""What the commands print, and how they end."""

import gzip
import json
import re
import subprocess
import time

import made_up
from program import CUPEL, HERE, MORE, ROOT, ProgramTest, kept, main

RESULT = HERE / "golden" / "result.json"


class Run(ProgramTest):
    def test_prints_the_plan_and_measures_nothing_on_a_dry_run(self):
        self.family("gpu", needs_device=1, benchmarks=5, seconds=1.5)
        self.family("host", benchmarks=2)
        self.family("sick", listing="fail")
        ended = self.cupel("run", "--dry-run", "--output", self.output, code=4)
        self.assert_golden(ended.out, "dry_run.txt")
        of_gpu = self.cupel("run", "--dry-run", "--filter", "gpu/work/bytes:1024").out
        self.assertRegex(of_gpu, r"\n1 benchmark, quick profile, about [\d.]+ s if a GPU is there, else nothing\n")
        self.assertNotIn("GPU is there", self.cupel("run", "--dry-run", "host").out)
        self.assertEqual(self.logged(), [])
        self.assertFalse(self.output.exists())

    def test_cuts_sampling_then_processes_to_fit_a_budget_and_says_so(self):
        self.family("a", benchmarks=10, seconds=4)
        ended = self.cupel("run", "--full", "--dry-run", "--budget", "1m", code=0)
        self.assert_golden(ended.out, "dry_run_budget.txt")

    def test_never_samples_longer_for_a_budget(self):
        self.family("a", benchmarks=10, seconds=0.19, max_wall=0.04)
        ended = self.cupel("run", "--dry-run", "--processes", 5, "--budget", "9s")
        self.assertIn("sampling of one benchmark ends after 0.037 s", ended.out)

    def test_refuses_an_output_whose_page_would_be_that_of_another_result(self):
        self.family("a")
        self.run_it("--processes", 1)
        before = self.output.with_suffix(".html").read_bytes()
        for name in ("out.txt", "out", "out.htm"):
            self.refuses(f"--output {name}: a result file's name ends in .json", "run", "--output", name)
        self.assertEqual(self.output.with_suffix(".html").read_bytes(), before)

    def test_refuses_data_of_a_folder_that_is_not_there(self):
        self.family("a")
        self.refuses("nowhere: there is no such folder", "run", "--data", self.folder / "nowhere", "--output", self.output)
        self.assertEqual(self.logged(), [])

    def test_interleaves_the_processes(self):
        self.family("a")
        self.family("b")
        self.run_it("--processes", 2)
        self.assertEqual([line.split()[1:3] for line in self.logged() if line.startswith("start")],
                         [["a", "0"], ["b", "0"], ["a", "1"], ["b", "1"]])

    def test_starts_as_many_processes_as_the_profile_says(self):
        self.family("a")
        for flag, processes in (("--quick", 3), ("--standard", 5), ("--full", 7)):
            self.log.unlink(missing_ok=True)
            self.run_it(flag, "--force")
            self.assertEqual(len(self.children()), processes)

    def test_measures_what_the_filter_and_the_advice_choose(self):
        self.family("a")
        self.family("b")
        self.run_it("a", "--filter", "bytes:(1024|4096)$", "--filter=-4096", "--processes", 1)
        self.assertEqual([name for name, _ in self.rows()], ["a/work/bytes:1024"])
        self.run_it("--advice", "pin-memory", "--processes", 1, "--force")
        self.assertEqual(len(self.rows()), 6)

    def test_ends_with_5_when_every_row_is_skipped(self):
        self.family("a", skips="no image can be decoded")
        ended = self.run_it("--processes", 1, code=5)
        self.assertIn("skipped (3) a: no image can be decoded", ended.out)

    def test_starts_a_family_once_that_this_machine_cannot_run_at_all(self):
        self.family("a", skips="needs two GPUs")
        self.family("b")
        self.run_it("--processes", 3)
        self.assertEqual(len(self.children()), 1 + 3)
        skipped = {(process, row["reason"]) for (name, process), row in self.rows().items() if name.startswith("a/")}
        self.assertEqual(skipped, {(process, "needs two GPUs") for process in range(3)})

    def test_ends_with_5_and_the_nearest_names_when_nothing_matches(self):
        self.family("a")
        for arguments, words in ((["--filter", "a/wrok"], ["'a/wrok'", "a/work"]),
                                 (["transfre"], ["'transfre'", "there are: a"])):
            with self.subTest(arguments):
                ended = self.run_it(*arguments, code=5)
                for word in words:
                    self.assertIn(word, ended.err)
                self.assertFalse(self.output.exists())

    def test_ends_with_5_and_the_families_that_measure_the_advice(self):
        self.family("a")
        for piece, said in (("channels-last", "it is measured by the families conv, pytorch"),
                            ("mixed-precision", "it is measured by the families gemm, conv, pytorch")):
            for command in ("run", "list"):
                ended = self.cupel(command, "a", "--advice", piece, code=5)
                self.assertEqual(ended.err, f"cupel: nothing chosen here belongs to the advice '{piece}'; {said}\n")

    def test_ends_with_5_and_the_profile_that_has_it_when_this_one_has_not(self):
        self.family("a")
        self.family("b", profile="standard", benchmarks=1)
        self.family("c", profile="full")
        words = "nothing of the quick profile matches; the standard profile has 1 that does: --standard"
        for arguments, said in ((["--filter", "^[bc]/work"], words), (["b"], words),
                                (["c", "--standard"], "the standard profile matches; the full profile has 3 that do: --full")):
            with self.subTest(arguments):
                self.assertIn(said, self.run_it(*arguments, code=5).err)
                self.assertIn(said, self.cupel("list", *arguments).err)
        self.assertEqual(self.run_it("b", "--standard", "--processes", 1).code, 0)

    def test_ends_with_2_and_a_hint_on_wrong_usage(self):
        self.family("a")
        for arguments, words in ((["run", "--fliter", "x"], "did you mean --filter?"), (["rnu"], "did you mean run?"),
                                 ([], "--help"), (["run", "--filter", "("], "no regular expression"),
                                 (["run", "--filter", "(?!a)"], "looking ahead"),
                                 (["run", "--processes", "0"], "--processes"), (["run", "--budget", "soon"], "soon"),
                                 (["run", "--timer", "sundial"], "sundial"), (["run", "--quick", "--full"], "--full")):
            with self.subTest(arguments):
                ended = self.cupel(*arguments, code=2)
                self.assertIn(words, ended.err)
                self.assertEqual(len(ended.err.splitlines()), 1, ended.err)

    def test_says_where_it_looked_when_there_are_no_executables(self):
        self.refuses(str(self.folder / "nowhere"), "run", "--bench-dir", self.folder / "nowhere")
        self.assertIn("holds no cupel_bench_", self.cupel("run", "--bench-dir", self.folder, code=2).err)
        self.assertIn("holds no cupel_bench_", self.cupel("list", "--bench-dir", self.folder, code=2).err)

    def test_ends_with_2_and_the_nearest_pieces_where_advice_is_unknown(self):
        self.family("a")
        for arguments in (["run", "a"], ["list"], ["advise", RESULT]):
            with self.subTest(arguments):
                ended = self.cupel(*arguments, "--advice", "pin-memroy", code=2)
                self.assertRegex(ended.err, "^cupel: there is no advice 'pin-memroy'; nearest: pin-memory")

    def test_tells_its_progress_in_plain_lines_when_it_is_no_terminal(self):
        self.family("a")
        ended = self.run_it("--processes", 2)
        self.assertEqual([re.sub(r"about .* left", "about T left", line) for line in ended.err.splitlines()],
                         ["a, process 1 of 2: 3 benchmarks, about T left", "a, process 1 of 2: 3 measured",
                          "a, process 2 of 2: 3 benchmarks, about T left", "a, process 2 of 2: 3 measured"])

    def test_says_the_time_left_right_within_a_third_from_the_second_process_on(self):
        """Of families whose listings promise a third and twice what they take; both times are of this run."""
        self.family("long", benchmarks=4, sleep=0.15, seconds=0.05)
        self.family("short", benchmarks=2, sleep=0.1, seconds=0.2)
        process = self.start("run", "--output", self.output, "--processes", 5)
        said = []
        for line in process.stderr:
            left = re.search(r"process (\d) of 5: .* about ([0-9.]+) (ms|s) left", line)
            if left and int(left[1]) > 1:
                said.append((time.monotonic(), float(left[2]) * (1e-3 if left[3] == "ms" else 1), line))
        process.communicate(timeout=100)
        end = time.monotonic()
        self.assertEqual(len(said), 8)
        for moment, seconds, line in said[:-1]:  # of the last the program's own end is a large part
            self.assertLess(abs(seconds / (end - moment) - 1), 1 / 3, f"{line} was {end - moment:.2f} s")

    def test_says_the_time_left_as_listed_after_a_family_that_measured_nothing(self):
        self.family("a", skips="needs two GPUs", seconds=20)
        self.family("b", seconds=20)
        self.assertIn("b, process 1 of 1: 3 benchmarks, about 1 min left\n", self.run_it("--processes", 1).err)

    def test_shows_at_once_what_a_child_says_of_work_that_lasts(self):
        self.family("a", mode="meanwhile")
        said = self.run_it("a").err

        self.assertIn("a: making [31mthings: 12 %\n", said)
        self.assertNotIn("about to go wrong", said)

    def test_lets_a_profiler_see_each_executable_once_and_prints_nothing_itself(self):
        self.family("a")
        self.family("b")
        ended = self.cupel("run", "--profile")
        self.assertEqual((ended.code, ended.out, ended.err), (0, "a runs once\nb runs once\n", ""))

    def test_leaves_nothing_in_the_folder_for_temporary_files(self):
        self.family("a")
        self.run_it("--processes", 1)
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])


class List(ProgramTest):
    def setUp(self):
        super().setUp()
        self.family("a")
        self.family("b", benchmarks=1)

    def test_names_benchmarks_and_their_advice(self):
        ended = self.cupel("list", code=0)
        self.assert_golden(ended.out, "list.txt")

    def test_gives_json_to_programs(self):
        listings = json.loads(self.cupel("list", "--format", "json", "--filter", "1024").out)
        self.assertEqual([(listing["family"], len(listing["benchmarks"])) for listing in listings], [("a", 1), ("b", 1)])

    def test_ends_with_5_when_nothing_matches(self):
        self.refuses("it is measured by the family collective", "list", "--advice", "topology", code=5)

    def test_says_what_tells_of_advice_without_a_benchmark(self):
        said = "cupel: shm-size has no benchmark; told by: cupel doctor\n"
        self.assertEqual(self.cupel("list", "--advice", "shm-size"), (0, "", said))
        self.assertEqual(self.cupel("list", "--advice", "shm-size", "--format", "json"), (0, "[]\n", said))
        both = self.cupel("list", "--advice", "shm-size", "--advice", "pin-memory", code=0)
        self.assertEqual((len(both.out.splitlines()), both.err), (4, said))
        self.assertIn("'nothing'", self.cupel("list", "--advice", "shm-size", "--advice", "nothing", code=2).err)
        self.assertEqual(self.run_it("--advice", "shm-size", code=5).err, said)
        for tool, place in (("shm-size", "cupel doctor"), ("converges", "cupel run step"), ("better-gpu", "cupel compare A.json B.json;")):
            self.assertIn(f"none; told by: {place}", self.cupel("explain", tool, code=0).out)


class Output(ProgramTest):
    def test_goes_to_a_file_where_one_is_named(self):
        self.family("a")
        result = HERE / "golden" / "result.json"
        for command in (["list"], ["explain", "cold"], ["doctor"], ["bands"], ["show", result], ["compare", result, result]):
            with self.subTest(command):
                printed = self.cupel(*command).out
                written = self.cupel(*command, "-o", self.folder / "written")
                self.assertEqual(written.out, "")
                self.assertEqual((self.folder / "written").read_text(), printed)


class Show(ProgramTest):
    """On golden/result.json, which was made by `cupel run` with fakes and is edited by nobody."""

    def test_prints_what_is_kept_in_at_most_a_hundred_columns(self):
        for golden, *arguments in (("show.txt",), ("show_all_by_time.txt", "--all", "--sort", "time"), ("show.md", "--format", "markdown"),
                                   ("show.csv", "--format", "csv"), ("show.json", "--format", "json")):
            with self.subTest(golden):
                text = self.cupel("show", RESULT, *arguments, code=0).out
                self.assert_golden(text, golden)
                if golden == "show.txt":
                    self.assertLessEqual(max(map(len, text.splitlines())), 100)
                if golden == "show.json":
                    json.loads(text)

    def test_prints_what_the_filter_leaves(self):
        names = {row["name"] for row in json.loads(
            self.cupel("show", RESULT, "--filter", "^host", "--format", "json").out)}
        self.assertEqual({name.split("/")[0] for name in names}, {"host"})
        self.cupel("show", RESULT, "--filter", "nothing", code=5)

    def test_says_that_a_file_holds_no_benchmarks(self):
        document = json.loads(RESULT.read_text())
        document["benchmarks"] = document["context"]["cupel"]["not_measured"] = []
        self.file("out.json", document)
        ended = self.cupel("show", self.output)
        self.assertEqual((ended.code, ended.out), (5, ""))
        self.assertIn(f"{self.output} is a result file without benchmarks", ended.err)

    def test_refuses_a_negative_time_and_says_which(self):
        document = json.loads(RESULT.read_text())
        row = document["benchmarks"][1]["cupel"]
        row["series"][0]["samples_s"][2] = -1e-6
        self.file("out.json", document)
        for command in ("show", "validate"):
            self.refuses(f"{self.output}: field /benchmarks/1/cupel/series/0/samples_s/2: must not be negative", command, self.output)

    def test_ends_with_2_and_names_file_and_fault_when_the_file_cannot_be_read(self):
        for content in (b"", b"{", b"\xff\xfe", b'{"context": {}}', b"[" * 100000):
            with self.subTest(content[:20]):
                self.output.write_bytes(content)
                ended = self.cupel("show", self.output, code=2)
                self.assertIn(str(self.output), ended.err)
                self.assertEqual(len(ended.err.splitlines()), 1)


class Validate(ProgramTest):
    def test_says_valid_and_ends_with_0(self):
        ended = self.cupel("validate", RESULT)
        self.assertEqual((ended.code, ended.out), (0, f"{RESULT}: valid\n"))

    def test_names_file_and_field_and_ends_with_2(self):
        document = json.loads(RESULT.read_text())
        document["benchmarks"][0]["cupel"]["process"] = "first"
        self.file("out.json", document)
        ended = self.cupel("validate", RESULT, self.output, code=2)
        self.assertIn(f"{self.output}: ", ended.err)
        self.assertIn("/benchmarks/0/cupel/process", ended.err)

    def test_says_of_a_file_that_is_cut_short_what_show_says_and_ends_with_2(self):
        """Wherever the end is. Of another program's file what is whole can be read, which is no reason to call it whole."""
        rows = [{"name": f"BM_{n}", "run_type": "iteration", "iterations": 1, "real_time": 1.0, "time_unit": "ns"} for n in range(2)]
        foreign = json.dumps({"context": {"date": "2026-11-20"}, "benchmarks": rows}, indent=1)
        for text in (RESULT.read_text(), foreign):
            whole = self.file("out.json", text)
            self.cupel("validate", whole, code=0)
            for end in range(0, len(text.rstrip()), max(1, len(text) // 40)):
                with self.subTest(end=end, of=len(text)):
                    cut = self.file("out.json", text[:end])
                    shown, err = self.cupel("show", cut), self.cupel("validate", cut, code=2).err
                    if shown.code == 2:
                        self.assertIn(shown.err.removeprefix("cupel: ").strip(), err)
                    else:
                        self.assertIn("cut short after", err)
                        self.assertIn("interrupted", shown.out)

    def test_reads_no_folder_and_no_file_that_is_not_there(self):
        for path in (self.folder, self.folder / "nowhere"):
            self.refuses(str(path), "validate", path)


class Explain(ProgramTest):
    def test_explains_a_benchmark_by_its_operation(self):
        legend = self.cupel("explain", code=0, COLUMNS="80").out
        self.assertEqual(legend, self.cupel("explain", "legend", code=0, COLUMNS="80").out)
        self.assertLessEqual(len(legend.splitlines()), 60)
        self.assertIn("MDE (compare), would find (gate): the smallest difference", legend)
        ended = self.cupel("explain", "transfer/h2d/memory:pinned/bytes:4096", code=0)
        self.assertTrue(ended.out.startswith("transfer/h2d, transfer/d2h\nadvice: pin-memory"), ended.out)
        self.assertNotIn("**", ended.out)

    def test_explains_a_piece_of_advice_by_all_that_measures_it(self):
        ended = self.cupel("explain", "avoid-sync")
        self.assertIn("sync/wait", ended.out)
        self.assertIn("sync/every_step", ended.out)

    def test_leads_from_each_change_of_a_training_step_to_its_piece(self):
        results = [gzip.open(file, "rt").read() for file in (ROOT / "results").rglob("*.json.gz") if re.search("step|pytorch", file.name)]
        listed = subprocess.run([CUPEL, "list", "--full", "--format", "json"], capture_output=True, text=True, check=True).stdout
        names = [set(re.findall(r'/(?:add|drop):(\w+)[/"]', text)) for text in ("\n".join(results), listed)]
        self.assertTrue(all("amp" in each for each in names))
        for name in sorted(set.union(*names)):
            self.cupel("explain", name, code=0)
        explained = self.cupel("explain", "amp", code=0).out
        self.assertTrue(explained.startswith("amp is the change that makes mixed-precision in a training step.\n"), explained)
        self.assertEqual(explained.partition("\n\n")[2], self.cupel("explain", "mixed-precision", code=0).out)

    def test_ends_with_5_and_the_nearest_when_it_knows_nothing(self):
        self.refuses("pin-memory", "explain", "pin-memroy", code=5)


class Help(ProgramTest):
    def test_has_the_exit_codes_and_ends_with_0(self):
        ended = self.cupel("--help", code=0)
        self.assertIn("130  interrupted", ended.out)

    def test_of_a_command_is_there_under_both_names(self):
        self.assertEqual(self.cupel("help").out, self.cupel("--help").out)
        self.assertEqual(self.cupel("help", "run").out, self.cupel("run", "--help").out)
        self.assertEqual(self.cupel("help", "history", "add").out, self.cupel("history", "add", "--help").out)

    def test_refuses_what_stands_before_a_subcommand_that_does_not_read_it_there(self):
        self.refuses("--bands stands before 'add', which does not read it there; write it behind", "bands", "--bands", "mine", "add", "x.json")
        self.refuses("'there' stands before 'add'", "history", "there", "add", "x.json", "here")
        self.refuses("--window stands before 'add'", "history", "--window", "9", "add", "x.json", "here")

    def test_tells_the_build(self):
        self.assertRegex(self.cupel("--version").out, r"^cupel \d+\.\d+\.\d+")


class WhatNewcomersType(ProgramTest):
    """Of results that are made up, and of no result at all."""

    def made(self, *rows):
        return self.file("made.json", made_up.result(rows))

    def test_validate_names_what_gives_no_figure(self):
        corrected = made_up.row("a/op/size:1", 0, [1e-6])
        corrected["cupel"]["series"][0]["correction_s"] = 5e-6
        timeless = made_up.row("a/op/size:1", 0, [1e-6])
        timeless["cupel"]["series"] = []
        row = made_up.row("a/op/size:1", 0, [1e-6])
        for rows, words in (([corrected], "its host time is 0 s after the correction of 5.00 us"), ([timeless, made_up.row("a/op/size:2", 0, [1e-6])], "has no time"),
                            ([row, row], "is there twice")):
            ended = self.cupel("validate", self.made(*rows), code=2)
            self.assertIn(f"made.json: a/op/size:1, process 0: {words}", ended.err)
            self.assertEqual(ended.out, "")
        for whole in (row, timeless):  # one without any time is of --cupel_once
            self.assertIn("valid", self.cupel("validate", self.made(whole), code=0).out)

    def test_an_executable_is_no_result_file(self):
        for command in (["export", MORE[0]], ["show", MORE[0]], ["compare", MORE[0], MORE[0]], ["validate", MORE[0]]):
            self.refuses(["is an executable, not a result file", "cupel gate takes executables"], *command)

    def test_list_says_which_families_are_not_built_here(self):
        self.family("host")
        said = self.cupel("list", code=0).err
        self.assertIn("not built here: collective, conv, fusion, gemm, memory, ", said)
        self.assertNotIn("host", said)
        self.assertIn("cupel explain FAMILY says what they measure", said)
        for chosen in (["host"], ["--filter", "work"]):
            self.assertEqual(self.cupel("list", *chosen, code=0).err, "")
        (self.bench / "cupel_bench_host").unlink()
        said = self.refuses("no benchmarks: ", "list")
        self.assertIn("not built here: collective, conv, fusion, gemm, host, memory, ", said)

    def test_a_filter_takes_a_size_as_tables_have_it(self):
        result = self.made(made_up.row("a/op/bytes:1048576", 0, [1e-6]), made_up.row("a/op/bytes:10485760", 0, [1e-6]))
        out = self.cupel("show", result, "--filter", "bytes:1 MiB", code=0).out
        self.assertIn("bytes:1 MiB", out)
        self.assertNotIn("bytes:10 MiB", out)

    def test_a_second_word_behind_an_option_that_is_repeated(self):
        result, program = self.made(made_up.row("a/op/size:1", 0, [1e-6])), MORE[0]
        self.family("a")
        for arguments, said in ((["gate", "--base", program, "--new", program, "--filter", "A", "B"], "write --filter A --filter B"),
                                (["gate", "--filter=A", "B", "--base", program, "--new", program], "write --filter A --filter B"),
                                (["gate", "--base", program, "--new", program, "-o", "json=a", "csv=b"], "write -o json=a -o csv=b"),
                                (["calibrate", program, "--arg", "A", "B"], "B: there is no such file"),
                                (["show", "--filter", "A", "B"], "write --filter A --filter B"),
                                (["export", result, "--filter", "A", "B"], "write --filter A --filter B"),
                                (["compare", result, result, "--filter", "A", "B"], "write --filter A --filter B"),
                                (["compare", result, result, "--only", "slower", "faster"], "write --only slower --only faster")):
            with self.subTest(arguments):
                self.refuses(said, *arguments)
        for arguments in (["show", result], ["list"], ["run", "--output", self.output]):
            with self.subTest(arguments):
                self.refuses("several filters are written --filter A --filter B", *arguments, "--filter", "A", "B", code=5)
        self.cupel("show", "--filter", "size", result, code=0)
        self.cupel("export", "--filter", "size", result, result, code=0)

    def test_a_misspelt_word_gets_the_nearest_of_those_that_there_are(self):
        result = self.made(made_up.row("gemm/square/n:1", 0, [1e-6]))
        folder = self.file("fleet/a.json", result.read_text()).parent
        for arguments in (["show", result], ["export", result], ["compare", result, result], ["compare", "--fleet", folder],
                          ["gate", "--baseline", result, "--new", result], ["gate", "--base", MORE[0], "--new", MORE[0]],
                          ["calibrate", MORE[0]]):
            with self.subTest(arguments):
                nearest = "nearest: " if MORE[0] in arguments else "nearest: gemm/square"
                self.refuses(f" matches 'gemm/sqare'; {nearest}", *arguments, "--filter", "gemm/sqare", code=5)
        self.refuses("must be one of samples, processes, benchmarks, not proceses; did you mean processes?", "export", result, "--level", "proceses")
        self.refuses("'slowr' is no verdict; did you mean SLOWER?", "compare", result, result, "--only", "slowr")
        self.refuses("has a parameter 'm'; there are: n", "show", result, "--across", "m", code=5)
        renames = self.file("renames.json", {"gemm/sqare/n:1": "b"})
        self.refuses("no benchmark is called gemm/sqare/n:1; nearest: gemm/square/n:1", "compare", result, result, "--renames", renames)

    def test_errors_name_the_option_and_the_kind_of_file(self):
        result, program = self.made(made_up.row("a/op/size:1", 0, [1e-6])), MORE[0]
        self.family("a")
        for command in (["run"], ["gate", "--base", program, "--new", program]):
            self.refuses("--budget: 'soon' is not a duration", *command, "--budget", "soon")
        self.refuses("--across: PARAMETER is missing; cupel show --help", "show", result, "--across")
        for words in (["gate", "--base", program, "--new", program, "--policy"], ["gate", "--base", program, "--new", program, "--calibration"]):
            self.refuses("made.json: is a result file, and another kind of file is asked for", *words, result)
        for words in (["advise", result, "--step"], ["run", "--step"]):
            self.refuses("made.json: is a result file, and the profile of a training step, as scripts/profile-from-pytorch makes one, is asked for",
                         *words, result)
        self.refuses("not proceses; did you mean processes? cupel export --help", "export", result, "--level", "proceses")
        packed = self.file("cut.json.gz", gzip.compress(result.read_bytes())[:-20])
        self.refuses("cut.json.gz: cannot be read: the packed data end too early, the file was cut off", "show", packed)

    def test_what_is_unusual_of_the_board_is_told_of_the_chosen_benchmarks_alone(self):
        result = kept("nvidia-h200/memory")
        for row in result["benchmarks"]:
            for series in row["cupel"].get("series", []) if row["name"].startswith(("memory/limits/read/", "memory/l2/")) else []:
                series["samples_s"] = [3 * sample_s for sample_s in series["samples_s"]]
        memory = self.file("memory.json", json.dumps(result))
        everything = " ".join(self.cupel("show", memory, code=0).out.split())
        first = re.search(r"unusual for an NVIDIA H200: memory/(\w+)", everything)[1]
        others = set(re.findall(r"memory/(\w+)/\S+ [\d.]+ % \w+ than", everything)) - {first}
        self.assertTrue(others)
        chosen = " ".join(self.cupel("show", memory, "--filter", f"memory/{first}/", code=0).out.split())
        self.assertRegex(chosen, rf"unusual for an NVIDIA H200: memory/{first}")
        self.assertEqual(set(re.findall(r"memory/(\w+)", chosen)), {first})


if __name__ == "__main__":
    main()
