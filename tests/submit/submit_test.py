"""`cupel submit`: what goes into a bundle, and which bundles are refused."""

import gzip
import hashlib
import json
import re
import shutil
import subprocess

from program import ROOT, ProgramTest, kept, main

RESULTS = ROOT / "results/nvidia-h200"
PARTS = {path for part in ("x2/pytorch", "sustained/gemm", "full/pytorch", "source/pytorch")  # results/README.md says why
         for path in RESULTS.parent.glob(f"*-{part}.json.gz")}
OPTIMIZER = kept("nvidia-h200/optimizer")
GEMM = kept("nvidia-h200/gemm")
REVISION = OPTIMIZER["context"]["cupel"]["build"]["git_revision"]


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=True).stdout.strip()


def copy_of(content):
    return json.loads(json.dumps(content))


class Submit(ProgramTest):
    def submit(self, *arguments, code=0):
        return self.cupel("submit", "--bands", self.folder / "no-bands", *arguments, code=code)

    def bundle(self, content=OPTIMIZER, name="bundle"):
        self.submit(self.file("optimizer.json", content), "--output", self.folder / name)
        return self.folder / name

    def rewrite(self, edit, content=OPTIMIZER, name="optimizer"):
        """A bundle with an edited file and the right hash: who edits one can write the other. name: that it gets."""
        folder = self.bundle(content)
        [file] = folder.glob("*.json.gz")
        content = json.loads(gzip.decompress(file.read_bytes()))
        edit(content)
        file.unlink()
        file = folder / f"{name}.json.gz"
        file.write_bytes(gzip.compress(json.dumps(content).encode()))
        (folder / "SHA256SUMS").write_text(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n")
        return folder

    def checked(self, code, edit, *arguments, **bundle):
        ended = self.submit("--check", self.rewrite(edit, **bundle), *arguments, code=code)
        shutil.rmtree(self.folder / "bundle")
        return ended

    def refused(self, edit, *arguments, **bundle):
        return self.checked(2, edit, *arguments, **bundle).err

    def known(self, *names):
        """A folder with these of results/."""
        for name in names:
            path = self.folder / "known" / f"{name}.json.gz"
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(RESULTS.parent / f"{name}.json.gz", path)
        return "--known", self.folder / "known"

    def refused_of_gemm(self, edit, *arguments):
        """As another run's samples, so that it is no copy."""
        def whole_edit(content):
            edit(content)
            scale(content, 1.001)
        return self.refused(whole_edit, *arguments, content=GEMM, name="gemm")

    def test_a_bundle_is_taken_and_names_neither_node_nor_board(self):
        content = copy_of(OPTIMIZER)
        content["context"]["cupel"]["run"].update(node="node-7", job="17", notes={"x": "seen on node-7"})
        folder = self.bundle(content)
        text = gzip.decompress((folder / "optimizer.json.gz").read_bytes()).decode()
        for secret in ("node-7", '"job"', content["context"]["cupel"]["device"]["uuid"]):
            self.assertNotIn(secret, text)
        self.assertRegex(text, r'"uuid":"GPU-[0-9a-f]{32}"')
        self.submit("--check", folder)

    def test_samples_are_sent_as_they_were(self):
        text = gzip.decompress((self.bundle() / "optimizer.json.gz").read_bytes())
        series = [[row["cupel"]["series"] for row in content["benchmarks"]] for content in (json.loads(text), OPTIMIZER)]
        self.assertEqual(series[0], series[1])

    def test_every_command_reads_a_bundle(self):
        folder = self.bundle()
        self.assertIn("optimizer/", self.cupel("show", folder, code=0).out)
        self.cupel("validate", folder, code=0)

    def test_the_folder_is_named_after_model_and_board(self):
        out = self.submit(self.file("optimizer.json", OPTIMIZER)).out
        self.assertRegex(out, r"nvidia-h200-[0-9a-f]{8}: 1 file\. Nothing was sent\.")
        self.assertRegex(" ".join(out.split()), r"next: .* send it in a pull request as results/(\S+); results/CONTRIBUTING\.md says how$")

    def test_without_files_it_says_which(self):
        self.assertIn("cupel: name files: Result files, or folders of them", self.submit(code=2).err)

    def test_a_folder_that_is_there_is_left_alone(self):
        self.bundle()
        err = self.submit(self.file("optimizer.json", OPTIMIZER), "--output", self.folder / "bundle", code=2).err
        self.assertIn("it is there already", err)

    def test_a_refused_result_gives_no_bundle_and_each_reason(self):
        content = copy_of(OPTIMIZER)
        content["context"]["cupel"]["build"]["git_dirty"] = True
        content["context"]["cupel"]["run"]["profile"] = "quick"
        err = self.submit(self.file("optimizer.json", content), "--output", self.folder / "bundle", code=2).err
        self.assertIn("refused: was measured by a changed build", err)
        self.assertIn("refused: is of the quick profile", err)
        self.assertFalse((self.folder / "bundle").exists())

    def test_a_slow_board_is_taken_with_a_label(self):
        boards = []
        for number in range(5):
            board = copy_of(OPTIMIZER)
            board["context"]["cupel"]["device"].update(name="NVIDIA T1000", uuid=f"GPU-0000000{number}-1111-2222-3333-444444444444")
            boards.append(board)
        slow = copy_of(boards[0])
        slow["context"]["cupel"]["device"]["uuid"] = "GPU-99999999-1111-2222-3333-444444444444"
        for row in slow["benchmarks"]:
            for series in row["cupel"]["series"]:
                series["samples_s"] = [3 * sample + 2 * series.get("correction_s", 0) for sample in series["samples_s"]]
        say_again(slow)
        files = [self.file(f"board{i}.json", board) for i, board in enumerate(boards)]
        self.cupel("bands", "add", "--bands", self.folder / "bands", *files, code=0)
        out = self.cupel("submit", self.file("optimizer.json", slow), "--bands", self.folder / "bands", "-o", self.folder / "b", code=0).out
        self.assertRegex(" ".join(out.split()), r"label \(decides nothing\): optimizer is unusual for an NVIDIA T1000: [\d.]+ % slower than 5 other boards")

    def test_an_edited_time_is_refused(self):
        def edit(content):
            content["benchmarks"][0]["real_time"] *= 0.9
        self.assertRegex(self.refused(edit), r"refused: field /benchmarks/0/real_time: is [\d.]+, its samples give")

    def test_edited_samples_are_refused_by_what_is_said_of_them(self):
        def edit(content):
            content["benchmarks"][0]["cupel"]["series"][0]["samples_s"] = [1e-7] * 9
            content["benchmarks"][0]["cupel"]["series"][0].pop("round_sizes", None)
        self.assertIn("its samples give", self.refused(edit))

    def test_an_edited_floor_is_refused(self):
        def edit(content):
            content["context"]["cupel"]["calibration"]["event_floor_kernel_s"] *= 2
        self.assertIn("/context/cupel/calibration/event_floor_kernel_s: is", self.refused(edit))

    def test_an_impossible_rate_is_refused(self):
        def edit(content):
            row = next(r for r in content["benchmarks"] if r["cupel"].get("limit", {}).get("quantity") == "bytes")
            for other in content["benchmarks"]:
                if other["name"] == row["name"]:
                    series = other["cupel"]["series"][0]
                    series["samples_s"] = [series.get("correction_s", 0) + i * 1e-9 + 1e-8 for i in range(len(series["samples_s"]))]
            say_again(content)
        self.assertRegex(self.refused(edit), r"is impossible: [\d.]+ times its limit, device memory")

    def test_a_raised_limit_is_refused(self):
        def edit(content):
            for row in content["benchmarks"]:
                if "limit" in row["cupel"]:
                    row["cupel"]["limit"]["per_second"] *= 10
        self.assertIn("holds rates against a limit of device memory that is not the memory's peak", self.refused(edit))

    def test_all_but_one_benchmark_taken_out_is_refused(self):
        def edit(content):
            keep(content, lambda name: name == content["benchmarks"][0]["name"])
        self.assertRegex(self.refused_of_gemm(edit, *self.known("nvidia-h200/gemm")), r"refused: lacks 86 benchmarks that its revision has, by \S+/nvidia-h200/gemm\.json\.gz: gemm/\S+, gemm/\S+, "
                              r"gemm/\S+ and 83 more; measure the whole family: what cannot run keeps a row that says why")

    def test_most_of_a_family_taken_out_is_refused_of_any_revision(self):
        def edit(content):
            keep(content, lambda name: name == content["benchmarks"][0]["name"])
            content["context"]["cupel"]["build"]["git_revision"] = "0" * 40
        self.assertRegex(self.refused_of_gemm(edit, *self.known("nvidia-h200/gemm")), r"refused: has 1 benchmark of gemm where \S+ has 87: less than half")

    def test_a_precision_taken_out_is_refused(self):
        def edit(content):
            keep(content, lambda name: "fp8" not in name)
        self.assertRegex(self.refused_of_gemm(edit, *self.known("nvidia-h200/gemm")), r"refused: lacks 11 benchmarks that its revision has, by \S+: gemm/\S*fp8")

    def test_a_precision_taken_out_of_a_revision_between_two_that_are_known_is_refused(self):
        def edit(content):
            keep(content, lambda name: "fp8" not in name)
            content["context"]["cupel"]["build"]["git_revision"] = "0" * 40
        h100, h200 = (kept(f"nvidia-{name}/gemm")["context"]["cupel"]["build"]["git_revision"] for name in ("h100", "h200"))
        between = self.file("revisions", f"{h200}\n{'0' * 40}\n{h100}\n")
        self.assertIn("lacks 11 benchmarks that its revision has", self.refused_of_gemm(edit, *self.known("nvidia-h100/gemm", "nvidia-h200/gemm"), "--revisions", between))

    def test_what_another_revision_may_have_dropped_is_a_label(self):
        def edit(content):
            keep(content, lambda name: "fp8" not in name)
            scale(content, 1.001)
            content["context"]["cupel"]["build"]["git_revision"] = "0" * 40
        out = self.checked(0, edit, *self.known("nvidia-h200/gemm"), content=GEMM, name="gemm").out
        self.assertRegex(" ".join(out.split()), r"label: lacks 11 benchmarks that \S+/gemm\.json\.gz has, by another revision, which may have others: gemm/")

    def test_what_this_program_itself_lists_is_asked_for(self):
        self.family("optimizer", profile="standard")
        shown = re.match(r"cupel \S+(?: \((\w+)(, changed)?\))?", self.cupel("--version", code=0).out)
        content = copy_of(OPTIMIZER)
        content["context"]["cupel"]["build"]["git_revision"] = git("rev-parse", shown[1]) if shown[1] else "0" * 40
        listed = bool(shown[1]) and not shown[2]  # the lists of a changed build are of no revision
        err = self.submit(self.file("optimizer.json", content), "-o", self.folder / "bundle", code=2 if listed else 0).err
        self.assertEqual("lacks 3 benchmarks that its revision has, by this cupel's own list: optimizer/work/bytes:1024" in err, listed)

    def test_limits_taken_away_are_refused(self):
        def edit(content):
            for row in content["benchmarks"]:
                row["cupel"].pop("limit")
        self.assertRegex(self.refused_of_gemm(edit, *self.known("nvidia-h200/gemm")), r"refused: has no limit of 85 benchmarks that have it by \S+/nvidia-h200/gemm\.json\.gz: gemm/")

    def test_times_below_limits_that_were_taken_away_or_raised_are_refused_of_any_revision(self):
        def quick(content):
            scale(content, 0.1)
            content["context"]["cupel"]["build"]["git_revision"] = "0" * 40

        def without(content):
            quick(content)
            for row in content["benchmarks"]:
                row["cupel"].pop("limit")

        def raised(content):
            quick(content)
            for row in content["benchmarks"]:
                row["cupel"]["limit"]["per_second"] *= 1 if row["cupel"]["limit"]["name"] == "device memory" else 10

        def without_work(content):
            quick(content)
            for row in content["benchmarks"]:
                row["cupel"]["workload"] = {}
                for key in ("bytes_per_second", "flops_per_second", "items_per_second"):
                    row.pop(key, None)
        for edit in (without, raised, without_work):
            with self.subTest(edit=edit.__name__):
                self.assertRegex(self.refused(edit, *self.known("nvidia-h200/gemm"), content=GEMM, name="gemm"), r"refused: gemm/\S+ is impossible: [\d.]+ times its limit")

    def test_telemetry_taken_away_is_refused(self):
        def all_of_it(content):
            for row in content["benchmarks"]:
                row["cupel"].pop("telemetry")

        def what_it_says(content):
            for row in content["benchmarks"]:
                row["cupel"]["telemetry"] = {"settled": True}
        for edit in (all_of_it, what_it_says):
            with self.subTest(edit=edit.__name__):
                self.assertIn("refused: has no telemetry of 27 benchmarks, as optimizer/", self.refused(edit))

    def test_telemetry_of_host_times_taken_away_is_refused(self):
        def all_of_it(content):
            for row in content["benchmarks"]:
                row["cupel"].pop("telemetry")

        def but_for_one(content):
            scale(content, 1.001)
            for row in content["benchmarks"]:
                if row["name"] != content["benchmarks"][0]["name"]:
                    row["cupel"].pop("telemetry")
        pytorch = kept("nvidia-h200/pytorch")
        rows = len({row["name"] for row in pytorch["benchmarks"]})
        self.assertIn(f"refused: has no telemetry of {rows} benchmarks", self.refused(all_of_it, content=pytorch, name="pytorch"))
        self.assertRegex(self.refused(but_for_one, *self.known("nvidia-h200/pytorch"), content=pytorch, name="pytorch"),
                         rf"refused: has no telemetry of {rows - 1} benchmarks that have it by \S+/nvidia-h200/pytorch\.json\.gz")

    def test_a_name_other_than_the_familys_is_refused(self):
        err = self.refused(lambda content: None, content=GEMM, name="conv")
        self.assertIn("conv.json.gz: refused: holds other families than its name says; it would be gemm.json.gz", err)

    def test_a_date_to_come_is_refused(self):
        def edit(content):
            content["context"]["cupel"]["run"].update(started="2999-01-01T00:00:00Z", finished="2999-01-01T01:00:00Z")
            content["context"]["date"] = "2999-01-01T00:00:00Z"
        self.assertIn("refused: has a date in the future: 2999-01-01T00:00:00Z", self.refused(edit))

    def test_a_name_of_a_host_is_refused(self):
        def node(content):
            content["context"]["cupel"]["run"]["node"] = "login1"

        def google(content):
            content["context"]["host_name"] = "login1"

        def home(content):
            content["context"]["cupel"].setdefault("run", {}).setdefault("notes", {})["x"] = "/home/ann/results"
        self.assertIn("/context/cupel/run/node: names a machine", self.refused(node))
        self.assertIn("has fields that this cupel does not know", self.refused(google))
        self.assertIn("/context/cupel/run/notes/x: has the path of a home folder", self.refused(home))

    def test_a_board_that_is_not_hashed_is_refused(self):
        def edit(content):
            content["context"]["cupel"]["device"]["uuid"] = OPTIMIZER["context"]["cupel"]["device"]["uuid"]
        self.assertIn("/context/cupel/device/uuid: is not hashed", self.refused(edit))

    def test_another_process_on_the_gpu_is_refused(self):
        def edit(content):
            content["benchmarks"][3]["cupel"].setdefault("telemetry", {})["foreign_processes"] = 2
        self.assertIn("refused: another process used the GPU beside 1 row", self.refused(edit))

    def test_another_schema_is_refused(self):
        def edit(content):
            content["context"]["cupel"]["schema"]["major"] = 2
        self.assertIn("schema 2 is newer than this cupel's", self.refused(edit))

    def test_what_is_no_result_is_refused(self):
        for text in (b"[]", b"{", b"[" * 100000, b'{"context": {}, "context": {}}', b"\x00\xff", b""):
            with self.subTest(text=text[:20]):
                folder = self.bundle()
                file = folder / "optimizer.json.gz"
                file.write_bytes(gzip.compress(text))
                (folder / "SHA256SUMS").write_text(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  optimizer.json.gz\n")
                self.assertIn("refused: ", self.submit("--check", folder, code=2).err)
                shutil.rmtree(folder)

    def test_another_programs_result_is_refused(self):
        google = {"context": {"date": "2026-11-20"}, "benchmarks": [{"name": "a", "real_time": 1, "cpu_time": 1, "time_unit": "ns"}]}
        self.submit(self.file("google.json", google), code=2)

    def test_another_hash_is_refused(self):
        folder = self.bundle()
        (folder / "optimizer.json.gz").write_bytes(gzip.compress(json.dumps(OPTIMIZER).encode()))
        self.assertIn("is not the file of SHA256SUMS", self.submit("--check", folder, code=2).err)

    def test_what_no_terminal_should_obey_is_shown_and_not_sent_to_it(self):
        folder = self.bundle()
        (folder / "SHA256SUMS").write_text("0" * 64 + "  \x1b[2Jgemm.json.gz\n")
        self.assertNotIn("\x1b", self.submit("--check", folder, code=2).err)

    def test_a_revision_that_is_not_known_is_refused(self):
        folder = self.bundle()
        known = self.file("revisions", REVISION + "\n" + "0" * 40 + "\n")
        other = self.file("other", "0" * 40 + "\n")
        self.submit("--check", folder, "--revisions", known)
        self.assertIn("was measured by an unknown revision", self.submit("--check", folder, "--revisions", other, code=2).err)
        self.assertIn("names none", self.submit("--check", folder, "--revisions", self.file("empty", ""), code=2).err)

    def test_what_is_there_already_is_refused(self):
        folder = self.bundle()
        known = self.folder / "known/nvidia-h200"
        known.mkdir(parents=True)
        shutil.copy(RESULTS / "sync.json.gz", known)
        self.submit("--check", folder, "--known", self.folder / "known")
        shutil.copy(RESULTS / "optimizer.json.gz", known)
        self.assertIn("is there already: most of its rows", self.submit("--check", folder, "--known", self.folder / "known", code=2).err)

    def test_a_bundle_is_no_copy_of_itself(self):
        known = self.folder / "known"
        known.mkdir()
        self.submit("--check", self.bundle(name="known/bundle"), "--known", known)

    def test_one_result_twice_is_refused(self):
        files = [self.file(f"{name}.json", OPTIMIZER) for name in ("a", "b")]
        self.assertIn("b.json: refused: is there already", self.submit(*files, code=2).err)

    def test_what_could_not_be_looked_at_is_said(self):
        folder = self.bundle()
        err = self.submit("--check", folder).err
        self.assertIn("not checked without --revisions", err)
        self.assertIn("not checked without --known", err)

    def test_what_it_says_fits_the_terminal(self):
        for folder, said in (("nvidia-h200", "All of 148 benchmarks are usual for an NVIDIA H200: as on "),
                             ("nvidia-h100", "2 of 29 benchmarks are unusual for an NVIDIA H100 80GB HBM3: conv/forward/")):
            out = self.cupel("submit", RESULTS.parent / folder, "-o", f"bundle-{folder}", COLUMNS="80", code=0).out
            self.assertIn(said, " ".join(out.split()))
            self.assertEqual([line for line in out.splitlines() if len(line) > 80], [])

    def test_the_results_that_are_kept_make_bundles_that_are_taken(self):
        for folder in sorted(path for path in RESULTS.parent.iterdir() if path.is_dir()):
            whole = [path for path in sorted(folder.glob("*.json.gz")) if path not in PARTS]
            if whole:
                with self.subTest(folder=folder.name):
                    self.submit(*whole, "--known", RESULTS.parent, "--output", self.folder / folder.name)
                    self.submit("--check", self.folder / folder.name)

    def test_a_part_of_a_family_that_is_kept_is_refused_as_one(self):
        for path in PARTS:
            with self.subTest(file=path):
                self.assertIn("holds a part of its families", self.submit(path, code=2).err)

    def test_of_several_bundles_each_is_checked(self):
        good = self.bundle(name="good")
        bad = self.folder / "bad"
        bad.mkdir()
        ended = self.submit("--check", bad, good, code=2)
        self.assertIn("refused: ", ended.err)
        self.assertTrue(re.search(r"good/optimizer\.json\.gz: NVIDIA H200", ended.out))

    def test_results_of_two_models_are_two_bundles(self):
        other = copy_of(kept("nvidia-h200/step"))
        other["context"]["cupel"]["device"]["name"] = "NVIDIA T1000"
        err = self.submit(self.file("a.json", OPTIMIZER), self.file("b.json", other), code=2).err
        self.assertIn("a bundle holds results of one model", err)


def keep(content, wanted):
    for rows in (content["benchmarks"], content["context"]["cupel"]["not_measured"]):
        rows[:] = [row for row in rows if wanted(row["name"])]
    count_again(content)


def scale(content, factor):
    for row in content["benchmarks"]:
        for series in row["cupel"]["series"]:
            cost = series.get("correction_s", 0)
            series["samples_s"] = [cost + factor * (sample - cost) for sample in series["samples_s"]]
    say_again(content)


def count_again(content):
    """Numbers the benchmarks that are left, so that nothing shows where others were."""
    others = content["context"]["cupel"]["not_measured"]
    names = list(dict.fromkeys(row["name"] for row in content["benchmarks"] + others))
    for row in content["benchmarks"]:
        row["family_index"] = names.index(row["name"])
    for position, row in enumerate(others, len(content["benchmarks"])):
        row["position"] = position


def say_again(content):
    """Writes what follows from the samples as the program does: whoever edits samples can do so, too."""
    for row in content["benchmarks"]:
        series = row["cupel"]["series"][0]
        time_s = quartile_mean(sorted(max(0.0, s - series.get("correction_s", 0)) for s in series["samples_s"]))
        row["real_time"] = row["cpu_time"] = 1e6 * time_s
        work = row["cupel"].get("workload", {})
        amounts = {key: work.get(key, 0) for key in ("items", "flops")}
        amounts["bytes"] = sum(work.get(key, 0) for key in ("bytes_read", "bytes_written", "bytes_moved"))
        row.update({f"{key}_per_second": amount / time_s for key, amount in amounts.items() if amount})


def quartile_mean(times):
    """stats::interquartile_mean(): the mean of the middle half, the two at its ends in part."""
    cut = len(times) / 4
    total = weight = 0.0
    for i, time in enumerate(times):
        share = max(0.0, min(i + 1, len(times) - cut) - max(i, cut))
        total += share * time
        weight += share
    return total / weight


main()
