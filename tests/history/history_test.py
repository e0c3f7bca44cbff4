"""What `cupel history` keeps and says of results that are made up:  history_test.py CUPEL"""

import json

import made_up
from program import ProgramTest, main


def result(family="a", factor=1.0, day=1, busy=(), sizes=3):
    """busy: the sizes at which threads waited for a CPU."""
    rows = []
    for size in range(sizes):
        for process in range(6):
            time_s = 1e-3 * (size + 1) * factor * (1 + 1e-4 * process + 1e-4 * (day % 3))
            waited = {"counters": {"cpu_wait": {"value": 0.5, "unit": "1"}}} if size in busy else {}
            rows.append(made_up.row(f"{family}/op/size:{size}", process, [time_s, time_s], **waited))
    return made_up.result(rows, processes=6, run={"started": f"2026-01-{day:02}T07:30:00Z"})


class History(ProgramTest):
    def add(self, document, commit, *arguments, folder="h", code=0):
        return self.cupel("history", "add", self.file("r.json", document), folder, "--commit", commit, *arguments, code=code)

    def history(self, *arguments, code=0):
        return " ".join(self.cupel("history", "h", *arguments, code=code).out.split())

    def points(self):
        return sorted(path.name for path in (self.folder / "h").glob("*/*.json"))

    def test_begins_with_its_machine_and_its_answer(self):
        for day in range(1, 8):
            self.add(result(day=day, factor=2 if day > 5 else 1), f"c{min(day, 6)}")
        lines = self.cupel("history", "h", "--release", "c5", code=6, COLUMNS="200").out.splitlines()
        self.assertEqual(lines[:2], ["Times over commits: NVIDIA H200", "==============================="])
        self.assertEqual(lines[3], "No benchmark of the newest commit, c6, is slower than a reference, and 3 are undecided; 0 steps in 7 points of "
                         "3 benchmarks.")
        self.assertIn(f"<h1>{lines[0]}</h1>", self.cupel("history", "h", "--format", "html", code=0).out)

    def test_says_that_a_busy_machine_measured_all_of_a_file(self):
        ended = self.add(result(busy=(0, 1, 2)), "c1", code=5)
        self.assertIn("r.json: nothing to keep: 3 of 3 benchmarks were measured on a busy machine (threads waited for a CPU, or", ended.err)
        self.assertIn("end other programs there, and measure again", ended.err)
        self.assertEqual(self.points(), [])

    def test_says_what_of_a_file_a_busy_machine_measured(self):
        ended = self.add(result(busy=(1,)), "c1", "-q")
        self.assertIn("the point lacks some: 1 of 3 benchmarks was measured on a busy machine", ended.err)
        self.assertEqual(self.add(result(), "c2", "-q").err, "")

    def test_counts_what_the_newest_commit_lacks_and_names_it_on_request(self):
        self.add(result(sizes=5), "c1")
        self.add(result(sizes=3, day=2), "c2")
        self.assertIn("2 benchmarks that earlier commits have are not in the newest, and not judged: --all names them.", self.history())
        everything = self.history("--all")
        for size in (3, 4):
            self.assertIn(f"a/op/size:{size}", everything)
        dropped = json.loads(self.cupel("history", "h", "--format", "json", code=0).out)["dropped"]
        self.assertEqual(dropped, [{"benchmark": f"a/op/size:{size}", "last": "c1"} for size in (3, 4)])

    def test_keeps_two_families_that_start_in_one_second(self):
        for family in ("a", "b"):
            self.add(result(family), "c1")
        self.assertEqual(self.points(), ["20260101T073000Z-c1.2.json", "20260101T073000Z-c1.json"])
        self.assertIn("the newest commit, c1, against; 0 steps in 2 points of 6 benchmarks.", self.history())

    def test_keeps_no_point_twice(self):
        for family in ("a", "b"):
            self.add(result(family), "c1")
        for family, name in (("a", "c1.json"), ("b", "c1.2.json")):
            self.assertIn(f"{name}: the history has this point", self.add(result(family), "c1", code=2).err)
            self.assertIn(name, self.add(result(family), "c1", "--force").out)
        self.assertEqual(len(self.points()), 2)

    def test_keeps_several_files_at_once_or_none(self):
        files = [self.file(f"{family}.json", result(family)) for family in ("a", "b")]
        out = self.cupel("history", "add", *files, "h", "--commit", "c1", code=0).out
        self.assertEqual(len(out.splitlines()), 2)
        self.assertEqual(self.points(), ["20260101T073000Z-c1.2.json", "20260101T073000Z-c1.json"])
        self.refuses("b.json is a file; name the history's folder last", "history", "add", *files)
        self.refuses("name the files and, last, the history's folder", "history", "add", files[0])
        self.refuses("a.json is a file; name the folder of a history, which cupel history add FILE DIR begins", "history", files[0])
        busy = self.file("busy.json", result("c", busy=(0, 1, 2)))
        self.refuses("busy.json: nothing to keep", "history", "add", busy, self.file("d.json", result("d", day=2)), "h", "--commit", "c2", code=5)
        self.assertEqual(len(self.points()), 3)
        self.refuses("nowhere.json", "history", "add", self.file("e.json", result("e", day=3)), "nowhere.json", "h", "--commit", "c3")
        self.assertEqual(len(self.points()), 3)

    def test_says_what_a_reference_is_where_none_was_given(self):
        self.add(result(), "c1")
        said = "A reference: an earlier commit that the newest is held against. Either needs 5 processes, and a benchmark 6 points"
        self.assertIn(f"{said}: --merge-base or --release names one.", self.history())

    def test_names_the_newest_commits_where_a_reference_is_none_of_them(self):
        for day in range(1, 8):
            self.add(result(day=day), f"c{day}")
        self.assertIn("nothing to hold against c9: it is not in the history, whose newest commits are c7, c6, c5, c4, c3",
                      self.history("--release", "c9", code=5))

    def test_replaces_a_damaged_point_by_force_alone(self):
        self.add(result("a"), "c1")
        point, = (self.folder / "h").rglob("*-c1.json")
        for damaged in (b"", b"half a poi", point.read_bytes()[:-9], b"[]", b"{}"):
            point.write_bytes(damaged)
            self.assertIn("replace it with --force", self.add(result("a"), "c1", code=2).err, damaged)
            self.assertEqual(point.read_bytes(), damaged)
            self.add(result("a"), "c1", "--force")
            self.assertIn("1 point of", self.history())
        self.assertEqual(len(self.points()), 1)

    def test_names_the_histories_in_a_folder_of_them(self):
        for program in ("one", "two"):
            self.add(result(), "c1", folder=f"all/{program}")
        self.refuses("all holds histories; name one of them: all/one, all/two", "history", "all")

    def test_takes_the_folder_of_a_machine(self):
        self.add(result(), "c1")
        (machine,) = (self.folder / "h").iterdir()
        self.assertIn("1 point of 3 benchmarks", " ".join(self.cupel("history", machine, code=0).out.split()))

    def test_dates_the_points_of_a_page_where_commits_repeat(self):
        def page():
            return self.cupel("history", "h", "--all", "--format", "html", code=0).out
        self.add(result(), "c1")
        self.add(result(day=2), "c2")
        self.assertIn(">commit</text>", page())
        self.add(result(day=3), "c2")
        self.assertIn(">day (UTC)</text>", page())
        self.assertIn(">01-03</text>", page())


if __name__ == "__main__":
    main()
